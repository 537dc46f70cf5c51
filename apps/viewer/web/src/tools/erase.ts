// Takes bodies out of the scene.
import type { Hit } from '../stage/picking';
import type { Tool } from './tool';

function isBody(hit: Hit | null): hit is Hit {
  return hit !== null && !hit.body.plane; // a floor would be missed
}

export const erase: Tool = {
  name: 'erase',
  title: 'Remove a body',
  key: '5',
  cursor: 'not-allowed',
  icon: 'remove',
  works: isBody,
  start: (model) => ({
    click(hit) {
      if (isBody(hit)) model.send({ type: 'remove', body: hit.body.id });
    },
  }),
};
