// What pictures cost, for tests and for those who tune: the last one and the mean of some [ms].
export class Cost {
  last = 0;
  mean = 0;
  count = 0;
  add(ms: number): void {
    this.last = ms;
    this.mean += (ms - this.mean) / Math.min(++this.count, 30);
  }
}
