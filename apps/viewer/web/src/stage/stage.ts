// The picture: listens to the model, draws when something has changed, and tells what lies where in it.
import {
  ACESFilmicToneMapping, Box3, Matrix4, PCFShadowMap, PCFSoftShadowMap, Ray, Raycaster, SRGBColorSpace, Scene, Vector2,
  Vector3, WebGLRenderer,
} from 'three';
import type { Model } from '../model';
import type { FrameMessage, SceneMessage, Vec3 } from '../protocol';
import { Bodies } from './bodies';
import { legendOf } from './colours';
import { Cost } from './cost';
import { Lights } from './lights';
import { setDotScale } from './marks';
import { hideMessage, showMessage } from './message';
import { Outline } from './outline';
import { OverlayCanvas } from './overlay_canvas';
import { Overlays } from './overlays';
import { pick, type Hit } from './picking';
import { drawsInSoftware, Quality, wantsFullQuality } from './quality';
import { backgroundOf, themes, type ThemeName } from './themes';
import { dropOnto, shootAlong } from './throwing';
import { View } from './view';

export class Stage {
  readonly canvas: HTMLCanvasElement;
  readonly overlay: OverlayCanvas;
  readonly view: View;
  readonly bodies = new Bodies();
  readonly costs = { refresh: new Cost(), draw: new Cost(), pick: new Cost() };
  pictures = 0;
  frameTime = 0; // of the last picture: bringing bodies up to date, and drawing [ms]
  size = 1; // a radius of the scene [m]
  pointer: [number, number] = [0, 0]; // where it was last, in pixels
  dropping: string | null = null; // what was dropped last
  private readonly scene = new Scene();
  private readonly renderer: WebGLRenderer;
  private readonly quality: Quality;
  private readonly lights: Lights;
  private readonly outline: Outline;
  private readonly overlays: Overlays;
  private bounds = new Box3(); // what lights are fitted to
  private fitted = 1; // its radius
  private world: Box3 | null = null; // what has left this is lost from sight
  private scheduled = false;
  private lastLegend = 0;
  private waiting: 'nothing' | 'frame' | 'camera' = 'nothing'; // a new scene waits for its first frame to be looked at
  private sceneName: string | null = null;

  constructor(private readonly model: Model, canvas: HTMLCanvasElement) {
    this.canvas = canvas;
    this.overlay = new OverlayCanvas(canvas);
    const software = drawsInSoftware();
    // For the style sheet: what blurs or shades the picture behind a panel is dear there.
    if (software) document.documentElement.dataset.graphics = 'software';
    // Smooth edges take a third of the time where there is no graphics card.
    const antialias = !software || wantsFullQuality;
    this.renderer = new WebGLRenderer({ canvas, antialias, stencil: true, powerPreference: 'high-performance' });
    this.renderer.outputColorSpace = SRGBColorSpace;
    this.renderer.toneMapping = ACESFilmicToneMapping;
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = software ? PCFShadowMap : PCFSoftShadowMap;
    this.renderer.shadowMap.autoUpdate = false; // a camera that turns does not move shadows
    this.quality = new Quality(software ? 1 : Math.min(devicePixelRatio, 2), () => this.resize());
    this.lights = new Lights(software ? 1024 : 2048);
    this.view = new View(canvas, () => this.invalidate());
    this.scene.add(this.lights.group, this.bodies.group);
    this.outline = new Outline(this.scene);
    this.overlays = new Overlays(this.scene, canvas);
    this.setTheme(model.options.theme);
    this.listen();
    this.resize();
    this.pointer = [canvas.clientWidth / 2, canvas.clientHeight / 2];
  }

  // Draws a picture as soon as the screen can show one.
  invalidate(): void {
    if (this.scheduled) return;
    this.scheduled = true;
    const wished = performance.now();
    requestAnimationFrame(() => {
      this.scheduled = false;
      this.draw();
      this.quality.took(performance.now() - wished);
    });
  }

  setTheme(name: ThemeName): void {
    const theme = themes[name];
    (this.scene.background as { dispose?: () => void } | null)?.dispose?.();
    this.scene.background = backgroundOf(theme);
    this.lights.setTheme(theme);
    this.bodies.setTheme(theme);
    this.overlays.setTheme(theme);
    this.invalidate();
  }

  // PNG of the picture, as large as it is on the screen and as fine as can be.
  screenshot(): Promise<Blob> {
    this.resize(this.quality.full);
    const picture = new Promise<Blob>((resolve, reject) => {
      this.canvas.toBlob((blob) => {
        if (blob) resolve(blob);
        else reject(new Error('The picture cannot be saved.'));
      }, 'image/png');
    });
    if (this.quality.pixelRatio !== this.quality.full) this.resize();
    return picture;
  }

  frameSelected(): void {
    const box = this.model.selected ? this.bodies.boundsOf(this.model.selected.id) : null;
    if (box) {
      this.view.frame(box.expandByScalar(0.3 * box.getSize(new Vector3()).length()), true);
      this.invalidate();
    } else {
      this.frameScene();
    }
  }
  // As the scene was shown when it was opened.
  frameScene(): void {
    const camera = this.model.scene?.header.camera;
    if (camera) this.view.fromScene(camera);
    else this.view.frame(this.bounds, false);
    this.invalidate();
  }

  // A ball to where the pointer is.
  shoot(): void {
    shootAlong(this.model, this, this.ray(...this.pointer));
  }
  // Something to fall into the middle of the picture.
  drop(what: string): void {
    this.dropping = what;
    dropOnto(this.model, this, this.canvas.clientWidth / 2, this.canvas.clientHeight / 2, what);
  }

  // Places in the picture are pixels from its upper left corner.
  project(point: ArrayLike<number>): [number, number] {
    const p = new Vector3(point[0], point[1], point[2]).project(this.view.camera);
    return [((p.x + 1) / 2) * this.canvas.clientWidth, ((1 - p.y) / 2) * this.canvas.clientHeight];
  }
  ray(x: number, y: number): Ray {
    const caster = new Raycaster();
    const { clientWidth, clientHeight } = this.canvas;
    this.view.camera.updateMatrixWorld();
    caster.setFromCamera(new Vector2((2 * x) / clientWidth - 1, 1 - (2 * y) / clientHeight), this.view.camera);
    return caster.ray;
  }
  pick(x: number, y: number): Hit | null {
    const start = performance.now();
    const { softs, rigids, grounds } = this.bodies;
    const hit = pick(this.ray(x, y), softs.values(), rigids, grounds.values());
    this.costs.pick.add(performance.now() - start);
    return hit;
  }
  bodyCenter(id: number): Vec3 | null {
    const centre = this.bodies.softs.get(id)?.centre() ?? this.bodies.rigids.bodies.get(id)?.centre();
    return centre ? (centre.toArray() as Vec3) : null;
  }

  private listen(): void {
    const { model } = this;
    model.on('scene', (message) => this.takeScene(message));
    model.on('frame', (message) => this.takeFrame(message));
    model.on('select', (body) => {
      this.bodies.setLit(body?.id ?? 0);
      this.showOutline();
      this.invalidate();
    });
    let theme = model.options.theme;
    model.on('options', (options) => {
      this.bodies.setOptions(options);
      this.overlays.setOptions(options);
      this.lights.setShadows(options.shadows);
      if (options.theme !== theme) this.setTheme((theme = options.theme));
      this.tellLegend();
      this.moved();
    });
    this.overlays.setOptions(model.options);
    this.bodies.setOptions(model.options);
    this.lights.setShadows(model.options.shadows);
    new ResizeObserver(() => this.resize()).observe(this.canvas);
    this.canvas.addEventListener('webglcontextlost', (event) => {
      event.preventDefault();
      showMessage('The graphics card has stopped drawing this page.',
        'It comes back by itself in most cases. If it does not, reload the page.');
    });
    this.canvas.addEventListener('webglcontextrestored', () => {
      hideMessage();
      this.moved();
    });
  }

  private takeScene(message: SceneMessage): void {
    this.bodies.takeScene(message);
    if (message.header.whole) {
      // The same scene from its start: whoever looks at it has chosen from where.
      this.waiting = message.header.name === this.sceneName ? 'frame' : 'camera';
      this.sceneName = message.header.name;
      this.overlays.clear();
      this.outline.hide();
    }
    this.moved();
  }

  private takeFrame(message: FrameMessage): void {
    this.bodies.takeFrame(message);
    this.overlays.takeFrame(message);
    if (message.header.field) this.tellLegend();
    if (this.waiting !== 'nothing') {
      this.fit(true);
      if (this.waiting === 'camera') this.frameScene();
      this.waiting = 'nothing';
    }
    this.moved();
  }

  private moved(): void {
    this.renderer.shadowMap.needsUpdate = true;
    this.invalidate();
  }

  // Scales change with every frame: often enough to be read is enough.
  private tellLegend(): void {
    const { colourBy } = this.model.options;
    const now = performance.now();
    if (this.model.legend?.name === colourBy && now < this.lastLegend + 250) return;
    this.lastLegend = now;
    this.model.setLegend(legendOf(colourBy, this.bodies.field));
  }

  // Lights and floors follow the bodies, but not at every little move.
  private fit(anew: boolean): void {
    if (anew) this.world = null;
    const now = this.bodies.bounds(this.world);
    if (now.isEmpty()) now.set(new Vector3(-1, 0, -1), new Vector3(1, 1, 1));
    const radius = Math.max(now.getSize(new Vector3()).length() / 2, 1e-4);
    if (!anew && this.bounds.containsBox(now) && radius > 0.4 * this.fitted) return;
    this.bounds = now.clone().expandByScalar(0.15 * radius);
    this.fitted = radius;
    if (anew) {
      this.world = now.clone().expandByScalar(4 * radius);
      this.size = radius;
      this.view.setSize(radius);
      this.overlays.setSize(radius);
      this.bodies.fitGrounds(this.bounds, radius);
    }
    this.lights.fit(this.bounds);
  }

  private showOutline(): void {
    const id = this.model.selected?.id ?? 0;
    const soft = this.bodies.softs.get(id), rigid = this.bodies.rigids.bodies.get(id);
    const geometry = soft?.geometry ?? rigid?.shape.geometry;
    if (geometry) this.outline.show(geometry);
    else this.outline.hide();
  }

  private draw(): void {
    const start = performance.now();
    if (this.bodies.refresh()) this.renderer.shadowMap.needsUpdate = true;
    const refreshed = performance.now();
    if (this.pictures % 8 === 0 && this.sceneName !== null && this.waiting === 'nothing') this.fit(false);
    this.view.update();
    this.outline.place(this.bodies.rigids.bodies.get(this.model.selected?.id ?? 0)?.matrix ?? new Matrix4());
    this.overlays.place((point) => this.project(point));
    this.renderer.render(this.scene, this.view.camera);
    ++this.pictures;
    const end = performance.now();
    this.costs.refresh.add(refreshed - start);
    this.costs.draw.add(end - refreshed);
    this.frameTime = end - start;
    this.model.emit('drawn', end);
  }

  // So many pixels at the right lie below a panel.
  setCovered(pixels: number): void {
    this.view.setCovered(pixels);
    this.draw();
  }

  private resize(pixelRatio = this.quality.pixelRatio): void {
    const { clientWidth, clientHeight } = this.canvas;
    if (clientWidth === 0 || clientHeight === 0) return;
    this.renderer.setPixelRatio(pixelRatio);
    this.renderer.setSize(clientWidth, clientHeight, false);
    this.view.resize(clientWidth, clientHeight);
    this.outline.resize(clientWidth, clientHeight);
    setDotScale(pixelRatio);
    this.draw(); // at once: a canvas of a new size is empty
  }
}
