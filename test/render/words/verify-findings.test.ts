import { describe, expect, it } from 'vitest';
import { plainPalette } from '../../../src/render/palette.js';
import { findingLines } from '../../../src/render/text/findings.js';
import { tellFinding } from '../../../src/render/words/checks.js';
import { tellVerifyFinding, verifyStatusWords } from '../../../src/render/words/verify.js';
import type { VerifyFinding } from '../../../src/verify/finding.js';
import { findingExamples } from './findings.js';
import { verifyFindingExamples } from './verify-findings.js';

const findingsOf = (examples: object) =>
  Object.entries(examples).flatMap(([kind, [status, ...evidences]]) =>
    evidences.map(
      (evidence: object) =>
        ({ check: 'any-check', status, subject: null, evidence: { kind, ...evidence } }) as VerifyFinding,
    ),
  );
const own = findingsOf(verifyFindingExamples);
const ofChecks = findingsOf(findingExamples);

const tell = (finding: VerifyFinding) =>
  findingLines([finding], {
    palette: plainPalette,
    width: undefined,
    labels: verifyStatusWords,
    tell: tellVerifyFinding,
  }).join('\n');

describe('the sentences of what is found after an upgrade', () => {
  it('differ where their examples do', () => {
    expect(new Set(own.map((finding) => JSON.stringify([finding.evidence.kind, tell(finding)]))).size).toBe(
      own.length,
    );
  });

  it('are held, with what is done otherwise than before an upgrade', async () => {
    const remedyOf = (finding: VerifyFinding, told = tellVerifyFinding(finding)) => told.remedy?.text;
    const otherwise = new Map(
      ofChecks.flatMap((finding) => {
        const remedy = remedyOf(finding);
        const before = tellFinding(finding as Parameters<typeof tellFinding>[0]).remedy?.text;
        return remedy === before ? [] : [[`${finding.evidence.kind}\n${remedy}`, finding] as const];
      }),
    );
    const kinds = Object.keys(verifyFindingExamples);
    const text = [
      ...kinds.map((kind) => {
        const told = own.filter(({ evidence }) => evidence.kind === kind).map(tell);
        return `${kind}\n\n${told.join('\n')}\n`;
      }),
      ...[...otherwise.keys()].map((line) => `${line}\n`),
    ].join('\n');
    expect(text).not.toMatch(/undefined|\bnull\b|NaN|\[object/);
    await expect(text).toMatchFileSnapshot('verify-findings.txt');
  });
});

describe('what a finding is about is shown and not obeyed', () => {
  const hostile = '\u001b[2J\u202e';
  /** The same with one of its texts followed by what a terminal would obey, for each that is no word of ours and no version. */
  function* hostileForms(value: unknown): Generator<unknown> {
    if (typeof value === 'string') {
      if (!/^\d+\.\d+\.\d+$/.test(value)) yield `${value}${hostile}`;
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, item] of Object.entries(value)) {
        if (isOurs.has(key)) continue;
        for (const other of hostileForms(item)) {
          yield Array.isArray(value) ? value.with(Number(key), other) : { ...value, [key]: other };
        }
      }
    }
  }
  const isOurs = new Set(['kind', 'missing', 'why', 'fact']);

  it.each(own.map((finding) => [finding.evidence.kind, finding] as const))('%s', (_, finding) => {
    for (const evidence of hostileForms(finding.evidence)) {
      const told = tell({ ...finding, evidence } as VerifyFinding);
      for (const character of ['\u001b', '\u202e']) expect(told).not.toContain(character);
    }
  });
});
