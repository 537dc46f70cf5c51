// Several pages at one program, pages that vanish, and what is not a page at all.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, before, test } from 'node:test';
import { Browser, jellyScene, newFolder, serving, watching, writeScene } from './viewer_testing.mjs';

let browser;
const scene = writeScene(newFolder(), 'soft', jellyScene({ pose: { position: [0, 0.2, 0] } }));
before(async () => (browser = await Browser.start()));
after(() => browser.stop());

test('a second page watches, and takes the controls', () => watching(browser, [scene], async (first, program) => {
  const second = await browser.look(program.url);
  await second.shows('watching');
  assert.equal(await second.$('state').innerText(), 'Watching');
  assert.match(await first.$('state').innerText(), /1 watching/);
  assert.ok(await second.$('pause').isDisabled());
  await second.send({ type: 'pause' });
  assert.match(await second.shows('error'), /another page holds the controls/);
  assert.ok((await first.status()).playing);

  await second.click('take-control');
  await second.hides('watching');
  await first.shows('watching');
  await second.click('pause');
  await first.when(() => sinew.model.status.playing === false);
  // Whoever is left has the controls.
  await second.close();
  await first.hides('watching');
  await first.click('play');
  await first.when(() => sinew.model.status.playing);
  second.quiet();
}));

async function grab(tab) {
  const { id } = await tab.body('jelly');
  const [x, y] = await tab.placeOf(id);
  await tab.page.mouse.move(x, y);
  await tab.page.mouse.down();
  await tab.page.mouse.move(x, y - 80);
  await tab.when(() => seen.header.grabs?.length === 1);
}

test('a page that vanishes lets go of what it holds', () => watching(browser, [scene], async (watcher, program) => {
  const other = await browser.look(program.url);
  await other.click('take-control');
  await other.hides('watching');
  await grab(other);
  await watcher.when(() => seen.header.grabs?.length === 1);
  await other.close();
  await watcher.when(() => !seen.header.grabs?.length);

  const doomed = await Browser.start();
  const last = await doomed.look(program.url);
  await last.click('take-control');
  await last.hides('watching');
  await grab(last);
  await watcher.when(() => seen.header.grabs?.length === 1);
  await doomed.kill();
  await watcher.when(() => !seen.header.grabs?.length && sinew.model.status.clients === 1);
  assert.ok(program.runs);
}));

test('nonsense on the socket hurts nobody', () => watching(browser, [scene], async (tab) => {
  await tab.get(async () => {
    const opened = (socket) => new Promise((resolve, reject) => {
      socket.onopen = resolve;
      socket.onerror = reject;
    });
    let seed = 7;
    const random = () => (seed = (Math.imul(seed, 1103515245) + 12345) >>> 0) / 2 ** 32;
    const bytes = (n) => Uint8Array.from({ length: n }, () => 256 * random());
    const words = ['{', 'null', '[]', '""', '{"type": 7}', '{"type": "grab"}', '{"type": "move", "to": [1, 2]}',
      '{"type": "move", "to": [1e999, 0, 0]}', '{"type": "open", "scene": "../../secret"}',
      '{"type": "ack", "frame": -1}',
      '{"type": "step", "count": 1e12}', '{"type": "control", "seq": "x"}',
      '{"type": "set", "pointer": "/", "value": {}}',
      '{"type": "select", "body": 4294967295}', '['.repeat(5000), '\u0000', 'x'.repeat(60000)];
    for (let round = 0; round < 3; ++round) {
      const socket = new WebSocket(`ws://${location.host}/socket`);
      await opened(socket);
      for (const word of words) socket.send(word);
      for (let i = 0; i < 20; ++i) socket.send(String.fromCharCode(...bytes(50)));
      socket.send(bytes(1000));
      if (round === 1) socket.send('y'.repeat(3e6));
      await new Promise((resolve) => setTimeout(resolve, 50));
      socket.close();
    }
  });
  await tab.when(() => sinew.model.status.clients === 1 && sinew.model.inControl);
  const step = await tab.get(() => seen.header.step);
  await tab.when((before) => seen.header.step > before + 5, step);
}));

test('a page of another site is not let in', () => serving([scene], async (program) => {
  const site = createServer((request, response) => response.writeHead(200, { 'Content-Type': 'text/html' }).end('hi'));
  await new Promise((resolve) => site.listen(0, '127.0.0.1', resolve));
  try {
    const { page } = await browser.page(`http://127.0.0.1:${site.address().port}/`);
    const answer = await page.evaluate((url) => new Promise((resolve) => {
      const socket = new WebSocket(url);
      socket.onopen = () => resolve('opened');
      socket.onerror = () => resolve('refused');
    }), `${program.url.replace('http', 'ws')}socket`);
    assert.equal(answer, 'refused');
    await page.context().close();
  } finally {
    site.closeAllConnections?.();
    site.close();
  }
}));

test('a page finds back when the program is started again', async () => {
  let tab, port;
  await serving([scene], async (program) => {
    tab = await browser.look(program.url);
    ({ port } = new URL(program.url));
  });
  await tab.shows('connection-lost');
  await serving([scene, '--port', port], async () => {
    await tab.hides('connection-lost');
    await tab.when(() => sinew.model.connection === 'open' && sinew.model.inControl);
    const frames = await tab.get(() => seen.frames);
    await tab.when((before) => seen.frames > before + 5, frames);
    await tab.close();
  });
});
