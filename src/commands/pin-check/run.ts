import { type ExitCode, exitCodeOfAnswer } from '../../exit-codes.js';
import { latestVersionOf } from '../../release-safety/index-summary.js';
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
} from '../../release-safety/pins.js';
import { issuesOfInstalling } from '../../release-safety/span.js';
import type { FindingFields } from '../../render/json/answer-schemas.js';
import { renderPinCheckJson } from '../../render/json/pin-check.js';
import { renderPinSearch } from '../../render/text/pin-search.js';
import type { JudgedBy } from '../../render/words/judged-by.js';
import { findPinsOfChange } from '../../sources/changed-pins.js';
import { type FoundPin, findPins } from '../../sources/found-pins.js';
import { pairPins } from '../../sources/pin-pairs.js';
import { acceptancesOf } from '../acceptances.js';
import type { CommandContext } from '../context.js';
import { type EvidenceSource, judgedBy, openEvidence } from '../evidence.js';
import { chooseFormat, type FormatOptions, writeAnswer } from '../gate-format.js';
import { describeStops, type JudgedSpan, judgeGivenSpan, noticeReasons } from '../judge.js';
import type { JudgeOptions } from '../judge-options.js';
import { leftOutBy } from '../read-known-issues.js';
import { settingsOfSides } from '../settings/base.js';
import type { SettingsOptions } from '../settings/options.js';
import type { OutputOptions } from '../shared-options.js';
import { describeUsedIndex } from '../used-index.js';
import { choosePatterns, type PatternOptions, requireFound, requireSomeFound } from './patterns.js';
import { readSides, type SideOptions } from './sides.js';

export type PinCheckOptions = SideOptions &
  PatternOptions &
  JudgeOptions &
  OutputOptions &
  FormatOptions &
  SettingsOptions & { readonly tagSuffix?: string };

type PinOfInstance = JudgedPin<FindingFields>;

/** `lightspan pin-check`: exit 0 only if each pin of a change stays the same, is proven, or is accepted by name. */
export async function pinCheck(options: PinCheckOptions, context: CommandContext): Promise<ExitCode> {
  const format = chooseFormat(options);
  const { tagSuffix, accept = [] } = options;
  const accepted = new Set(acceptableFindings.filter((finding) => accept.includes(finding)));
  const isFinding = (name: string): boolean => acceptableFindings.some((finding) => finding === name);
  const sides = await readSides(options, context);
  const find = async () => {
    const ofSettings = options.settingsOfHead && (await settingsOfSides(options.settingsOfHead, sides));
    const { patterns, searches } = await choosePatterns(options, sides, ofSettings?.pins ?? []);
    const before = await findPins(sides.beforeTree, patterns, { tagSuffix });
    const after = await findPins(sides.afterTree, patterns, { tagSuffix });
    requireFound(patterns, [...before, ...after]);
    const settingsAccept = ofSettings?.settingsAccept;
    if (!searches) return { patterns, before, after, searched: null, settingsAccept };
    const changed = await findPinsOfChange(sides.beforeTree, sides.afterTree, {
      tagSuffix,
      isGiven: options.after !== undefined,
    });
    context.stderr.write(renderPinSearch(changed));
    if (patterns.length === 0) requireSomeFound(changed);
    const { searched: files, notRead } = changed;
    return {
      patterns: [...patterns, ...changed.patterns],
      before: joined(before, changed.before),
      after: joined(after, changed.after),
      searched: { files, notRead },
      settingsAccept,
    };
  };
  const { patterns, before, after, searched, settingsAccept } = await find().finally(sides.close);
  const judging = { ...options, settingsAccept, accept: accept.filter((name) => !isFinding(name)) };

  // Read when the first pin needs it: a change that moves none needs no network.
  let source: EvidenceSource | undefined;
  const judgements: JudgedSpan[] = [];
  const judge = async (
    question: PinFinding | PinQuestion,
  ): Promise<Pick<PinOfInstance, 'finding' | 'stops'>> => {
    if (question.kind !== 'moved' && question.kind !== 'appeared') return { finding: question, stops: [] };
    source ??= await openEvidence(judging, context);
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
  const found = judgements.flatMap((judgement) => judgement.accepted);
  const by =
    source === undefined
      ? { ...byFilesAlone, ...(options.settingsUsed && { settings: options.settingsUsed }) }
      : judgedBy(source, { artifacts: sumOf(judgements), accepted: found });
  if (format === 'json') {
    const results = pins.flatMap(({ finding }) => ('check' in finding ? [finding.check] : []));
    await noticeReasons(results, [], by, context);
  }
  await writeAnswer(
    {
      format,
      exitCode,
      options,
      leftOut: source?.leftOut ?? leftOutBy(options, await acceptancesOf(judging, context.now())),
      json: (leftOut) =>
        renderPinCheckJson(check, {
          index: source === undefined ? null : describeUsedIndex(source),
          leftOut,
          judgedBy: by,
          searched,
        }),
      answer: async () =>
        (await import('../../answer/pins.js')).answerOfPins(check, {
          verbose: options.verbose === true,
          latestVersion: source === undefined ? undefined : latestVersionOf(source.index),
          judgedBy: by,
        }),
    },
    context,
  );
  return exitCode;
}

/** What was found in both ways, once. */
function joined(named: readonly FoundPin[], searched: readonly FoundPin[]): readonly FoundPin[] {
  const known = new Set(named.map(({ file, id }) => `${file}#${id}`));
  return [...named, ...searched.filter(({ file, id }) => !known.has(`${file}#${id}`))];
}

/** No pin moved: nothing but the files was needed. */
const byFilesAlone: JudgedBy = { index: null, knownIssues: null, artifacts: { read: 0, of: 0 }, facts: null };

function sumOf(judgements: readonly JudgedSpan[]): JudgedBy['artifacts'] {
  const sum = (of: 'read' | 'of') => judgements.reduce((all, { artifacts }) => all + artifacts[of], 0);
  return { read: sum('read'), of: sum('of') };
}
