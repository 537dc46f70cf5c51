// Recordings, from the program and from any web host.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createServer } from 'node:http';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { Browser, jellyScene, newFolder, run, serving, writeScene } from './viewer_testing.mjs';

let browser;
const folder = newFolder();
const scene = writeScene(folder, 'soft', jellyScene());
before(async () => (browser = await Browser.start()));
after(() => browser.stop());

async function plays(url) {
  const tab = await browser.look(url);
  assert.equal(await tab.$('state').innerText(), 'Recording');
  const { id } = await tab.body('jelly');
  const low = await tab.get((i) => new Promise((resolve) => {
    // Once around: it falls, comes to its end, and starts again from above.
    let least = Infinity, before = -1;
    sinew.model.on('frame', ({ header }) => requestAnimationFrame(() => {
      least = Math.min(least, sinew.stage.bodyCenter(i)[1]);
      if (header.step < before) resolve(least);
      before = header.step;
    }));
  }), id);
  assert.ok(low < 0.3, `the lowest was ${low} m`);
  await tab.click('pause');
  await tab.shows('play');
  const bar = await tab.$('scrub').boundingBox();
  await tab.page.mouse.click(bar.x + 0.9 * bar.width, bar.y + bar.height / 2);
  await tab.when(() => sinew.model.status.history.at > 0.7 * sinew.model.status.history.last);
  await tab.drawn();
  const late = await tab.centre(id);
  await tab.page.mouse.click(bar.x + 2, bar.y + bar.height / 2);
  await tab.when(([i, from]) => sinew.stage.bodyCenter(i)[1] > from + 0.15, [id, late[1]]);
  const at = (await tab.status()).history.at;
  await tab.click('step');
  await tab.when((before) => sinew.model.status.history.at > before, at);
  assert.equal(await tab.$('body').isVisible(), false); // there is nothing to be changed
  tab.quiet();
  await tab.close();
}

test('a recording plays, loops and can be scrubbed', async () => {
  const file = path.join(folder, 'x.snr');
  run('run', scene, '--record', file, '--quiet');
  await serving([file], (program) => plays(program.url));
});

test('an exported folder does the same on any web host', async () => {
  const out = path.join(folder, 'site');
  run('view', scene, '--export', out, '--seconds', '1');
  const kinds = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.json': 'application/json' };
  const host = createServer(async (request, response) => {
    const name = path.basename(new URL(request.url, 'http://localhost').pathname) || 'index.html';
    try {
      const data = await readFile(path.join(out, name));
      response.writeHead(200, { 'Content-Type': kinds[path.extname(name)] ?? 'application/octet-stream' }).end(data);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((resolve) => host.listen(0, '127.0.0.1', resolve));
  try {
    await plays(`http://127.0.0.1:${host.address().port}/`);
  } finally {
    host.closeAllConnections?.();
    host.close();
  }
});
