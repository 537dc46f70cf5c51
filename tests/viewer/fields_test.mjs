// Changing what bodies are made of, from the panel.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Browser, jellyScene, newFolder, watching, writeScene } from './viewer_testing.mjs';

let browser;
const high = writeScene(newFolder(), 'high', jellyScene({ pose: { position: [0, 0.6, 0] } }));
const scene = writeScene(newFolder(), 'soft', jellyScene({ pose: { position: [0, 0.2, 0] }, damping: 0.2 }));
before(async () => (browser = await Browser.start()));
after(() => browser.stop());

// How tall a body is [m].
const heightOf = (tab, id) => tab.get((i) => {
  const box = sinew.stage.bodies.boundsOf(i);
  return box.max.y - box.min.y;
}, id);
async function steps(tab, count) {
  const until = (await tab.get(() => seen.header.step)) + count;
  await tab.send({ type: 'step', count });
  await tab.when((step) => seen.header.step === step, until);
  await tab.still();
}
const wide = { width: 1000, height: 520 };

test('a jelly of a tenth of the stiffness sags more', () => watching(browser, [scene, '--paused'], async (tab) => {
  const { id } = await tab.body('jelly');
  await steps(tab, 60);
  const before = await heightOf(tab, id);
  const [x, y] = await tab.placeOf(id);
  await tab.page.mouse.click(x, y);
  assert.equal(await tab.shows('body-name'), 'jelly');
  const field = tab.$('field-/bodies/1/material/young');
  assert.equal(Number(await field.inputValue()), 30000);
  await field.fill('3000');
  await field.press('Enter');
  await tab.when(() => sinew.model.status.changes.some((c) => c.startsWith('/bodies/1/material/young=')));
  await steps(tab, 60);
  const after = await heightOf(tab, id);
  assert.ok(after < 0.85 * before, `${before} m before, ${after} m after`);
  // What the page offers to type into a terminal says so, too.
  await tab.click('capture');
  assert.ok((await tab.shows('command')).startsWith(`sinew run ${scene}`));
  assert.match(await tab.shows('command'), /--set '?\/bodies\/1\/material\/young=3000/);
}, wide));

test('a slider changes it while it is moved', () => watching(browser, [scene], async (tab) => {
  const { id } = await tab.body('jelly');
  await tab.get((i) => sinew.model.select(sinew.model.bodies.get(i)), id);
  await tab.$('slider-/bodies/1/density').waitFor();
  const before = await tab.get(() =>
    sinew.model.bodyFields.fields.find((f) => f.pointer === '/bodies/1/density').value);
  await tab.$('slider-/bodies/1/density').focus();
  for (let i = 0; i < 5; ++i) await tab.page.keyboard.press('ArrowRight');
  const changed = await tab.when(() => sinew.model.status.changes.find((c) => c.startsWith('/bodies/1/density=')));
  const change = await changed.jsonValue();
  assert.ok(Number(change.split('=')[1]) > before, change);
}, wide));

test('a value that cannot be is refused with file and place, and the world goes on', () =>
  watching(browser, [scene], async (tab) => {
    const { id } = await tab.body('jelly');
    await tab.get((i) => sinew.model.select(sinew.model.bodies.get(i)), id);
    // The page knows limits and does not even send it.
    const field = tab.$('field-/bodies/1/density');
    await field.fill('-3');
    await field.press('Enter');
    assert.equal(await field.getAttribute('aria-invalid'), 'true');
    await field.press('Escape');
    // The program knows them, too.
    await tab.send({ type: 'set', pointer: '/bodies/1/density', value: -3 });
    const message = await tab.shows('error');
    assert.match(message, /soft\.json/);
    assert.match(message, /\/bodies\/1\/density/);
    assert.match(message, /greater than 0/);
    const step = await tab.get(() => seen.header.step);
    await tab.when((before) => seen.header.step > before + 5, step);
    await tab.click('dismiss');
    await tab.hides('error');
    assert.deepEqual((await tab.status()).changes, []);
  }, wide));

test('the world has fields, too: without gravity a jelly does not fall', () =>
  watching(browser, [high, '--paused'], async (tab) => {
    const { id } = await tab.body('jelly');
    await tab.click('world');
    const field = tab.$('field-/world/gravity-1');
    await field.fill('0');
    await field.press('Enter');
    await tab.when(() => sinew.model.status.changes.length === 1);
    const before = await tab.centre(id);
    await steps(tab, 30);
    assert.ok(Math.abs((await tab.centre(id))[1] - before[1]) < 1e-3);
  }, wide));
