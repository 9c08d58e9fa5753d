import { type CanaryEvidence, type CanaryFinding, judgeCanary } from '../checks/after-upgrade/canary.js';
import { groupsWithFacts, verifyChecks, withStatedMigrations } from '../checks/after-upgrade/checks.js';
import { describeVerifyFinding, type VerifyFinding } from '../checks/after-upgrade/describe.js';
import { runChecks } from '../checks/run-checks.js';
import type { Version } from '../core/field-schemas.js';
import { isRecord } from '../core/json/is-record.js';
import { isInputError, LightspanError } from '../core/lightspan-error.js';
import { printable } from '../core/text/printable.js';
import type { CommandContext } from '../door/context.js';
import { exitCodeOfError, exitCodes } from '../door/exit-codes.js';
import type { LightdashClient } from '../gather/api/client.js';
import { isRunning } from '../gather/api/query-results.js';
import { requestOf } from '../gather/http/request-details.js';
import { oldFactsMs } from '../gather/limits.js';
import type { FactsFile, UsedFacts } from '../instance/facts/facts-schema.js';
import { seenValue } from '../instance/facts/needs.js';
import { knownEdition } from '../instance/ledger.js';
import type { ReleaseLine } from '../instance/release-line.js';
import type { DeploymentSources, FactsQuestion } from '../question/facts.js';
import type { CanaryQuestion, InstanceChecksQuestion } from '../question/verify.js';
import { connect } from './lightdash/connection.js';
import { buildRequestBody, type RequestBody } from './lightdash/merge-body.js';
import { readMergeFile } from './lightdash/merge-file.js';
import { loadReleaseLine } from './see-instance.js';
import { openArtifacts } from './sources/read-artifacts.js';
import { readFacts, usedFacts } from './sources/read-facts.js';
import { readIndex } from './sources/read-index.js';

/** What keeps an instance that is ready from being verified. */
interface StillAwaited {
  readonly text: string;
  readonly isSeen: boolean;
}

export interface InstanceChecks {
  /**
   * Runs the checks, and returns what is still waited for, or that nothing could be seen; undefined if nothing is waited
   * for.
   */
  readonly waitsOn: (served: Version) => Promise<StillAwaited | undefined>;
  /** The last findings. If the instance was not ready, the checks run anyway, because they may show why. */
  readonly end: (
    served: Version | undefined,
    wanted: Version,
  ) => Promise<{ readonly facts: UsedFacts; readonly findings: readonly VerifyFinding[] } | undefined>;
}

export async function openInstanceChecks(
  question: InstanceChecksQuestion,
  context: CommandContext,
): Promise<InstanceChecks> {
  const lineAt = await openReleaseLine(question, context);
  // Facts in files do not change.
  const { database, file, deployment = {} } = question.facts;
  const { kubernetes, manifests = [], values = [] } = deployment;
  const readsStdin = [file, ...manifests, ...values].includes('-');
  const isLive = (database !== undefined || kubernetes === true) && !readsStdin;
  // Those from before the deploy prove nothing of it, and do not show that they are.
  const { maxAgeMs = oldFactsMs } = question.facts;
  const kept = isLive ? undefined : await readFacts({ ...question.facts, maxAgeMs }, context);
  let cluster: ClusterOfFacts = {};
  let stderr = context.stderr;

  /** As after an upgrade to the release that is served. */
  const lookAt = async (served: Version) => {
    const reading = kept ?? readFacts(againIn(question.facts, cluster), { ...context, stderr });
    // Only the first look reports what it reads, and how.
    stderr = { write: () => undefined };
    const read = await reading;
    if (kubernetes === true) cluster = clusterOf(read.file);
    const facts = withStatedMigrations(read.file.facts);
    const groups = groupsWithFacts(facts);
    const requested = verifyChecks.filter(({ group }) => groups.includes(group));
    const line = await lineAt(served);
    const edition = knownEdition(facts);
    const input = { from: served, to: served, line, issues: undefined, diskFree: undefined, edition, facts };
    return { facts: usedFacts(read), findings: runChecks(requested, input).findings };
  };
  let last: Awaited<ReturnType<typeof lookAt>> | LightspanError | undefined;

  return {
    waitsOn: async (served) => {
      last = await lookAt(served).catch(unlessUsage);
      if (last instanceof Error) {
        const mayPass = last.code === 'network' || last.code === 'timeout';
        return mayPass ? { text: printable(last.message), isSeen: false } : undefined;
      }
      const awaited = isLive ? last.findings.find(({ transient }) => transient) : undefined;
      return (
        awaited && {
          text: `${awaited.check}: ${describeVerifyFinding(awaited).description}`,
          isSeen: true,
        }
      );
    },
    end: async (served, wanted) => {
      // An instance that was ready was looked at while it was.
      last ??= await lookAt(wanted).catch(unlessUsage);
      if (!(last instanceof Error)) return last;
      if (served !== undefined) throw last;
      context.stderr.write(`the other checks were not made: ${printable(last.message)}\n`);
      return undefined;
    },
  };
}

/** A wrong request stays one. Any other error may be temporary, or does not matter if the answer is no anyway. */
function unlessUsage(error: unknown): LightspanError {
  if (error instanceof LightspanError && exitCodeOfError(error.code) !== exitCodes.usage) return error;
  throw error;
}

type ClusterOfFacts = Pick<DeploymentSources, 'context' | 'namespace'>;

/** The same facts once more: of the cluster that was read first, and nothing is measured. */
function againIn(facts: FactsQuestion, cluster: ClusterOfFacts): FactsQuestion {
  const { database, deployment } = facts;
  return {
    ...facts,
    database: database && { ...database, measure: false },
    deployment: deployment && { ...deployment, ...cluster },
  };
}

/** The cluster that was read first: later reads use the same one, even if the current context has changed. */
function clusterOf({ facts }: FactsFile): ClusterOfFacts {
  const { context, namespace } = seenValue(facts.deployment) ?? {};
  return {
    ...(typeof context === 'string' ? { context } : {}),
    ...(typeof namespace === 'string' ? { namespace } : {}),
  };
}

/** The releases up to the one that is served, by index and artifacts, which only facts of a database need. */
async function openReleaseLine(
  { facts, index: place, artifacts, network }: InstanceChecksQuestion,
  context: CommandContext,
): Promise<(served: Version) => Promise<ReleaseLine>> {
  if (facts.database === undefined && facts.file === undefined) {
    const none = { earlier: [], before: [], span: [], missingRanges: [], rolling: false, unread: 0 };
    return async (served) => ({ from: served, to: served, ...none });
  }
  const { index } = await readIndex(place, network, context);
  const load = await openArtifacts(artifacts, place, network, context);
  const lines = new Map<Version, ReleaseLine>();
  return async (served) => {
    const line = lines.get(served) ?? (await loadReleaseLine(index, { from: served, to: served }, load));
    lines.set(served, line);
    return line;
  };
}

const chartUuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Reads the query before anything is requested, and runs it once, if the instance is ready. */
export async function openCanary(
  { query: canary, connection, windowMs }: CanaryQuestion,
  context: CommandContext,
): Promise<(isReady: boolean) => Promise<CanaryFinding>> {
  const judge = (evidence: CanaryEvidence, isAnswer = false) => judgeCanary(canary, evidence, isAnswer);
  const notRun = (message: string, hint: string) => judge({ kind: 'canary-not-run', message, hint });
  const merge = chartUuid.test(canary) ? undefined : await readMerge(canary, context);

  return async (isReady) => {
    if (!isReady) {
      const why = 'the instance is not ready with that release, so it was not asked';
      return notRun(why, 'Verify again when it is ready.');
    }
    try {
      const client = await connect(connection, { project: true }, context);
      const started =
        merge === undefined ? await startChart(client, canary) : await startMerge(client, merge);
      const evidence =
        started.kind === 'started' ? await awaitRows(client, started.queryUuid, windowMs) : started;
      return judge(evidence, true);
    } catch (error) {
      if (!(error instanceof LightspanError) || isInputError(error)) throw error;
      const { code, message, hint } = error;
      const request = requestOf(error);
      if (request?.status === 404) return judge({ kind: 'canary-not-available', message });
      if (code === 'usage') return notRun(message, hint ?? 'Correct it, and verify again.');
      const isAnswer = exitCodeOfError(code) !== exitCodes.unavailable && request?.mayBeForeign !== true;
      return judge({ kind: 'canary-failed', message, hint: hint ?? null }, isAnswer);
    }
  };
}

async function readMerge(source: string, { stdin }: CommandContext): Promise<RequestBody> {
  const { name, check, json } = await readMergeFile({ source, stdin });
  if (check.status === 'valid' && isRecord(json)) return buildRequestBody(json, withoutCache);
  throw new LightspanError('usage', `--canary: ${name} is not a valid merge`, {
    hint: 'lightspan merge validate names every fault in it. Name a chart by its UUID.',
  });
}

/** A cached result may be from before the upgrade, and would prove nothing. */
const withoutCache = { invalidateCache: true } as const;

/** The query that was started, or what is known without its end. */
type Started = { readonly kind: 'started'; readonly queryUuid: string } | CanaryEvidence;

async function startChart(client: LightdashClient, uuid: string): Promise<Started> {
  const { queryUuid, cacheHit } = await client.runChart(uuid);
  return cacheHit === false ? { kind: 'started', queryUuid } : { kind: 'canary-from-cache' };
}

async function startMerge(client: LightdashClient, body: RequestBody): Promise<Started> {
  const { results } = await client.submitMerge(body);
  if (results.outcome === 'refused') {
    const errors = results.errors.map(({ kind, message }) => ({ kind, message }));
    return { kind: 'canary-refused', errors };
  }
  const { queryUuid, cacheMetadata } = results.query;
  if (cacheMetadata.cacheHit) return { kind: 'canary-from-cache' };
  if (queryUuid !== undefined) return { kind: 'started', queryUuid };
  const message = 'the answer names no query to wait for (results.query.queryUuid)';
  return { kind: 'canary-failed', message, hint: null };
}

/** Until the first page of the result: all that counts is that there are rows. */
async function awaitRows(
  client: LightdashClient,
  queryUuid: string,
  windowMs: number,
): Promise<CanaryEvidence> {
  for await (const state of client.followQuery(queryUuid, { windowMs })) {
    if (state.status === 'ready') {
      const { length } = state.rows;
      return length === 0 ? { kind: 'canary-without-rows' } : { kind: 'canary-rows', rows: length };
    }
    if (!isRunning(state)) {
      return { kind: 'canary-ended', status: state.status, reason: state.reason ?? null };
    }
  }
  throw new LightspanError('invalid-response', `the query ${queryUuid} ended in an unknown state`);
}
