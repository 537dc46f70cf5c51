// Puts the page together: what is shown (a live program or a recording), the picture, the tools, the panels.
import { Connection } from './connection';
import { Latency } from './latency';
import { Model } from './model';
import { mountPanels } from './panels';
import { Replay } from './replay';
import { showMessage } from './stage/message';
import { Stage } from './stage/stage';
import { Pointer } from './tools/pointer';

interface Session {
  mode: 'live' | 'replay';
  recording?: string;
}

// For tests and for those who are curious.
declare global {
  interface Window {
    sinew?: { model: Model; stage: Stage; latency: Latency; stats: Stage['costs'] };
  }
}

async function session(): Promise<Session> {
  const answer = await fetch('session.json', { cache: 'no-store' });
  if (!answer.ok) throw new Error(`session.json: ${answer.status} ${answer.statusText}`);
  return (await answer.json()) as Session;
}

function stageCanvas(): HTMLCanvasElement {
  const found = document.getElementById('stage');
  if (found instanceof HTMLCanvasElement) return found;
  const canvas = document.createElement('canvas');
  document.body.prepend(canvas);
  return canvas;
}

async function start(): Promise<void> {
  if (!document.createElement('canvas').getContext('webgl2')) {
    showMessage('This page needs WebGL 2, and this browser does not offer it.',
      'Switch on hardware acceleration in the settings of the browser, or use a current Firefox, Chrome, Edge or ' +
      'Safari. In a virtual machine, start Chrome with --enable-unsafe-swiftshader.');
    return;
  }
  const model = new Model();
  const latency = new Latency();
  const { mode, recording } = await session();
  model.mode = mode;
  const stage = new Stage(model, stageCanvas());
  model.on('drawn', () => latency.drawn());
  new Pointer(model, stage);
  mountPanels(model, stage);
  window.sinew = { model, stage, latency, stats: stage.costs };
  if (mode === 'replay') void new Replay(model).open(recording ?? 'recording.snr');
  else new Connection(model, latency);
}

start().catch((error: Error) => showMessage('The viewer cannot start.', error.message));
