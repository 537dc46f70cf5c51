// Throws a ball from the eye into the scene.
import { shootAlong } from '../stage/throwing';
import type { Tool } from './tool';

export const shoot: Tool = {
  name: 'shoot',
  title: 'Shoot a ball',
  key: '3',
  cursor: 'crosshair',
  start: (model, stage) => ({
    click: (_hit, event) => shootAlong(model, stage, event.ray),
  }),
};
