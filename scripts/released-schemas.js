import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The schemas that the next release is compared with: `npm run generate -- released-schemas` writes them. */
export const releasedSchemasFile = 'test/released-schemas.jsonl';

/** `schemas/` as that file holds it: a line each, without the descriptions, which promise nothing. */
export function schemasToRelease() {
  return readdirSync('schemas')
    .sort()
    .map((file) => `${JSON.stringify({ file, schema: readUndescribed(join('schemas', file)) })}\n`)
    .join('');
}

function readUndescribed(file) {
  return JSON.parse(readFileSync(file, 'utf8'), (key, value) =>
    key === 'description' && typeof value === 'string' ? undefined : value,
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(releasedSchemasFile, schemasToRelease());
}
