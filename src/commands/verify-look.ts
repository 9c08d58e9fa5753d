import type { UsedFacts } from '../answer/json/documents.js';
import { runChecks } from '../checks/run-checks.js';
import { LightspanError } from '../errors.js';
import { exitCodeOfError, exitCodes } from '../exit-codes.js';
import type { FactsFile } from '../facts/facts-schema.js';
import { seenValue } from '../facts/needs.js';
import { knownEdition } from '../instance/ledger.js';
import type { ReleaseLine } from '../instance/release-line.js';
import type { LightdashClient } from '../lightdash-api/client.js';
import type { Version } from '../release-safety/field-schemas.js';
import { isRecord } from '../shared/is-record.js';
import { readMergeFile } from '../sources/merge-file.js';
import { type CanaryEvidence, type CanaryFinding, judgeCanary, mergeWithItself } from '../verify/canary.js';
import { groupsWithFacts, verifyChecks, withStatedMigrations } from '../verify/checks.js';
import type { VerifyFinding } from '../verify/describe.js';
import { connect } from './connection.js';
import { type CommandContext, mapOutput } from './context.js';
import type { DeploymentOptions } from './deployment-options.js';
import { buildRequestBody, type RequestBody } from './merge-body.js';
import type { ArtifactOptions, SourceOptions } from './options.js';
import { openArtifacts } from './read-artifacts.js';
import { type FactsOptions, readFacts } from './read-facts.js';
import { readIndex } from './read-index.js';
import { loadLine } from './see-instance.js';

export type LookOptions = FactsOptions & DeploymentOptions & SourceOptions & ArtifactOptions;

/** What was found besides readiness. */
export interface Looked {
  readonly facts: UsedFacts;
  readonly findings: readonly VerifyFinding[];
}

export interface Look {
  /** Runs the checks, as after an upgrade to the release that is served. */
  readonly at: (served: Version) => Promise<Looked>;
  /** Whether a later call may see something else; facts in files do not change. */
  readonly isLive: boolean;
}

/**
 * Collects and checks the facts of an instance, as often as needed.
 *
 * @throws {LightspanError} `usage`; if index or files are unavailable
 */
export async function openLook(options: LookOptions, context: CommandContext): Promise<Look> {
  const lineAt = await openLine(options, context);
  const quiet = sayingOnce(context);
  const isLive = (options.database !== undefined || options.kubernetes === true) && !readsStdin(options);
  const kept = isLive ? undefined : await readFacts(options, context);

  let cluster: Pick<LookOptions, 'context' | 'namespace'> = {};
  const at = async (served: Version): Promise<Looked> => {
    const { file, source, ageMs } =
      kept ?? (await readFacts({ ...options, ...cluster, measure: false }, quiet));
    if (options.kubernetes === true) cluster = clusterOf(file);
    const facts = withStatedMigrations(file.facts);
    const groups = groupsWithFacts(facts);
    const asked = verifyChecks.filter(({ group }) => groups.includes(group));
    const { findings } = runChecks(asked, {
      from: served,
      to: served,
      line: await lineAt(served),
      issues: undefined,
      diskFree: undefined,
      edition: knownEdition(facts),
      facts,
    });
    return { facts: { source, collectedAt: file.collectedAt, ageMs }, findings };
  };
  return { at, isLive };
}

/** The cluster that was read first: later reads use the same one, even if the current context has changed. */
function clusterOf({ facts }: FactsFile): Pick<LookOptions, 'context' | 'namespace'> {
  const { context, namespace } = seenValue(facts.deployment) ?? {};
  return {
    ...(typeof context === 'string' ? { context } : {}),
    ...(typeof namespace === 'string' ? { namespace } : {}),
  };
}

/** A context that shows each notice only the first time. */
function sayingOnce(context: CommandContext): CommandContext {
  const said = new Set<string>();
  return {
    ...context,
    stderr: mapOutput(context.stderr, (text) => {
      if (said.has(text)) return '';
      said.add(text);
      return text;
    }),
  };
}

function readsStdin({ facts, manifests = [], values = [] }: LookOptions): boolean {
  return [facts, ...manifests, ...values].includes('-');
}

/** The releases up to the one that is served, by index and artifacts, which only facts of a database need. */
async function openLine(
  options: LookOptions,
  context: CommandContext,
): Promise<(served: Version) => Promise<ReleaseLine>> {
  if (options.database === undefined && options.facts === undefined) {
    const line = { earlier: [], before: [], span: [], missingRanges: [], rolling: false, unread: 0 };
    return async () => line;
  }
  const { index } = await readIndex(options, context);
  const load = await openArtifacts(options, context);
  const lines = new Map<Version, ReleaseLine>();
  return async (served) => {
    const line = lines.get(served) ?? (await loadLine(index, { from: served, to: served }, load));
    lines.set(served, line);
    return line;
  };
}

export interface CanaryOptions {
  readonly instance: string;
  /** A merge file, `-`, or the UUID of a chart. */
  readonly canary: string;
  readonly project?: string;
  readonly allowHttp?: true;
  /** Milliseconds for one request. */
  readonly timeout: number;
  /** Milliseconds for the query. */
  readonly window: number;
}

/** Runs the query once, if the instance is ready. */
export type Canary = (isReady: boolean) => Promise<CanaryFinding>;

const chartUuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Reads the query before anything is requested.
 *
 * @throws {LightspanError} `usage` for a file that is not a merge; if it cannot be read
 */
export async function openCanary(options: CanaryOptions, context: CommandContext): Promise<Canary> {
  const { canary } = options;
  const found = (evidence: CanaryEvidence, isAnswer = true) => judgeCanary(canary, evidence, isAnswer);
  const notRun = (message: string, hint: string) => found({ kind: 'canary-not-run', message, hint }, false);
  const merge = chartUuid.test(canary) ? undefined : await readMerge(canary, context);

  return async (isReady) => {
    if (!isReady)
      return notRun(
        'the instance is not ready with that release, and was not asked',
        'Verify again when it is.',
      );
    const { instance: url, ...rest } = options;
    let client: LightdashClient;
    try {
      client = await connect({ ...rest, url }, { project: true }, context);
    } catch (error) {
      if (!(error instanceof LightspanError)) throw error;
      return notRun(error.message, error.hint ?? 'Correct it, and verify again.');
    }
    try {
      const body = merge ?? (await mergeOfChart(client, canary));
      if (body === undefined) {
        return notRun(
          'the chart has no dimension, so that no merge can run its query',
          'Name a chart with one, or a merge file.',
        );
      }
      return found(await run(client, body, options.window));
    } catch (error) {
      if (!(error instanceof LightspanError)) throw error;
      const { code, message, hint = null } = error;
      const isAnswer = exitCodeOfError(code) !== exitCodes.unavailable;
      return found({ kind: 'canary-failed', message, hint }, isAnswer);
    }
  };
}

async function readMerge(source: string, { stdin }: CommandContext): Promise<RequestBody> {
  const { name, check, json } = await readMergeFile({ source, stdin });
  if (check.status !== 'valid' || !isRecord(json)) {
    const [fault] = check.status === 'valid' ? [] : check.faults;
    const place = fault === undefined ? name : `${name}:${fault.line}:${fault.column}`;
    throw new LightspanError('usage', `--canary: ${place}: ${fault?.message ?? 'it is no merge'}`, {
      hint: 'lightspan merge validate names every fault of it. A chart is named by its UUID.',
    });
  }
  return requestOf(json);
}

/** A cached result may be from before the upgrade, and would prove nothing. */
function requestOf(file: RequestBody): RequestBody {
  return buildRequestBody(file, { invalidateCache: true });
}

async function mergeOfChart(client: LightdashClient, uuid: string): Promise<RequestBody | undefined> {
  const { results } = await client.getChart(uuid);
  const mergeQuery = mergeWithItself(results.metricQuery);
  return mergeQuery && requestOf({ mergeQuery });
}

/** Runs until the first page of the result: all that counts is that there are rows. */
async function run(client: LightdashClient, body: RequestBody, windowMs: number): Promise<CanaryEvidence> {
  const { results } = await client.submitMerge(body);
  if (results.outcome === 'refused') {
    return {
      kind: 'canary-refused',
      errors: results.errors.map(({ kind, message }) => ({ kind, message })),
    };
  }
  const { queryUuid, cacheMetadata } = results.query;
  if (cacheMetadata.cacheHit) return { kind: 'canary-from-cache' };
  if (queryUuid === undefined) {
    const message = 'the answer names no query to wait for (results.query.queryUuid)';
    return { kind: 'canary-failed', message, hint: null };
  }
  for await (const state of client.followQuery(queryUuid, { windowMs })) {
    if (state.status === 'ready') {
      const { length } = state.rows;
      return length === 0 ? { kind: 'canary-without-rows' } : { kind: 'canary-rows', rows: length };
    }
    if (!('name' in state)) {
      return { kind: 'canary-ended', status: state.status, reason: state.reason ?? null };
    }
  }
  throw new LightspanError('invalid-response', `the query ${queryUuid} ended in an unknown state`);
}
