// The tools of the main button, in the order of the toolbar.
//
// To add one: write a file like those beside this one and put its tool into the list; the toolbar, the keyboard and the
// pointer know it from here. A tool that draws over the picture (a stroke to cut along, say) returns true from `down`,
// collects x and y of `move` (pixels) and their rays, draws them by `stage.overlay.context()`, and in `up` clears the
// overlay and sends what it has found: `stage.pick(x, y)` tells what lies under a pixel, `stage.project` where a place
// of the scene is in the picture.
import { drop } from './drop';
import { erase } from './erase';
import { grab } from './grab';
import { orbit } from './orbit';
import { pin } from './pin';
import { shoot } from './shoot';
import type { Tool } from './tool';

export const tools: readonly Tool[] = [grab, pin, shoot, drop, erase, orbit];
