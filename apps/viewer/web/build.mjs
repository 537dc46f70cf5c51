// Builds the page: `node build.mjs [OUT]` writes index.html, viewer.js and viewer.css.
import { build } from 'esbuild';
import { copyFile, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const out = process.argv[2] ?? join(here, 'dist');

await mkdir(out, { recursive: true });
await build({
  entryPoints: [join(here, 'src/main.ts')],
  outfile: join(out, 'viewer.js'),
  bundle: true,
  minify: true,
  format: 'esm',
  target: 'es2022',
  legalComments: 'eof', // three.js is under the MIT licence, which goes with it
});
await build({ entryPoints: [join(here, 'viewer.css')], outfile: join(out, 'viewer.css'), minify: true });
await copyFile(join(here, 'index.html'), join(out, 'index.html'));
