import { describe, expect, it } from 'vitest';
import { groupFindings } from '../../src/answer/findings.js';
import { findingSchema } from '../../src/answer/json/answer-schemas.js';
import { plainPalette } from '../../src/answer/palette.js';
import { linesOfFinding } from '../../src/answer/text.js';
import type { Finding, NotChecked } from '../../src/checks/check.js';
import { type CheckEvidence, checks } from '../../src/checks/checks.js';
import {
  describeFinding,
  findingStatusWords,
  findingWords,
  notCheckedWords,
} from '../../src/checks/describe.js';
import { runChecks } from '../../src/checks/run-checks.js';
import { shellWord, sqlName, sqlText } from '../../src/words/quoted-words.js';
import { scenarios } from '../checks/scenarios.js';
import { inputOf } from '../support/preflight.js';
import { findingExamples } from './findings.js';

type Told = Finding<string, CheckEvidence | NotChecked>;

const examples = Object.entries(findingExamples).map(([kind, [status, ...evidences]]) => {
  const { id: check = 'any-check' } = checks.find(({ finds }) => Object.hasOwn(finds, kind)) ?? {};
  const found = evidences.map(
    (evidence) => ({ check, status, subject: null, evidence: { kind, ...evidence } }) as Told,
  );
  return { kind, check, status, found };
});
const all = examples.flatMap(({ found }) => found);

const tell = (finding: Told) =>
  groupFindings([finding], findingStatusWords, describeFinding)
    .flatMap((found) => linesOfFinding(found, { palette: plainPalette, verbose: true, width: undefined }))
    .join('\n');

const namesIn = new Set(
  [
    'lacking names tables migrations extensions workloads serving pods images unseen variables schema role host',
    'migration maker table owner name index extension database namespace budget container workload image job',
  ].flatMap((line) => line.split(' ')),
);

/** The same finding of other names, and of `length` of them where it has a list. */
function renamed(finding: Told, name: (i: number) => string, length = 1): Told {
  const rename = (value: unknown, isName: boolean): unknown => {
    if (typeof value === 'string') return isName ? name(0) : value;
    if (Array.isArray(value))
      return isName && value.every((one) => typeof one === 'string')
        ? Array.from({ length }, (_, i) => name(i))
        : value.map((one) => rename(one, false));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, one]) => [key, rename(one, namesIn.has(key))]),
    );
  };
  return rename(finding, false) as Told;
}

describe('the sentences of findings', () => {
  it('have an example of every kind of evidence of every check', () => {
    const kinds = [notCheckedWords, ...checks.map(({ finds }) => finds)].flatMap((finds) =>
      Object.keys(finds),
    );
    expect(examples.map(({ kind }) => kind).sort()).toEqual(kinds.sort());
    expect(Object.keys(findingWords).sort()).toEqual(kinds);
    expect(new Set(examples.map(({ check }) => check))).toEqual(
      new Set(['any-check', ...checks.map(({ id }) => id)]),
    );
  });

  it('are of findings as JSON has them', () => {
    for (const finding of all) {
      const { evidence, ...rest } = finding;
      const written = JSON.parse(JSON.stringify({ ...rest, ...describeFinding(finding), evidence }));
      expect(findingSchema.parse(written)).toEqual(written);
    }
  });

  it('say what to do, unless all is in order', () => {
    for (const finding of all) {
      expect([finding.evidence.kind, describeFinding(finding).remedy === null]).toEqual([
        finding.evidence.kind,
        finding.status === 'ok',
      ]);
    }
  });

  it('give names as one word to whoever pastes them', () => {
    const name = `a'b"c\\d $(e)`;
    const words = { psql: [sqlName(name), sqlText(name)], shell: [shellWord(name)], image: [] };
    for (const finding of all) {
      const { remedy } = describeFinding(renamed(finding, () => name));
      if (remedy === null || remedy.pasteIn === null || remedy.pasteIn === 'values') continue;
      const quoted = words[remedy.pasteIn];
      const bare = remedy.commands.map((command) =>
        quoted.reduce((text, word) => text.replaceAll(word, ''), command),
      );
      expect([finding.evidence.kind, bare.filter((command) => command.includes(`a'b`))]).toEqual([
        finding.evidence.kind,
        [],
      ]);
    }
  });

  it('have PostgreSQL take no function of another for its own', () => {
    for (const finding of all) {
      const { remedy } = describeFinding(finding);
      if (remedy?.pasteIn !== 'psql') continue;
      const [first, ...commands] = remedy.commands;
      const called = [...commands.join('\n').matchAll(/([\w.]*)\b(?!coalesce)[a-z_]+\(/g)].map(
        ([, schema]) => schema,
      );
      expect([finding.evidence.kind, first, ...new Set(called)]).toEqual([
        finding.evidence.kind,
        'SET search_path = pg_catalog, pg_temp;',
        ...(called.length === 0 ? [] : ['pg_catalog.']),
      ]);
    }
  });

  it('name no more than a line has room for', () => {
    const whole = all.filter((finding) =>
      describeFinding(renamed(finding, (i) => `name-${i}`, 60)).description.includes('name-59'),
    );
    // Of these there are as many as a release needs, and each is to be seen to.
    expect([...new Set(whole.map(({ evidence }) => evidence.kind))]).toEqual([
      ...['extensions-there', 'variable-missing', 'required-set'],
    ]);
  });

  it('are in order where the checks say so', () => {
    const found = Object.values(scenarios).flatMap(
      ({ broken }) => runChecks(checks, inputOf(broken)).findings,
    );
    expect(found.length).toBeGreaterThan(checks.length);
    for (const { status, evidence } of found) {
      const [expected] = findingExamples[evidence.kind];
      expect([evidence.kind, status === 'ok']).toEqual([evidence.kind, expected === 'ok']);
    }
  });

  it('differ where their examples do', () => {
    for (const { kind, found } of examples) {
      const told = found.map((finding) => JSON.stringify(describeFinding(finding)));
      expect([kind, new Set(told).size]).toEqual([kind, told.length]);
    }
  });

  it('are held', async () => {
    const text = examples.map(({ kind, found }) => `${kind}\n\n${found.map(tell).join('\n')}\n`).join('\n');
    expect(text).not.toMatch(/undefined|null\b|NaN|\[object/);
    await expect(text).toMatchFileSnapshot('findings.txt');
  });
});
