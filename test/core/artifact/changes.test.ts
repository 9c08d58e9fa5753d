import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ConfigChange, parseReleaseArtifact } from '../../../src/core/artifact/artifact.js';
import { collectMigrations, concernsVariables, weightOf } from '../../../src/core/artifact/changes.js';
import type { Verdict } from '../../../src/core/field-schemas.js';
import { parseVersion } from '../../../src/core/version.js';
import { foldConfigChanges } from '../../../src/library/library.js';
import { inventedArtifact } from '../../support/artifacts.js';
import { propertyRuns } from '../../support/property-runs.js';

type KnownChange = Exclude<ConfigChange, { type: 'unrecognised' }>;

const removed = (name: string, previousDefault?: string): KnownChange => ({
  ...{ type: 'removed', name },
  ...(previousDefault && { previousDefault }),
});
const renamed = (previousName: string, name: string, defaultValue?: string): KnownChange => ({
  ...{ type: 'renamed', previousName, name },
  ...(defaultValue && { defaultValue }),
});
const changed = (name: string, previousDefault?: string, defaultValue?: string): KnownChange => ({
  ...{ type: 'defaultChanged', name },
  ...(previousDefault && { previousDefault }),
  ...(defaultValue && { defaultValue }),
});

/** Changes in short: `-A` or `-A=1` removes, `A>B` or `A>B=1` renames, `A:1:2` changes a default. */
const changesOf = (text: string): KnownChange[] =>
  (text === '' ? [] : text.split(' ')).map((change) => {
    const [names = '', value] = change.split('=');
    const [name = '', to] = names.split('>');
    if (name.startsWith('-')) return removed(name.slice(1), value);
    return to === undefined ? changed(...(name.split(':') as [string])) : renamed(name, to, value);
  });

/** One change a release: 1.0.0, 1.0.1, and so on. */
const release = (changes: readonly ConfigChange[]) =>
  changes.map((change, i) => ({ version: `1.0.${i}`, change }));
const fold = (...changes: ConfigChange[]) => foldConfigChanges(release(changes)).changes;

/** What is left, in short. */
const netOf = (...changes: ConfigChange[]) =>
  fold(...changes).map(({ type, formerNames, name, previousDefault, defaultValue }) =>
    [type, ...formerNames, '->', name, `${previousDefault ?? '?'}:${defaultValue ?? '?'}`].join(' '),
  );

describe('a fold over a span', () => {
  it.each([
    ['nothing', '', []],
    ['a rename and back that leaves another default', 'A>B=1 B>A=2', ['defaultChanged B -> A 1:2']],
    ['a rename and back with one default', 'A>B=1 B>A=1', []],
    ['a rename to its own name is none', 'A>A', []],
    ['a default that is not stated may differ', 'A:1 A::1', []],
    ['two defaults that are not stated may differ', 'A', ['defaultChanged -> A ?:?']],
    ['removed and removed again is one', '-A=1 -A=1', ['removed A -> A 1:?']],
    ['removed, then there again with its default', '-A=1 A:2:1', []],
    ['removed, then there again with another', '-A=1 A:1:2', ['defaultChanged -> A 1:2']],
    ['removed, then renamed and back', '-A A>B B>A', []],
    ['removed, then renamed without its default', '-A=1 A>B', ['renamed A -> B 1:1']],
    ['removed with another default than it had', 'A:1:2 -A=9 A>B', ['renamed A -> B 1:2']],
    ['removed, then renamed', '-A=1 A>B=1', ['renamed A -> B 1:1']],
    ['a rename with another default', 'A:1:2 A>B=3', ['renamed A -> B 1:3']],
    ['renamed back with another default', 'A>B=1 B:1:2 B>A', ['defaultChanged B -> A 1:2']],
    ['two variables become one', 'A>C B>C', ['renamed A -> C ?:?', 'renamed B -> C ?:?']],
    ['and are removed together', 'A>C B>C -C', ['removed A C -> C ?:?', 'removed B C -> C ?:?']],
    ['a name taken over from one that was removed', '-A B>A', ['removed A -> A ?:?', 'renamed B -> A ?:?']],
    ['two that swap names', 'A>T B>A T>B', ['renamed A T -> B ?:?', 'renamed B -> A ?:?']],
    ['a name given up is another variable from then on', 'A>B A:1:2', ['renamed A -> B ?:?']],
  ])('%s: %s', (_, changes, expected) => {
    expect(netOf(...changesOf(changes))).toEqual(expected);
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

it.each([
  ['the name it had', 'A', ['C']],
  ['a name on the way', 'B', ['C']],
  ['the name it has now: nothing to change', 'C', []],
  ['one that was removed', 'GONE', ['GONE']],
  ['one whose default changed', 'LIMIT', ['LIMIT']],
  ['another', 'PATH', []],
])('concerns an operator who sets %s', (_, name, expected) => {
  const changes = fold(...changesOf('A>B B>C -GONE LIMIT:1:2'));
  const concerning = changes.filter((change) => concernsVariables(new Set([name]), change));
  expect(concerning.map((change) => change.name)).toEqual(expected);
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

describe('folding any sequence of changes', () => {
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
const unknown = { count: null, coreCount: null, eeCount: null, files: [] };
const notReported = ['1.1.0'];

it.each([
  ['no section', artifactWith(undefined), { ...none, notReported }],
  ['a section that does not say', artifactWith({ present: 'unknown', ...none }), { ...none, notReported }],
  ['a section that says none', artifactWith({ present: false, ...none }), { ...none, notReported: [] }],
  ['no artifact, and nothing is known', undefined, { ...unknown, notReported }],
])('counts the migrations of a release with %s', (_, artifact, expected) => {
  const releases = [{ version: parseVersion('1.1.0'), artifact }];
  expect(collectMigrations(releases, () => artifact === undefined)).toEqual(expected);
});
