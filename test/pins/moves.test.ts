import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { propertyRuns } from '../support/property-runs.js';
import { harmlessChosen, movesChosen } from './chosen.js';
import { harmlessByPath, movesByPath } from './files-chosen.js';
import { harmlessFilledIn, movesFilledIn, versionsBeside, versionsFilledIn } from './filled-in.js';
import { harmlessHandedOn, movesHandedOn, versionsHandedOn } from './handed-on.js';
import { harmless } from './harmless.js';
import { harmlessElsewhere, movesElsewhere, versionsElsewhere } from './kept-elsewhere.js';
import { type Files, moves, versions } from './moves.js';
import { harmlessStopped, movesNotSeen, movesNotSeenByNumbers } from './not-seen.js';
import { stops } from './stops.js';
import { harmlessTakenOver, movesTakenOver, versionsTakenOver } from './taken-over.js';

const later = (files: Files, version = '1.156.0'): Files =>
  JSON.parse(JSON.stringify(files).replaceAll('1.2.0', version));

const allVersions: Readonly<Record<string, Files>> = {
  ...versions,
  ...versionsElsewhere,
  ...versionsTakenOver,
  ...versionsFilledIn,
  ...versionsBeside,
  ...versionsHandedOn,
};

const allMoves: Readonly<Record<string, readonly [Files, Files]>> = {
  ...moves,
  ...movesElsewhere,
  ...movesTakenOver,
  ...movesFilledIn,
  ...movesHandedOn,
  ...movesChosen,
  ...movesByPath,
};
const allHarmless: Readonly<Record<string, readonly [Files, Files]>> = {
  ...harmless,
  ...harmlessElsewhere,
  ...harmlessTakenOver,
  ...harmlessFilledIn,
  ...harmlessHandedOn,
  ...harmlessChosen,
  ...harmlessByPath,
};
const notSeen = new Set(Object.values(movesNotSeen).flat());
const stopped = new Set(Object.values(harmlessStopped).flat());

describe('a change that moves Lightdash never passes', () => {
  it.each(Object.entries(allVersions).filter(([name]) => !notSeen.has(name)))('%s', async (_, files) => {
    expect(await stops(files, later(files))).not.toEqual([]);
  });

  it.each(Object.entries(allMoves).filter(([name]) => !notSeen.has(name)))(
    '%s',
    async (_, [before, after]) => {
      expect(await stops(before, after)).not.toEqual([]);
    },
  );

  it.each([...notSeen])('but for what cannot be seen: %s', async (name) => {
    const files = allVersions[name];
    const [before, after] = allMoves[name] ?? [files ?? {}, later(files ?? {})];
    expect(before).not.toEqual(after);
    expect(await stops(before, after)).toEqual([]);
  });

  it('at most 60 of them cannot be seen', () => expect(notSeen.size).toBeLessThanOrEqual(60));
});

it('a release that becomes any other one, one of which can hardly be another program’s, never passes', async () => {
  const others = ['0.2711.0', '1.100.0', '1.262.0', '2.100.0', '2.134.2', '2.140.0'];
  const move = fc.constantFrom(
    ...others.map((other) => ['1.2.0', other] as const),
    // The first releases of a major look like those of any program.
    ...([
      ['2.134.2', '3.0.0'],
      ['2.134.2', '3.1.0'],
      ['1.262.1', '2.0.0'],
    ] as const),
  );
  const all = Object.entries(allVersions).filter(([name]) => !notSeen.has(name));
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...all), move, async ([, files], [from, to]) => {
      expect(await stops(later(files, from), later(files, to))).not.toEqual([]);
    }),
    { numRuns: propertyRuns(300) },
  );
});

describe('a move from 3.1.0 to 3.2.0, as any program makes it, is seen', () => {
  const atNumbers = new Set(Object.values(movesNotSeenByNumbers).flat());
  const seenOtherwise = Object.entries(allVersions).filter(([name]) => !notSeen.has(name));

  it.each(seenOtherwise.filter(([name]) => !atNumbers.has(name)))('%s', async (_, files) => {
    expect(await stops(later(files, '3.1.0'), later(files, '3.2.0'))).not.toEqual([]);
  });

  it.each([...atNumbers])('but for where nothing ties the line to Lightdash: %s', async (name) => {
    const files = allVersions[name] ?? {};
    expect(Object.keys(files)).not.toEqual([]);
    expect(await stops(later(files, '3.1.0'), later(files, '3.2.0'))).toEqual([]);
  });

  it('at most 77 of them are not', () => expect(atNumbers.size).toBeLessThanOrEqual(77));
});

describe('a change that moves nothing passes', () => {
  it.each(Object.entries(allHarmless).filter(([name]) => !stopped.has(name)))(
    '%s',
    async (_, [before, after]) => {
      expect(await stops(before, after)).toEqual([]);
    },
  );

  it.each([...stopped])('but for what is stopped although it moves nothing: %s', async (name) => {
    const [before, after] = allHarmless[name] ?? [{}, {}];
    expect(await stops(before, after)).not.toEqual([]);
  });
});

it('judges what a variable pins although a compose file beside moves in the same way', async () => {
  const files = (version: string, image: string): Files => ({
    'compose.yaml': `services: {bi: {image: "lightdash/lightdash:${version}"}}\n`,
    '.env': `LIGHTDASH_IMAGE=${image}:${version}\n`,
    'run.sh': '. ./.env\ndocker run "$LIGHTDASH_IMAGE"\n',
  });
  const before = files('1.2.0', 'lightdash/lightdash');
  expect(await stops(before, files('1.3.0', 'registry.acme.io/lightdash'))).toEqual([
    'compose.yaml#services.bi.image moved',
    '.env#LIGHTDASH_IMAGE image-changed',
  ]);
});
