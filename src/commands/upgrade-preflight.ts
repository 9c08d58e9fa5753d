import { withTarget } from '../answer/builders/target.js';
import { type PreflightDocument, renderUpgradePreflightJson } from '../answer/json/upgrade.js';
import { chooseTarget, noticeTarget } from '../app/choose-target.js';
import { deployOf, judgedBy, judgeGivenRoute, openEvidence } from '../app/evidence.js';
import { placeInDatabase } from '../app/see-instance.js';
import { composeFilesIn } from '../app/settings/files-beside.js';
import { findCurrentVersion } from '../app/sources/current-version.js';
import { readFacts, usedFacts } from '../app/sources/read-facts.js';
import { describeUsedIndex } from '../app/sources/read-index.js';
import { decide } from '../checks/decision.js';
import { requireTargetAhead } from '../core/route/route.js';
import { commandWith, optionsNamed, withoutOptions } from '../core/text/quoted-words.js';
import type { UsersWords } from '../door/command-line.js';
import type { CommandContext } from '../door/context.js';
import { defineCommand } from '../door/declare.js';
import { type ExitCode, exitCodeOfOutcome, exitCodes } from '../door/exit-codes.js';
import { checking } from '../door/options/checking-options.js';
import {
  database,
  deployment,
  factsQuestionOf,
  migratingRole,
  readingOf,
} from '../door/options/deployment-options.js';
import {
  artifacts,
  evidenceQuestionOf,
  failing,
  issueExceptions,
  issueSources,
  project,
  rehearsalEvidence,
  sources,
  statedFact,
} from '../door/options/evidence-options.js';
import {
  answerWantedOf,
  currentVersion,
  gateFormat,
  output,
  statedVersionOf,
  target,
  targetQuestionOf,
} from '../door/options/options.js';
import { fileOrInput } from '../door/options/phrases.js';
import { type AnswerWanted, writeAnswer } from '../door/write-answer.js';
import { deploymentOf } from '../instance/deployment.js';
import type { DeployKind } from '../instance/facts/fact-names.js';
import type { ObservedFacts } from '../instance/facts/facts-schema.js';
import { seenValue } from '../instance/facts/needs.js';
import { knownEdition } from '../instance/ledger.js';
import type { DeploymentSources } from '../question/facts.js';
import type { PreflightQuestion } from '../question/preflight.js';
import type { SettingsOutcome } from '../question/settings.js';

export const command = defineCommand({
  takes: {
    ...currentVersion,
    fromDatabase: {
      flags: '--from-database',
      group: 'question',
      brief: 'or: derive it from the migrations in the database',
      description: 'or: derive it from the migrations that the database has run',
      conflicts: ['from', 'instance', 'fromFile'],
    },
    ...target,
    database: { ...database.database, conflicts: 'offline' },
    ...migratingRole,
    measure: {
      flags: '--no-measure',
      group: 'evidence',
      rare: true,
      description: 'do not measure how fast the server reads and sorts (at most two seconds)',
    },
    factsOut: {
      flags: '--facts-out <file>',
      group: 'output',
      description: 'write the facts to a file, to judge them elsewhere',
      needs: ['database', 'kubernetes', 'manifests', 'values', 'compose'],
    },
    facts: {
      flags: '--facts <file>',
      group: 'evidence',
      brief: 'or: judge the output of --facts-out or --sql',
      description: `or: judge facts collected earlier, on any machine: ${fileOrInput}`,
      conflicts: 'database',
    },
    sql: {
      flags: '--sql',
      group: 'output',
      brief: 'print the script for psql that collects these facts',
      description: 'only print the script for psql -X -A -t whose output is such a file',
    },
    grants: {
      flags: '--grants',
      group: 'output',
      brief: 'print SQL that creates the least privileged role',
      description: 'only print SQL that creates the least privileged role that sees everything',
      conflicts: 'sql',
    },
    ...statedFact,
    ...checking,
    failOn: {
      flags: '--fail-on <level>',
      group: 'question',
      brief: 'what ends in exit 1: stop (default), warn or major',
      description:
        'the lowest level that ends in exit 1; major: what stops, and a major unless its notes list nothing to do, or ' +
        'you accept it',
      choices: ['stop', 'warn', 'major'],
      setting: failing.failOn.setting,
      default: 'stop',
    },
    ...deployment,
    ...issueSources,
    ...project,
    ...issueExceptions,
    ...sources,
    ...rehearsalEvidence,
    ...artifacts,
    ...output,
    ...gateFormat,
  },
  notes: `Every check is in the answer; --verbose lists those in order too. What was not checked is never ok: if it could stop the upgrade, the answer is NOT KNOWN.
--max-age limits the age of the facts as well as that of the index.`,
  exitCodes: {
    0: 'no requested check stops the upgrade, and all that can stop it was checked',
    1: 'something stops it; with --fail-on warn, also a warning; with --fail-on major, also a major that asks for something',
    3:
      'nothing stops it, but something that can was not checked; or there is no index, no answer from the ' +
      'instance, no database or no cluster',
    4: 'the index, facts, manifests, or answers of the database cannot be trusted',
  },
  examples: [
    'lightspan upgrade-preflight --from-database --to latest --database env --facts-out facts.json',
    'lightspan upgrade-preflight --sql > facts.sql',
    'lightspan upgrade-preflight --from 1.198.1 --to 2.134.2 --facts facts.json --index ./mirror',
    'lightspan upgrade-preflight --from 1.198.1 --to latest --database env --kubernetes --namespace bi',
    'lightspan upgrade-preflight --from 1.198.1 --to latest --manifests manifests.yaml --only deployment',
    'lightspan upgrade-preflight --from-database --to latest --facts facts.json --only database --disk-free 40GiB',
  ],
  namesSettings: 'always',
  run: async (options, context, { settings, words }) => {
    if (options.grants === true) {
      context.stdout.write((await import('../gather/database/grants.js')).grantsSql('lightspan'));
      return exitCodes.yes;
    }
    if (options.sql === true) {
      const { factsScript } = await import('../gather/database/facts-script.js');
      context.stdout.write(factsScript(readingOf(options)));
      return exitCodes.yes;
    }
    const wanted = answerWantedOf(options, words);
    const question: PreflightQuestion = {
      running: options.fromDatabase === true ? { by: 'database' } : statedVersionOf(options, true),
      target: targetQuestionOf(options),
      facts: factsQuestionOf(options),
      // With `major`, the check of majors stops.
      failOn: options.failOn === 'warn' ? 'warn' : 'stop',
      evidence: evidenceQuestionOf(options, settings, context.env, { isWanted: true }),
    };
    return await preflight(question, wanted, settings.deployedBy, context);
  },
});

async function preflight(
  question: PreflightQuestion,
  wanted: AnswerWanted,
  deployedBy: SettingsOutcome['deployedBy'],
  context: CommandContext,
): Promise<ExitCode> {
  const { running, target, failOn } = question;
  const stated = running.by === 'database' ? undefined : await findCurrentVersion(running, context);
  requireTargetAhead({ from: stated?.version, to: target.to });
  const read = await readFacts(question.facts, context);
  const source = await openEvidence(question.evidence, context, { facts: read, instance: true });
  const { index, leftOut, load } = source;
  const { facts } = read.file;
  const current = stated ?? (await placeInDatabase(index, facts, knownEdition(facts), load, target.to));
  const chosen = await chooseTarget(source, current.version, target, context);
  if (wanted.format === 'json') noticeTarget(chosen, context);
  const { to } = chosen;
  const {
    route,
    preflight: result,
    ...judged
  } = await judgeGivenRoute(source, { from: current.version, to });
  if (result === undefined) throw new Error('the facts were not judged');
  const decision = decide(result, failOn);
  const exitCode = exitCodeOfOutcome(decision);
  const { collectInService } = await import('../steps/collect-in-service.js');
  const document: PreflightDocument = {
    result,
    decision,
    failOn,
    hops: route.hops.length,
    fromSource: current.source,
    index: await describeUsedIndex(source),
    judgedBy: judgedBy(source, judged),
    demands: source.demandsOf(result),
    facts: usedFacts(read),
    collectInService: collectInService(facts),
  };
  const { words } = wanted;
  const pinned = stated?.pinned ?? [];
  const tool = deployedBy ?? (await deployOf(question.evidence.facts.stated, source, pinned));
  await writeAnswer(
    {
      wanted,
      exitCode,
      leftOut,
      json: (leftOut) => renderUpgradePreflightJson(document, leftOut),
      answer: async () => {
        const { answerOfPreflight, deploymentWay } = await import('../answer/builders/preflight.js');
        const { factOfNoRelease } = await import('../answer/builders/no-release.js');
        const answer = answerOfPreflight(document, factOfNoRelease(index, result), {
          again: (more) => commandAgain(words.all, more, question.facts.deployment),
          steps: commandWith(
            ['upgrade-plan', '--from', result.from, '--to', result.to, ...evidenceNext(question, words)],
            stepsFor(facts, deployedBy, tool),
          ),
          deployment: {
            ...deploymentWay(tool, composeFilesIn(words.all, pinned)),
            mayAskForKeys: wasReadWithoutKeys(question.facts.deployment),
          },
          isRecorded: question.facts.file !== undefined,
        });
        return withTarget(answer, chosen.words);
      },
    },
    context,
  );
  return exitCode;
}

function wasReadWithoutKeys({ kubernetes, secretKeys }: DeploymentSources = {}): boolean {
  return kubernetes === true && secretKeys !== true;
}

/** The evidence of the plan that comes next: in place of facts that were read, those that were written. */
function evidenceNext({ facts: { out } }: PreflightQuestion, { evidence }: UsersWords): readonly string[] {
  if (out === undefined) return evidence;
  return [...withoutOptions(evidence, '--facts'), '--facts', out];
}

/** A plan refuses steps for helm if something else applies the objects; and those of no chart have no values. */
function stepsFor(
  facts: ObservedFacts,
  named: DeployKind | undefined,
  tool: DeployKind | undefined,
): readonly string[] {
  const isOfNoChart = facts.helm?.status === 'absent' && seenValue(facts.deployment)?.kind === 'kubernetes';
  const isOfOther = deploymentOf(facts).appliedBy !== undefined || (named === undefined && isOfNoChart);
  return isOfOther ? [] : ['--deploy', tool ?? 'helm'];
}

/**
 * Some of its options exclude others: then what is missing is named without a command. Beside facts of a file, settings
 * name no deployment: what they named is named on the command line.
 */
function commandAgain(
  words: readonly string[],
  more: readonly string[],
  deployment: DeploymentSources = {},
): string | undefined {
  const excludes = more.includes('--database') && words.some((word) => /^--(facts|offline)\b/.test(word));
  if (excludes) return undefined;
  return commandWith(words, [...more, ...(more.includes('--facts') ? optionsOf(deployment, words) : [])]);
}

/** The options for these sources that a command line does not have. */
function optionsOf(
  { values = [], compose = [], composeEnvFile = [] }: DeploymentSources,
  words: readonly string[],
): readonly string[] {
  const files = Object.entries({
    '--values': values,
    '--compose': compose,
    '--compose-env-file': composeEnvFile,
  });
  return files
    .filter(([option]) => optionsNamed(words, option).length === 0)
    .flatMap(([option, names]) => names.flatMap((name) => [option, name]));
}
