// The camera: where it stands when a scene opens, and how it turns.
import { Box3, MOUSE, PerspectiveCamera, Vector3 } from 'three';
import { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js';
import type { CameraInfo } from '../protocol';

const defaultFov = 35;
const usualDirection = new Vector3(0.55, 0.42, 1).normalize(); // from the scene to the eye

export class View {
  readonly camera = new PerspectiveCamera(defaultFov, 1, 0.01, 100);
  readonly controls: OrbitControls;
  private size = 1;
  private width = 1;
  private height = 1;
  private covered = 0; // by a panel, at the right [px]

  constructor(canvas: HTMLCanvasElement, changed: () => void) {
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.enableDamping = true;
    this.controls.dampingFactor = 0.16;
    this.controls.zoomSpeed = 1.2;
    // The main button may be a tool's: the others always move the camera.
    this.controls.mouseButtons = { LEFT: MOUSE.ROTATE, MIDDLE: MOUSE.ROTATE, RIGHT: MOUSE.PAN };
    this.controls.addEventListener('change', changed);
  }

  // `size`: a radius of the scene; how near and how far one can go.
  setSize(size: number): void {
    this.size = size;
    this.controls.minDistance = 0.05 * size;
    this.controls.maxDistance = 25 * size;
  }

  fromScene({ eye, target, fov_deg }: CameraInfo): void {
    this.camera.fov = fov_deg;
    this.controls.target.set(...target);
    this.camera.position.set(...eye);
    // Cameras are meant for wide pictures: in a narrow one stand back, so that as much is seen from left to right.
    const widen = Math.max(1, (1.55 * this.height) / (this.width - this.covered));
    this.camera.position.sub(this.controls.target).multiplyScalar(widen).add(this.controls.target);
    this.settle();
  }

  // The whole box in the picture, seen from where the camera is (or from the usual side).
  frame(box: Box3, keepDirection: boolean): void {
    const direction = keepDirection
      ? this.camera.position.clone().sub(this.controls.target).normalize()
      : usualDirection.clone();
    if (!keepDirection) this.camera.fov = defaultFov;
    box.getCenter(this.controls.target);
    this.camera.position.copy(this.controls.target).add(direction);
    this.camera.lookAt(this.controls.target);
    // As near as all corners allow.
    const tall = Math.tan((this.camera.fov * Math.PI) / 360), wide = tall * this.camera.aspect;
    const half = box.getSize(new Vector3()).multiplyScalar(0.5), turn = this.camera.quaternion.clone().invert();
    const margin = this.camera.aspect > 1 ? 1.45 : 1.15; // in wide pictures, panels lie over the sides
    let distance = 1e-4;
    for (let k = 0; k < 8; ++k) {
      const corner = new Vector3(k & 1 ? half.x : -half.x, k & 2 ? half.y : -half.y, k & 4 ? half.z : -half.z);
      corner.applyQuaternion(turn);
      distance = Math.max(distance, corner.z + margin * Math.max(Math.abs(corner.x) / wide, Math.abs(corner.y) / tall));
    }
    this.camera.position.copy(this.controls.target).addScaledVector(direction, distance);
    this.settle();
  }

  resize(width: number, height: number): void {
    this.camera.aspect = width / height;
    this.width = width;
    this.height = height;
    this.setCovered(this.covered);
  }

  // What is looked at goes to the middle of what is left of the picture.
  setCovered(pixels: number): void {
    this.covered = pixels;
    if (pixels > 0) this.camera.setViewOffset(this.width, this.height, pixels / 2, 0, this.width, this.height);
    else this.camera.clearViewOffset();
    this.settle();
  }

  // Before every picture. True while the camera still glides.
  update(): void {
    this.controls.update();
    const distance = this.camera.position.distanceTo(this.controls.target);
    const near = 0.02 * distance, far = distance + 30 * this.size;
    if (Math.abs(near / this.camera.near - 1) > 0.05 || Math.abs(far / this.camera.far - 1) > 0.05) {
      this.camera.near = near;
      this.camera.far = far;
      this.camera.updateProjectionMatrix();
    }
  }

  private settle(): void {
    this.camera.updateProjectionMatrix();
    this.controls.update();
  }
}
