import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inventedArtifact, inventedHeavySections, type LooseArtifact } from '../support/artifacts.js';
import { runCli } from '../support/cli.js';
import { writeTestMirror } from '../support/mirror.js';
import { listen } from '../support/server.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { itFailsClosed } from './campaign.js';
import {
  bearsOutInTruth,
  bytesOfIndex,
  checkOf,
  documentFault,
  type IndexName,
  indexNames,
  releasesOfSpan,
  safeInTruth,
} from './documents.js';
import type { Fault } from './mutations.js';

/**
 * What the artifact of 1.3.0 says: what the index says of it, or something else, which forbids a yes where the index
 * has nothing against the release: because a rule forbids it, or (of the last five) because the two disagree.
 */
const tellings = {
  agrees: {
    declaredBreaks: [{ id: 'y', reason: 'a tool is gone', requiredStop: false }],
    declaredAdvisories: [
      {
        id: 'x',
        reason: 'nobody calls it',
        requiredStop: false,
        impact: { kind: 'no-external-callers', covers: { rest: ['GET /x'], mcp: [] }, featureFlag: 'x' },
      },
    ],
  },
  false: { compatibility: { rollingUpdateSafe: false, recommendedStrategy: 'Recreate' } },
  unknown: { compatibility: { rollingUpdateSafe: 'unknown', recommendedStrategy: 'Recreate' } },
  stop: { upgrade: { minPreviousVersion: '1.1.0', requiredStops: ['1.2.0'] } },
  minimum: { upgrade: { minPreviousVersion: '1.2.0', requiredStops: [] } },
  gap: { previousVersion: '1.2.1' },
  'no minimum': { upgrade: { minPreviousVersion: null, requiredStops: [] } },
  'declared stop': { declaredBreaks: [{ id: 'x', reason: 'old pods read it', requiredStop: true }] },
  'bad advisory': { declaredAdvisories: [{ id: 'x', reason: 'nobody calls it', requiredStop: true }] },
  'past stop': { upgrade: { minPreviousVersion: '1.1.0', requiredStops: ['1.0.0'] } },
  'other release': { version: '1.3.1' },
} satisfies Record<string, LooseArtifact>;

type Telling = keyof typeof tellings;
const tellingNames = Object.keys(tellings) as readonly Telling[];

/** The artifacts of the span, by version. That of 1.3.0 holds little beside what decides, so that more faults hit it. */
function bytesOfArtifacts(index: IndexName, telling: Telling): Map<string, Buffer> {
  return new Map(
    releasesOfSpan(index).map((release) => {
      const fields = release.version === '1.3.0' ? tellings[telling] : inventedHeavySections;
      return [release.version, Buffer.from(JSON.stringify(inventedArtifact(release, fields), null, 2))];
    }),
  );
}

interface Case {
  readonly index: IndexName;
  readonly telling: Telling;
  /** Whose artifact is damaged: the first release of the span, its second, its last. */
  readonly target: 0 | 1 | -1;
  readonly fault: Fault<Buffer>;
}

const anyCase: fc.Arbitrary<Case> = fc.record({
  // Mostly the one that has nothing against the span, so that it is for the artifacts to say no.
  index: fc.constantFrom('safe', 'safe', 'safe', 'safe', 'safe', ...indexNames),
  telling: fc.constantFrom('agrees', 'agrees', ...tellingNames),
  target: fc.constantFrom(0, 1, 1, 1, -1),
  fault: documentFault,
});

interface Documents {
  readonly index: IndexName;
  readonly artifacts: ReadonlyMap<string, Buffer>;
}

/** By a second, naive reading of everything that there is to read. */
const isSafeInTruth = ({ index, artifacts }: Documents) =>
  safeInTruth(bytesOfIndex(index)) &&
  releasesOfSpan(index).every((release) => bearsOutInTruth(artifacts.get(release.version), release));

const mirror = temporaryFolder();

async function writeMirror({ index, artifacts }: Documents): Promise<void> {
  const paths = [...artifacts].map(([version, bytes]) => [`artifacts/${version}.json`, bytes]);
  await writeTestMirror(mirror, {
    'release-safety-index.json': bytesOfIndex(index),
    ...Object.fromEntries(paths),
  });
}

const checkMirror = () => runCli(checkOf(mirror, '--verify-artifacts', '--offline'));

describe('before any fault', () => {
  const all = indexNames.flatMap((index) => tellingNames.map((telling) => [index, telling] as const));

  it.each(all)('with the index %s and the artifact %s only agreement is a yes', async (index, telling) => {
    const documents = { index, artifacts: bytesOfArtifacts(index, telling) };
    await writeMirror(documents);
    const yes = index === 'safe' && telling === 'agrees';
    expect((await checkMirror()).code).toBe(yes ? 0 : 1);
    expect(isSafeInTruth(documents)).toBe(yes);
  });
});

/** The documents of a case, and the artifact of `version` before and after its fault. */
function strike({ index, telling, target, fault }: Case) {
  const artifacts = bytesOfArtifacts(index, telling);
  const [version, sound] = [...artifacts].at(target) ?? ['', Buffer.of()];
  return { artifacts, version, sound, damaged: fault.apply(sound) };
}

describe('a damaged artifact', () => {
  itFailsClosed('artifact in a mirror', { cases: anyCase, numRuns: 1000 }, async (one) => {
    const { artifacts, version, damaged } = strike(one);
    const documents = { index: one.index, artifacts: artifacts.set(version, damaged) };
    await writeMirror(documents);
    const outcome = await checkMirror();
    return { damaged, outcome, safeInTruth: isSafeInTruth(documents) };
  });

  itFailsClosed('artifact in a mirror of other digests', { cases: anyCase, numRuns: 300 }, async (one) => {
    const { artifacts, version, sound, damaged } = strike(one);
    const documents = { index: one.index, artifacts };
    await writeMirror(documents);
    await writeFile(join(mirror, `artifacts/${version}.json`), damaged);
    const outcome = await checkMirror();
    const inTruth = damaged.equals(sound) && isSafeInTruth(documents);
    return { damaged, outcome, safeInTruth: inTruth };
  });

  describe('from a server', () => {
    const answers = new Map<string, Buffer>();
    const server = createServer((request, response) => {
      const body = answers.get(request.url ?? '');
      response.writeHead(body === undefined ? 404 : 200).end(body);
    });
    let origin: string;
    beforeAll(async () => {
      origin = `http://127.0.0.1:${await listen(server)}`;
    });
    afterAll(() => {
      server.close();
    });

    let cases = 0;
    async function checkFromServer({ index, artifacts }: Documents) {
      const path = `/${cases++}`;
      for (const [version, bytes] of artifacts) answers.set(`${path}/${version}.json`, bytes);
      const outcome = await runCli(
        checkOf('-', '--verify-artifacts', '--artifact-url', `${origin}${path}/{version}.json`, '--no-cache'),
        { stdin: bytesOfIndex(index) },
      );
      for (const version of artifacts.keys()) answers.delete(`${path}/${version}.json`);
      return outcome;
    }

    itFailsClosed('artifact from a server', { cases: anyCase, numRuns: 3000, parallel: 8 }, async (one) => {
      const { artifacts, version, damaged } = strike(one);
      const documents = { index: one.index, artifacts: artifacts.set(version, damaged) };
      const outcome = await checkFromServer(documents);
      return { damaged, outcome, safeInTruth: isSafeInTruth(documents) };
    });
  });
});
