// Checks glTF files with the Khronos validator: node validate_glb.mjs FOLDER FILE.glb...
// FOLDER is where `npm install gltf-validator` was run. Prints every issue; exits with 1 when a file
// has an error or a warning, with 2 when it could not be checked.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';

const [folder, ...files] = process.argv.slice(2);
if (!folder || files.length === 0) {
  console.error('usage: node validate_glb.mjs FOLDER_WITH_NODE_MODULES FILE.glb...');
  process.exit(2);
}

let validator;
try {
  validator = createRequire(path.join(path.resolve(folder), 'package.json'))('gltf-validator');
} catch {
  console.error(`gltf-validator is not in ${folder}: run npm install gltf-validator there`);
  process.exit(2);
}

let exitCode = 0;
for (const file of files) {
  try {
    const report = await validator.validateBytes(new Uint8Array(await readFile(file)), {
      uri: file,
      maxIssues: 100,
      externalResourceFunction: (uri) =>
        readFile(path.join(path.dirname(file), decodeURIComponent(uri))),
    });
    const { numErrors, numWarnings, numInfos, numHints, messages } = report.issues;
    console.log(
      `${file}: ${numErrors} errors, ${numWarnings} warnings, ${numInfos} infos, ${numHints} hints`);
    for (const issue of messages)
      console.log(`  ${issue.code} ${issue.pointer ?? `byte ${issue.offset}`}: ${issue.message}`);
    if (numErrors + numWarnings > 0) exitCode = Math.max(exitCode, 1);
  } catch (failure) {
    console.error(`${file}: cannot be checked: ${failure.message ?? failure}`);
    exitCode = 2;
  }
}
process.exit(exitCode);
