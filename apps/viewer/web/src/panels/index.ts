// Everything around the picture. The panels know the model and the stage's few methods, and nothing of each other; this
// file puts them together.
//
// Names for browser tests (data-test):
//   top bar    gallery, scene-title, state, theme, help, panel-toggle
//   transport  play | pause (one button, named for what it does), step, reset, time, scrub, speed-0.1 … speed-2,
//              speed (list on narrow screens), load-1 … load-3, save-1 … save-3, real-time; past,
//              continue-here, back-to-now
//   tools      tool-NAME, drop, drop-WHAT, shoot-ball, frame
//   panel      body, world, view, plots, capture (tabs); body-panel, world-panel,
//              view-panel, plots-panel, capture-panel
//   body       body-ID (row of the list), body-search, body-name, all-bodies, frame-body, remove-body
//   fields     field-POINTER (box, switch or list), field-POINTER-0 … -2 (of a vector), slider-POINTER, group-NAME
//   view       colour-by, colour-by-body … colour-by-sleep, show-wireframe, show-contacts, show-joints,
//              show-bounds, show-shadows, legend-panel, legend-stage
//   plots      plot-step-time, plot-energy, plot-contacts, plot-accuracy
//   capture    screenshot, video, download-metrics, download-scene, command, copy-command
//   overlays   gallery-overlay, gallery-search, gallery-card-NAME, close-gallery, help-overlay, close-help
//   messages   error, dismiss, notice, connection-lost, watching, take-control
import type { Model } from '../model';
import type { Stage } from '../stage/stage';
import { tools } from '../tools';
import { assemble } from './assemble';

export function mountPanels(model: Model, stage: Stage): void {
  assemble(model, stage, tools);
}
