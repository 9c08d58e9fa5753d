import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { documentation, keptFolder } from './docs/pages.js';

/**
 * Writes `docs/`, and leaves the prose alone: `npm run generate -- docs`. A test fails where it differs from what is
 * committed.
 */
const pages = await documentation();
for (const folder of new Set(Object.keys(pages).map((path) => path.split('/')[0] ?? ''))) {
  if (folder !== keptFolder) rmSync(join('docs', folder), { recursive: true, force: true });
}
for (const [path, text] of Object.entries(pages)) {
  mkdirSync(dirname(join('docs', path)), { recursive: true });
  writeFileSync(join('docs', path), text);
}
