// What the browser tests share: the program that serves a scene, a browser that looks at it, and an end to both.
//
// SINEW_BIN is the program, SINEW_SOURCE the folder of the sources, SINEW_NODE_MODULES_DIR where npm has installed
// playwright-core; CHROMIUM, if set, the browser. When something is missing the tests exit with 77 (skipped), but with
// CI=true that is a failure.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Picture } from './png.mjs';

export const PATIENCE = 60e3; // far more than anything takes: machines are shared [ms]
const LONGEST = 280e3; // of a whole file, less than CTest's limit [ms]
const SKIPPED = 77;

export const sinew = path.resolve(process.env.SINEW_BIN ?? 'build/release/apps/sinew/sinew');
export const source = path.resolve(process.env.SINEW_SOURCE ?? '.');
export const scenes = path.join(source, 'scenes');
const modules = path.resolve(process.env.SINEW_NODE_MODULES_DIR ?? 'build/release/node');

function missing(what) {
  const failure = process.env.CI === 'true';
  console.log(`${failure ? 'failed' : 'skipped'}: ${what}`);
  process.exit(failure ? 1 : SKIPPED);
}

const browserPath = process.env.CHROMIUM ?? ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
  .find((file) => existsSync(file));
if (!browserPath) missing('Chromium is not installed');
let chromium;
try {
  ({ chromium } = createRequire(path.join(modules, 'package.json'))('playwright-core'));
} catch {
  missing(`npm install --prefix ${modules} playwright-core`);
}

// --- what must end ---------------------------------------------------------------------------------------------------

const running = new Map(); // what ends it at once, by process id
const folders = [];
function endAll() {
  for (const end of running.values()) end();
  running.clear();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
}
process.on('exit', endAll);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(1));
setTimeout(() => {
  console.error(`not done after ${LONGEST / 1e3} s`);
  process.exit(1);
}, LONGEST).unref();

export function newFolder() {
  const folder = mkdtempSync(path.join(tmpdir(), 'sinew_viewer_'));
  folders.push(folder);
  return folder;
}
export function writeScene(folder, name, scene) {
  const file = path.join(folder, `${name}.json`);
  writeFileSync(file, typeof scene === 'string' ? scene : JSON.stringify(scene));
  return file;
}

// --- scenes ----------------------------------------------------------------------------------------------------------

export const floor = { type: 'static', name: 'floor', shape: { type: 'plane' } };
export const camera = { eye: [0.9, 0.9, 2.6], target: [0, 0.4, 0], fov_deg: 35 };
function jelly(changes = {}) {
  return {
    type: 'soft', name: 'jelly', mesh: { type: 'box', size: [0.4, 0.4, 0.4], cells: [5, 5, 5] },
    material: { type: 'stable_neo_hookean', young: 3e4, poisson: 0.45 }, damping: 0.02,
    pose: { position: [0, 0.5, 0] }, ...changes,
  };
}
export function jellyScene(changes) {
  return { name: 'one jelly', world: { seconds: 1 }, camera, bodies: [floor, jelly(changes)] };
}

// --- the program -----------------------------------------------------------------------------------------------------

export async function until(what, condition, limit = PATIENCE) {
  for (const end = Date.now() + limit; ; await sleep(20)) {
    const value = await condition();
    if (value) return value;
    if (Date.now() > end) throw new Error(`waited in vain: ${what}`);
  }
}

// Runs it to its end.
export function run(...words) {
  const result = spawnSync(sinew, words, { encoding: 'utf8', timeout: PATIENCE });
  assert.equal(result.status, 0, result.stderr);
  return result.stdout;
}

export class Program {
  // `sinew view WORDS`, until it says where.
  static async view(...words) {
    const program = new Program();
    const port = words.includes('--port') ? [] : ['--port', '0'];
    program.child = spawn(sinew, ['view', ...words, ...port], { stdio: ['ignore', 'pipe', 'pipe'] });
    const { child } = program, { pid } = child;
    running.set(pid, () => child.kill('SIGKILL'));
    program.output = '';
    program.ended = new Promise((resolve) => child.on('exit', (code, signal) => {
      running.delete(pid);
      resolve(code ?? signal);
    }));
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (program.output += data));
    await until('the address of the page', () => {
      if (child.exitCode !== null) throw new Error(program.output);
      program.url = /http:\/\/\S+/.exec(program.output)?.[0];
      return program.url;
    });
    return program;
  }

  get runs() {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  // It must have lived until now, and end as it should.
  async stop() {
    assert.ok(this.runs, `the program has ended: ${this.output}`);
    this.child.kill('SIGTERM');
    const last = setTimeout(() => this.child.kill('SIGKILL'), PATIENCE);
    const code = await this.ended;
    clearTimeout(last);
    assert.equal(code, 0, this.output);
  }
}

// --- the browser -----------------------------------------------------------------------------------------------------

const flags = [
  '--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader',
  '--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-first-run',
  '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1',
];

export class Browser {
  static async start(more = []) {
    const browser = new Browser();
    browser.server = await chromium.launchServer({
      executablePath: browserPath, args: [...flags, ...more], headless: true, timeout: PATIENCE, host: '127.0.0.1',
    });
    const child = browser.server.process();
    running.set(child.pid, () => {
      try {
        process.kill(-child.pid, 'SIGKILL'); // a group of its own
      } catch {
        child.kill('SIGKILL');
      }
    });
    child.on('exit', () => running.delete(child.pid));
    browser.connection = await chromium.connect(browser.server.wsEndpoint(), { timeout: PATIENCE });
    return browser;
  }

  async page(url, options = {}) {
    const { width = 840, height = 480, before, ...context } = options;
    const fresh = await this.connection.newContext({ viewport: { width, height }, colorScheme: 'dark', ...context });
    const page = await fresh.newPage();
    page.setDefaultTimeout(PATIENCE);
    await page.addInitScript(watchFrames);
    if (before) await page.addInitScript(before);
    const tab = new Tab(page);
    await page.goto(url);
    return tab;
  }

  // One that shows something.
  async look(url, options) {
    const tab = await this.page(url, options);
    await tab.ready();
    return tab;
  }

  async stop() {
    await this.connection.close().catch(() => {});
    await this.server.close();
  }
  // As if the machine had lost its power.
  async kill() {
    await this.server.kill();
  }
}

// In the page, before anything else: window.seen holds the header of the last frame.
function watchFrames() {
  let viewer;
  window.seen = { header: {}, frames: 0 };
  Object.defineProperty(window, 'sinew', {
    get: () => viewer,
    set(value) {
      viewer = value;
      viewer.model.on('frame', ({ header }) => {
        window.seen.header = header;
        ++window.seen.frames;
      });
    },
  });
}

// A page of the viewer.
export class Tab {
  constructor(page) {
    this.page = page;
    this.complaints = []; // what the browser's console would show in red
    page.on('console', (message) => message.type() === 'error' && this.complaints.push(message.text()));
    page.on('pageerror', (error) => this.complaints.push(String(error)));
  }

  async loaded() {
    await this.when(() => window.sinew !== undefined);
  }
  // There is a scene, and a picture of it.
  async ready() {
    await this.loaded();
    await this.when(() => sinew.model.scene && sinew.model.status && seen.frames > 0 && sinew.stage.pictures > 1);
    await this.drawn();
  }

  $(test) {
    return this.page.locator(`[data-test="${test}"]`);
  }
  async click(test) {
    await this.$(test).click();
  }
  async shows(test) {
    await this.$(test).first().waitFor({ state: 'visible' });
    return this.$(test).first().innerText();
  }
  async hides(test) {
    await this.$(test).first().waitFor({ state: 'hidden' });
  }
  when(condition, argument) {
    return this.page.waitForFunction(condition, argument);
  }
  get(what, argument) {
    return this.page.evaluate(what, argument);
  }
  send(command) {
    return this.page.evaluate((c) => sinew.model.send(c), command);
  }

  status() {
    return this.get(() => sinew.model.status);
  }
  async pause() {
    await this.send({ type: 'pause' });
    await this.when(() => sinew.model.status.playing === false);
    await this.still();
  }
  // No more frames are on their way.
  async still() {
    for (let before = -1, now = await this.get(() => window.seen.frames); before !== now; ) {
      before = now;
      await this.drawn(2);
      await sleep(100);
      now = await this.get(() => window.seen.frames);
    }
  }
  // Some more pictures have been drawn.
  async drawn(count = 1) {
    await this.get(async (n) => {
      for (let i = 0; i < n; ++i)
        await new Promise((resolve) => {
          sinew.stage.invalidate();
          requestAnimationFrame(() => requestAnimationFrame(resolve));
        });
    }, count);
  }

  body(name) {
    return this.get((wanted) => [...sinew.model.bodies.values()].find((b) => b.name === wanted) ?? null, name);
  }
  centre(id) {
    return this.get((i) => sinew.stage.bodyCenter(i), id);
  }
  // Where a point of the world is in the window [px].
  place(point) {
    return this.get((p) => {
      const [x, y] = sinew.stage.project(p), box = sinew.stage.canvas.getBoundingClientRect();
      return [x + box.left, y + box.top];
    }, point);
  }
  async placeOf(id) {
    return this.place(await this.centre(id));
  }
  async picture() {
    return new Picture(await this.page.screenshot({ animations: 'disabled' }));
  }

  quiet() {
    assert.deepEqual(this.complaints, []);
  }
  async close() {
    await this.page.context().close();
  }
}

// --- tests -----------------------------------------------------------------------------------------------------------

// The program, for as long as `body` takes.
export async function serving(words, body) {
  const program = await Program.view(...words);
  try {
    await body(program);
    await program.stop();
  } finally {
    if (program.runs) program.child.kill('SIGKILL');
    await program.ended;
  }
}

// The program and a page that looks at it.
export function watching(browser, words, body, options) {
  return serving(words, async (program) => {
    const tab = await browser.look(program.url, options);
    await body(tab, program);
    tab.quiet();
    await tab.close();
  });
}
