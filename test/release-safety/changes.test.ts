import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foldConfigChanges } from '../../src/library.js';
import { type ConfigChange, parseReleaseArtifact } from '../../src/release-safety/artifact.js';
import { collectMigrations, splitByNames, weightOf } from '../../src/release-safety/changes.js';
import type { Verdict } from '../../src/release-safety/index-schema.js';
import { parseVersion } from '../../src/release-safety/version.js';
import { inventedArtifact } from '../support/artifacts.js';
import { propertyRuns } from '../support/property-runs.js';

type KnownChange = Exclude<ConfigChange, { type: 'unrecognised' }>;

const removed = (name: string, previousDefault?: string | null): KnownChange => ({
  type: 'removed',
  name,
  ...(previousDefault === undefined ? {} : { previousDefault }),
});
const renamed = (previousName: string, name: string, defaultValue?: string | null): KnownChange => ({
  type: 'renamed',
  previousName,
  name,
  ...(defaultValue === undefined ? {} : { defaultValue }),
});
const changed = (name: string, previousDefault?: string, defaultValue?: string): KnownChange => ({
  type: 'defaultChanged',
  name,
  ...(previousDefault === undefined ? {} : { previousDefault }),
  ...(defaultValue === undefined ? {} : { defaultValue }),
});

/** One change a release: 1.0.0, 1.0.1, and so on. */
const release = (changes: readonly ConfigChange[]) =>
  changes.map((change, i) => ({ version: `1.0.${i}`, change }));
const fold = (...changes: ConfigChange[]) => foldConfigChanges(release(changes)).changes;

/** What is left, as one line a variable. */
const netOf = (...changes: ConfigChange[]) =>
  fold(...changes).map(({ type, formerNames, name, previousDefault, defaultValue }) =>
    [type, ...formerNames, '->', name, `${previousDefault} -> ${defaultValue}`].join(' '),
  );

describe('a fold over a span', () => {
  it.each<[string, KnownChange[], string[]]>([
    ['nothing', [], []],
    [
      'a rename after a rename is one',
      [renamed('A', 'B'), renamed('B', 'C')],
      ['renamed A B -> C undefined -> undefined'],
    ],
    ['a rename and back is none', [renamed('A', 'B'), renamed('B', 'A')], []],
    [
      'a rename and back that leaves another default',
      [renamed('A', 'B', '1'), renamed('B', 'A', '2')],
      ['defaultChanged B -> A 1 -> 2'],
    ],
    ['a rename and back with one default', [renamed('A', 'B', '1'), renamed('B', 'A', '1')], []],
    ['a rename to its own name is none', [renamed('A', 'A')], []],
    ['a default changed and changed back is none', [changed('A', '1', '2'), changed('A', '2', '1')], []],
    [
      'a default changed twice is one',
      [changed('A', '1', '2'), changed('A', '2', '3')],
      ['defaultChanged -> A 1 -> 3'],
    ],
    ['a default that is not told may differ', [changed('A', '1'), changed('A', undefined, '1')], []],
    [
      'two defaults that are not told may differ',
      [changed('A')],
      ['defaultChanged -> A undefined -> undefined'],
    ],
    [
      'removed after renamed',
      [renamed('A', 'B', '1'), removed('B', '1')],
      ['removed A B -> B 1 -> undefined'],
    ],
    [
      'removed after a change: the first default',
      [changed('A', '1', '2'), removed('A', '2')],
      ['removed A -> A 1 -> undefined'],
    ],
    [
      'removed and removed again is one',
      [removed('A', '1'), removed('A', '1')],
      ['removed A -> A 1 -> undefined'],
    ],
    ['removed, then there again with its default', [removed('A', '1'), changed('A', '2', '1')], []],
    [
      'removed, then there again with another',
      [removed('A', '1'), changed('A', '1', '2')],
      ['defaultChanged -> A 1 -> 2'],
    ],
    ['removed, then renamed', [removed('A', '1'), renamed('A', 'B', '1')], ['renamed A -> B 1 -> 1']],
    [
      'a rename with another default',
      [changed('A', '1', '2'), renamed('A', 'B', '3')],
      ['renamed A -> B 1 -> 3'],
    ],
    [
      'renamed back with another default',
      [renamed('A', 'B', '1'), changed('B', '1', '2'), renamed('B', 'A')],
      ['defaultChanged B -> A 1 -> 2'],
    ],
    [
      'two variables become one',
      [renamed('A', 'C'), renamed('B', 'C')],
      ['renamed A -> C undefined -> undefined', 'renamed B -> C undefined -> undefined'],
    ],
    [
      'and are removed together',
      [renamed('A', 'C'), renamed('B', 'C'), removed('C')],
      ['removed A C -> C undefined -> undefined', 'removed B C -> C undefined -> undefined'],
    ],
    [
      'a name taken over from one that was removed',
      [removed('A'), renamed('B', 'A')],
      ['removed A -> A undefined -> undefined', 'renamed B -> A undefined -> undefined'],
    ],
    [
      'two that swap names',
      [renamed('A', 'T'), renamed('B', 'A'), renamed('T', 'B')],
      ['renamed A T -> B undefined -> undefined', 'renamed B -> A undefined -> undefined'],
    ],
    [
      'a name given up is another variable from then on',
      [renamed('A', 'B'), changed('A', '1', '2')],
      ['renamed A -> B undefined -> undefined'],
    ],
  ])('%s', (_, changes, expected) => {
    expect(netOf(...changes)).toEqual(expected);
  });

  it('names the releases that changed a variable, each once', () => {
    const at = (version: string, change: ConfigChange) => ({ version, change });
    const { changes } = foldConfigChanges([
      at('1.0.0', changed('A', '1', '2')),
      at('1.0.0', renamed('A', 'B')),
      at('1.0.1', removed('OTHER')),
      at('1.0.2', changed('B', '2', '4')),
    ]);
    expect(changes.map(({ name, versions }) => [name, versions])).toEqual([
      ['B', ['1.0.0', '1.0.2']],
      ['OTHER', ['1.0.1']],
    ]);
  });

  it('keeps a change of a kind it does not know', () => {
    const change = { type: 'split', into: ['A', 'B'] };
    expect(foldConfigChanges(release([{ type: 'unrecognised', change }]))).toEqual({
      changes: [],
      unrecognised: [{ version: '1.0.0', change }],
    });
  });
});

describe('what concerns an operator', () => {
  it.each([
    ['the name it had', 'A', ['C']],
    ['a name on the way', 'B', ['C']],
    ['the name it has now: nothing to change', 'C', []],
    ['one that was removed', 'GONE', ['GONE']],
    ['one whose default changed', 'LIMIT', ['LIMIT']],
    ['another', 'PATH', []],
  ])('%s', (_, name, expected) => {
    const changes = fold(renamed('A', 'B'), renamed('B', 'C'), removed('GONE'), changed('LIMIT', '1', '2'));
    const { set, others } = splitByNames(changes, new Set([name]));
    expect(set.map((change) => change.name)).toEqual(expected);
    expect([...set, ...others]).toHaveLength(3);
  });
});

/** A world of variables that operations change; it tells each as an artifact does. */
interface WorldVariable {
  readonly id: number;
  name: string;
  value: string;
  alive: boolean;
}

const operation = fc.record({
  which: fc.nat(5),
  what: fc.constantFrom('remove', 'rename', 'default'),
  name: fc.constantFrom('A', 'B', 'C', 'D', 'E', 'F', 'X', 'Y', 'Z'),
  value: fc.constantFrom('1', '2', '3'),
});

interface Operation {
  readonly which: number;
  readonly what: string;
  readonly name: string;
  readonly value: string;
}

function live(operations: readonly Operation[]) {
  const start = ['A', 'B', 'C', 'D', 'E', 'F'].map((name, id) => ({ id, name, value: '1', alive: true }));
  const now: WorldVariable[] = start.map((variable) => ({ ...variable }));
  const changes: KnownChange[] = [];
  for (const { which, what, name, value } of operations) {
    const variable = now[which];
    if (variable === undefined || !variable.alive) continue;
    if (what === 'remove') {
      changes.push(removed(variable.name, variable.value));
      variable.alive = false;
    } else if (what === 'rename') {
      // A name is taken by one variable at a time.
      if (now.some((other) => other.alive && other.name === name)) continue;
      changes.push(renamed(variable.name, name, variable.value));
      variable.name = name;
    } else if (value !== variable.value) {
      changes.push(changed(variable.name, variable.value, value));
      variable.value = value;
    }
  }
  return { start, now, changes };
}

describe('a fold, whatever happened', () => {
  it('says of every variable what became of it, and nothing else', () => {
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 30 }), (operations) => {
        const { start, now, changes } = live(operations);
        const expected = start.flatMap((before, id) => {
          const after = now[id];
          if (after === undefined) return [];
          if (!after.alive) return [`removed ${before.name} ${before.value}`];
          if (after.name !== before.name) return [`renamed ${before.name} ${after.name} ${after.value}`];
          return after.value === before.value
            ? []
            : [`defaultChanged ${after.name} ${before.value} ${after.value}`];
        });
        const net = fold(...changes).map(({ type, formerNames, name, previousDefault, defaultValue }) => {
          if (type === 'removed') return `removed ${formerNames[0]} ${previousDefault}`;
          if (type === 'renamed') return `renamed ${formerNames[0]} ${name} ${defaultValue}`;
          return `defaultChanged ${name} ${previousDefault} ${defaultValue}`;
        });
        expect(net.sort()).toEqual(expected.sort());
      }),
      { numRuns: propertyRuns(1000) },
    );
  });

  it('is none after everything is undone', () => {
    const undo = (change: KnownChange): KnownChange =>
      change.type === 'renamed'
        ? renamed(change.name, change.previousName)
        : changed(
            change.name,
            String(change.type === 'removed' ? '' : change.defaultValue),
            String(change.previousDefault),
          );
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 20 }), (operations) => {
        const changes = live(operations.filter(({ what }) => what !== 'remove')).changes;
        expect(fold(...changes, ...changes.toReversed().map(undo))).toEqual([]);
      }),
    );
  });
});

type Effects = readonly [rewritesTable: Verdict, scansTable: Verdict, locksTable: Verdict];

/** The heaviest first. */
const migrations: readonly (readonly [weight: string, effects: Effects])[] = [
  ['heavy', [true, true, true]],
  ['heavy', [true, false, false]],
  ['heavy', ['unknown', true, true]],
  ['heavy', ['unknown', 'unknown', true]],
  ['heavy', [false, true, false]],
  ['heavy', [false, false, true]],
  ['may-be-heavy', ['unknown', false, false]],
  ['may-be-heavy', [false, 'unknown', 'unknown']],
  ['may-be-heavy', [false, 'unknown', false]],
  ['may-be-heavy', [false, false, 'unknown']],
  ['light', [false, false, false]],
];

const files = migrations.map(([, [rewritesTable, scansTable, locksTable]], i) => ({
  name: `${i}`,
  edition: 'core' as const,
  tables: [],
  heaviness: { rewritesTable, scansTable, locksTable },
}));

const artifactWith = (migrations: unknown) =>
  parseReleaseArtifact(
    inventedArtifact(
      {
        version: '1.1.0',
        previousVersion: '1.0.0',
        rollingUpdateSafe: true,
        requiredStops: [],
        minPreviousVersion: null,
      },
      { migrations },
    ),
  );

it.each(files.map((file, i) => [migrations[i]?.[0], file.heaviness, file] as const))(
  '%s: %j',
  (weight, _, file) => {
    expect(weightOf(file)).toBe(weight);
  },
);

it('sorts the heaviest first', () => {
  const count = files.length;
  const artifact = artifactWith({
    present: true,
    count,
    coreCount: count,
    eeCount: 0,
    files: files.toReversed(),
  });
  const sorted = collectMigrations([{ version: parseVersion('1.1.0'), artifact }], () => false).files;
  expect(sorted.map(({ name }) => name)).toEqual(files.map(({ name }) => name));
});

const none = { count: 0, coreCount: 0, eeCount: 0, files: [] };

it.each([
  ['no section', undefined, true],
  ['unknown', { present: 'unknown', ...none }, true],
  ['none', { present: false, ...none }, false],
])('a release may ship more where its artifact tells so: %s', (_, migrations, notReported) => {
  const artifact = artifactWith(migrations);
  expect(collectMigrations([{ version: parseVersion('1.1.0'), artifact }], () => false).notReported).toEqual(
    notReported ? ['1.1.0'] : [],
  );
});

it('a release without an artifact may ship some, and where nothing is told there is no number', () => {
  expect(collectMigrations([{ version: parseVersion('1.1.0'), artifact: undefined }], () => true)).toEqual({
    count: null,
    coreCount: null,
    eeCount: null,
    files: [],
    notReported: ['1.1.0'],
  });
});
