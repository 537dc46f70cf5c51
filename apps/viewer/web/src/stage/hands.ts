// Hands that hold a body: a line from what is held to where it is pulled, and how hard.
import { ConeGeometry, MeshBasicMaterial, Quaternion, Vector3, type Object3D } from 'three';
import type { GrabInfo } from '../protocol';
import { Dots, Lines, Shapes } from './marks';

const colour = '#ff5d8f';
const up = new Vector3(0, 1, 0);

export function forceText(newtons: number): string {
  const [one, unit] = newtons >= 1e6 ? [1e6, 'MN'] : newtons >= 1000 ? [1000, 'kN'] : [1, 'N'];
  const value = newtons / one;
  return `${value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2)} ${unit}`;
}

export class Hands {
  private readonly lines: Lines;
  private readonly dots: Dots;
  private readonly heads: Shapes;
  private readonly labels: HTMLElement[] = [];
  private grabs: GrabInfo[] = [];
  private size = 1;

  constructor(parent: Object3D, private readonly canvas: HTMLCanvasElement) {
    this.lines = new Lines(parent, { colour });
    this.dots = new Dots(parent, { colour }, 9);
    this.heads = new Shapes(parent, new ConeGeometry(0.4, 1, 12).translate(0, -0.5, 0),
      new MeshBasicMaterial({ color: colour, depthTest: false, transparent: true, toneMapped: false }), 11);
  }

  setSize(size: number): void {
    this.size = size;
  }

  take(grabs: GrabInfo[]): void {
    if (grabs.length === 0 && this.grabs.length === 0) return;
    this.grabs = grabs;
    this.lines.set(grabs.length, (to) => grabs.forEach((g, i) => {
      to.set(g.point, 6 * i);
      to.set(g.place, 6 * i + 3);
    }));
    this.dots.set(grabs.length, (to) => grabs.forEach((g, i) => to.set(g.point, 3 * i)));
    const point = new Vector3(), place = new Vector3(), turn = new Quaternion(), scale = new Vector3();
    this.heads.set(grabs.length, (i, matrix) => {
      point.fromArray(grabs[i].point);
      place.fromArray(grabs[i].place);
      const along = place.clone().sub(point);
      const length = along.length();
      turn.setFromUnitVectors(up, length > 0 ? along.divideScalar(length) : up);
      matrix.compose(place, turn, scale.setScalar(Math.min(0.05 * this.size, 0.6 * length)));
    });
    while (this.labels.length > grabs.length) this.labels.pop()!.remove();
    while (this.labels.length < grabs.length) this.labels.push(this.newLabel());
    grabs.forEach((g, i) => (this.labels[i].textContent = forceText(Math.hypot(...g.force))));
  }

  place(project: (point: ArrayLike<number>) => [number, number]): void {
    const { offsetLeft, offsetTop } = this.canvas;
    this.grabs.forEach((g, i) => {
      const [x, y] = project(g.place);
      const left = Math.round(offsetLeft + x + 14), top = Math.round(offsetTop + y - 30);
      this.labels[i].style.transform = `translate(${left}px, ${top}px)`;
    });
  }

  private newLabel(): HTMLElement {
    const label = document.createElement('div');
    label.className = 'grab-label';
    label.style.cssText =
      'position:absolute;left:0;top:0;pointer-events:none;white-space:nowrap;padding:2px 7px;border-radius:6px;' +
      'font:600 12px/1.4 system-ui,sans-serif;font-variant-numeric:tabular-nums;color:#fff;' +
      'background:rgb(150 30 75 / 0.85)';
    this.canvas.after(label);
    return label;
  }
}
