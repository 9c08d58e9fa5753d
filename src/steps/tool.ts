import type { RouteHop } from '../core/route/route.js';
import { underKeys } from '../core/text/quoted-words.js';
import type { Version } from '../core/version.js';
import type { DeployedImage, Deployment } from '../instance/deployment.js';
import type { HopDetails } from '../words/route/route.js';
import type { RenderedStep } from './step-schema.js';

export interface HopOfDeployment<Of extends Deployment = Deployment> {
  readonly hop: Pick<RouteHop, 'fromVersion' | 'toVersion' | 'strategy'> & HopDetails;
  readonly deployment: Of;
}

/** What Helm and docker compose each fill in; the steps themselves are the same (`steps.ts`). */
export interface Tool {
  /** Of the shell, that differ from plan to plan. */
  readonly functions: readonly string[];
  /** What they read. */
  readonly variables: readonly string[];
  /** Settles `place`: which deployment this is. */
  readonly setup: readonly string[];
  /** What a later run of a hop takes from the first. */
  readonly setupOfLaterRun: readonly string[];
  /** The variable of the shell with what is upgraded: it must be the same in every run. */
  readonly upgraded: string;
  /** What the files must say for a release. */
  readonly values: (version: Version) => NonNullable<RenderedStep['values']>;
  /** What is looked at before anything stops: first, and when the database has been looked at. */
  readonly look: readonly string[];
  readonly lookLast: readonly string[];
  readonly lookNotes: readonly string[];
  /** The check of `look` once more, quick enough to run right before the stop. */
  readonly lookAgain: readonly string[];
  readonly stopNotes: readonly string[];
  /** Stops unless the files have the tag that follows. */
  readonly tagged: string;
  /** Waits for what an interrupted run has left at work. */
  readonly waits: readonly string[];
  readonly start: readonly string[];
  readonly startNotes: readonly string[];
  readonly confirm: readonly string[];
  readonly confirmNotes: readonly string[];
}

/** How long the commands wait for migrations, unless LIGHTSPAN_WAIT says otherwise. */
export const longestWait = { seconds: 86_400, duration: '24h', words: 'a day' } as const;

/** Values that the user must fill in if they are not known. */
export const placeholders: Readonly<Record<string, string>> = {
  LIGHTDASH_URL: 'set the address of Lightdash, such as https://lightdash.example.com',
  NAMESPACE: 'set the namespace that Lightdash runs in',
  RELEASE: 'set the name of the Helm release, see helm list',
  VALUES_FILE:
    'set the name of your values file; if there are several, plan with --values for each, in order',
  CHART: 'set the chart that you deploy, such as ./my-chart',
  CHART_VERSION: 'set the version of your chart, see helm list',
  LIGHTDASH_SERVICE:
    'set the names of the Lightdash services in the compose file, with blanks between them; or plan with --facts ' +
    'of upgrade-preflight --compose',
  PGHOST:
    'set PGHOST, PGUSER and PGDATABASE to reach the database of Lightdash directly, not through a pool ' +
    'such as PgBouncer',
  PGUSER: 'set PGUSER, too',
  PGDATABASE: 'set PGDATABASE, too',
};

/** The tag of a release, in the file's form. */
export function tagOf({ deployment: { tagPrefix, tagSuffix } }: HopOfDeployment, version: Version): string {
  return `${tagPrefix}${version}${tagSuffix}`;
}

export function nameOfImage(image: DeployedImage | undefined): string | undefined {
  return [image?.registry, image?.repository].filter((part) => part != null).join('/') || undefined;
}

export function digestNotes({ image }: Deployment): string[] {
  const note = 'The digest in the file belongs to the old tag: replace it with the new one, or remove it.';
  return image == null || image.digest === null ? [] : [note];
}

export function nested(path: readonly string[], lines: readonly string[]): string {
  return `${underKeys(path, lines).join('\n')}\n`;
}
