// What is drawn, and how the page looks.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import path from 'node:path';
import {
  Browser, camera, floor, jellyScene, newFolder, scenes, serving, watching, writeScene,
} from './viewer_testing.mjs';

let browser;
const folder = newFolder();
const resting = writeScene(folder, 'resting', jellyScene({
  pose: { position: [0, 0.2, 0] }, material: { type: 'stable_neo_hookean', young: 5e3, poisson: 0.45 },
}));
const stack = path.join(scenes, 'stack.json');
const hinged = writeScene(folder, 'hinged', {
  name: 'hinged', camera, bodies: [floor,
    { type: 'rigid', name: 'crate', shape: { type: 'box', size: [0.3, 0.3, 0.3] }, pose: { position: [0, 0.15, 0] } },
    { type: 'rigid', name: 'bob', shape: { type: 'sphere', radius: 0.1 }, pose: { position: [0.6, 0.5, 0] } }],
  joints: [{ type: 'ball', a: 'bob', anchor: [0.6, 0.9, 0] }],
});
before(async () => (browser = await Browser.start()));
after(() => browser.stop());

test('colours by stress have a legend, and are seen', () => watching(browser, [resting, '--paused'], async (tab) => {
  const { id } = await tab.body('jelly');
  await tab.send({ type: 'step', count: 20 });
  await tab.when(() => seen.header.step === 20);
  await tab.still();
  const plain = await tab.picture();
  for (const [i, field] of ['stress', 'strain', 'volume', 'group'].entries()) {
    await tab.page.keyboard.press('v');
    await tab.when((name) => sinew.model.legend?.name.startsWith(name), field);
    if (i > 0) continue;
    assert.match(await tab.shows('legend-stage'), /Stress[^]*Pa/);
    await tab.still();
    const [coloured, [x, y]] = [await tab.picture(), await tab.placeOf(id)];
    assert.ok(coloured.differs(plain) > 1000, 'no pixels have changed');
    const [before, now] = [plain.at(x, y), coloured.at(x, y)];
    assert.ok(Math.hypot(...now.map((c, k) => c - before[k])) > 30, `the jelly was ${before} and is ${now}`);
  }
}));

test('wireframe, contacts, joints, bounds are drawn', () => watching(browser, [hinged, '--paused'], async (tab) => {
  await tab.send({ type: 'step', count: 20 });
  await tab.when(() => seen.header.step === 20);
  await tab.still();
  const plain = await tab.picture();
  for (const [key, what] of [['w', 'wireframe'], ['c', 'contacts'], ['j', 'joints'], ['x', 'bounds']]) {
    await tab.page.keyboard.press(key);
    await tab.when((option) => sinew.model.options[option], what);
    if (what !== 'wireframe') await tab.when((part) => seen.header[part]?.count > 0, what);
    await tab.still();
    const count = (await tab.picture()).differs(plain);
    assert.ok(count > 20, `${what}: ${count} pixels`);
    await tab.page.keyboard.press(key);
    await tab.when((option) => !sinew.model.options[option], what);
    await tab.still();
  }
}));

test('light and dark, the sheet of keys', () => watching(browser, [resting, '--paused'], async (tab) => {
  await tab.still();
  const brightness = async () => (await tab.picture()).at(300, 90).reduce((a, b) => a + b) / 3;
  const dark = await brightness();
  await tab.click('theme');
  await tab.when(() => document.documentElement.dataset.theme === 'light');
  await tab.still();
  const light = await brightness();
  assert.ok(light > dark + 60, `${dark} dark, ${light} light`);
  await tab.page.reload();
  await tab.ready();
  assert.equal(await tab.get(() => document.documentElement.dataset.theme), 'light');
  await tab.page.keyboard.press('?');
  assert.match(await tab.shows('help-overlay'), /Play or pause/);
  await tab.page.keyboard.press('Escape');
  await tab.hides('help-overlay');
}));

test('a phone shows everything without scrolling sideways, and a finger grabs', () =>
  watching(browser, [resting], async (tab) => {
    const fits = async () => assert.ok(await tab.get(() =>
      document.scrollingElement.scrollWidth <= innerWidth && document.scrollingElement.scrollHeight <= innerHeight));
    await fits();
    for (const test of ['pause', 'step', 'reset', 'scrub', 'panel-toggle', 'gallery', 'tool-grab']) {
      const box = await tab.$(test).boundingBox();
      assert.ok(box && box.x >= 0 && box.x + box.width <= 390 && box.y >= 0 && box.y + box.height <= 780, test);
    }
    const { id } = await tab.body('jelly');
    const session = await tab.page.context().newCDPSession(tab.page);
    const [x, y] = await tab.placeOf(id);
    const touch = (type, ...points) => session.send('Input.dispatchTouchEvent', { type, touchPoints: points });
    await touch('touchStart', { x, y });
    await tab.when(() => seen.header.grabs?.length);
    const before = await tab.centre(id);
    for (let k = 1; k <= 5; ++k) await touch('touchMove', { x, y: y - 25 * k });
    await tab.when(([i, from]) => sinew.stage.bodyCenter(i)[1] > from + 0.1, [id, before[1]]);
    await touch('touchEnd');
    await tab.when(() => !seen.header.grabs?.length);
    await tab.click('panel-toggle');
    await tab.shows('body-panel');
    await fits();
    await tab.click('view');
    await tab.click('colour-by-strain');
    await tab.shows('legend-panel');
    await fits();
  }, { width: 390, height: 780, hasTouch: true, isMobile: true }));

test('without WebGL the page says so in plain words', () => serving([resting], async (program) => {
  const tab = await browser.page(program.url, {
    before: () => {
      const { getContext } = HTMLCanvasElement.prototype;
      HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
        return kind.startsWith('webgl') ? null : getContext.call(this, kind, ...rest);
      };
    },
  });
  await tab.page.getByText('This page needs WebGL 2').waitFor();
  tab.quiet();
  await tab.close();
}));

test('every tool of a scene with many bodies answers', () => watching(browser, [stack, '--paused'], async (tab) => {
  const count = () => tab.get(() => sinew.model.bodies.size);
  const before = await count();
  await tab.page.keyboard.press('b');
  await tab.when((n) => sinew.model.bodies.size === n + 1, before);
  await tab.click('drop');
  await tab.click('drop-jelly');
  await tab.when((n) => sinew.model.bodies.size === n + 2, before);
  await tab.send({ type: 'remove', body: (await tab.body('crate 4.1')).id });
  await tab.when((n) => sinew.model.bodies.size === n + 1, before);
  await tab.click('play');
  await tab.when(() => seen.header.step > 10);
}));
