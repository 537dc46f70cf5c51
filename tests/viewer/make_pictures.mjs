// Draws the pictures of the gallery and of docs/viewer.md: node tests/viewer/make_pictures.mjs [NAME...]
// NAME is a scene, or one of the pictures of the page (start, grab, material, stress, phone); without, all are made.
// Every scene runs in the viewer to a moment that is given here in steps, so that pictures come out alike every time.
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Browser, scenes, serving, source } from './viewer_testing.mjs';

// Steps to the moment that tells most.
const moments = {
  cloth_on_sphere: 75, dented_car: 35, dominoes: 90, flag: 30, gummy_bears: 40, hanging_bar: 30, hello: 28, limb: 15,
  marbles: 180, newton_cradle: 45, obstacles: 35, ragdoll: 45, rope_bridge: 120, stack: 66, terrain: 70, tower: 180,
  wrecking_ball: 80,
};
const keys = { joints: 'j', newton_cradle: 'j' }; // joints are what there is to see
const usual = 60;

const folders = { gallery: path.join(source, 'docs/gallery'), images: path.join(source, 'docs/images') };
for (const folder of Object.values(folders)) mkdirSync(folder, { recursive: true });

async function stepTo(tab, step) {
  for (let at = await tab.get(() => seen.header.step); at < step; ) {
    const next = Math.min(step, at + 60);
    await tab.send({ type: 'step', count: next - at });
    await tab.when((n) => seen.header.step >= n, next);
    at = next;
  }
  await tab.still();
}

// Tries qualities until the file is small enough.
async function save(tab, folder, name, mostBytes) {
  for (let quality = 82; ; quality -= 6) {
    const data = await tab.page.screenshot({ type: 'jpeg', quality, scale: 'css' });
    if (data.length > mostBytes && quality > 40) continue;
    writeFileSync(path.join(folders[folder], `${name}.jpg`), data);
    console.log(`${folder}/${name}.jpg: ${(data.length / 1e3).toFixed(1)} kB, quality ${quality}`);
    return;
  }
}

async function show(browser, name, options, body) {
  await serving([path.join(scenes, `${name}.json`), '--paused'], async (program) => {
    const tab = await browser.look(program.url, options);
    await body(tab);
    await tab.close();
  });
}

const card = { width: 640, height: 400 };
const gallery = (browser, name) => show(browser, name, card, async (tab) => {
  await tab.page.addStyleTag({ content: '#panels { display: none }' });
  if (keys[name]) await tab.page.keyboard.press(keys[name]);
  await stepTo(tab, moments[name] ?? usual);
  await save(tab, 'gallery', name, 40e3);
});

const desk = { width: 1200, height: 720 };
const pages = {
  start: (browser) => show(browser, 'hello', desk, async (tab) => {
    await stepTo(tab, 28);
    await save(tab, 'images', 'viewer_start', 80e3);
  }),
  grab: (browser) => show(browser, 'gummy_bears', desk, async (tab) => {
    await stepTo(tab, 240);
    const { id } = await tab.body('red');
    const [x, y] = await tab.placeOf(id);
    await tab.page.mouse.move(x, y);
    await tab.page.mouse.down();
    await tab.page.mouse.move(x + 20, y - 60);
    await tab.page.mouse.move(x + 40, y - 150);
    await stepTo(tab, 330);
    await save(tab, 'images', 'viewer_grab', 80e3);
    await tab.page.mouse.up();
  }),
  material: (browser) => show(browser, 'hello', desk, async (tab) => {
    await stepTo(tab, 150);
    const { id } = await tab.body('jelly');
    await tab.page.mouse.click(...(await tab.placeOf(id)));
    const young = tab.$('field-/bodies/1/material/young');
    await young.fill('4000');
    await young.press('Enter');
    await tab.when(() => sinew.model.status.changes.length > 0);
    await stepTo(tab, 230);
    await save(tab, 'images', 'viewer_material', 80e3);
  }),
  stress: (browser) => show(browser, 'soft_bars', desk, async (tab) => {
    await tab.click('view');
    await tab.click('colour-by-stress');
    await tab.page.mouse.move(400, 400);
    await tab.page.mouse.wheel(0, 300); // all of it beside the panel
    await stepTo(tab, 120);
    await save(tab, 'images', 'viewer_stress', 80e3);
  }),
  phone: (browser) => show(browser, 'gummy_bears', {
    width: 390, height: 780, deviceScaleFactor: 1, isMobile: true, hasTouch: true,
  }, async (tab) => {
    await stepTo(tab, 70);
    await save(tab, 'images', 'viewer_phone', 80e3);
  }),
};

const all = readdirSync(scenes).filter((file) => file.endsWith('.json')).map((file) => file.slice(0, -5));
const wanted = process.argv.slice(2).length > 0 ? process.argv.slice(2) : [...all, ...Object.keys(pages)];
const browser = await Browser.start();
for (const name of wanted) {
  if (pages[name]) await pages[name](browser);
  else await gallery(browser, name);
}
await browser.stop();
