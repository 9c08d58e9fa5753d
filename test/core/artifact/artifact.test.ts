import { describe, expect, it } from 'vitest';
import { parseReleaseArtifact, parseReleaseArtifactText } from '../../../src/core/artifact/artifact.js';
import { strategyContradictsVerdict } from '../../../src/core/artifact/reconcile.js';
import { isInputError } from '../../../src/core/lightspan-error.js';
import {
  inventedHeavySections,
  type LooseArtifact,
  realArtifactText,
  realArtifactVersions,
} from '../../support/artifacts.js';
import { realIndex } from '../../support/real-index.js';

const plain = (): LooseArtifact => JSON.parse(realArtifactText('1.121.0'));
const heavy = (): LooseArtifact => ({ ...plain(), ...structuredClone(inventedHeavySections) });

/** Sets the value at a path of plain keys and positions. */
function at(path: string, value: unknown, artifact = heavy()): LooseArtifact {
  const keys = path.split('.');
  const last = keys.pop() ?? '';
  let target: unknown = artifact;
  for (const key of keys) target = Reflect.get(Object(target), key);
  if (value === undefined) Reflect.deleteProperty(Object(target), last);
  else Reflect.set(Object(target), last, value);
  return artifact;
}

const impact = {
  kind: 'no-external-callers',
  covers: { rest: ['DELETE /api/v1/thing'], mcp: ['run_thing'] },
  featureFlag: 'thing',
};
const advisory = { id: 'thing-removed', reason: 'nobody calls it', requiredStop: false, impact };

function refusalOf(read: () => unknown): { code: string; message: string } {
  try {
    read();
  } catch (error) {
    if (isInputError(error)) return { code: error.code, message: error.message };
    throw error;
  }
  throw new Error('it was accepted');
}

describe('the real artifacts', () => {
  it.each(realArtifactVersions)('%s is read, and confirms its index entry', (version) => {
    const artifact = parseReleaseArtifactText(realArtifactText(version));
    const entry = realIndex().entries.find((entry) => entry.version === version);
    expect(artifact).toEqual(JSON.parse(realArtifactText(version)));
    expect(entry).toMatchObject({
      previousVersion: artifact.previousVersion,
      rollingUpdateSafe: artifact.compatibility.rollingUpdateSafe,
      ...artifact.upgrade,
    });
    expect(strategyContradictsVerdict(artifact)).toBe(false);
  });
});

describe('what grows in the beta is read past, what decides is not', () => {
  it('keeps every documented section, and the further fields of a declared break', () => {
    const { newTopLevelSection: _, ...documented } = heavy();
    expect(parseReleaseArtifact(heavy())).toEqual(documented);
  });

  it.each(['migrations', 'api', 'api.mcp', 'config', 'declaredBreaks', 'declaredAdvisories', 'releaseDate'])(
    '%s may be missing: it does not decide',
    (path) => {
      expect(() => parseReleaseArtifact(at(path, undefined))).not.toThrow();
    },
  );

  it.each([
    ['as they were', { file: 'a.ts', line: 1, reason: 'r', requiredStop: true }],
    ['as they are', { id: 'x', reason: 'r', requiredStop: false }],
    ['with all of it', { id: 'x', reason: 'r', requiredStop: false, migration: 'm.ts', releasedIn: '1.2.0' }],
    ['the least of it', { reason: 'r', requiredStop: true }],
    ['grown', { reason: 'r', requiredStop: false, since: [1] }],
  ])('reads declared breaks %s', (_, declared) => {
    expect(parseReleaseArtifact(at('declaredBreaks', [declared])).declaredBreaks).toEqual([declared]);
  });

  it.each([
    ['behind a flag', advisory],
    [
      'ours alone',
      { ...advisory, impact: { ...impact, featureFlag: undefined, firstPartyOnly: 'only ours' } },
    ],
    ['without an impact', { ...advisory, impact: undefined }],
    [
      'of a kind that is newer',
      { ...advisory, impact: { kind: 'reversible', steps: 2, covers: { config: ['X'] } }, since: '2.0.0' },
    ],
  ])('reads declared advisories, %s', (_, declared) => {
    expect(parseReleaseArtifact(at('declaredAdvisories', [declared])).declaredAdvisories).toEqual([declared]);
  });

  it.each<[string, unknown, unknown[]]>([
    ['no list', { ...advisory }, [{ unrecognised: advisory }]],
    ['null', null, [{ unrecognised: null }]],
    ['text', [advisory, 'nothing breaks'], [advisory, { unrecognised: 'nothing breaks' }]],
    ['stop', [{ ...advisory, requiredStop: true }], [{ unrecognised: { ...advisory, requiredStop: true } }]],
    ['no reason', [{ id: 'x', requiredStop: false }], [{ unrecognised: { id: 'x', requiredStop: false } }]],
    ['an empty reason', [{ ...advisory, reason: ' ' }], [{ unrecognised: { ...advisory, reason: ' ' } }]],
    ['no impact', [{ ...advisory, impact: 'low' }], [{ unrecognised: { ...advisory, impact: 'low' } }]],
  ])('an advisory that is %s: hides no break, and confirms no yes', (_, declared, kept) => {
    const artifact = at('declaredAdvisories', declared);
    for (const verdict of [false, 'unknown']) {
      const read = parseReleaseArtifact(at('compatibility.rollingUpdateSafe', verdict, artifact));
      expect(read.declaredAdvisories).toEqual(kept);
      expect(read.declaredBreaks).toEqual(artifact.declaredBreaks);
    }
    expect(
      refusalOf(() => parseReleaseArtifact(at('compatibility.rollingUpdateSafe', true, artifact))),
    ).toEqual({
      code: 'invalid-artifact',
      message:
        'declaredAdvisories: one is not in the documented form, and rollingUpdateSafe, true, may rest on it',
    });
  });

  it('keeps a kind of variable change that it does not know', () => {
    const artifact = parseReleaseArtifact(at('config.changes', [{ type: 'added', name: 'NEW' }]));
    expect(artifact.config?.changes).toEqual([
      { type: 'unrecognised', change: { type: 'added', name: 'NEW' } },
    ]);
  });

  it('reads a missing heaviness as unknown', () => {
    const artifact = parseReleaseArtifact(at('migrations.files.0.heaviness', undefined));
    expect(artifact.migrations?.files[0]?.heaviness).toEqual({
      locksTable: 'unknown',
      rewritesTable: 'unknown',
      scansTable: 'unknown',
    });
  });
});

describe('refused, naming the field', () => {
  it.each<[path: string, value: unknown, fault: string]>([
    ['version', '1.2', 'expected a version X.Y.Z, got "1.2"'],
    ['previousVersion', undefined, 'missing; expected a version X.Y.Z or null'],
    ['compatibility', undefined, 'missing; expected an object'],
    ['compatibility.rollingUpdateSafe', 'true', 'expected true, false or "unknown", got "true"'],
    ['upgrade', undefined, 'missing; expected an object'],
    ['upgrade.requiredStops', '1.0.0', 'expected a list of versions, got "1.0.0"'],
    ['upgrade.minPreviousVersion', undefined, 'missing; expected a version X.Y.Z or null'],
    [
      'upgrade.minPreviousVersion',
      '99999999999999999999.0.0',
      'expected a version X.Y.Z or null, got "99999999999999999999.0.0"',
    ],
    ['migrations.files.2.heaviness.locksTable', 'maybe', 'expected true, false or "unknown", got "maybe"'],
    ['releaseDate', 'yesterday', 'expected an ISO 8601 date-time, got "yesterday"'],
    ['migrations.count', -1, 'expected 0 or more, got -1'],
    ['api', [], 'expected an object, got an empty list'],
    ['config.changes', {}, 'expected a list, got an object'],
    ['config.changes.0.previousDefault', [], 'expected a string, a number or null, got an empty list'],
    ['declaredBreaks.0.requiredStop', 'no', 'expected true or false, got "no"'],
    ['config.changes.0.name', undefined, 'missing; expected a string'],
    [
      'config.changes.0.type',
      undefined,
      'missing; expected "removed", "renamed", "defaultChanged" or "unrecognised"',
    ],
    ['declaredBreaks', {}, 'expected a list, got an object'],
    ['migrations.count', 4, '4 is not 2 + 1'],
    ['migrations.files', [], '0 listed, count is 3'],
    ['migrations.present', false, 'false, count is 3'],
    ['api.mcp.advisories', ['x'], '1 listed, 0 counted'],
    ['api.rest.changes', Array(13).fill('x'), '13 listed, 12 counted'],
    ['api.rest.breaking', false, 'false, 12 counted'],
  ])('%s = %j', (path, value, fault) => {
    const field = path.replaceAll(/\.(\d+)/g, '[$1]');
    expect(refusalOf(() => parseReleaseArtifact(at(path, value)))).toEqual({
      code: 'invalid-artifact',
      message: `${field}: ${fault}`,
    });
  });

  it('version = "development"', () => {
    expect(refusalOf(() => parseReleaseArtifact(at('version', 'development'))).message).toMatch(
      /never a release$/,
    );
  });

  it('migrations.present = true of none', () => {
    const none = { count: 0, coreCount: 0, eeCount: 0, files: [] };
    const refusal = refusalOf(() => parseReleaseArtifact(at('migrations', { present: true, ...none })));
    expect(refusal.message).toBe('migrations.present: true, count is 0');
    for (const present of [false, 'unknown']) {
      expect(() => parseReleaseArtifact(at('migrations', { present, ...none }))).not.toThrow();
    }
  });

  it.each([
    [at('upgrade', 3, at('migrations', 'none')), 'migrations: expected an object, got "none" (and 1 more)'],
    [
      at('upgrade.requiredStops', ['1.0.0', 'v2']),
      'upgrade.requiredStops[1]: expected a version X.Y.Z, got "v2"',
    ],
    [at('migrations.files.0.edition', 'ee'), 'migrations.files: 1 of core listed, coreCount is 2'],
    [at('api.rest.breaking', false, at('api.rest.changes', [])), 'api.rest.breaking: false, 12 counted'],
    [null, 'the artifact is not a JSON object, but null'],
    [[], 'the artifact is not a JSON object, but an empty list'],
  ])('%#: the first fault, and how many more there are', (json, message) => {
    expect(refusalOf(() => parseReleaseArtifact(json))).toEqual({ code: 'invalid-artifact', message });
  });

  it.each([1, 2, '1', '3', undefined])('schemaVersion %j', (schemaVersion) => {
    const refusal = refusalOf(() => parseReleaseArtifact({ ...plain(), schemaVersion }));
    expect(refusal).toMatchObject({
      code: 'unsupported-schema-version',
      message: expect.stringMatching(/reads artifact schemaVersion "2"$/),
    });
  });

  it.each([
    ['an empty body', '', 'the artifact is not JSON: it is empty'],
    ['HTML', '<!doctype html>', 'the artifact is not JSON: it looks like HTML or XML'],
    ['a text that stops half way', realArtifactText('1.121.0').slice(0, 400), 'JSON'],
    [
      'a verdict that stands twice',
      realArtifactText('1.121.0').replace(
        '"rollingUpdateSafe": true',
        '"rollingUpdateSafe": false, "rollingUpdateSafe": true',
      ),
      'the artifact holds an object with the key "rollingUpdateSafe" twice',
    ],
  ])('%s', (_, text, message) => {
    const refusal = refusalOf(() => parseReleaseArtifactText(text));
    expect(refusal.code).toBe('invalid-json');
    expect(refusal.message).toContain(message);
  });
});

describe('recommendedStrategy', () => {
  it.each([
    [true, 'RollingUpdate', false],
    [true, 'Recreate', true],
    [false, 'Recreate', false],
    [false, 'RollingUpdate', true],
    ['unknown', 'RollingUpdate', true],
    ['unknown', 'Recreate', false],
    [true, undefined, false],
    [true, 'BlueGreen', true],
  ])('verdict %j with %j contradicts: %j', (rollingUpdateSafe, recommendedStrategy, contradicts) => {
    const artifact = parseReleaseArtifact({
      ...plain(),
      compatibility: { rollingUpdateSafe, recommendedStrategy },
    });
    expect(strategyContradictsVerdict(artifact)).toBe(contradicts);
  });
});
