import { describeFormats, scanFormats } from '../answer/formats/registry.js';
import { acceptancesOf } from '../app/acceptances.js';
import { createPinJudge, type PinOfInstance } from '../app/change/judge-pins.js';
import { pairPinsOf, readSidesOfChange } from '../app/change/pin-sides.js';
import { isPinOfCompose } from '../app/deployed-by.js';
import { noticeReasons } from '../app/evidence.js';
import { describeUsedIndex, leftOutBy, readRecords, requireKnown } from '../app/sources/read-index.js';
import { latestVersionOf } from '../core/index/index-summary.js';
import { checkOfFinding, comparePin, judgeRename, passes, pinCheckOf, versionOf } from '../core/pins.js';
import { optionsNamed } from '../core/text/quoted-words.js';
import type { CommandLine } from '../door/command-line.js';
import type { CommandContext } from '../door/context.js';
import { defineCommand, type OptionsOf, type OptionTable } from '../door/declare.js';
import { type ExitCode, exitCodeOfAnswer, factsUnread } from '../door/exit-codes.js';
import { changeOptions, changeQuestionOf } from '../door/options/change-options.js';
import { describeAccept, judging } from '../door/options/evidence-options.js';
import { answerWantedOf, gateFormat, output } from '../door/options/options.js';
import { writeAnswer } from '../door/write-answer.js';
import type { EvidenceQuestion } from '../question/evidence.js';
import type { JudgedBy } from '../words/evidence/judged-by.js';
import type { LeftOut } from '../words/evidence/notices.js';

const takes = {
  ...changeOptions,
  ...judging,
  accept: {
    ...judging.accept,
    description: describeAccept(
      '; also recreate (one direct upgrade with a short downtime), added (a new installation), removed, ' +
        'renamed (the same deployment, in a file of another name)',
    ),
  },
  ...output,
  format: {
    ...gateFormat.format,
    brief: describeFormats(scanFormats, true),
    description: `how the answer is written: ${describeFormats(scanFormats, false)}`,
    choices: scanFormats,
  },
} as const satisfies OptionTable;

type PinCheckOptions = OptionsOf<typeof takes>;

export const command = defineCommand({
  takes,
  notes: 'Both sides are read from git, as committed or staged. If no pin moves, no index is fetched.',
  exitCodes: {
    0: 'every pin stays as it is, is proven safe to roll in one step, or is accepted by name',
    1: 'a pin is not, or cannot be judged, or the facts of --facts stop it',
    2:
      'the request is wrong, a --pin matches nothing, or the change touches something that may move ' +
      'Lightdash and that no pin explains',
    3:
      'no index is available, or git cannot show both sides: a commit or a file is missing, as in a shallow ' +
      `or partial clone; or ${factsUnread('a move')}`,
    4: 'the index cannot be trusted',
  },
  examples: [
    "lightspan pin-check --base origin/main --pin 'envs/*/values.yaml#image.tag' --pin 'compose.yaml#services.*.image'",
    "lightspan pin-check --base HEAD --staged --pin 'values.yaml#image.tag' --accept recreate",
  ],
  namesSettings: 'always',
  run: pinCheck,
});

/** `lightspan pin-check`: exit 0 only if each pin of a change stays the same, is proven, or is accepted by name. */
async function pinCheck(
  options: PinCheckOptions,
  context: CommandContext,
  { settings, words }: CommandLine,
): Promise<ExitCode> {
  const wanted = answerWantedOf(options, words);
  const question = changeQuestionOf(options, settings, context.env);
  const { accepted } = question;
  const sides = await readSidesOfChange(question.sides, context);
  const { pairs, looked } = await pairPinsOf(question, sides);
  const pinJudge = createPinJudge(question.evidence, context);

  const pins: PinOfInstance[] = [];
  for (const pair of pairs) {
    const judged = await pinJudge.judge(comparePin(pair.before, pair.after, pair.facts));
    const finding = judgeRename(judged.finding, pair.previousFile, accepted);
    pins.push({
      ...pair.place,
      previousFile: pair.previousFile,
      isOfCompose: isPinOfCompose(pair.place, question.evidence.facts.stated, pinJudge.source?.facts),
      from: versionOf(pair.before),
      to: versionOf(pair.after),
      ...judged,
      finding,
      passes: passes(finding, accepted),
    });
  }
  const { files, ignored } = looked;
  const lookedAt = { files: files.length, isOfNamedPins: !looked.searches, ignored };
  const check = pinCheckOf(pins, {
    ...{ before: sides.before, after: sides.after, accepted: [...accepted], lookedAt },
  });
  const { source } = pinJudge;
  const demands = pinJudge.demands();
  const by = pinJudge.judgedBy() ?? {
    ...byFilesAlone,
    ...(settings.used && { settings: settings.used }),
  };
  if (wanted.format === 'json') {
    const results = pins.flatMap(({ finding }) => checkOfFinding(finding) ?? []);
    await noticeReasons(results, [], by, context, demands);
  }
  const exitCode = exitCodeOfAnswer(check.passes);
  await writeAnswer(
    {
      wanted,
      exitCode,
      leftOut: source?.leftOut ?? (await leftOutWithoutIndex(question.evidence, context)),
      json: async (leftOut) =>
        (await import('../answer/json/upgrade.js')).renderPinCheckJson(check, {
          index: source === undefined ? null : await describeUsedIndex(source),
          leftOut,
          judgedBy: by,
          searched: looked.searches ? { files, notRead: [] } : null,
          lookedAt: { files, ignored },
        }),
      answer: async () => {
        const { answerOfPins } = await import('../answer/builders/pins.js');
        const answer = answerOfPins(check, {
          verbose: wanted.verbose,
          latestVersion: source === undefined ? undefined : latestVersionOf(source.index),
          judgedBy: by,
          demands,
          evidence: optionsNamed(words.evidence, ...judgedByInPlan),
        });
        const { withInstance } = await import('../answer/builders/instance/question.js');
        return withInstance(answer, await pinJudge.unchecked());
      },
    },
    context,
  );
  return exitCode;
}

/** What is left out where nothing moves: a name that is accepted is still one that exists. */
async function leftOutWithoutIndex(
  { accepting, records, index, network }: EvidenceQuestion,
  context: CommandContext,
): Promise<LeftOut> {
  const acceptances = await acceptancesOf(accepting, records.publisherOnly, context.now());
  if (acceptances.inForce.some(({ kind, reason }) => kind === 'issue' && reason === null)) {
    const { issues } = await readRecords(records.sources, index, network, context);
    await requireKnown(acceptances, issues);
  }
  return leftOutBy(records, acceptances).leftOut;
}

/** What a plan takes too: of what is accepted here, it does not know some. */
const judgedByInPlan = ['--index', '--known-issues', '--facts', '--fact', '--artifact-url', '--settings'];

const byFilesAlone: JudgedBy = { index: null, knownIssues: null, artifacts: { read: 0, of: 0 }, facts: null };
