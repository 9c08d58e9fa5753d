import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import * as z from 'zod/mini';
import { compareVersions } from '../src/core/version.js';
import { backfillsSchema } from '../src/instance/backfills/records.js';

/** The file of backfills that is built in, and where they are written by hand. */
export const backfillsFile = 'src/instance/backfills/built-in.json';
export const backfillsSource = 'backfills/records.yaml';

/** The text of `built-in.json`: a record a line, in the order of their releases. */
export function builtInBackfills(): string {
  const { records, ...about } = z.parse(backfillsSchema, parse(readFileSync(backfillsSource, 'utf8')));
  const inOrder = records.toSorted(
    (a, b) => compareVersions(a.introduced, b.introduced) || a.name.localeCompare(b.name),
  );
  const lines = inOrder.map((record) => JSON.stringify(record)).join(',\n');
  return `${JSON.stringify(about).slice(0, -1)},"records":[\n${lines}\n]}\n`;
}
