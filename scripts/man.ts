import { mkdirSync, writeFileSync } from 'node:fs';
import { declareProgram } from '../src/commands/program.js';
import { commandsOf } from './docs/command-page.js';
import { manPage } from './docs/man-page.js';

/** Writes the page of `man lightspan`, which the package has: `npm run build -- man`. */
mkdirSync('dist/man', { recursive: true });
writeFileSync('dist/man/lightspan.1', manPage(commandsOf(await declareProgram(async () => {}))));
