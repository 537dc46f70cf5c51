// The pointer over the picture: which of its drags are the chosen tool's, which turn the camera, and what is a click.
// It hears events before the camera's controls do, and keeps from them those that belong to a tool.
import type { Model } from '../model';
import type { Hit } from '../stage/picking';
import type { Stage } from '../stage/stage';
import { tools } from './index';
import type { ToolActions, ToolEvent } from './tool';

const clickReach = 5; // a pointer that moves farther is dragged [px]
const fingerReach = 12;
const lookInterval = 60; // between looks at what is under the pointer [ms]

interface Press {
  id: number;
  x: number;
  y: number;
  dragged: boolean;
  tool: ToolActions | null; // whose drag it is; null: the camera's
  event: PointerEvent;
}

export class Pointer {
  private readonly actions = new Map<string, ToolActions>();
  private press: Press | null = null;
  private readonly fingers = new Set<number>();
  private under: Hit | null = null; // where the pointer was last
  private lastLook = 0;
  private handing = false; // an event is made up for the controls

  constructor(private readonly model: Model, private readonly stage: Stage) {
    for (const tool of tools) this.actions.set(tool.name, tool.start(model, stage));
    const { canvas } = stage;
    const first = { capture: true };
    canvas.addEventListener('pointerdown', (event) => this.down(event), first);
    canvas.addEventListener('pointermove', (event) => this.move(event), first);
    canvas.addEventListener('pointerup', (event) => this.up(event), first);
    canvas.addEventListener('pointercancel', (event) => this.cancel(event), first);
    canvas.addEventListener('wheel', (event) => this.wheel(event), { capture: true, passive: false });
    canvas.addEventListener('contextmenu', (event) => event.preventDefault());
    window.addEventListener('blur', () => this.drop());
    let chosen = model.options.tool;
    model.on('options', ({ tool }) => {
      if (tool === chosen) return;
      this.drop();
      this.actions.get(chosen)?.leave?.();
      chosen = tool;
      this.showCursor();
    });
    this.showCursor();
  }

  private get tool(): ToolActions | null {
    return this.model.inControl ? this.actions.get(this.model.options.tool) ?? null : null;
  }

  private eventAt(event: MouseEvent): ToolEvent {
    const box = this.stage.canvas.getBoundingClientRect();
    const x = event.clientX - box.left, y = event.clientY - box.top;
    const pointer = event instanceof PointerEvent ? event.pointerType : 'mouse';
    return {
      x, y, pointer, ray: this.stage.ray(x, y), shift: event.shiftKey, alt: event.altKey, time: event.timeStamp,
    };
  }

  private down(event: PointerEvent): void {
    if (this.handing) return;
    if (event.pointerType === 'touch') this.fingers.add(event.pointerId);
    if (this.fingers.size > 1) {
      this.secondFinger();
      return;
    }
    if (event.button !== 0 || this.press) return;
    const at = this.eventAt(event);
    this.press = { id: event.pointerId, x: at.x, y: at.y, dragged: false, tool: null, event };
    const tool = this.tool;
    if (!tool?.down?.(this.stage.pick(at.x, at.y), at)) return;
    this.press.tool = tool;
    event.stopImmediatePropagation();
    this.stage.canvas.setPointerCapture(event.pointerId);
    this.showCursor();
  }

  private move(event: PointerEvent): void {
    const at = this.eventAt(event);
    this.stage.pointer = [at.x, at.y];
    const { press } = this;
    if (!press) {
      if (event.buttons !== 0) return;
      this.tool?.hover?.(at);
      this.lookUnder(at);
      return;
    }
    if (press.id !== event.pointerId) return;
    const reach = event.pointerType === 'touch' ? fingerReach : clickReach;
    if (Math.hypot(at.x - press.x, at.y - press.y) > reach) press.dragged = true;
    if (!press.tool) return;
    event.stopImmediatePropagation();
    press.tool.move?.(at);
  }

  private up(event: PointerEvent): void {
    this.fingers.delete(event.pointerId);
    const { press } = this;
    if (!press || press.id !== event.pointerId) return;
    this.press = null;
    const at = this.eventAt(event);
    if (press.tool) {
      event.stopImmediatePropagation();
      press.tool.up?.(at);
      this.showCursor();
    }
    if (!press.dragged) this.click(at);
  }

  // A click selects, whatever the tool. An endless floor is behind everything: there a click is beside all bodies.
  private click(at: ToolEvent): void {
    const hit = this.stage.pick(at.x, at.y);
    this.model.select(hit && !hit.body.plane ? this.model.bodies.get(hit.body.id) ?? null : null);
    this.tool?.click?.(hit, at);
  }

  private cancel(event: PointerEvent): void {
    this.fingers.delete(event.pointerId);
    if (this.press?.id === event.pointerId) this.drop();
  }

  // The tool lets go of what it holds.
  private drop(): void {
    this.press?.tool?.cancel?.();
    this.press = null;
    this.showCursor();
  }

  // Two fingers move the camera. If the first one was a tool's, the controls have not heard of it yet.
  private secondFinger(): void {
    const { press } = this;
    this.drop();
    if (!press?.tool) return;
    this.handing = true;
    this.stage.canvas.dispatchEvent(new PointerEvent('pointerdown', press.event));
    this.handing = false;
  }

  private wheel(event: WheelEvent): void {
    if (!this.press?.tool) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1;
    this.press.tool.wheel?.(lines * event.deltaY);
  }

  // The cursor tells whether there is something for the tool.
  private lookUnder(at: ToolEvent): void {
    if (at.pointer === 'touch' || at.time < this.lastLook + lookInterval) return;
    this.lastLook = at.time;
    this.under = this.stage.pick(at.x, at.y);
    this.showCursor();
  }

  private showCursor(): void {
    const tool = tools.find((t) => t.name === this.model.options.tool);
    const works = tool !== undefined && this.model.inControl && (tool.works?.(this.under) ?? true);
    const cursor = this.press?.tool ? 'grabbing' : works ? tool.cursor : 'default';
    if (this.stage.canvas.style.cursor !== cursor) this.stage.canvas.style.cursor = cursor;
  }
}
