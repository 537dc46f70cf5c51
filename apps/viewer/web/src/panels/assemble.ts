// Puts the panels on the page. Takes a stage and tools of any make, so that panels can be tried alone.
import type { Model } from '../model';
import { banners, pastBanner } from './banners';
import { bodyPanel } from './body_panel';
import { capturePanel } from './capture';
import { forgetPointerFocus, h } from './dom';
import { gallery } from './gallery';
import { help } from './help';
import type { StageLike } from './host';
import { legend } from './legend';
import { messages } from './messages';
import { plots } from './plots';
import { shortcuts } from './shortcuts';
import { SidePanel } from './side_panel';
import { rememberTheme } from './theme';
import { toolbar, type ToolLike } from './toolbar';
import { topbar } from './topbar';
import { transport } from './transport';
import { viewPanel } from './view_panel';
import { worldPanel } from './world_panel';

// Wide enough for a panel beside the picture.
const roomy = '(min-width: 900px)';

export function assemble(model: Model, stage: StageLike, tools: readonly ToolLike[]): void {
  const root = document.getElementById('panels') ?? document.body.appendChild(h('div', { id: 'panels' }));
  rememberTheme(model);

  const plotPage = plots(model, () => side.shows('plots'));
  const side = new SidePanel([
    { name: 'body', title: 'Body', element: bodyPanel(model, stage), liveOnly: true },
    { name: 'world', title: 'World', element: worldPanel(model), liveOnly: true },
    { name: 'view', title: 'View', element: viewPanel(model) },
    { name: 'plots', title: 'Plots', element: plotPage.element },
    { name: 'capture', title: 'Capture', element: capturePanel(model, stage) },
  ], matchMedia(roomy).matches);
  side.onChange(plotPage.refresh);

  const behind = () => [frame, stage.canvas];
  const galleryOverlay = gallery(model, behind);
  const helpOverlay = help(tools, behind);
  const actions = {
    frame: () => (model.selected ? stage.frameSelected() : stage.frameScene()),
    shoot: () => stage.shoot(),
    drop: (what: string) => stage.drop(what),
    gallery: () => galleryOverlay.toggle(),
    help: () => helpOverlay.toggle(),
    plots: () => side.togglePage('plots'),
    panel: () => side.toggle(),
  };
  const frame = h('div', { class: 'frame' },
    topbar(model, { openGallery: actions.gallery, openHelp: actions.help, togglePanel: actions.panel }),
    toolbar(model, tools, actions),
    h('div', { class: 'middle' },
      banners(model), h('span', { class: 'spacer' }), legend(model, 'stage'), pastBanner(model)),
    side.element,
    transport(model));
  root.append(frame, galleryOverlay.element, helpOverlay.element, messages(model));
  forgetPointerFocus(root);
  shortcuts(model, tools, actions);

  // On phones the picture ends above the panel instead.
  const tellCovered = () =>
    stage.setCovered(side.isOpen && matchMedia(roomy).matches ? innerWidth - side.element.getBoundingClientRect().left : 0);
  side.onChange(tellCovered);
  matchMedia(roomy).addEventListener('change', tellCovered);
  tellCovered();

  // A body picked in the picture is to be seen in the panel, but whoever watches plots wants to go on watching them.
  model.on('select', (body) => body && side.shows('world') && side.show('body'));

  const showMode = () => {
    const replay = model.mode === 'replay';
    if (root.dataset.mode === model.mode) return;
    root.dataset.mode = model.mode;
    if (replay && (side.shows('body') || side.shows('world'))) side.show('view');
  };
  for (const event of ['scene', 'status', 'connection'] as const) model.on(event, showMode);
  showMode();
}
