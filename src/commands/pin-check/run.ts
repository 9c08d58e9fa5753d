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
import { isOneCertifiedHop } from '../../release-safety/route.js';
import { issuesOfInstalling } from '../../release-safety/span.js';
import { renderPinCheckJson } from '../../render/json/pin-check.js';
import { renderPinCheckText } from '../../render/text/pin-check.js';
import { renderPinSearch } from '../../render/text/pin-search.js';
import { findPinsOfChange } from '../../sources/changed-pins.js';
import { findPins } from '../../sources/found-pins.js';
import { pairPins } from '../../sources/pin-pairs.js';
import { choosePalette } from '../colour.js';
import type { CommandContext } from '../context.js';
import { chooseFormat, type FormatOptions, writeAnswer } from '../gate-format.js';
import type { JudgeOptions } from '../judge-options.js';
import { judgeSpan, noticeKnownIssues } from '../judge-span.js';
import { type JudgedIndex, leftOutBy, readIndexAndKnownIssues } from '../read-known-issues.js';
import type { OutputOptions } from '../shared-options.js';
import { describeUsedIndex } from '../used-index.js';
import { choosePatterns, type PatternOptions, requireFound, requireSomeFound } from './patterns.js';
import { readSides, type SideOptions } from './sides.js';

export type PinCheckOptions = SideOptions &
  PatternOptions &
  JudgeOptions &
  OutputOptions &
  FormatOptions & { readonly tagSuffix?: string; readonly accept?: readonly AcceptableFinding[] };

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
  let loaded: JudgedIndex | undefined;
  const judge = async (question: PinFinding | PinQuestion): Promise<PinFinding> => {
    if (question.kind !== 'moved' && question.kind !== 'appeared') return question;
    loaded ??= await readIndexAndKnownIssues(options, context);
    const { index } = loaded;
    if (question.kind === 'appeared') {
      const { version, copiedFrom } = question;
      const check = await judgeSpan(index, { from: version, to: version }, options, context);
      return { kind: 'added', copiedFrom, check, issues: issuesOfInstalling(index, version) };
    }
    const { from, to } = question;
    const check = await judgeSpan(index, { from, to }, options, context);
    return judgeMove(check, isOneCertifiedHop(index, { from, to }));
  };

  const pins: JudgedPin[] = [];
  for (const pair of pairPins(before, after, sides.moves, patterns)) {
    const judged = await judge(comparePin(pair.before, pair.after, pair.facts));
    const finding = judgeRename(judged, pair.previousFile, accepted);
    pins.push({
      ...pair.place,
      previousFile: pair.previousFile,
      from: versionOf(pair.before),
      to: versionOf(pair.after),
      finding,
      passes: passes(finding, accepted),
    });
  }
  const check = pinCheckOf(pins, {
    before: sides.before,
    after: sides.after,
    accepted: [...accepted],
  });
  const exitCode = exitCodeOfAnswer(check.passes);
  if (format === 'json') {
    await noticeKnownIssues(
      pins.flatMap(({ finding }) => ('check' in finding ? [finding.check] : [])),
      context,
    );
  }
  await writeAnswer(
    {
      format,
      exitCode,
      leftOut: loaded?.leftOut ?? leftOutBy(options),
      json: (leftOut) =>
        renderPinCheckJson(check, {
          index: loaded === undefined ? null : describeUsedIndex(loaded),
          leftOut,
        }),
      text: async () =>
        renderPinCheckText(check, {
          palette: await choosePalette(options, context),
          verbose: options.verbose === true,
          latestVersion: loaded === undefined ? undefined : latestVersionOf(loaded.index),
        }),
      gate: async () => (await import('../../render/gate/pin-check.js')).gateAnswerOfPins(check),
    },
    context,
  );
  return exitCode;
}
