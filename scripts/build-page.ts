import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { pageFile } from './page-file.js';

/** Writes the page of the upgrade path with an index inside: `npm run build -- page index.json`. */
const [index = 'fixtures/release-safety-index.json'] = process.argv.slice(2);
mkdirSync('dist/page', { recursive: true });
writeFileSync('dist/page/index.html', await pageFile(readFileSync(index, 'utf8')));
