// Fewer pixels when pictures take too long: a coarse one now is better than a fine one late.
// `?quality=full` keeps all of them, for those who take pictures of the page.

const tooSlow = 55; // from the wish for a picture to its end [ms]
const watched = 12; // pictures, before something is changed
const steps = [1, 0.8, 0.65]; // of the pixels from left to right

export const wantsFullQuality = /[?&]quality=full\b/.test(location.search);

// Whether there is no graphics card: a virtual machine, a browser without a screen.
export function drawsInSoftware(): boolean {
  const gl = document.createElement('canvas').getContext('webgl2');
  const info = gl?.getExtension('WEBGL_debug_renderer_info');
  const name = gl && info ? String(gl.getParameter(info.UNMASKED_RENDERER_WEBGL)) : '';
  gl?.getExtension('WEBGL_lose_context')?.loseContext();
  return /swiftshader|llvmpipe|software|basic render/i.test(name);
}

export class Quality {
  private step = 0;
  private slow = 0;
  private seen = 0;

  constructor(readonly full: number, private readonly apply: (pixelRatio: number) => void) {}

  get pixelRatio(): number {
    return this.full * steps[this.step];
  }

  took(ms: number): void {
    if (wantsFullQuality || ms > 1000) return; // compiling shaders, or a page that was in the background
    ++this.seen;
    if (ms > tooSlow) ++this.slow;
    if (this.seen < watched) return;
    if (this.slow > 0.7 * watched && this.step + 1 < steps.length) {
      ++this.step;
      this.apply(this.pixelRatio);
    }
    this.seen = this.slow = 0;
  }
}
