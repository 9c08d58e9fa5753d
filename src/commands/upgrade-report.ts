import { extname } from 'node:path';
import type { Answer } from '../answer/answer.js';
import { factOfNoRelease } from '../answer/builders/no-release.js';
import { answerOfReport } from '../answer/builders/report.js';
import { timesOfHops } from '../answer/builders/route/hop-details.js';
import { withTarget } from '../answer/builders/target.js';
import { logText } from '../answer/formats/log-text.js';
import { plainPalette } from '../answer/formats/palette.js';
import {
  describeFormats,
  formatOfEnding,
  loadFormat,
  reportFormats,
  type WrittenFormat,
} from '../answer/formats/registry.js';
import type { ReportDocument } from '../answer/json/upgrade.js';
import { renderCurrentVersion } from '../answer/outputs/messages.js';
import { renderStrip } from '../answer/outputs/strip.js';
import { chooseTarget, noticeTarget } from '../app/choose-target.js';
import { deployOf, judgedBy, judgeGivenRoute, openEvidence } from '../app/evidence.js';
import { findCurrentVersion, statedFacts } from '../app/sources/current-version.js';
import { usedFacts } from '../app/sources/read-facts.js';
import { describeUsedIndex } from '../app/sources/read-index.js';
import { decide, withDecision } from '../checks/decision.js';
import { LightspanError } from '../core/lightspan-error.js';
import { buildReport } from '../core/report.js';
import { requireTargetAhead } from '../core/route/route.js';
import { printable } from '../core/text/printable.js';
import type { CommandLine } from '../door/command-line.js';
import { type CommandContext, packageVersion } from '../door/context.js';
import { defineCommand, type OptionsOf, type OptionTable } from '../door/declare.js';
import { type ExitCode, endings, exitCodeOfReport } from '../door/exit-codes.js';
import { checking } from '../door/options/checking-options.js';
import {
  artifacts,
  evidenceQuestionOf,
  knownIssues,
  project,
  rehearsalEvidence,
  sources,
} from '../door/options/evidence-options.js';
import {
  currentVersion,
  mannerOf,
  output,
  statedVersionOf,
  target,
  targetQuestionOf,
} from '../door/options/options.js';
import { wholeFile } from '../door/options/phrases.js';
import { writeWhole } from '../door/text-sink.js';
import { requireExitCode, textOf } from '../door/write-answer.js';
import { newestMigrationOf } from '../instance/ledger.js';
import { measuredHops } from '../instance/rehearsed.js';
import type { ReportQuestion } from '../question/route.js';
import type { SettingsOutcome } from '../question/settings.js';

const takes = {
  ...currentVersion,
  ...target,
  out: {
    flags: '--out <file>',
    group: 'output',
    description: `write the report ${wholeFile}`,
  },
  variables: {
    flags: '--variables <file>',
    group: 'evidence',
    brief: 'your variables: a .env file, or values.yaml#path',
    description:
      'the environment variables that you set, to show those to change first: a .env file, or ' +
      'values.yaml#path (names are read, values never shown)',
  },
  ...sources,
  ...knownIssues,
  ...rehearsalEvidence,
  ...project,
  ...checking,
  only: { ...checking.only, needs: ['facts'] },
  ...artifacts,
  ...output,
  format: {
    flags: '--format <format>',
    group: 'output',
    brief: describeFormats(reportFormats, true),
    description: `how the report is written, unless the ending of --out says it: ${describeFormats(reportFormats, false)}`,
    choices: reportFormats,
  },
} as const satisfies OptionTable;

type UpgradeReportOptions = OptionsOf<typeof takes>;

export const command = defineCommand({
  takes,
  notes: `The report is written whatever the answer is; the exit code is the answer. Artifacts that disagree with
the index are named in it, and are no yes; those that could not be read are counted, and change nothing. With --facts of an instance (upgrade-preflight --facts-out) it has what a preflight
finds in them, and --max-age limits their age, too.`,
  exitCodes: {
    0:
      'the index proves the whole span safe to roll in one step, and no artifact read contradicts it; with ' +
      '--facts, nothing in the instance stops it, and everything that can was checked',
    1:
      'it does not: a release is false or unknown, an artifact disagrees or cannot be trusted, or a rule ' +
      'forbids the direct upgrade; or something in the instance stops it',
    3:
      `something in the instance that can stop it was not checked; or ${endings.noIndexOrInstance}; or the report ` +
      'could not be written',
    4: endings.untrusted,
  },
  examples: [
    'lightspan upgrade-report --from 1.111.0 --to latest --out report.html',
    'lightspan upgrade-report --from 1.198.1 --to 2.134.2 --facts facts.json --only database --out r.html',
    'lightspan upgrade-report --from-file values.yaml --to 2.134.2 --variables .env --format markdown',
  ],
  namesSettings: 'always',
  run: upgradeReport,
});

function reportQuestionOf(
  options: UpgradeReportOptions,
  settings: SettingsOutcome,
  env: CommandContext['env'],
): ReportQuestion {
  return {
    variables: options.variables,
    running: statedVersionOf(options),
    target: targetQuestionOf(options),
    evidence: evidenceQuestionOf(options, settings, env, { isWanted: true }),
  };
}

async function upgradeReport(
  options: UpgradeReportOptions,
  context: CommandContext,
  { settings }: CommandLine,
): Promise<ExitCode> {
  const wanted = reportWantedOf(options);
  const { format, out, verbose } = wanted;
  const { running, target, variables, evidence: question } = reportQuestionOf(options, settings, context.env);
  const { stdout, stderr } = context;
  const variablesSet = variables === undefined ? undefined : await readVariablesSet(variables, context);
  const current = await findCurrentVersion(running, context);
  const from = current.version;
  if (running.by !== 'version') stderr.write(renderCurrentVersion(current));
  requireTargetAhead({ from, to: target.to });
  const stated = statedFacts(question.facts.stated, current.pinned);
  const source = await openEvidence({ ...question, facts: { ...question.facts, stated } }, context);
  const { index, leftOut, facts } = source;
  const chosen = await chooseTarget(source, from, target, context);
  const { to } = chosen;
  const { evidence, preflight: result, ...judged } = await judgeGivenRoute(source, { from, to });
  const { known, artifacts: outcomes = new Map() } = evidence;
  const newestMigration = known && newestMigrationOf(known.line, known.facts, from);
  const publisher = buildReport(index, { from, to, outcomes, variablesSet, newestMigration });
  const preflight =
    result && facts ? { result, decision: decide(result, 'stop'), facts: usedFacts(facts) } : undefined;
  // Without facts, nothing but a major is a no.
  const decision = preflight?.decision ?? (result && decide(result, 'stop'));
  const document: ReportDocument = {
    report: decision === undefined ? publisher : withDecision(publisher, decision),
    proven: publisher.safe,
    deploy: (await deployOf(stated, source, current.pinned)) ?? 'helm',
    refused: preflight === undefined ? result : undefined,
    times: known && timesOfHops(publisher.route.hops, known),
    measured:
      known && measuredHops(publisher.route.hops, { from, to: publisher.toVersion, facts: known.facts }),
    preflight,
    acceptedIssues: leftOut.acceptedIssues,
    replacedIssues: leftOut.replacedIssues,
    index: await describeUsedIndex(source),
    judgedBy: judgedBy(source, judged),
    demands: source.demandsOf({ from, to: publisher.toVersion }),
    madeAt: context.now(),
    madeBy: `lightspan ${packageVersion}`,
  };
  const noRelease = factOfNoRelease(index, { from, to: publisher.toVersion });
  const exitCode = exitCodeOfReport(publisher.safe, decision);
  const answer = withTarget(answerOfReport(document, { verbose, noRelease }), chosen.words);
  if (format === 'json') noticeTarget(chosen, context);
  requireExitCode(answer, exitCode);
  const text =
    format === 'json'
      ? (await import('../answer/json/upgrade.js')).renderUpgradeReportJson(document)
      : await render(answer, { ...wanted, format, exitCode }, context);
  if (out === undefined) stdout.write(text);
  else {
    await writeWhole(out, text);
    // A user of a pipeline sees only this.
    stderr.write(`Report written to ${printable(out)}\nAnswer: ${answer.headline.text}\n`);
  }
  return exitCode;
}

/** How the report is written, and where to: a file; undefined: standard output. */
type ReportWanted = ReturnType<typeof reportWantedOf>;

/** The ending of the file decides where no format is named. A contradiction of the two is refused. */
function reportWantedOf(options: UpgradeReportOptions) {
  const { out } = options;
  const ending = extname(out ?? '').toLowerCase();
  const byEnding = formatOfEnding(ending, reportFormats);
  const manner = mannerOf(options, byEnding);
  if (byEnding === undefined || byEnding === manner.format) return { ...manner, out };
  throw new LightspanError('usage', `--out ends in ${ending}, but ${manner.format} is requested`, {
    hint: 'Leave out the format, or name the file differently.',
  });
}

async function readVariablesSet(
  source: string,
  { stdin }: Pick<CommandContext, 'stdin'>,
): Promise<ReadonlySet<string>> {
  const { parseEnvLocation, readVariableNames } = await import('../gather/files/variables.js');
  const { readInputText } = await import('../gather/files/read-file.js');
  const location = parseEnvLocation(source);
  const text = await readInputText({ source: location.file, stdin, what: 'environment file' });
  return readVariableNames(text, location);
}

async function render(
  answer: Answer,
  wanted: ReportWanted & { readonly format: WrittenFormat; readonly exitCode: ExitCode },
  context: CommandContext,
): Promise<string> {
  const { report } = answer;
  const { format, exitCode, out, verbose, color } = wanted;
  if (format !== 'text' || out !== undefined) {
    const { write } = await loadFormat(format);
    return write(answer, { exitCode, text: { palette: plainPalette, verbose, width: undefined } });
  }
  const text = await textOf(answer, exitCode, { verbose, color }, context, async (drawn) =>
    report === undefined ? [] : renderStrip(report.span, drawn),
  );
  // There is no --format github here: only the environment shows that a runner of GitHub reads it.
  return context.env.GITHUB_ACTIONS === 'true' ? logText(text) : text;
}
