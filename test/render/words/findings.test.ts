import { describe, expect, it } from 'vitest';
import type { CheckEvidence } from '../../../src/preflight/checks.js';
import { checks } from '../../../src/preflight/checks.js';
import type { Finding, NotChecked } from '../../../src/preflight/finding.js';
import { runChecks } from '../../../src/preflight/run-checks.js';
import { findingSchema } from '../../../src/render/json/upgrade-preflight-schema.js';
import { plainPalette } from '../../../src/render/palette.js';
import { findingLines } from '../../../src/render/text/findings.js';
import {
  checkWords,
  findingStatusWords,
  findingWords,
  tellFinding,
} from '../../../src/render/words/checks.js';
import { scenarios } from '../../preflight/scenarios.js';
import { inputOf } from '../../support/preflight.js';
import { findingExamples } from './findings.js';

type Told = Finding<string, CheckEvidence | NotChecked>;

const examples = Object.entries(findingExamples).map(([kind, [status, ...evidences]]) => {
  const [check = 'any-check'] =
    Object.entries(checkWords).find(([, { finds }]) => Object.hasOwn(finds, kind)) ?? [];
  const found = evidences.map(
    (evidence) => ({ check, status, subject: null, evidence: { kind, ...evidence } }) as Told,
  );
  return { kind, check, status, found };
});
const all = examples.flatMap(({ found }) => found);

const tell = (finding: Told) =>
  findingLines([finding], {
    palette: plainPalette,
    width: undefined,
    labels: findingStatusWords,
    tell: tellFinding,
  }).join('\n');

describe('the sentences of findings', () => {
  it('have an example of every kind of evidence of every check', () => {
    expect(examples.map(({ kind }) => kind).sort()).toEqual(Object.keys(findingWords).sort());
    expect(new Set(examples.map(({ check }) => check))).toEqual(
      new Set(['any-check', ...checks.map(({ id }) => id)]),
    );
  });

  it('are of findings as JSON has them', () => {
    for (const finding of all) {
      const { evidence, ...rest } = finding;
      const written = JSON.parse(JSON.stringify({ ...rest, ...tellFinding(finding), evidence }));
      expect(findingSchema.parse(written)).toEqual(written);
    }
  });

  it('say what to do, unless all is in order', () => {
    for (const finding of all) {
      expect([finding.evidence.kind, tellFinding(finding).remedy === null]).toEqual([
        finding.evidence.kind,
        finding.status === 'ok',
      ]);
    }
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
      const told = found.map((finding) => JSON.stringify(tellFinding(finding)));
      expect([kind, new Set(told).size]).toEqual([kind, told.length]);
    }
  });

  it('are held', async () => {
    const text = examples.map(({ kind, found }) => `${kind}\n\n${found.map(tell).join('\n')}\n`).join('\n');
    expect(text).not.toMatch(/undefined|null\b|NaN|\[object/);
    await expect(text).toMatchFileSnapshot('findings.txt');
  });
});
