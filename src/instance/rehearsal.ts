import * as z from 'zod/mini';
import { isInFuture } from '../core/common/in-future.js';
import { countSchema, dateTimeSchema, versionSchema } from '../core/field-schemas.js';
import { isRecord } from '../core/json/is-record.js';
import { findDuplicateKey } from '../core/json/json-scan.js';
import { unsupportedSchema } from '../core/json/json-text.js';
import { parseWith } from '../core/json/parse-with.js';
import { formatPath } from '../core/json/schema-problem.js';
import { LightspanError } from '../core/lightspan-error.js';

const seconds = z.number().check(z.nonnegative());

/** A migration as it ran on a copy. */
const migrationSchema = z.strictObject({
  name: z.string(),
  seconds: z.nullable(seconds).check(z.describe('Null without rows: then it says nothing.')),
  locks: z
    .array(
      z.strictObject({
        mode: z.string(),
        table: z.string(),
        heldSeconds: z.nullable(seconds),
      }),
    )
    .check(z.describe('The strongest on each table that was there before, the strongest first.')),
});

const problemSchema = z.strictObject({
  migration: z.nullable(z.string()),
  message: z.string().check(z.describe('Without any value of a row.')),
  sqlState: z.nullable(z.string()),
});

/**
 * What a rehearsal has shown, as `--out` writes it: no row, no secret, no host. It is evidence for the same route and
 * ledger.
 */
export const rehearsalSchema = z.strictObject({
  schemaVersion: z.literal('1'),
  safe: z.boolean().check(z.describe('The exit code is 0.')),
  answer: z.enum(['yes', 'no', 'not-known']),
  mode: z.enum(['dry', 'full']).check(z.describe('Without rows, or with them.')),
  fromVersion: versionSchema,
  fromSource: z.string().check(z.describe('Where the running version was found.')),
  toVersion: versionSchema,
  rehearsedAt: dateTimeSchema,
  madeBy: z.string(),
  dump: z.strictObject({
    madeOn: z.string(),
    bytes: countSchema,
    postgresMajor: z.nullable(countSchema),
  }),
  copy: z.strictObject({
    by: z.enum(['programs', 'docker', 'podman']),
    postgresMajor: countSchema,
    machine: z.string(),
    isolated: z.boolean().check(z.describe('It had no network.')),
    tables: countSchema,
  }),
  ledger: z.strictObject({ migrations: countSchema, newest: z.nullable(z.string()) }),
  migratingRole: z.nullable(z.string()),
  rolesKnown: z
    .boolean()
    .check(z.describe('Roles and their memberships were given, so a right that was held is held there too.')),
  enterprise: z.boolean().check(z.describe('A licence key was handed on to the migrator.')),
  dependents: z
    .array(z.string())
    .check(z.describe('What the copy had that hangs on its tables: views, rules, triggers, publications.')),
  restoreSeconds: z.nullable(seconds).check(z.describe('Null without rows.')),
  migrationSeconds: z.nullable(seconds).check(z.describe('Null without rows.')),
  bytes: z.nullable(z.strictObject({ before: countSchema, after: countSchema, wal: countSchema })),
  hops: z.array(
    z.strictObject({
      toVersion: versionSchema,
      outcome: z.enum(['applied', 'failed', 'not-known', 'not-reached']),
      image: z.nullable(z.string()).check(z.describe('Its digest; null if a command migrated.')),
      migrations: z.array(migrationSchema),
      problem: z.nullable(problemSchema),
    }),
  ),
  why: z.array(z.string()).check(z.describe('Why it is no yes.')),
  remarks: z.array(z.string()),
  notRehearsed: z.array(z.string()),
});

export type Rehearsal = z.infer<typeof rehearsalSchema>;
export type RehearsedHop = Rehearsal['hops'][number];

/**
 * Reads the text of a rehearsal that was kept.
 *
 * @throws {LightspanError} `invalid-facts` naming what is at fault; `unsupported-schema-version`
 */
export function parseRehearsal(text: string, now: Date): Rehearsal {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw invalid('it is not JSON');
  }
  if (!isRecord(json)) throw invalid('it is not a JSON object');
  if (json.schemaVersion !== '1') throw unsupportedSchema(json.schemaVersion, 'rehearsal schemaVersion "1"');
  if (findDuplicateKey(text) !== undefined) throw invalid('it holds an object with a key twice');
  const read = parseWith(rehearsalSchema, json);
  if (!read.ok) {
    const [first] = read.problems;
    throw invalid(`${formatPath(first?.path ?? [])}: ${first?.message}`);
  }
  const { safe, answer, hops, rehearsedAt } = read.value;
  const allApplied = hops.every(({ outcome }) => outcome === 'applied');
  if (safe !== (answer === 'yes') || (safe && !allApplied))
    throw invalid('its answer is not that of its hops');
  if (isInFuture(rehearsedAt, now)) throw invalid(`it was made in the future (${rehearsedAt})`);
  return read.value;
}

function invalid(why: string): LightspanError {
  return new LightspanError('invalid-facts', `the rehearsal cannot be trusted: ${why}`, {
    hint: 'Rehearse again.',
  });
}
