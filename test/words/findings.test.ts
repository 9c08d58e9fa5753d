import { describe, expect, it } from 'vitest';
import { groupFindings } from '../../src/answer/builders/findings.js';
import { plainPalette } from '../../src/answer/formats/palette.js';
import { linesOfFinding } from '../../src/answer/formats/text.js';
import { findingSchema } from '../../src/answer/json/answer-schemas.js';
import type { Finding, NotChecked } from '../../src/checks/check.js';
import { type CheckEvidence, checks } from '../../src/checks/checks.js';
import {
  describeFinding,
  findingStatusWords,
  findingWords,
  notCheckedWords,
} from '../../src/checks/describe.js';
import { shellWord, sqlName, sqlText } from '../../src/core/text/quoted-words.js';
import { withoutRemedies } from '../support/remedies.js';
import { findingExamples } from './findings.js';

type Told = Finding<string, CheckEvidence | NotChecked>;

const all = findingExamples.map(({ status, evidence }): Told => {
  const { id: check = 'any-check' } = checks.find(({ finds }) => Object.hasOwn(finds, evidence.kind)) ?? {};
  return { check, status, subject: null, evidence };
});
const kindsOf = (findings: readonly Told[]) => new Set(findings.map(({ evidence }) => evidence.kind));

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
    expect([...kindsOf(all)].sort()).toEqual(kinds.sort());
    expect(Object.keys(findingWords).sort()).toEqual(kinds);
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
    expect(kindsOf(whole)).toEqual(
      new Set([...['extensions-there', 'variable-missing', 'required-set', 'store-has-variables-of-minio']]),
    );
  });

  it('are held', async () => {
    const text = [...kindsOf(all)].map((kind) => {
      const told = all.filter(({ evidence }) => evidence.kind === kind).map(tell);
      return `${kind}\n\n${told.join('\n')}\n`;
    });
    expect(text.join('\n')).not.toMatch(/undefined|null\b|NaN|\[object/);
    await expect(withoutRemedies(text.join('\n'))).toMatchFileSnapshot('findings.txt');
  });
});
