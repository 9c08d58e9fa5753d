import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FindingStatus, NotChecked } from '../../src/checks/check.js';
import type { CheckEvidence } from '../../src/checks/checks.js';
import { describeFinding } from '../../src/checks/describe.js';
import { requireVersion, type Version } from '../../src/core/version.js';

type Evidence = CheckEvidence | NotChecked;

/** Versions as plain texts. */
export type Written<T> = T extends Version
  ? string
  : T extends object
    ? { readonly [Key in keyof T]: Written<T[Key]> }
    : T;

export interface Told {
  readonly status: FindingStatus;
  readonly evidence: Evidence;
}

const checks = fileURLToPath(new URL('../checks', import.meta.url));
const snapshots = readdirSync(checks, { recursive: true })
  .map(String)
  .sort((a, b) => (basename(a) < basename(b) ? -1 : 1));

/** What the tests of checks found, as they have recorded it. */
const recorded = snapshots
  .filter((file) => /^(?!after-upgrade).*\.snap$/.test(file))
  .flatMap((file) => {
    const held: Record<string, string> = {};
    new Function('exports', readFileSync(join(checks, file), 'utf8'))(held);
    return Object.values(held).flatMap((text) =>
      [...text.matchAll(/^"?(stop|warn|ok|not-checked) (\S+) (\{.*\})"?$/gm)].map(
        ([, status, kind, told = '']) => ({ status, evidence: { kind, ...JSON.parse(told) } }) as Told,
      ),
    );
  });

const bugs: readonly Told[] = [
  { status: 'not-checked', evidence: { kind: 'check-failed', message: 'rows is not iterable' } },
  { status: 'not-checked', evidence: { kind: 'check-silent' } },
];

/** What the check of majors finds: its test reads whole answers. */
const majors: readonly Told[] = [
  { status: 'warn', evidence: { kind: 'crosses-major', major: requireVersion('3.0.0') } },
  { status: 'ok', evidence: { kind: 'no-major-crossed' } },
  { status: 'ok', evidence: { kind: 'major-without-note', major: requireVersion('1.0.0') } },
  {
    status: 'warn',
    evidence: { kind: 'ledger-shows-no-release', from: requireVersion('1.121.0'), migrations: 700 },
  },
];

/** The sentences of a finding, without the names and numbers in them. */
function formOf({ status, evidence }: Told): string {
  const names: string[] = [];
  JSON.stringify(evidence, (key, value: unknown) => {
    if (key !== 'kind' && typeof value === 'string' && value !== '') names.push(value);
    return value;
  });
  const { description, remedy } = describeFinding({ check: '', status, subject: null, evidence });
  const told = [evidence.kind, description, remedy?.text, remedy?.commands.length].join();
  return names
    .sort((a, b) => b.length - a.length)
    .reduce((text, name) => text.replaceAll(name, '_'), told)
    .replaceAll(/[\d.,]+/g, '#');
}

/** What is found and told: of every kind, a finding for each sentence that it makes. */
export const findingExamples: readonly Told[] = [
  ...new Map([...recorded, ...majors, ...bugs].map((told) => [formOf(told), told])).values(),
].sort((a, b) => (a.evidence.kind < b.evidence.kind ? -1 : 1));
