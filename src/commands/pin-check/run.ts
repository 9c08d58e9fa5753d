import { type ExitCode, exitCodeOfAnswer } from '../../exit-codes.js';
import { latestVersionOf } from '../../release-safety/index-summary.js';
import {
  type AcceptableFinding,
  comparePin,
  type JudgedPin,
  judgeMove,
  judgeRename,
  type PinFinding,
  type PinQuestion,
  passes,
  pinCheckOf,
  versionOf,
} from '../../release-safety/pin-change.js';
import { issuesOfInstalling } from '../../release-safety/span.js';
import type { FindingFields } from '../../render/json/answer-schemas.js';
import { renderPinCheckJson } from '../../render/json/pin-check.js';
import { renderPinCheckText } from '../../render/text/pin-check.js';
import { renderPinSearch } from '../../render/text/pin-search.js';
import type { JudgedBy } from '../../render/words/judged-by.js';
import { findPinsOfChange } from '../../sources/changed-pins.js';
import { findPins } from '../../sources/found-pins.js';
import { pairPins } from '../../sources/pin-pairs.js';
import { choosePalette } from '../colour.js';
import type { CommandContext } from '../context.js';
import { type EvidenceSource, judgedBy, openEvidence } from '../evidence.js';
import { chooseFormat, type FormatOptions, writeAnswer } from '../gate-format.js';
import { describeStops, type JudgedSpan, judgeGivenSpan, noticeReasons } from '../judge.js';
import type { JudgeOptions } from '../judge-options.js';
import { leftOutBy } from '../read-known-issues.js';
import type { OutputOptions } from '../shared-options.js';
import { describeUsedIndex } from '../used-index.js';
import { choosePatterns, type PatternOptions, requireFound, requireSomeFound } from './patterns.js';
import { readSides, type SideOptions } from './sides.js';

export type PinCheckOptions = SideOptions &
  PatternOptions &
  JudgeOptions &
  OutputOptions &
  FormatOptions & { readonly tagSuffix?: string; readonly accept?: readonly AcceptableFinding[] };

type PinOfInstance = JudgedPin<FindingFields>;

/** `lightspan pin-check`: exit 0 only if each pin of a change stays the same, is proven, or is accepted by name. */
export async function pinCheck(options: PinCheckOptions, context: CommandContext): Promise<ExitCode> {
  const format = chooseFormat(options);
  const { tagSuffix, accept = [] } = options;
  const accepted = new Set(accept);
  const sides = await readSides(options, context);
  const find = async () => {
    const patterns = await choosePatterns(options, sides);
    if (patterns === undefined) {
      const changed = await findPinsOfChange(sides.beforeTree, sides.afterTree, {
        tagSuffix,
        isGiven: options.after !== undefined,
      });
      context.stderr.write(renderPinSearch(changed));
      requireSomeFound(changed);
      return changed;
    }
    const before = await findPins(sides.beforeTree, patterns, { tagSuffix });
    const after = await findPins(sides.afterTree, patterns, { tagSuffix });
    requireFound(patterns, [...before, ...after]);
    return { patterns, before, after };
  };
  const { patterns, before, after } = await find().finally(sides.close);

  // Read when the first pin needs it: a change that moves none needs no network.
  let source: EvidenceSource | undefined;
  const judgements: JudgedSpan[] = [];
  const judge = async (
    question: PinFinding | PinQuestion,
  ): Promise<Pick<PinOfInstance, 'finding' | 'stops'>> => {
    if (question.kind !== 'moved' && question.kind !== 'appeared') return { finding: question, stops: [] };
    source ??= await openEvidence(options, context);
    if (question.kind === 'appeared') {
      const { version, copiedFrom } = question;
      const { result: check } = await judgeGivenSpan(source, { from: version, to: version }, context);
      const issues = issuesOfInstalling(source.index, version);
      return { finding: { kind: 'added', copiedFrom, check, issues }, stops: [] };
    }
    const { from, to } = question;
    const judged = await judgeGivenSpan(source, { from, to }, context);
    judgements.push(judged);
    return { finding: judgeMove(judged.evidence, judged), stops: await describeStops(judged.stops) };
  };

  const pins: PinOfInstance[] = [];
  for (const pair of pairPins(before, after, sides.moves, patterns)) {
    const { finding: judged, stops } = await judge(comparePin(pair.before, pair.after, pair.facts));
    const finding = judgeRename(judged, pair.previousFile, accepted);
    pins.push({
      ...pair.place,
      previousFile: pair.previousFile,
      from: versionOf(pair.before),
      to: versionOf(pair.after),
      finding,
      stops,
      passes: passes(finding, accepted),
    });
  }
  const check = pinCheckOf(pins, {
    before: sides.before,
    after: sides.after,
    accepted: [...accepted],
  });
  const exitCode = exitCodeOfAnswer(check.passes);
  const by = source === undefined ? byFilesAlone : judgedBy(source, sumOf(judgements));
  if (format === 'json') {
    const results = pins.flatMap(({ finding }) => ('check' in finding ? [finding.check] : []));
    await noticeReasons(results, [], context);
  }
  await writeAnswer(
    {
      format,
      exitCode,
      leftOut: source?.leftOut ?? leftOutBy(options),
      judgedBy: by,
      json: (leftOut) =>
        renderPinCheckJson(check, {
          index: source === undefined ? null : describeUsedIndex(source),
          leftOut,
          judgedBy: by,
        }),
      text: async () =>
        renderPinCheckText(check, {
          palette: await choosePalette(options, context),
          verbose: options.verbose === true,
          latestVersion: source === undefined ? undefined : latestVersionOf(source.index),
          judgedBy: by,
        }),
      gate: async () => (await import('../../render/gate/pin-check.js')).gateAnswerOfPins(check),
    },
    context,
  );
  return exitCode;
}

/** No pin moved: nothing but the files was needed. */
const byFilesAlone: JudgedBy = { index: null, knownIssues: null, artifacts: { read: 0, of: 0 }, facts: null };

function sumOf(judgements: readonly JudgedSpan[]): JudgedBy['artifacts'] {
  const sum = (of: 'read' | 'of') => judgements.reduce((all, { artifacts }) => all + artifacts[of], 0);
  return { read: sum('read'), of: sum('of') };
}
