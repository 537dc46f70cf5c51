// Pixels of a screenshot: PNG of 8-bit RGB or RGBA, not interlaced.
import { inflateSync } from 'node:zlib';

export class Picture {
  constructor(data) {
    let at = 8;
    const parts = [];
    for (let kind = ''; kind !== 'IEND'; ) {
      const length = data.readUInt32BE(at);
      kind = data.toString('latin1', at + 4, at + 8);
      const body = data.subarray(at + 8, at + 8 + length);
      if (kind === 'IHDR') {
        this.width = body.readUInt32BE(0);
        this.height = body.readUInt32BE(4);
        if (body[8] !== 8 || ![2, 6].includes(body[9]) || body[12] !== 0) throw new Error('PNG of an unexpected kind');
        this.channels = body[9] === 6 ? 4 : 3;
      } else if (kind === 'IDAT') parts.push(body);
      at += 12 + length;
    }
    this.unfilter(inflateSync(Buffer.concat(parts)));
  }

  // RFC 2083, chapter 6.
  unfilter(raw) {
    const { channels, height } = this, row = channels * this.width;
    this.bytes = Buffer.alloc(row * height);
    for (let y = 0; y < height; ++y) {
      const kind = raw[y * (row + 1)], start = y * row;
      for (let i = 0; i < row; ++i) {
        const left = i >= channels ? this.bytes[start + i - channels] : 0;
        const up = y > 0 ? this.bytes[start + i - row] : 0;
        const corner = y > 0 && i >= channels ? this.bytes[start + i - row - channels] : 0;
        let guess = [0, left, up, (left + up) >> 1][kind];
        if (kind === 4) {
          const p = left + up - corner;
          const [a, b, c] = [Math.abs(p - left), Math.abs(p - up), Math.abs(p - corner)];
          guess = a <= b && a <= c ? left : b <= c ? up : corner;
        }
        this.bytes[start + i] = raw[y * (row + 1) + 1 + i] + guess;
      }
    }
  }

  // Red, green and blue, 0 to 255; the mean of a small square.
  at(x, y, reach = 2) {
    const sum = [0, 0, 0];
    let count = 0;
    for (let j = Math.round(y) - reach; j <= Math.round(y) + reach; ++j)
      for (let i = Math.round(x) - reach; i <= Math.round(x) + reach; ++i) {
        if (i < 0 || j < 0 || i >= this.width || j >= this.height) continue;
        for (let k = 0; k < 3; ++k) sum[k] += this.bytes[(j * this.width + i) * this.channels + k];
        ++count;
      }
    return sum.map((s) => s / count);
  }

  // How many pixels differ from those of another picture of the same size.
  differs(other, tolerance = 12) {
    let count = 0;
    for (let i = 0; i < this.width * this.height; ++i)
      for (let k = 0; k < 3; ++k)
        if (Math.abs(this.bytes[i * this.channels + k] - other.bytes[i * other.channels + k]) > tolerance) {
          ++count;
          break;
        }
    return count;
  }

  // How many pixels satisfy a condition on [r, g, b].
  count(condition) {
    let count = 0;
    for (let i = 0; i < this.bytes.length; i += this.channels)
      if (condition(this.bytes[i], this.bytes[i + 1], this.bytes[i + 2])) ++count;
    return count;
  }
}

// Degrees of the colour wheel, and how far from grey (0 to 1).
export function hue([r, g, b]) {
  const high = Math.max(r, g, b), span = high - Math.min(r, g, b);
  if (span === 0) return { degrees: 0, saturation: 0 };
  const sixth = high === r ? (g - b) / span : high === g ? 2 + (b - r) / span : 4 + (r - g) / span;
  return { degrees: (60 * sixth + 360) % 360, saturation: span / high };
}
export function hueDistance(a, b) {
  const apart = Math.abs(hue(a).degrees - hue(b).degrees);
  return Math.min(apart, 360 - apart);
}
