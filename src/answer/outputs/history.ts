import type { MigrationHistory, PastRun } from '../../instance/migration-history.js';
import { countOf, describeSeconds } from '../../words/phrase.js';

type History = Omit<MigrationHistory, 'schemaVersion'>;

/** What ran when and how long, oldest first, and what that says of the next upgrade. */
export function linesOfHistory({ runs, idleStarts, undated, longest }: History): readonly string[] {
  return [
    ...runs.map(lineOfRun),
    ...(runs.length === 0 ? ['nothing has migrated here'] : []),
    ...(idleStarts === 0 ? [] : [`and ${countOf(idleStarts, 'start')} with nothing to migrate`]),
    ...(undated === 0 ? [] : [`and ${countOf(undated, 'migration')} without a time`]),
    ...(longest === null
      ? []
      : [
          `The longest migration took up to ${describeSeconds(longest.seconds, Math.ceil)}: ${longest.migration}`,
        ]),
  ];
}

function lineOfRun(run: PastRun): string {
  const { startedAt, seconds, isLeast, version, versionBy, outcome, attempt, failing } = run;
  const release =
    version === null ? 'older than the index' : versionBy === 'date' ? `${version} or older` : version;
  const long = seconds === null ? 'no end' : `${isLeast ? 'at least ' : ''}${describeSeconds(seconds)}`;
  const how = outcome === 'succeeded' ? '' : `, ${outcome}${failing === null ? '' : ` in ${failing}`}`;
  const again = attempt > 1 ? `, attempt ${attempt}` : '';
  return `${startedAt.slice(0, 16).replace('T', ' ')}  ${release}: ${countOf(run.migrations, 'migration')}, ${long}${how}${again}`;
}
