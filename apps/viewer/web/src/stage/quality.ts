// Fewer pixels when pictures take too long: a coarse one now is better than a fine one late.
// `?quality=full` keeps all of them, for those who take pictures of the page.

const tooSlow = 55; // from the wish for a picture to its end [ms]
const watched = 24; // pictures, before something is changed
const steps = [1, 0.8, 0.65]; // of the pixels from left to right

export class Quality {
  private step = 0;
  private slow = 0;
  private seen = 0;
  private readonly fixed = /[?&]quality=full\b/.test(location.search);

  constructor(readonly full: number, private readonly apply: (pixelRatio: number) => void) {}

  get pixelRatio(): number {
    return this.full * steps[this.step];
  }

  took(ms: number): void {
    if (this.fixed || ms > 1000) return; // compiling shaders, or a page that was in the background
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
