import { expect, it } from 'vitest';
import { parseReleaseArtifact } from '../../../src/release-safety/parse-artifact.js';
import { parseReleaseSafetyIndex } from '../../../src/release-safety/parse-index.js';
import type { ArtifactOutcome } from '../../../src/release-safety/reconcile.js';
import { buildReport } from '../../../src/release-safety/report.js';
import { parseVersion } from '../../../src/release-safety/version.js';
import { sectionsOf } from '../../../src/render/report/sections.js';
import { answersOfReport } from '../../../src/render/words/questions.js';
import { inventedArtifact, inventedHeavySections } from '../../support/artifacts.js';
import { indexOf } from '../../support/real-index.js';

/** An index in which 1.2.0 is not, and the artifacts of its releases but those that are left out. */
function reportOf(from: string, to: string, ...unread: readonly string[]) {
  const index = parseReleaseSafetyIndex(
    indexOf({ version: '1.0.0' }, { version: '1.1.0' }, { version: '1.3.0', previousVersion: '1.2.0' }),
  );
  const outcomes = new Map<string, ArtifactOutcome>(
    index.entries
      .filter(({ version }) => !unread.includes(version))
      .map((entry) => {
        const artifact = parseReleaseArtifact(inventedArtifact(entry, inventedHeavySections));
        return [entry.version, { kind: 'artifact', artifact }];
      }),
  );
  return buildReport(index, { from: parseVersion(from), to: parseVersion(to), outcomes });
}

/** What a section begins with, and what that leaves open. */
function leadOf(report: ReturnType<typeof reportOf>, id: string) {
  const { blocks = [], notes = [] } = sectionsOf({ report }).find((section) => section.id === id) ?? {};
  const [first] = blocks;
  return { lead: first?.kind === 'table' ? first.lead : '', notes };
}

it.each([
  ['1.1.0', true, ['the index alone says yes; no artifact was read']],
  ['1.3.0', 'unknown', []],
])('the index alone says yes of a step to %s only where it does: %s', (to, jump, disputes) => {
  const report = reportOf('1.0.0', to, '1.1.0', '1.3.0');
  expect(report.indexAlone.jump).toBe(jump);
  const [direct] = answersOfReport(report);
  expect(direct.why.filter((line) => line.includes('index alone'))).toEqual(disputes);
});

it.each<[string, ReturnType<typeof reportOf>, RegExp, readonly string[]]>([
  ['all that there is', reportOf('1.0.0', '1.1.0'), /^\d+ in all/, []],
  [
    'what the index does not lack',
    reportOf('1.0.0', '1.3.0'),
    /^at least \d+ in all/,
    ['The index lacks releases of the span: there may be more.'],
  ],
  [
    'what was read, and is not lacking',
    reportOf('1.0.0', '1.3.0', '1.3.0'),
    /^at least \d+ in all/,
    ['1 of 2 releases is not read, the index lacks releases of the span: there may be more.'],
  ],
  [
    'nothing',
    reportOf('1.0.0', '1.3.0', '1.1.0', '1.3.0'),
    /^not known: no artifact that was read tells/,
    [],
  ],
])('the migrations of a span are %s', (_, report, lead, notes) => {
  expect(leadOf(report, 'migrations')).toEqual({ lead: expect.stringMatching(lead), notes });
});
