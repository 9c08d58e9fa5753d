import { inventedArtifact, inventedHeavySections, type LooseArtifact } from './artifacts.js';
import { writeTestMirror } from './mirror.js';
import { realIndex, realIndexText } from './real-index.js';

/** Text as an artifact could hold it to break out of where it is shown. */
const hostileText =
  '<script>alert(1)</script></title></style><img src=x onerror=alert(1)> [x](javascript:alert(1)) "\' \u001b[31m\u202e\u2028 | `a` \n::set-output name=safe::true\n##[error]x @someone https://example.org';

/** Sections in which every text is hostile, those of the first release also of 1 MB. */
export const hostileSections = (_version: string, i: number): LooseArtifact => ({
  migrations: {
    present: true,
    count: 1,
    coreCount: 1,
    eeCount: 0,
    files: [
      {
        name: hostileText,
        edition: 'core',
        tables: [hostileText],
        heaviness: { locksTable: true, rewritesTable: true, scansTable: true },
      },
    ],
  },
  api: {
    rest: {
      checked: true,
      breaking: true,
      changes: [hostileText, 'x'.repeat(i === 1 ? 1_000_000 : 1000)],
      breakingCount: 2,
      advisories: [hostileText],
      advisoryCount: 1,
    },
  },
  config: {
    checked: true,
    breaking: true,
    changes: [
      { type: 'removed', name: hostileText, previousDefault: hostileText },
      { type: hostileText, name: hostileText },
    ],
  },
  declaredAdvisories: [{ id: hostileText, reason: hostileText, requiredStop: false, [hostileText]: 1 }],
  declaredBreaks: [{ reason: hostileText, file: hostileText, line: 1, [hostileText]: hostileText }],
});

/** What contradicts every release that the index calls safe. */
export const contradicting = (): LooseArtifact => ({
  compatibility: { rollingUpdateSafe: false, recommendedStrategy: 'Recreate' },
});

/** A mirror of the real index, but for the verdicts named, with an invented artifact that confirms every release that is not backfilled. */
export async function writeReportMirror(
  folder: string,
  fieldsOf: (version: string, i: number) => LooseArtifact | undefined = someHeavy,
  verdicts: Readonly<Record<string, boolean>> = {},
): Promise<void> {
  const entries = realIndex().entries.map((entry) => ({
    ...entry,
    rollingUpdateSafe: verdicts[entry.version] ?? entry.rollingUpdateSafe,
  }));
  const isReal = Object.keys(verdicts).length === 0;
  const artifacts = entries
    .filter(({ backfilled }) => !backfilled)
    .flatMap((entry, i) => {
      const fields = fieldsOf(entry.version, i);
      if (fields === undefined) return [];
      return [[`artifacts/${entry.version}.json`, `${JSON.stringify(inventedArtifact(entry, fields))}\n`]];
    });
  await writeTestMirror(folder, {
    'release-safety-index.json': isReal
      ? realIndexText
      : JSON.stringify({ ...JSON.parse(realIndexText), entries }),
    ...Object.fromEntries(artifacts),
  });
}

function someHeavy(_version: string, i: number): LooseArtifact {
  return i % 9 === 0 ? inventedHeavySections : {};
}
