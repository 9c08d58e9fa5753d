import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checks } from '../../src/checks/checks.js';
import { decide, failOnLevels } from '../../src/checks/decision.js';
import { type PreflightInput, runChecks } from '../../src/checks/run-checks.js';
import { exitCodeOfOutcome } from '../../src/door/exit-codes.js';
import type { FactKey } from '../../src/instance/facts/needs.js';
import { anyDeployment } from '../support/any-deployment.js';
import {
  healthyFacts,
  inputOf,
  issuesUnder,
  lockOf,
  type Situation,
  sessionOf,
  upgradeTo,
} from '../support/preflight.js';
import { propertyRuns } from '../support/property-runs.js';
import { scenarios } from './scenarios.js';

/** Every scenario, and one in which the migrations of the way ask all that can be asked. */
const situations: readonly (readonly [string, Situation])[] = [
  ...Object.entries(scenarios).flatMap(([name, { broken, healthy }]) => [
    [name, broken] as const,
    [`${name}, healthy`, healthy] as const,
  ]),
  [
    'a migration of which nothing is known',
    { ...upgradeTo([{ name: '20260901000000_x', does: 'unknown' }]), diskFree: 2 ** 40 },
  ],
  ...(['enterprise', 'community', undefined] as const).map((edition): [string, Situation] => [
    `an enterprise table that is not there, edition ${edition}`,
    {
      ...upgradeTo([
        {
          name: '20260901000000_x',
          edition: 'ee',
          tables: ['ai_prompt', 'projects'],
          does: ['locks', 'scans'],
        },
      ]),
      edition,
      diskFree: 2 ** 32,
    },
  ]),
  [
    'a table that is held in every way',
    upgradeTo([{ name: '20260901000000_x', tables: ['projects'], does: ['locks', 'rewrites'] }], {
      locks: [lockOf({ transactionSeconds: 900 }), lockOf({ pid: null, preparedTransaction: 'p' })],
      preparedTransactions: [{ name: 'p', owner: 'app', ageSeconds: 900 }],
      vacuums: {
        running: [{ pid: 9, table: 'projects', automatic: false, preventsWraparound: false }],
        hidden: 0,
      },
      activity: { sessions: [sessionOf({ transactionSeconds: 900 })], hiddenSessions: 0 },
    }),
  ],
  ['nothing but a healthy database', { facts: healthyFacts() }],
];

interface Less {
  readonly what: string;
  /** Of all that may be less one is asked for at a time. */
  readonly input: () => PreflightInput;
}

const unseen = ['not-permitted', 'timeout', 'failed', 'not-asked'] as const;

/**
 * The same with one thing less: a fact that was not asked for, or, by turns, not permitted or not in time, an artifact, a
 * statement.
 */
function withLess(input: PreflightInput, turn = 0): Less[] {
  const { facts, line } = input;
  return [
    ...Object.keys(facts).flatMap((key, i, { length }): Less[] => {
      const fact = {
        status: unseen[(i + length + turn) % unseen.length] ?? 'failed',
        source: 'database',
      } as const;
      return [
        { what: `without ${key}`, input: () => ({ ...input, facts: { ...facts, [key]: undefined } }) },
        { what: `${key} ${fact.status}`, input: () => ({ ...input, facts: { ...facts, [key]: fact } }) },
      ];
    }),
    ...(['before', 'span'] as const).flatMap((part) =>
      line[part].map((release, i) => ({
        what: `without the artifact of ${release.version}`,
        input: () => ({
          ...input,
          line: { ...line, [part]: line[part].with(i, { ...release, artifact: undefined }) },
        }),
      })),
    ),
    { what: 'without known issues', input: () => ({ ...input, issues: undefined }) },
    { what: 'without the edition', input: () => ({ ...input, edition: undefined }) },
    { what: 'without the free space', input: () => ({ ...input, diskFree: undefined }) },
  ];
}

/** Kinds of objects, and the fact that lists them. */
const listedIn = {
  Deployment: 'workloads',
  Job: 'workloads',
  CronJob: 'workloads',
  PodDisruptionBudget: 'disruptionBudgets',
  HorizontalPodAutoscaler: 'autoscalers',
  VolumeSnapshot: 'snapshots',
} as const satisfies Record<string, FactKey>;

/** The same where a kind of objects may not be read: none of them is listed. */
function withLessKinds(input: PreflightInput): Less[] {
  const { facts } = input;
  const { deployment } = facts;
  if (deployment?.status !== 'seen') return [];
  return Object.entries(listedIn).flatMap(([kind, key]): Less[] => {
    const listed: { readonly status: string; readonly value?: unknown } | undefined = facts[key];
    if (listed?.status !== 'seen' || !Array.isArray(listed.value)) return [];
    const value = listed.value.filter((one) => key === 'workloads' && one.kind !== kind);
    const unseenKinds = [...deployment.value.unseenKinds, kind];
    const told = { ...deployment, value: { ...deployment.value, unseenKinds } };
    return [
      {
        what: `${kind} may not be read`,
        input: () => ({ ...input, facts: { ...facts, deployment: told, [key]: { ...listed, value } } }),
      },
    ];
  });
}

function answerOf(input: PreflightInput) {
  // Known issues go by the same facts.
  const issues = input.issues === undefined ? undefined : issuesUnder(input);
  const result = runChecks(checks, { ...input, issues });
  return {
    statuses: new Map(result.checks.map(({ id, status }) => [id, status])),
    exitCodes: failOnLevels.map((failOn) => exitCodeOfOutcome(decide(result, failOn))),
  };
}

const ofDeployment = checks.filter(({ group }) => group === 'deployment');

function answerOfDeployment(input: PreflightInput) {
  const result = runChecks(ofDeployment, input);
  const that = (wanted: string) =>
    result.checks.filter(({ status }) => status === wanted).map(({ id }) => id);
  return {
    ok: that('ok'),
    stop: that('stop'),
    exitCodes: failOnLevels.map((failOn) => exitCodeOfOutcome(decide(result, failOn))),
  };
}

describe('with one thing less', () => {
  it.each(situations)('%s is nowhere better', (_, situation) => {
    const input = inputOf(situation);
    const whole = answerOf(input);
    const better = withLess(input).flatMap(({ what, input: less }) => {
      const answer = answerOf(less());
      return [
        ...[...answer.statuses].filter(([id, status]) => status === 'ok' && whole.statuses.get(id) !== 'ok'),
        ...answer.exitCodes.filter((code, i) => code === 0 && whole.exitCodes[i] !== 0),
      ].map((found) => `${what}: ${String(found)}`);
    });
    expect(better).toEqual([]);
  });

  it('anything less is nowhere better, however much is gone already', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...situations.map(([, situation]) => inputOf(situation))),
        fc.array(fc.nat(), { maxLength: 6 }),
        fc.nat(),
        (whole, gone, next) => {
          const one = (input: PreflightInput, nth: number) => {
            const all = withLess(input, nth);
            return all[nth % all.length]?.input() ?? input;
          };
          const input = gone.reduce(one, whole);
          const more = answerOf(input);
          const less = answerOf(one(input, next));
          for (const [id, status] of less.statuses) {
            if (status === 'ok') expect([id, more.statuses.get(id)]).toEqual([id, 'ok']);
          }
          for (const [i, code] of less.exitCodes.entries()) {
            if (code === 0) expect(more.exitCodes[i]).toBe(0);
          }
        },
      ),
      { numRuns: propertyRuns(2000) },
    );
  });

  it('no deployment is better', () => {
    fc.assert(
      fc.property(anyDeployment, fc.nat(), (situation, nth) => {
        const input = inputOf(situation);
        const all = [...withLess(input), ...withLessKinds(input)];
        const less = all[nth % all.length];
        if (less === undefined) throw new Error('there is always less');
        const whole = answerOfDeployment(input);
        const answer = answerOfDeployment(less.input());
        const better = answer.ok.filter((id) => !whole.ok.includes(id));
        expect([less.what, better]).toEqual([less.what, []]);
        for (const [i, code] of answer.exitCodes.entries())
          if (code === 0) expect(whole.exitCodes[i]).toBe(0);
      }),
      { numRuns: propertyRuns(1000) },
    );
  });

  it('a stop of a deployment that goes with one more fact goes by one that settles it', () => {
    fc.assert(
      fc.property(anyDeployment, fc.nat(), (situation, nth) => {
        const input = inputOf(situation);
        const { facts } = input;
        const keys = Object.keys(facts);
        const key = keys[nth % keys.length] ?? '';
        const more = answerOfDeployment(input);
        const less = answerOfDeployment({ ...input, facts: { ...facts, [key]: undefined } });
        const gone = less.stop.filter((id) => !more.stop.includes(id));
        for (const id of gone) {
          const settling = checks.find((check) => check.id === id)?.mayNeed;
          expect([id, settling]).toEqual([id, expect.arrayContaining([key])]);
        }
      }),
      { numRuns: propertyRuns(1000) },
    );
  });

  it('no healthy deployment is stopped because no artifact was read', () => {
    const unread = (input: PreflightInput): PreflightInput => {
      const without = (part: PreflightInput['line']['span']) =>
        part.map((release) => ({ ...release, artifact: undefined }));
      return {
        ...input,
        line: { ...input.line, before: without(input.line.before), span: without(input.line.span) },
      };
    };
    const healthy = [
      ...situations.map(([, situation]) => situation),
      ...fc.sample(anyDeployment, { seed: 31, numRuns: propertyRuns(1000) }),
    ]
      .map(inputOf)
      .filter(({ facts }) => facts.deployment?.status === 'seen')
      .filter((input) => answerOfDeployment(input).stop.length === 0);
    expect(healthy.length).toBeGreaterThan(propertyRuns(100));
    expect(healthy.flatMap((input) => answerOfDeployment(unread(input)).stop)).toEqual([]);
  });

  it('no check is ok that was', () => {
    const input = inputOf({ ...upgradeTo([]), diskFree: 1 });
    const always = checks.filter(({ onlyIfGiven }) => onlyIfGiven !== true);
    expect([...answerOf(input).statuses.values()]).toEqual(always.map(() => 'ok'));
    for (const check of always) {
      for (const need of [...check.needs, ...(check.needsOrAbsent ?? [])]) {
        const { statuses } = answerOf({ ...input, facts: { ...input.facts, [need]: undefined } });
        expect([check.id, need, statuses.get(check.id)]).toEqual([check.id, need, 'not-checked']);
      }
    }
  });

  it('nothing at all is no go', () => {
    expect(answerOf({ ...inputOf({}), facts: {} }).exitCodes).toEqual([3, 3]);
  });
});

describe('a check that cannot stop', () => {
  it('never does', () => {
    const stopping = situations.flatMap(([, situation]) => {
      const { findings } = runChecks(checks, inputOf(situation));
      return findings.filter(({ status }) => status === 'stop').map(({ check }) => check);
    });
    const mayStop = checks.filter(({ canStop }) => canStop).map(({ id }) => id);
    expect(mayStop).toEqual(expect.arrayContaining([...new Set(stopping)]));
    expect(stopping.length).toBeGreaterThan(5);
  });
});
