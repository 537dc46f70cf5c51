// Nails a body to where it is; on a nail, pulls it out.
import { canBeHeld, type Tool } from './tool';

export const pin: Tool = {
  name: 'pin',
  title: 'Pin and unpin',
  key: '2',
  cursor: 'crosshair',
  works: canBeHeld,
  start: (model) => ({
    click(hit) {
      if (canBeHeld(hit)) model.send({ type: 'pin', ...hit.place });
    },
  }),
};
