// What can be taken away: pictures, films, numbers, the scene, and the command that does it again.
import type { Model } from '../model';
import { fileName } from './actions';
import { download, h, replace, setText } from './dom';
import type { StageLike } from './host';
import { icon, type IconName } from './icons';

export function capturePanel(model: Model, stage: StageLike): HTMLElement {
  const still = action('camera', 'Screenshot', 'PNG, as large as the view', 'screenshot', async () => {
    try {
      download(await stage.screenshot(), fileName(model, 'png'));
    } catch (error) {
      model.emit('error', `The picture could not be taken: ${(error as Error).message}`);
    }
  });
  return h('div', { class: 'panel-page capture', test: 'capture-panel' },
    h('section', { class: 'block actions' }, still, video(model, stage)),
    h('section', { class: 'block actions live-only' },
      link('chart', 'Metrics', 'JSON: times, energies, errors so far', 'metrics', './metrics.json',
        () => fileName(model, 'metrics.json')),
      link('file', 'Scene', 'JSON, with what you have changed', 'scene', './scene.json',
        () => fileName(model, 'scene.json'))),
    commandLine(model));
}

function action(picture: IconName, title: string, text: string, test: string, onclick: () => void): HTMLButtonElement {
  return h('button', { class: 'action', test, onclick }, icon(picture), actionText(title, text));
}
function link(
  picture: IconName, title: string, text: string, test: string, href: string, name: () => string,
): HTMLElement {
  const element = h('a', { class: 'action', href, download: '', test: `download-${test}` },
    icon(picture), actionText(title, text));
  element.addEventListener('click', () => (element.download = name()));
  return element;
}
function actionText(title: string, text: string): HTMLElement {
  return h('span', { class: 'action-text' },
    h('span', { class: 'action-title' }, title), h('span', { class: 'muted action-note' }, text));
}

const formats = ['video/webm;codecs=vp9', 'video/webm;codecs=vp8', 'video/webm', 'video/mp4'];

function video(model: Model, stage: StageLike): HTMLElement {
  const note = 'WebM, the view as it moves';
  const button = action('record', 'Record video', note, 'video', () => (recorder ? stop() : start()));
  let recorder: MediaRecorder | null = null;
  let began = 0;
  let timer = 0;

  const show = () => {
    const running = recorder !== null;
    button.classList.toggle('recording', running);
    button.setAttribute('aria-pressed', String(running));
    document.documentElement.toggleAttribute('data-recording', running);
    replace(button, icon(running ? 'stop' : 'record'),
      actionText(running ? 'Stop recording' : 'Record video', running ? elapsed() : note));
  };
  const elapsed = () => {
    const seconds = (performance.now() - began) / 1000;
    return `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')} recorded`;
  };
  const start = () => {
    try {
      const type = formats.find((f) => MediaRecorder.isTypeSupported(f));
      if (!type) throw new Error('this browser cannot record');
      const parts: Blob[] = [];
      const next = new MediaRecorder(stage.canvas.captureStream(60), { mimeType: type, videoBitsPerSecond: 16e6 });
      next.ondataavailable = (event) => event.data.size && parts.push(event.data);
      next.onstop = () => {
        clearInterval(timer);
        recorder = null;
        show();
        for (const track of next.stream.getTracks()) track.stop();
        const container = type.split(';')[0];
        download(new Blob(parts, { type: container }), fileName(model, container.slice('video/'.length)));
      };
      next.start(1000);
      recorder = next;
      began = performance.now();
      timer = window.setInterval(() => {
        const line = button.querySelector('.action-note');
        if (line) setText(line, elapsed());
      }, 500);
      show();
    } catch (error) {
      recorder = null;
      model.emit('error', `No video: ${(error as Error).message}`);
    }
  };
  const stop = () => recorder?.stop();
  return button;
}

// `sinew run FILE --set …`
export function reproduce(file: string, changes: string[]): string {
  const options = changes.map((change) => `--set ${quoted(change)}`);
  return [`sinew run ${quoted(file)}`, ...options].join(' \\\n  ');
}
function quoted(text: string): string {
  return /^[\w./=:+@%,-]+$/.test(text) ? text : `'${text.replace(/'/g, `'\\''`)}'`;
}

function commandLine(model: Model): HTMLElement {
  const text = h('pre', { class: 'command', test: 'command', tabindex: 0, 'aria-label': 'Command line' });
  const label = h('span', null, 'Copy');
  const copy = h('button', { class: 'text-button', test: 'copy-command' }, icon('copy'), label);
  copy.addEventListener('click', async () => {
    const good = await copied(text);
    setText(label, good ? 'Copied' : 'Press Ctrl+C');
    setTimeout(() => setText(label, 'Copy'), 1500);
  });
  const note = h('p', { class: 'hint' });
  const box = h('section', { class: 'block live-only', hidden: true },
    h('h3', null, 'Again, from the command line', copy), text, note);
  const show = () => {
    const { scene = null, path, changes = [] } = model.status ?? {};
    box.hidden = scene === null;
    if (scene === null) return;
    setText(text, reproduce(path ?? `scenes/${scene}.json`, changes));
    const count = `${changes.length} ${changes.length === 1 ? 'change' : 'changes'}`;
    setText(note, changes.length ? `With ${count} made here.` : 'What you change in the panel is added here.');
  };
  model.on('status', show);
  show();
  return box;
}

// Pages that are not served over https (another machine in the house) have no clipboard; there the text is selected,
// and an old command copies it.
async function copied(element: HTMLElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(element.textContent ?? '');
    return true;
  } catch {
    getSelection()?.selectAllChildren(element);
    return document.execCommand('copy');
  }
}
