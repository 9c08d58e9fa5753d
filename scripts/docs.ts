import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { declareProgram } from '../src/commands/program.js';
import { commandsOf } from './docs/command-page.js';
import { manPages } from './docs/man-page.js';
import { documentation, keptFolder } from './docs/pages.js';

/**
 * Writes `docs/`, and leaves the prose alone: `npm run generate -- docs`. A test fails where it differs from what is
 * committed. npm installs those pages of man that package.json names one by one: they are written there too.
 */
const pages = await documentation();
for (const folder of new Set(Object.keys(pages).map((path) => path.split('/')[0] ?? ''))) {
  if (folder !== keptFolder) rmSync(join('docs', folder), { recursive: true, force: true });
}
for (const [path, text] of Object.entries(pages)) {
  mkdirSync(dirname(join('docs', path)), { recursive: true });
  writeFileSync(join('docs', path), text);
}

const pagesOfMan = manPages(commandsOf(await declareProgram(async () => {})));
const named = [...pagesOfMan.keys()].map((name) => `    "./dist/man/${name}"`).join(',\n');
const packageText = readFileSync('package.json', 'utf8');
writeFileSync(
  'package.json',
  packageText.replace(/(?<=^ {2}"man": \[\n)[^\]]*(?=\n {2}\])/m, () => named),
);
