// What frames told about themselves, by simulated time, so that plots line up with the timeline.
import type { Stats } from '../protocol';

export interface Sample {
  time: number; // [s]
  stats: Stats;
}

const kept = 120; // [s]

export class StatsHistory {
  readonly samples: Sample[] = [];

  clear(): void {
    this.samples.length = 0;
  }

  // In order of time. A recording that is scrubbed back and forth fills gaps; the same moment again takes its place.
  add(time: number, stats: Stats): void {
    const samples = this.samples;
    const at = this.firstFrom(time - 1e-9);
    const there = samples[at];
    if (there && Math.abs(there.time - time) < 1e-9) there.stats = { ...there.stats, ...stats };
    else samples.splice(at, 0, { time, stats });
    const old = this.firstFrom(samples[samples.length - 1].time - kept);
    if (old > 0) samples.splice(0, old);
  }

  // The world went on from an earlier moment: what was measured after it did not happen.
  forgetAfter(time: number): void {
    this.samples.length = this.firstFrom(time + 1e-9);
  }

  get lastTime(): number {
    return this.samples.at(-1)?.time ?? 0;
  }

  // Index of the first sample at `time` or later.
  firstFrom(time: number): number {
    let [low, high] = [0, this.samples.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.samples[middle].time < time) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
