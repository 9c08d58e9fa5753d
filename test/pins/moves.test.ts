import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { propertyRuns } from '../support/property-runs.js';
import { harmlessChosen, movesChosen } from './chosen.js';
import { harmlessFilledIn, movesFilledIn, versionsBeside, versionsFilledIn } from './filled-in.js';
import { harmlessHandedOn, movesHandedOn, versionsHandedOn } from './handed-on.js';
import { harmless } from './harmless.js';
import { harmlessElsewhere, movesElsewhere, versionsElsewhere } from './kept-elsewhere.js';
import { type Files, moves, versions } from './moves.js';
import { stops } from './stops.js';
import { harmlessTakenOver, movesTakenOver, versionsTakenOver } from './taken-over.js';

const later = (files: Files, version = '1.156.0'): Files =>
  JSON.parse(JSON.stringify(files).replaceAll('1.2.0', version));

const allVersions = {
  ...versions,
  ...versionsElsewhere,
  ...versionsTakenOver,
  ...versionsFilledIn,
  ...versionsBeside,
  ...versionsHandedOn,
};

describe('a change that moves Lightdash never passes', () => {
  it.each(Object.entries(allVersions))('%s', async (_, files) => {
    expect(await stops(files, later(files))).not.toEqual([]);
  });

  it.each(
    Object.entries({
      ...moves,
      ...movesElsewhere,
      ...movesTakenOver,
      ...movesFilledIn,
      ...movesHandedOn,
      ...movesChosen,
    }),
  )('%s', async (_, [before, after]) => {
    expect(await stops(before, after)).not.toEqual([]);
  });
});

it('a version that becomes any other one never passes, wherever it stands', async () => {
  const version = fc.tuple(fc.nat(3), fc.nat(3000), fc.nat(20)).map((parts) => parts.join('.'));
  const all = Object.values(allVersions);
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...all), version, async (files, other) => {
      fc.pre(other !== '1.2.0');
      expect(await stops(files, later(files, other))).not.toEqual([]);
    }),
    { numRuns: propertyRuns(300) },
  );
});

describe('a change that moves nothing passes', () => {
  it.each(
    Object.entries({
      ...harmless,
      ...harmlessElsewhere,
      ...harmlessTakenOver,
      ...harmlessFilledIn,
      ...harmlessHandedOn,
      ...harmlessChosen,
    }),
  )('%s', async (_, [before, after]) => {
    expect(await stops(before, after)).toEqual([]);
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
