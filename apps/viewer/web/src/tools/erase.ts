// Takes bodies out of the scene.
import type { Tool } from './tool';

export const erase: Tool = {
  name: 'erase',
  title: 'Remove a body',
  key: '5',
  cursor: 'not-allowed',
  icon: 'remove',
  start: (model) => ({
    click(hit) {
      if (hit && !hit.body.plane) model.send({ type: 'remove', body: hit.body.id });
    },
  }),
};
