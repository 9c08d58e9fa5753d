import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { declareProgram } from '../src/commands/program.js';
import { commandsOf } from './docs/command-page.js';
import { manPages } from './docs/man-page.js';

/** Writes the pages of man, which the package has: `npm run build -- man`. */
const folder = 'dist/man';
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
for (const [name, page] of manPages(commandsOf(await declareProgram(async () => {}))))
  writeFileSync(join(folder, name), page);
