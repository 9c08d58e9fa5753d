import { describe, expect, it } from 'vitest';
import { groupFindings } from '../../src/answer/builders/findings.js';
import { plainPalette } from '../../src/answer/formats/palette.js';
import { linesOfFinding } from '../../src/answer/formats/text.js';
import { canaryWords } from '../../src/checks/after-upgrade/canary.js';
import {
  describeVerifyFinding,
  type VerifyFinding,
  verifyStatusWords,
} from '../../src/checks/after-upgrade/describe.js';
import { pods } from '../../src/checks/after-upgrade/pods.js';
import { describeFinding } from '../../src/checks/describe.js';
import { shellWord } from '../../src/core/text/quoted-words.js';
import type { Word } from '../../src/words/word.js';
import { hostileForms } from '../support/hostile-text.js';
import { withoutRemedies } from '../support/remedies.js';
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
const ofChecks = findingExamples.map(
  (told): VerifyFinding => ({ check: 'any-check', subject: null, ...told }),
);

const tell = (finding: VerifyFinding) =>
  groupFindings([finding], verifyStatusWords, describeVerifyFinding)
    .flatMap((found) => linesOfFinding(found, { palette: plainPalette, verbose: true, width: undefined }))
    .join('\n');

const words: Record<string, Word> = { ...pods.finds, ...canaryWords };

describe('the sentences of what is found after an upgrade', () => {
  it('differ where their examples do', () => {
    expect(new Set(own.map((finding) => JSON.stringify([finding.evidence.kind, tell(finding)]))).size).toBe(
      own.length,
    );
  });

  it('are held, with what is done otherwise than before an upgrade', async () => {
    const remedyOf = (finding: VerifyFinding, told = describeVerifyFinding(finding)) => told.remedy?.text;
    const otherwise = new Map(
      ofChecks.flatMap((finding) => {
        const remedy = remedyOf(finding);
        const before = describeFinding(finding as Parameters<typeof describeFinding>[0]).remedy?.text;
        return remedy === before ? [] : [[`${finding.evidence.kind}\n${remedy}`, finding] as const];
      }),
    );
    const kinds = Object.keys(verifyFindingExamples);
    const text = [
      [pods.label, pods.meaning].join('\n'),
      ...Object.entries(verifyStatusWords).map(
        ([status, { label, meaning }]) => `${status}: ${label}: ${meaning}`,
      ),
      ...kinds.map((kind) => {
        const told = own.filter(({ evidence }) => evidence.kind === kind).map(tell);
        const { meaning, remedy = '-' } = words[kind] ?? { meaning: 'none' };
        return `${kind}: ${meaning} ${remedy}\n\n${told.join('\n')}\n`;
      }),
      ...[...otherwise.keys()].map((line) => `${line}\n`),
    ].join('\n');
    expect(text).not.toMatch(/undefined|\bnull\b|NaN|\[object/);
    await expect(withoutRemedies(text)).toMatchFileSnapshot('verify-findings.txt');
  });
});

it('what a finding is about is one word to whoever pastes it', () => {
  const name = "a'b $(e)";
  const about = { pod: name, namespace: name, container: name };
  for (const finding of own) {
    const { remedy } = describeVerifyFinding({
      ...finding,
      evidence: { ...finding.evidence, ...about },
    } as VerifyFinding);
    const bare = (remedy?.commands ?? []).map((command) => command.replaceAll(shellWord(name), ''));
    expect(bare.filter((command) => command.includes("a'b"))).toEqual([]);
  }
});

it('what a finding is about is shown and not obeyed', () => {
  for (const finding of [...own, ...ofChecks]) {
    for (const evidence of hostileForms(finding.evidence)) {
      const { description, remedy } = describeVerifyFinding({ ...finding, evidence } as VerifyFinding);
      const told = [description, ...(remedy === null ? [] : [remedy.text, ...remedy.commands])];
      expect(told.filter((text) => /[\p{Cc}\u202E]/u.test(text))).toEqual([]);
    }
  }
});
