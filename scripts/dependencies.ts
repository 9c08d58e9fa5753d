import { mkdirSync, writeFileSync } from 'node:fs';
import { dependenciesPage } from './dependencies-page.js';

/** Writes `docs/dependencies.md`: `npm run generate -- dependencies`, after a build. */
mkdirSync('docs', { recursive: true });
writeFileSync('docs/dependencies.md', dependenciesPage());
