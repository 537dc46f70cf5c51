// Builds the page: `node build.mjs [SOURCES [OUT]]` writes index.html, viewer.js and viewer.css.
// Packages are looked for beside this file, which CMake copies to its build folder.
import { build } from 'esbuild';
import { copyFile, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const sources = process.argv[2] ?? here;
const out = process.argv[3] ?? join(here, 'dist');

await mkdir(out, { recursive: true });
await build({
  entryPoints: [join(sources, 'src/main.ts')],
  outfile: join(out, 'viewer.js'),
  nodePaths: [join(here, 'node_modules')],
  bundle: true,
  minify: true,
  format: 'esm',
  target: 'es2022',
  legalComments: 'eof', // three.js is under the MIT licence, which goes with it
});
await build({ entryPoints: [join(sources, 'viewer.css')], outfile: join(out, 'viewer.css'), minify: true });
await copyFile(join(sources, 'index.html'), join(out, 'index.html'));
