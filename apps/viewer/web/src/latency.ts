// How long it takes from a command to the first picture that shows what it did.

export interface Sample {
  ms: number;
  pictures: number; // drawn since the command was sent; 1: the very next one showed it
}

const kept = 100;

export class Latency {
  readonly samples: Sample[] = []; // the newest last
  private waiting: { seq: number; at: number; pictures: number }[] = [];
  private echo = 0;
  private pictures = 0;

  sent(seq: number): void {
    this.waiting.push({ seq, at: performance.now(), pictures: this.pictures });
    if (this.waiting.length > 10 * kept) this.waiting.shift();
  }

  // A frame has been taken in that shows what was done up to `seq`.
  echoed(seq: number): void {
    this.echo = Math.max(this.echo, seq);
  }

  drawn(): void {
    ++this.pictures;
    while (this.waiting.length > 0 && this.waiting[0].seq <= this.echo) {
      const { at, pictures } = this.waiting.shift()!;
      this.samples.push({ ms: performance.now() - at, pictures: this.pictures - pictures });
      if (this.samples.length > kept) this.samples.shift();
    }
  }

  // A new connection: what was sent over the old one is not answered any more.
  forget(): void {
    this.waiting = [];
    this.echo = 0;
  }

  median(): Sample | null {
    if (this.samples.length === 0) return null;
    const middle = (values: number[]) => values.sort((a, b) => a - b)[values.length >> 1];
    return { ms: middle(this.samples.map((s) => s.ms)), pictures: middle(this.samples.map((s) => s.pictures)) };
  }
}
