// Playing: a scene runs, can be held, stopped, slowed down, wound back and saved.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { hue, hueDistance } from './png.mjs';
import { Browser, camera, floor, jellyScene, newFolder, watching, writeScene } from './viewer_testing.mjs';

let browser;
const folder = newFolder();
const soft = writeScene(folder, 'soft', jellyScene());
const crate = (name, x) => ({
  type: 'rigid', name, shape: { type: 'box', size: [0.3, 0.3, 0.3] }, pose: { position: [x, 0.15, 0] }, density: 300,
});
const crates = writeScene(folder, 'crates', {
  name: 'crates', camera, bodies: [floor, crate('left', -0.4), crate('right', 0.4)],
});
before(async () => (browser = await Browser.start()));
after(() => browser.stop());

test('a jelly falls, and is drawn where it is', () => watching(browser, [soft, '--paused'], async (tab) => {
  const { id, colour } = await tab.body('jelly');
  await tab.still();
  const [start, [x, y], picture] = [await tab.centre(id), await tab.placeOf(id), await tab.picture()];
  const shown = picture.at(x, y), wanted = colour.map((c) => 255 * c);
  assert.ok(hue(shown).saturation > 0.2, `the jelly is grey: ${shown}`);
  assert.ok(hueDistance(shown, wanted) < 25, `the jelly is ${shown}, not ${wanted}`);
  for (const [i, j] of [[180, 90], [640, 90], [200, 380]]) {
    const beside = picture.at(i, j);
    assert.ok(hue(beside).saturation < 0.35 || hueDistance(beside, wanted) > 40,
      `${i}, ${j} looks like the jelly: ${beside}`);
  }
  await tab.click('play');
  await tab.when(([i, from]) => sinew.stage.bodyCenter(i)[1] < from - 0.2, [id, start[1]]);
  assert.equal(await tab.$('state').innerText(), 'Live');
}));

// Presses on a body, pulls it up, looks whether it follows, and lets go.
async function pull(tab, id) {
  const start = await tab.centre(id);
  const [x, y] = await tab.place(start);
  const { mouse } = tab.page;
  await mouse.move(x, y);
  await mouse.down();
  await tab.when((i) => seen.header.grabs?.some((g) => g.body === i), id);
  const [, above] = await tab.place([start[0], start[1] + 0.6, start[2]]);
  for (let k = 1; k <= 4; ++k) await mouse.move(x, y + ((above - y) * k) / 4);
  await tab.when(([i, from]) => sinew.stage.bodyCenter(i)[1] > from + 0.25, [id, start[1]]);
  // What is held comes to where the pointer is.
  await tab.when(([px, py]) => {
    const [grab] = seen.header.grabs ?? [];
    const [u, v] = grab ? sinew.stage.project(grab.point) : [0, 0];
    const box = sinew.stage.canvas.getBoundingClientRect();
    return grab && Math.hypot(u + box.left - px, v + box.top - py) < 40;
  }, [x, above]);
  const label = tab.page.locator('.grab-label');
  await label.waitFor();
  assert.match(await label.innerText(), /^\d[\d.]* k?N$/);
  const held = await tab.centre(id);
  await mouse.up();
  await tab.when(([i, from]) => sinew.stage.bodyCenter(i)[1] < from - 0.2, [id, held[1]]);
  await tab.when(() => !seen.header.grabs?.length);
  assert.equal(await label.count(), 0);
}

test('a jelly is grabbed, follows the pointer, and falls when it is let go', () =>
  watching(browser, [soft], async (tab) => {
    const { id } = await tab.body('jelly');
    await tab.when((i) => sinew.stage.bodyCenter(i)[1] < 0.25, id);
    await pull(tab, id);
    // How long it took from what the hand did to the picture of it.
    const reaction = await tab.get(() => sinew.latency.median());
    console.log(`from a command to its picture: ${reaction.ms.toFixed(0)} ms, ${reaction.pictures} pictures (medians)`);
    assert.ok(reaction.pictures >= 1 && reaction.ms > 0);
  }));

test('a crate is grabbed, follows the pointer, and falls when it is let go', () =>
  watching(browser, [crates], async (tab) => {
    await pull(tab, (await tab.body('left')).id);
  }));

test('the frame that shows a move is drawn in the next picture', () => watching(browser, [soft], async (tab) => {
  const { id } = await tab.body('jelly');
  await tab.when((i) => sinew.stage.bodyCenter(i)[1] < 0.25, id);
  const [x, y] = await tab.placeOf(id);
  await tab.page.mouse.move(x, y);
  await tab.page.mouse.down();
  await tab.when(() => seen.header.grabs?.length);
  await tab.get(() => {
    // From the frame that has the hand at a new place to the end of a picture.
    window.reactions = [];
    let waiting = null, place = '';
    const { model, stage } = sinew;
    const send = model.send;
    let moved = null;
    model.send = (command) => {
      if (command.type === 'move') moved ??= performance.now();
      send(command);
    };
    model.on('frame', ({ header }) => {
      const now = String(header.grabs?.[0]?.place);
      if (now !== place && moved !== null && !waiting) {
        waiting = { moved, pictures: stage.pictures };
        moved = null;
      }
      place = now;
    });
    model.on('drawn', () => {
      if (!waiting) return;
      window.reactions.push({ ms: performance.now() - waiting.moved, pictures: stage.pictures - waiting.pictures });
      waiting = null;
    });
  });
  for (let k = 1; k <= 12; ++k) {
    await tab.page.mouse.move(x + 4 * k, y - 4 * k);
    await tab.drawn();
  }
  await tab.when(() => window.reactions.length >= 4);
  await tab.page.mouse.up();
  const reactions = await tab.get(() => window.reactions);
  const times = reactions.map((r) => r.ms).sort((a, b) => a - b);
  const median = times[times.length >> 1];
  console.log(`from a move of the hand to its picture: ${median.toFixed(0)} ms (median of ${times.length})`);
  for (const { pictures } of reactions) assert.ok(pictures <= 2, `after ${pictures} pictures`);
}));

const shownStep = (tab) => tab.get(() => seen.header.step);

test('pause, step, play, reset, slow motion', () => watching(browser, [soft], async (tab) => {
  const { id } = await tab.body('jelly');
  await tab.when(() => seen.header.step > 5);
  await tab.click('pause');
  await tab.shows('play');
  await tab.still();
  const [step, where] = [await shownStep(tab), await tab.centre(id)];
  await tab.drawn(5);
  assert.equal(await shownStep(tab), step);
  assert.deepEqual(await tab.centre(id), where);

  await tab.click('step');
  await tab.when((before) => seen.header.step > before, step);
  await tab.still();
  assert.equal(await shownStep(tab), step + 1);

  await tab.$('speed').selectOption('0.1');
  await tab.when(() => sinew.model.status.speed === 0.1);
  await tab.click('play');
  await tab.when((before) => seen.header.step > before + 3, step);
  await tab.when(() => seen.header.stats?.speed > 0 && seen.header.stats.speed < 0.5);
  await tab.$('speed').selectOption('1');
  await tab.when(() => sinew.model.status.speed === 1);

  await tab.pause();
  await tab.click('reset');
  await tab.when(() => seen.header.step === 0);
  await tab.click('play');
  await tab.when(() => seen.header.step > 3);
}));

test('the past can be shown, and gone on from', () => watching(browser, [soft], async (tab) => {
  await tab.when(() => seen.header.step > 40);
  await tab.pause();
  const last = await shownStep(tab);
  // Somewhere in the first half of the timeline.
  const bar = await tab.$('scrub').boundingBox();
  await tab.page.mouse.click(bar.x + 0.3 * bar.width, bar.y + bar.height / 2);
  await tab.when((now) => seen.header.step < 0.7 * now, last);
  await tab.shows('past');
  await tab.still();
  const past = await shownStep(tab);
  const { id } = await tab.body('jelly');
  const [x, y] = await tab.placeOf(id);
  assert.ok((await tab.status()).history.at < last);
  await tab.click('back-to-now');
  await tab.hides('past');
  await tab.when((now) => seen.header.step === now, last);
  const [u, v] = await tab.placeOf(id);
  assert.ok(Math.hypot(u - x, v - y) > 1, 'nothing moved');

  await tab.send({ type: 'scrub', step: past });
  await tab.shows('past');
  await tab.click('continue-here');
  await tab.hides('past');
  await tab.when((from) => sinew.model.status.playing && seen.header.step > from + 5, past);
}));

test('a snapshot brings back the same shape', () => watching(browser, [soft, '--paused'], async (tab) => {
  const { id } = await tab.body('jelly');
  const hash = () => tab.get((i) =>
    [...sinew.stage.bodies.softs.get(i).geometry.getAttribute('position').array].join(), id);
  await tab.send({ type: 'step', count: 25 });
  await tab.when(() => seen.header.step === 25);
  await tab.still();
  const shape = await hash();
  assert.ok(await tab.$('load-1').isDisabled());
  await tab.page.keyboard.press('s');
  await tab.when(() => sinew.model.status.slots.length === 1);
  await tab.send({ type: 'step', count: 20 });
  await tab.when(() => seen.header.step === 45);
  await tab.still();
  const later = await hash();
  assert.notEqual(later, shape);
  await tab.page.keyboard.press('l');
  await tab.when(() => seen.header.step === 25);
  await tab.still();
  assert.equal(await hash(), shape);
  await tab.send({ type: 'step', count: 20 });
  await tab.when(() => seen.header.step === 45);
  await tab.still();
  assert.equal(await hash(), later);
}));
