// Choosing scenes, broken ones, and scenes that are edited while they run.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import path from 'node:path';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { Browser, jellyScene, newFolder, scenes, serving, source, watching, writeScene } from './viewer_testing.mjs';

let browser;
before(async () => (browser = await Browser.start()));
after(() => browser.stop());

test('without a scene the gallery opens, with pictures; a click opens one', () => serving([], async (program) => {
  const tab = await browser.page(program.url);
  await tab.shows('gallery-overlay');
  const names = readdirSync(scenes).filter((f) => f.endsWith('.json')).map((f) => f.slice(0, -5));
  await tab.shows(`gallery-card-${names[0]}`);
  for (const name of names) {
    const card = tab.$(`gallery-card-${name}`);
    await card.scrollIntoViewIfNeeded();
    const picture = `docs/gallery/${name}.jpg`;
    assert.ok(existsSync(path.join(source, picture)), `${picture} is missing: see docs/viewer.md`);
    await tab.when((n) => document.querySelector(`[data-test="gallery-card-${n}"] img`)?.naturalWidth > 100, name);
  }
  await tab.$('gallery-search').fill('felt blanket');
  assert.equal(await tab.page.locator('[data-test^="gallery-card-"]').count(), 1);
  await tab.$('gallery-search').fill('');
  await tab.click('gallery-card-stack');
  await tab.hides('gallery-overlay');
  await tab.ready();
  assert.equal(await tab.$('scene-title').innerText(), 'stack');
  await tab.when(() => seen.header.step > 3);
  tab.quiet();
  await tab.close();
}));

test('a broken scene tells file and place, and the one before goes on', async () => {
  const folder = newFolder();
  writeScene(folder, 'good', jellyScene());
  writeScene(folder, 'bad', jellyScene({ density: -3 }));
  writeScene(folder, 'torn', '{"bodies": [');
  await watching(browser, [path.join(folder, 'good.json'), '--scenes', folder], async (tab) => {
    await tab.click('gallery');
    await tab.click('gallery-card-bad');
    const message = await tab.shows('error');
    assert.match(message, /bad\.json/);
    assert.match(message, /\/bodies\/1\/density/);
    await tab.click('dismiss');
    await tab.click('gallery-card-torn');
    assert.match(await tab.shows('error'), /torn\.json/);
    await tab.page.keyboard.press('Escape');
    await tab.hides('gallery-overlay');
    assert.equal((await tab.status()).scene, 'good');
    const step = await tab.get(() => seen.header.step);
    await tab.when((before) => seen.header.step > before + 5, step);
  });
});

test('a scene that is saved in an editor is shown anew, and one that is spoilt leaves what is there', async () => {
  const file = writeScene(newFolder(), 'edited', jellyScene());
  await watching(browser, [file], async (tab) => {
    await tab.when(() => seen.header.step > 5);
    const scene = JSON.parse(readFileSync(file, 'utf8'));
    scene.bodies[1].name = 'pudding';
    writeScene(path.dirname(file), 'edited', scene);
    await tab.when(() => [...sinew.model.bodies.values()].some((b) => b.name === 'pudding'));
    scene.bodies[1].material.young = 'much';
    writeScene(path.dirname(file), 'edited', scene);
    const message = await tab.shows('error');
    assert.match(message, /edited\.json/);
    assert.match(message, /\/bodies\/1\/material\/young/);
    const step = await tab.get(() => seen.header.step);
    await tab.when((before) => seen.header.step > before + 5, step);
    assert.ok(await tab.body('pudding'));
  });
});
