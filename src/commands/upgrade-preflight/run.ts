import { LightspanError } from '../../errors.js';
import { type ExitCode, exitCodeOfOutcome, exitCodes } from '../../exit-codes.js';
import { checks } from '../../preflight/checks.js';
import { decide, type FailOn } from '../../preflight/decision.js';
import { knownEdition } from '../../preflight/known-edition.js';
import { runChecks } from '../../preflight/run-checks.js';
import { planRoute, requireTargetAhead } from '../../release-safety/route.js';
import type { RouteTarget } from '../../release-safety/route-target.js';
import { issuesOf } from '../../release-safety/span.js';
import { renderUpgradePreflightJson } from '../../render/json/upgrade-preflight.js';
import type { PreflightDocument } from '../../render/preflight/document.js';
import { renderUpgradePreflightText } from '../../render/text/upgrade-preflight.js';
import { choosePalette } from '../colour.js';
import { type CommandContext, widthOf } from '../context.js';
import { type CurrentVersion, findCurrentVersion } from '../current-version.js';
import { chooseFormat, type FormatOptions, writeAnswer } from '../gate-format.js';
import type { KnownIssueOptions } from '../known-issue-options.js';
import { openArtifacts } from '../read-artifacts.js';
import { readIndexAndKnownIssues } from '../read-known-issues.js';
import { loadLine, placeInDatabase } from '../release-line.js';

import type {
  ArtifactOptions,
  CurrentVersionOptions,
  OutputOptions,
  SourceOptions,
} from '../shared-options.js';
import { describeUsedIndex } from '../used-index.js';
import { chooseChecks } from './choose-checks.js';
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
  const only = options.only === undefined ? undefined : chooseChecks(options.only);
  const stated = await currentVersion(options, context);
  requireTargetAhead({ from: stated?.version, to });
  const { file, source, ageMs } = await readFacts(options, context);
  const loaded = await readIndexAndKnownIssues(options, context, file);
  const { index, leftOut } = loaded;
  const load = await openArtifacts(options, context);
  const { facts } = file;
  const edition = knownEdition(facts);
  const current = stated ?? (await placeInDatabase(index, facts, edition, load));
  const { fromVersion, toVersion, hops } = planRoute(index, { from: current.version, to });
  const span = { from: fromVersion, to: toVersion };
  const line = await loadLine(index, span, load, facts.ledger);
  const issues = options.publisherOnly === true ? undefined : issuesOf(index, span);
  const input = { ...span, line, issues, diskFree: options.diskFree, edition, facts };
  const result = runChecks(checks, input, only);
  const decision = decide(result, failOn);
  const exitCode = exitCodeOfOutcome(decision);
  const document: PreflightDocument = {
    result,
    decision,
    failOn,
    hops: hops.length,
    fromSource: current.source,
    index: describeUsedIndex(loaded),
    facts: { source, collectedAt: file.collectedAt, ageMs },
  };
  await writeAnswer(
    {
      format,
      exitCode,
      leftOut,
      json: (leftOut) => renderUpgradePreflightJson(document, leftOut),
      text: async () =>
        renderUpgradePreflightText(document, {
          palette: await choosePalette(options, context),
          width: widthOf(context.stdout),
        }),
      gate: async () => {
        const { gateAnswerOfPreflight } = await import('../../render/gate/preflight.js');
        return gateAnswerOfPreflight(document);
      },
    },
    context,
  );
  return exitCode;
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
