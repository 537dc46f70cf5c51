// Lets another body fall onto what is under the pointer.
import { dropOnto } from '../stage/throwing';
import type { Tool } from './tool';

export const drop: Tool = {
  name: 'drop',
  title: 'Drop a body',
  key: '4',
  cursor: 'copy',
  start: (model, stage) => ({
    click(_hit, { x, y }) {
      // The same as last time, of what the menu offers.
      const drops = model.status?.drops ?? [];
      const what = stage.dropping !== null && drops.includes(stage.dropping) ? stage.dropping : drops[0];
      if (what) dropOnto(model, stage, x, y, what);
      else model.emit('notice', 'There is nothing to drop in this scene.');
    },
  }),
};
