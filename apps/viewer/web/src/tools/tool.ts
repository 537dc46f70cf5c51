// What a tool is. A tool is one file; tools/index.ts says how to add one.
import type { Ray } from 'three';
import type { Model } from '../model';
import type { Hit } from '../stage/picking';
import type { Stage } from '../stage/stage';

export interface ToolEvent {
  x: number; // pixels of the page from the picture's upper left corner
  y: number;
  ray: Ray; // from the eye through that pixel, into the scene
  pointer: string; // mouse, touch or pen
  shift: boolean;
  alt: boolean;
  time: number; // [ms]
}

export interface ToolActions {
  // The main button goes down. True: this drag is the tool's; otherwise it turns the camera.
  down?(hit: Hit | null, event: ToolEvent): boolean;
  move?(event: ToolEvent): void;
  up?(event: ToolEvent): void;
  cancel?(): void; // the drag has become something else: a second finger came down, the page was left
  wheel?(delta: number): void; // while dragging; pixels, down is positive
  // The main button went down and up in one place. `hit` is what lies there.
  click?(hit: Hit | null, event: ToolEvent): void;
  // The pointer moves with no button held, for marks under it.
  hover?(event: ToolEvent): void;
  leave?(): void; // another tool has been chosen
}

export interface Tool {
  name: string;
  title: string;
  key: string; // on the keyboard
  cursor: string; // CSS, over what it can be used on
  works?(hit: Hit | null): boolean; // whether it can be used there; left out: anywhere
  icon?: string; // of panels/icons.ts, when it is not called as the tool is
  start(model: Model, stage: Stage): ToolActions;
}

// Whether a hand can hold it.
export function canBeHeld(hit: Hit | null): hit is Hit {
  return hit !== null && (hit.body.kind === 'rigid' || hit.body.kind === 'soft');
}
