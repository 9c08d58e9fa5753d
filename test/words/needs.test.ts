import { describe, expect, it } from 'vitest';
import { verifyChecks } from '../../src/checks/after-upgrade/checks.js';
import { describeVerifyFinding } from '../../src/checks/after-upgrade/describe.js';
import { describeFinding } from '../../src/checks/describe.js';
import { type MissingFact, needs as needTable } from '../../src/instance/facts/needs.js';
import { unseenStatuses } from '../../src/instance/facts/observed.js';
import {
  describeMissingFacts,
  howToSee,
  howToSeeAfterwards,
  withoutMissingParts,
} from '../../src/words/evidence/missing-facts.js';
import { declaredCommand } from '../support/declarations.js';

const needs = Object.keys(needTable) as MissingFact['need'][];

/** What is missing, and what to do so that it is seen, before an upgrade and after it: `needs.txt`. */
it('what can be missing is told as it is held', async () => {
  const lines = needs.flatMap((need) => [
    need,
    ...unseenStatuses.flatMap((why) => {
      const missing = { need, why, detail: undefined };
      const [before, after] = [howToSee(missing), howToSeeAfterwards(missing)];
      const found = {
        status: 'not-checked',
        subject: null,
        evidence: { kind: 'facts-not-seen', missing: [missing] },
      };
      const { description } = describeFinding({ check: 'ledger', ...found } as Parameters<
        typeof describeFinding
      >[0]);
      return [`  ${description}`, `    ${before}`, ...(after === before ? [] : [`    after: ${after}`])];
    }),
  ]);
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('needs.txt');
});

it('what is missing twice is told once', () => {
  const missing: MissingFact = {
    need: 'variables',
    why: 'not-asked',
    detail: 'secret env, for Deployment bi',
  };
  expect(describeMissingFacts([missing, { ...missing }])).toHaveLength(1);
});

describe('what is advised', () => {
  const ofVerify = new Set(
    verifyChecks.flatMap((check) => [
      ...check.needs,
      ...(check.needsOrAbsent ?? []),
      ...(check.mayNeed ?? []),
    ]),
  );
  const optionsOf = async (name: string) =>
    new Set((await declaredCommand(name)).options.map(({ long }) => long));
  const finding = (need: MissingFact['need'], why: MissingFact['why']) => ({
    status: 'not-checked' as const,
    subject: null,
    evidence: { kind: 'facts-not-seen' as const, missing: [{ need, why, detail: undefined }] },
  });

  it.each(needs.flatMap((need) => unseenStatuses.map((why) => [need, why] as const)))(
    'names options that the command has: %s, %s',
    async (need, why) => {
      const before = describeFinding({ check: 'ledger', ...finding(need, why) });
      for (const option of namedBy(before.remedy?.text)) {
        expect(await optionsOf('upgrade-preflight')).toContain(option);
      }
      if (!ofVerify.has(need)) return;
      const after = describeVerifyFinding({ check: 'ledger', ...finding(need, why) });
      for (const option of namedBy(after.remedy?.text)) {
        expect(await optionsOf('upgrade-verify')).toContain(option);
      }
      expect(after.remedy?.text).not.toMatch(/try the upgrade|page of this command/);
    },
  );

  /** But those of another command, which is named before them. */
  function namedBy(text = ''): string[] {
    return [...text.matchAll(/(?<!lightspan upgrade-preflight )(--[a-z][a-z-]*)/g)].map(
      ([, option = '']) => option,
    );
  }
});

describe('withoutMissingParts', () => {
  const missing = (...needs: readonly [MissingFact['need'], MissingFact['why']][]) =>
    needs.map(([need, why]) => ({ need, why, detail: undefined }));
  it.each<[string, readonly MissingFact[], readonly MissingFact['need'][]]>([
    [
      'of a deployment that nobody asked about',
      missing(['deployment', 'not-asked'], ['workloads', 'not-asked'], ['helm', 'not-asked']),
      ['deployment'],
    ],
    [
      'beside it what else was not seen',
      missing(['deployment', 'not-asked'], ['autoscalers', 'not-permitted'], ['ledger', 'not-asked']),
      ['deployment', 'autoscalers', 'ledger'],
    ],
    [
      'each part, where it was asked about',
      missing(['deployment', 'failed'], ['workloads', 'not-asked']),
      ['deployment', 'workloads'],
    ],
  ])('%s', (_, given, needs) => {
    expect(withoutMissingParts(given).map(({ need }) => need)).toEqual(needs);
  });
});
