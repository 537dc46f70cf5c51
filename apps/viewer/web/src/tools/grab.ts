// Takes hold of a body and drags it in the plane that faces the camera; the wheel moves it nearer and farther.
import { Plane, Vector3 } from 'three';
import type { Model } from '../model';
import type { Vec3 } from '../protocol';
import type { Stage } from '../stage/stage';
import { canBeHeld, type Tool, type ToolActions, type ToolEvent } from './tool';

function start(model: Model, stage: Stage): ToolActions {
  const plane = new Plane();
  const place = new Vector3();
  let held = false;
  let last: ToolEvent | null = null;
  let unsent = false;
  let sent = false; // since the last picture

  // At once, but no more than once for every picture of the screen: more would not be seen.
  function send(): void {
    unsent = sent;
    if (sent) return;
    sent = true;
    model.send({ type: 'move', to: place.toArray() as Vec3 });
    requestAnimationFrame(() => {
      sent = false;
      if (held && unsent) send();
    });
  }

  function follow(event: ToolEvent): void {
    last = event;
    const target = event.ray.intersectPlane(plane, new Vector3());
    // Almost along the plane one pixel would be miles.
    if (!target || target.distanceTo(event.ray.origin) > 50 * stage.size) return;
    place.copy(target);
    send();
  }

  function letGo(): void {
    if (!held) return;
    held = false;
    if (unsent) model.send({ type: 'move', to: place.toArray() as Vec3 });
    unsent = false;
    model.send({ type: 'release' });
  }

  return {
    down(hit, event) {
      if (!canBeHeld(hit) || model.mode === 'replay') return false;
      plane.setFromNormalAndCoplanarPoint(stage.view.camera.getWorldDirection(new Vector3()), hit.point);
      place.copy(hit.point);
      held = true;
      unsent = false;
      last = event;
      model.send({ type: 'grab', ...hit.place });
      return true;
    },
    move: follow,
    up: letGo,
    cancel: letGo,
    wheel(delta) {
      const distance = -plane.distanceToPoint(stage.view.camera.position);
      const step = distance * (Math.exp(-0.0012 * Math.max(-200, Math.min(200, delta))) - 1);
      if (distance + step < 3 * stage.view.camera.near) return;
      plane.constant -= step;
      if (last) follow(last);
    },
  };
}

export const grab: Tool = { name: 'grab', title: 'Grab and throw', key: '1', cursor: 'grab', works: canBeHeld, start };
