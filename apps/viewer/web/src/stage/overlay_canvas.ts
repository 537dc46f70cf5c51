// A flat canvas over the picture, for what tools draw on the screen rather than in the scene: a stroke, a box of
// selection. Coordinates are pixels of the page from the picture's upper left corner, as in a tool's events.

export class OverlayCanvas {
  private canvas: HTMLCanvasElement | null = null;

  constructor(private readonly stage: HTMLCanvasElement) {}

  // Made when first used, and as large as the picture is now.
  context(): CanvasRenderingContext2D {
    if (!this.canvas) {
      this.canvas = document.createElement('canvas');
      this.canvas.style.cssText = 'position:absolute;pointer-events:none';
      this.stage.after(this.canvas);
    }
    const { canvas } = this;
    const { offsetLeft, offsetTop, clientWidth, clientHeight } = this.stage;
    Object.assign(canvas.style, {
      left: `${offsetLeft}px`, top: `${offsetTop}px`, width: `${clientWidth}px`, height: `${clientHeight}px`,
    });
    const ratio = Math.min(devicePixelRatio, 2);
    const width = Math.round(ratio * clientWidth), height = Math.round(ratio * clientHeight);
    if (canvas.width !== width || canvas.height !== height) {
      canvas.width = width;
      canvas.height = height;
    }
    const context = canvas.getContext('2d')!;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    return context;
  }

  clear(): void {
    this.canvas?.getContext('2d')?.reset();
  }
}
