import { type ExitCode, exitCodeOfAnswer } from '../../exit-codes.js';
import { latestVersionOf } from '../../release-safety/index-summary.js';
import type { ReleaseSafetyIndex } from '../../release-safety/parse-index.js';
import { requireForward, type SpanResult } from '../../release-safety/span.js';
import type { Version } from '../../release-safety/version.js';
import { renderUpgradeCheckJson } from '../../render/json/upgrade-check.js';
import type { Palette } from '../../render/palette.js';
import { renderCurrentVersion, renderLatest } from '../../render/text/current-version.js';
import { renderUpgradeCheckText } from '../../render/text/upgrade-check.js';
import { choosePalette } from '../colour.js';
import { type CommandContext, widthOf } from '../context.js';
import { type CurrentVersion, findCurrentVersion } from '../current-version.js';
import { judgedBy, openEvidence } from '../evidence.js';
import { chooseFormat, type FormatOptions, writeAnswer } from '../gate-format.js';
import { describeStops, instanceAnswer, judgeGivenSpan, noticeReasons } from '../judge.js';
import type { JudgeOptions } from '../judge-options.js';
import type { CurrentVersionOptions, OutputOptions } from '../shared-options.js';
import { statedFacts } from '../stated-facts.js';

export type UpgradeCheckOptions = CurrentVersionOptions & {
  readonly to: Version | 'latest';
  /** If given, it decides in place of `to`. */
  readonly toFile?: string;
} & JudgeOptions &
  OutputOptions &
  FormatOptions;

/** `lightspan upgrade-check`: exit 0 only if the whole span is proven safe to roll in one step. */
export async function upgradeCheck(options: UpgradeCheckOptions, context: CommandContext): Promise<ExitCode> {
  const format = chooseFormat(options);
  const current = await findCurrentVersion(options, context);
  const to = options.toFile === undefined ? options.to : await readTargetOfFile(options, current, context);
  const from = current.version;
  // A fault of two given versions is found before anything is fetched.
  if (to !== 'latest') requireForward({ from, to });
  const fact = statedFacts(options, current.pinned);
  const source = await openEvidence({ ...options, fact }, context);
  const { index, leftOut } = source;
  const span = { from, to: to === 'latest' ? await findLatest(index, from) : to };
  const judged = await judgeGivenSpan(source, span, context);
  const { result } = judged;
  const exitCode = exitCodeOfAnswer(result.safe);
  const latestVersion = latestVersionOf(index);
  const { stdout, stderr } = context;
  if (options.from === undefined) stderr.write(renderCurrentVersion(current));
  if (to === 'latest') stderr.write(renderLatest(latestVersion));
  const by = judgedBy(source, judged.artifacts);
  const stops = await describeStops(judged.stops);
  const instance = await instanceAnswer(judged.preflight, stops);
  if (format === 'json') await noticeReasons([result], stops, context);
  await writeAnswer(
    {
      format,
      exitCode,
      leftOut,
      judgedBy: by,
      json: () => renderUpgradeCheckJson(result),
      text: async () => {
        const palette = await choosePalette(options, context);
        const strip = await drawStrip(result, palette, stdout);
        return renderUpgradeCheckText(result, {
          palette,
          strip,
          verbose: options.verbose === true,
          latestVersion,
          instance,
          judgedBy: by,
        });
      },
      gate: async () => {
        const { judgeRoute } = await import('../../release-safety/judge.js');
        const { gateAnswerOfCheck } = await import('../../render/gate/check.js');
        return gateAnswerOfCheck(result, judgeRoute(judged.evidence, span).route, instance);
      },
    },
    context,
  );
  return exitCode;
}

/** Draws only on a terminal: the code that measures columns takes 1 ms to load. */
async function drawStrip(
  result: SpanResult,
  palette: Palette,
  stdout: CommandContext['stdout'],
): Promise<readonly string[] | undefined> {
  const width = widthOf(stdout);
  if (width === undefined) return undefined;
  const { renderStrip } = await import('../../render/text/strip.js');
  return renderStrip(result, palette, width);
}

/** The version that `--to-file` pins for the image that `--from-file` pins. */
async function readTargetOfFile(
  { toFile = '', tagSuffix }: UpgradeCheckOptions,
  { pinned }: CurrentVersion,
  { stdin }: CommandContext,
): Promise<Version> {
  const { readAgreeingPins } = await import('../../sources/agreeing-pins.js');
  const { requireSameImage } = await import('./same-image.js');
  const giveOtherwise = 'Give the target version with --to instead.';
  const option = '--to-file';
  const [wanted] = await readAgreeingPins([toFile], { stdin, tagSuffix, giveOtherwise, option });
  for (const pin of pinned) requireSameImage(pin, wanted);
  return wanted.version;
}

/** The newest release of the index, found as in a plan. */
async function findLatest(index: ReleaseSafetyIndex, from: Version): Promise<Version> {
  const { planRoute } = await import('../../release-safety/route.js');
  return planRoute(index, { from, to: 'latest' }).toVersion;
}
