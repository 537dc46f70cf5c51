// What the panels need of the 3D stage. Kept apart from the stage itself so that panels can be tried without one.
export interface StageLike {
  readonly canvas: HTMLCanvasElement;
  screenshot(): Promise<Blob>;
  frameSelected(): void;
  frameScene(): void;
  shoot(): void; // a ball to where the pointer is
  drop(what: string): void; // into the middle of the picture
  setCovered(pixels: number): void; // at the right of the picture
}
