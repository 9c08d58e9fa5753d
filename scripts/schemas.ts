import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { jsonSchemas } from './json-schemas.js';

/** Writes `schemas/`: `npm run generate -- schemas`. A test fails where it differs from what is committed. */
rmSync('schemas', { recursive: true, force: true });
mkdirSync('schemas');
for (const [file, text] of Object.entries(jsonSchemas)) writeFileSync(join('schemas', file), text);
