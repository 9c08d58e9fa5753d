import type { FindingFields } from '../answer/json/answer-schemas.js';
import type { JudgedBy } from '../answer/words/judged-by.js';
import { acceptancesOf } from '../app/acceptances.js';
import {
  describeStops,
  type EvidenceSource,
  type JudgedSpan,
  judgedBy,
  judgeGivenSpan,
  noticeReasons,
  openEvidence,
} from '../app/evidence.js';
import { changeOptions, pairPinsOf, readSides } from '../app/pin-sides.js';
import { describeUsedIndex, leftOutBy } from '../app/read-index.js';
import type { SettingsOptions } from '../app/settings/in-force.js';
import { chooseFormat } from '../cli/choose-format.js';
import type { CommandContext } from '../cli/context.js';
import { defineCommand, type OptionsOf, type OptionTable } from '../cli/declare.js';
import { type ExitCode, exitCodeOfAnswer } from '../cli/exit-codes.js';
import { describeAccept, judging, output } from '../cli/options.js';
import { scanFormat, writeAnswer } from '../cli/write-answer.js';
import { latestVersionOf } from '../core/index/index-summary.js';
import { judgeRoute, rollsInOneStep } from '../core/judge.js';
import {
  acceptableFindings,
  comparePin,
  type JudgedPin,
  judgeMove,
  judgeRename,
  type PinFinding,
  type PinQuestion,
  passes,
  pinCheckOf,
  versionOf,
} from '../core/pins.js';
import { findNoRelease } from '../core/route/no-release.js';
import { issuesOfInstalling } from '../core/span.js';
import type { Demands } from '../known-issues/demands.js';

const takes = {
  ...changeOptions,
  ...judging,
  accept: {
    ...judging.accept,
    description: describeAccept(
      '; also recreate (one direct upgrade with a short downtime), added (a new installation), removed, renamed (the same deployment, in a file of another name)',
    ),
  },
  ...output,
  ...scanFormat,
} as const satisfies OptionTable;

export type PinCheckOptions = OptionsOf<typeof takes> & SettingsOptions;

export const command = defineCommand({
  takes,
  notes:
    'Both sides are read from git, as they are committed or staged. If no pin moves, no index is fetched.',
  exitCodes: {
    0: 'every pin stays as it is, is proven safe to roll in one step, or is accepted by name',
    1: 'one of them is not, or cannot be judged, or the facts of --facts stop it',
    2: 'the request is wrong, a --pin matches nothing, or something that the change touches may move Lightdash and is explained by no pin',
    3: 'no index is available, or git cannot show both sides: a commit or a file is missing, as in a shallow or partial clone',
    4: 'the index cannot be trusted',
  },
  examples: [
    "lightspan pin-check --base origin/main --pin 'envs/*/values.yaml#image.tag' --pin 'compose.yaml#services.*.image'",
    "lightspan pin-check --base HEAD --staged --pin 'values.yaml#image.tag' --accept recreate",
  ],
  run: pinCheck,
});

type PinOfInstance = JudgedPin<FindingFields>;
type Told = Pick<PinOfInstance, 'finding' | 'stops' | 'firstHop' | 'rollsTo' | 'noRelease'>;

/** `lightspan pin-check`: exit 0 only if each pin of a change stays the same, is proven, or is accepted by name. */
export async function pinCheck(options: PinCheckOptions, context: CommandContext): Promise<ExitCode> {
  const format = chooseFormat(options);
  const { accept = [] } = options;
  const accepted = new Set(acceptableFindings.filter((finding) => accept.includes(finding)));
  const isFinding = (name: string): boolean => acceptableFindings.some((finding) => finding === name);
  const sides = await readSides(options, context);
  const { pairs, looked } = await pairPinsOf(options, sides);
  const judging = { ...options, accept: accept.filter((name) => !isFinding(name)) };

  // Read when the first pin needs it: a change that moves none needs no network.
  let source: EvidenceSource | undefined;
  /** By span: many pins move alike, and count once. */
  const spans = new Map<string, Told & { readonly judgement: JudgedSpan }>();
  const demands: Demands[] = [];
  const judge = async (question: PinFinding | PinQuestion): Promise<Told> => {
    if (question.kind !== 'moved' && question.kind !== 'appeared') return { finding: question, stops: [] };
    source ??= await openEvidence(judging, context);
    if (question.kind === 'appeared') {
      const { version } = question;
      const { result: check } = await judgeGivenSpan(source, { from: version, to: version }, context);
      const issues = issuesOfInstalling(source.index, version);
      return { finding: { kind: 'added', check, issues }, stops: [] };
    }
    const { from, to } = question;
    const span = `${from} ${to}`;
    const known = spans.get(span);
    if (known !== undefined) return known;
    const judgement = await judgeGivenSpan(source, { from, to }, context);
    demands.push(source.demandsOf({ from, to }));
    const { evidence } = judgement;
    const firstHop = () => judgeRoute(evidence, { from, to }).route.hops[0];
    const rollsTo = () => rollsInOneStep(evidence, from);
    const { index } = source;
    const noRelease = () => findNoRelease(index, { from, to });
    const stops = await describeStops(judgement.stops);
    const told = { finding: judgeMove(evidence, judgement), stops, firstHop, rollsTo, noRelease };
    spans.set(span, { ...told, judgement });
    return told;
  };

  const pins: PinOfInstance[] = [];
  for (const pair of pairs) {
    const told = await judge(comparePin(pair.before, pair.after, pair.facts));
    const { stops, firstHop, rollsTo, noRelease } = told;
    const finding = judgeRename(told.finding, pair.previousFile, accepted);
    pins.push({
      ...pair.place,
      previousFile: pair.previousFile,
      from: versionOf(pair.before),
      to: versionOf(pair.after),
      ...{ finding, stops },
      ...(firstHop && { firstHop, rollsTo, noRelease }),
      passes: passes(finding, accepted),
    });
  }
  const { files, ignored } = looked;
  const lookedAt = { files: files.length, ignored };
  const check = pinCheckOf(pins, {
    ...{ before: sides.before, after: sides.after, accepted: [...accepted], lookedAt },
  });
  const exitCode = exitCodeOfAnswer(check.passes);
  const judged = [...spans.values()].map(({ judgement }) => judgement);
  const sum = (of: 'read' | 'of') => judged.reduce((all, { artifacts }) => all + artifacts[of], 0);
  const found = judged.flatMap((judgement) => judgement.accepted);
  const by =
    source === undefined
      ? { ...byFilesAlone, ...(options.settingsUsed && { settings: options.settingsUsed }) }
      : judgedBy(source, { artifacts: { read: sum('read'), of: sum('of') }, accepted: found });
  if (format === 'json') {
    const results = pins.flatMap(({ finding }) => ('check' in finding ? [finding.check] : []));
    await noticeReasons(results, [], by, context, demands);
  }
  await writeAnswer(
    {
      format,
      exitCode,
      options,
      leftOut: source?.leftOut ?? leftOutBy(options, await acceptancesOf(judging, context.now())).leftOut,
      json: async (leftOut) =>
        (await import('../answer/json/upgrade.js')).renderPinCheckJson(check, {
          index: source === undefined ? null : await describeUsedIndex(source),
          leftOut,
          judgedBy: by,
          searched: looked.searches ? { files, notRead: [] } : null,
          lookedAt: { files, ignored },
        }),
      answer: async () =>
        (await import('../answer/builders/pins.js')).answerOfPins(check, {
          verbose: options.verbose === true,
          latestVersion: source === undefined ? undefined : latestVersionOf(source.index),
          judgedBy: by,
          demands,
        }),
    },
    context,
  );
  return exitCode;
}

const byFilesAlone: JudgedBy = { index: null, knownIssues: null, artifacts: { read: 0, of: 0 }, facts: null };
