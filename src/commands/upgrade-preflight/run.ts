import { decide, type FailOn } from '../../checks/decision.js';
import type { Preflight } from '../../checks/preflight-of.js';
import { LightspanError } from '../../errors.js';
import { type ExitCode, exitCodeOfOutcome, exitCodes } from '../../exit-codes.js';
import { knownEdition } from '../../instance/ledger.js';
import { requireTargetAhead } from '../../release-safety/route.js';
import type { RouteTarget } from '../../release-safety/version.js';
import { renderUpgradePreflightJson } from '../../render/json/upgrade-preflight.js';
import type { PreflightDocument } from '../../render/preflight/document.js';
import type { CommandContext } from '../context.js';
import { type CurrentVersion, findCurrentVersion } from '../current-version.js';
import { judgedBy, openEvidence } from '../evidence.js';
import { usedFacts } from '../facts-file.js';
import { chooseFormat, type FormatOptions, writeAnswer } from '../gate-format.js';
import { judgeGivenRoute } from '../judge.js';
import type { KnownIssueOptions } from '../known-issue-options.js';
import { placeInDatabase } from '../release-line.js';
import type {
  ArtifactOptions,
  CurrentVersionOptions,
  OutputOptions,
  SourceOptions,
} from '../shared-options.js';
import { describeUsedIndex } from '../used-index.js';
import type { DeploymentOptions } from './deployment-options.js';
import { type FactsOptions, readFacts } from './facts.js';

export type UpgradePreflightOptions = CurrentVersionOptions &
  SourceOptions &
  ArtifactOptions &
  OutputOptions &
  FormatOptions &
  KnownIssueOptions &
  FactsOptions &
  DeploymentOptions & {
    readonly to: RouteTarget;
    readonly fromDatabase?: true;
    readonly sql?: true;
    readonly grants?: true;
    /** Bytes. */
    readonly diskFree?: number;
    /** Checks and groups. */
    readonly only?: readonly string[];
    readonly failOn: FailOn;
  };

/** `lightspan upgrade-preflight`: exit 0 only if nothing stops, and everything that can stop was checked. */
export async function upgradePreflight(
  options: UpgradePreflightOptions,
  context: CommandContext,
): Promise<ExitCode> {
  if (options.sql === true || options.grants === true) return await printSql(options, context);
  const format = chooseFormat(options);
  const { to, failOn } = options;
  const stated = await currentVersion(options, context);
  requireTargetAhead({ from: stated?.version, to });
  const read = await readFacts(options, context);
  const evidence = await openEvidence(options, context, { facts: read, artifacts: true, instance: true });
  const { index, leftOut, load } = evidence;
  const { facts } = read.file;
  const current = stated ?? (await placeInDatabase(index, facts, knownEdition(facts), load));
  const { route, preflight, ...judged } = await judgeGivenRoute(evidence, { from: current.version, to });
  const result = requireJudged(preflight);
  const decision = decide(result, failOn);
  const exitCode = exitCodeOfOutcome(decision);
  const by = judgedBy(evidence, judged);
  const document: PreflightDocument = {
    result,
    decision,
    failOn,
    hops: route.hops.length,
    fromSource: current.source,
    index: describeUsedIndex(evidence),
    judgedBy: by,
    facts: usedFacts(read),
  };
  await writeAnswer(
    {
      format,
      exitCode,
      options,
      leftOut,
      json: (leftOut) => renderUpgradePreflightJson(document, leftOut),
      answer: async () => (await import('../../answer/preflight.js')).answerOfPreflight(document),
    },
    context,
  );
  return exitCode;
}

/** The facts are given, and they are judged. */
function requireJudged(preflight: Preflight | undefined): Preflight {
  if (preflight === undefined) throw new Error('the facts were not judged');
  return preflight;
}

/** Prints SQL to be run elsewhere; no source is read. */
async function printSql(
  { sql, grants, migratingRole, measure }: UpgradePreflightOptions,
  { stdout, stderr }: CommandContext,
): Promise<ExitCode> {
  if (sql === true && grants === true) {
    throw new LightspanError('usage', '--sql and --grants print two scripts', {
      hint: 'Give one of the two.',
    });
  }
  if (grants === true) {
    const { grantsSql } = await import('../../sources/database/grants.js');
    stdout.write(grantsSql({ role: grantedRole }));
  } else {
    const { factsScript } = await import('../../sources/database/facts-script.js');
    stdout.write(factsScript({ migratingRole, measure }));
  }
  if (stdout.isTTY === true) {
    const name = grants === true ? 'grants' : 'sql';
    const file = grants === true ? 'grants.sql' : 'facts.sql';
    stderr.write(`To keep this script, redirect it: lightspan upgrade-preflight --${name} > ${file}\n`);
  }
  return exitCodes.yes;
}

/** The role that `--grants` creates. */
const grantedRole = 'lightspan';

/** The running version, as it is given; undefined if it is to be read from the database. */
async function currentVersion(
  options: UpgradePreflightOptions,
  context: CommandContext,
): Promise<Pick<CurrentVersion, 'version' | 'source'> | undefined> {
  if (options.fromDatabase !== true) return await findCurrentVersion(options, context);
  const given = [options.from, options.instance, options.fromFile].some((way) => way !== undefined);
  if (!given) return undefined;
  throw new LightspanError('usage', 'the running version is given in more than one way', {
    hint: 'Give one of --from <version>, --instance <url>, --from-file <file> and --from-database.',
  });
}
