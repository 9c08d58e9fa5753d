import { describe, expect, it } from 'vitest';
import { placeInDatabase } from '../../src/app/see-instance.js';
import { parseReleaseArtifactText } from '../../src/core/artifact/artifact.js';
import type { ArtifactOutcome } from '../../src/core/artifact/reconcile.js';
import { parseReleaseSafetyIndexText } from '../../src/core/index/parse-index.js';
import { requireVersion } from '../../src/core/version.js';
import { backendOf, deployedAt, seenThrough, workerOf } from '../support/deployment.js';
import { factsOf, healthyFacts, ledgerOf, publishedOf, type Situation } from '../support/preflight.js';

/** 2.1.0 and 2.2.0 bring no migration: the ledger of each is that of 2.0.0. */
const situation: Situation = {
  releases: [
    { version: '2.0.0', migrations: [{ name: '20260801000000_old' }] },
    { version: '2.1.0' },
    { version: '2.2.0' },
    { version: '2.3.0', migrations: [{ name: '20260901000000_new' }] },
  ],
};
const published = publishedOf(situation);
const index = parseReleaseSafetyIndexText(published.index);
const outcomes = new Map(
  [...published.artifacts].map(([version, text]): [string, ArtifactOutcome] => [
    version,
    { kind: 'artifact', artifact: parseReleaseArtifactText(text) },
  ]),
);
const place = (facts: NonNullable<Situation['facts']>, to?: string) =>
  placeInDatabase(
    index,
    factsOf(facts),
    'community',
    async () => new Map(outcomes),
    to === undefined ? undefined : requireVersion(to),
  );

const sound = healthyFacts('20260801000000_old');
const cluster = (version: string) => ({ ...sound, ...deployedAt(version) });
const rendered = (version: string) => ({
  ...sound,
  ...seenThrough(deployedAt(version), { origin: 'rendered', context: undefined }),
});

describe('the release that runs, by the database', () => {
  it.each<[what: string, facts: NonNullable<Situation['facts']>, to: string | undefined, version: string]>([
    ['is that of the images, in the range of the ledger', cluster('2.1.0'), '2.3.0', '2.1.0'],
    ['is that of the images, though it is the target, as they run', cluster('2.2.0'), '2.2.0', '2.2.0'],
    ['is not that of a file that may name the target already', rendered('2.2.0'), '2.2.0', '2.0.0'],
    ['is that of a file that names another one', rendered('2.1.0'), '2.2.0', '2.1.0'],
    ['is the oldest, where images are beyond the ledger', cluster('2.3.0'), undefined, '2.0.0'],
    [
      'is the oldest, where images are of several releases',
      { ...cluster('2.1.0'), workloads: [backendOf('2.1.0'), workerOf('2.2.0')] },
      undefined,
      '2.0.0',
    ],
    ['is the oldest, where nothing else tells', sound, undefined, '2.0.0'],
    [
      'is the only one that fits',
      { ...sound, ledger: ledgerOf('20260801000000_old', '20260901000000_new') },
      undefined,
      '2.3.0',
    ],
  ])('%s', async (_, facts, to, version) => {
    expect((await place(facts, to)).version).toBe(version);
  });

  it.each<[string, NonNullable<Situation['facts']>, string]>([
    ['a ledger that was not seen', { ...sound, ledger: 'not-permitted' }, 'do not contain the rows'],
    [
      'a ledger of names that no artifact has',
      { ...sound, ledger: ledgerOf('19990101000000_x') },
      'no artifact names',
    ],
  ])('is not guessed from %s', async (_, facts, message) => {
    await expect(place(facts)).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringContaining(message),
      hint: expect.stringContaining('--from'),
    });
  });
});
