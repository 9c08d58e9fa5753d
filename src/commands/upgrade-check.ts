import { renderUpgradeCheckJson } from '../answer/json/document.js';
import { renderCurrentVersion, renderLatest } from '../answer/outputs/messages.js';
import { LightspanError } from '../errors.js';
import { type ExitCode, exitCodeOfAnswer } from '../exit-codes.js';
import type { Version } from '../release-safety/field-schemas.js';
import { latestVersionOf } from '../release-safety/index-summary.js';
import type { ReleaseSafetyIndex } from '../release-safety/release-safety-index.js';
import { requireForward } from '../release-safety/span.js';
import type { Pin } from '../sources/pinned-version.js';
import type { CommandContext } from './context.js';
import { type CurrentVersion, findCurrentVersion, statedFacts } from './current-version.js';
import { defineCommand, type OptionsOf, type OptionTable } from './declare.js';
import {
  describeStops,
  instanceAnswer,
  judgedBy,
  judgeGivenSpan,
  noticeReasons,
  openEvidence,
} from './evidence.js';
import { currentVersion, judging, output } from './options.js';
import { readCheckTarget } from './readers.js';
import { chooseFormat, gateFormat, writeAnswer } from './write-answer.js';

const takes = {
  ...currentVersion,
  to: {
    flags: '--to <version>',
    description: 'the target version; latest is the newest in the index',
    read: readCheckTarget,
    default: 'latest',
  },
  toFile: {
    flags: '--to-file <file>',
    description: 'or: read it as --from-file does; with a --from-file, both must have the same image',
    conflicts: 'to',
  },
  ...judging,
  ...output,
  ...gateFormat,
} as const satisfies OptionTable;

export type UpgradeCheckOptions = OptionsOf<typeof takes>;

export const command = defineCommand({
  takes,
  exitCodes: {
    0: 'the whole span is proven safe to roll in one step',
    1: 'it is not: a release in it is false or unknown, a rule forbids the direct upgrade, or the facts of --facts stop it',
    2: 'the request is wrong',
    3: 'no index, or no answer from the instance, is available',
    4: 'the index, or an answer of the instance, cannot be trusted',
  },
  examples: [
    'lightspan upgrade-check --from 1.121.0 --to 1.156.0',
    'lightspan upgrade-check --from 1.111.0 --to 1.115.0 --index ./release-safety-index.json --json',
  ],
  run: upgradeCheck,
});

async function upgradeCheck(options: UpgradeCheckOptions, context: CommandContext): Promise<ExitCode> {
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
  const { stderr } = context;
  if (options.from === undefined) stderr.write(renderCurrentVersion(current));
  if (to === 'latest') stderr.write(renderLatest(latestVersion));
  const stops = await describeStops(judged.stops);
  const by = judgedBy(source, judged);
  if (format === 'json') await noticeReasons([result], stops, by, context);
  await writeAnswer(
    {
      format,
      exitCode,
      options,
      leftOut,
      json: () => renderUpgradeCheckJson(result),
      // The code that measures columns takes 1 ms to load.
      strip: async (palette, width) =>
        (await import('../answer/outputs/strip.js')).renderStrip(result, palette, width),
      answer: async () => {
        const { judgeRoute } = await import('../release-safety/judge.js');
        const { answerOfCheck } = await import('../answer/check.js');
        const { known } = judged.evidence;
        const hop = {
          toVersion: span.to,
          releases: result.coveredVersions,
          missingRanges: result.missingRanges,
        };
        const times = known && (await import('./hop-details.js')).timesOfHops([hop], known);
        return answerOfCheck(result, {
          verbose: options.verbose === true,
          latestVersion,
          judgedBy: by,
          acceptedToRoll: judged.acceptedToRoll,
          time: times?.[0],
          instance: await instanceAnswer(judged.preflight, stops),
          route: format === 'text' ? undefined : judgeRoute(judged.evidence, span).route,
        });
      },
    },
    context,
  );
  return exitCode;
}

/** The version that `--to-file` pins for the image that `--from-file` pins. */
async function readTargetOfFile(
  { toFile = '', tagSuffix }: UpgradeCheckOptions,
  { pinned }: CurrentVersion,
  { stdin }: CommandContext,
): Promise<Version> {
  const { readAgreeingPins } = await import('../sources/lightdash-places.js');
  const giveOtherwise = 'Give the target version with --to instead.';
  const option = '--to-file';
  const [wanted] = await readAgreeingPins([toFile], { stdin, tagSuffix, giveOtherwise, option });
  for (const pin of pinned) await requireSameImage(pin, wanted);
  return wanted.version;
}

/** The newest release of the index, found as in a plan. */
async function findLatest(index: ReleaseSafetyIndex, from: Version): Promise<Version> {
  const { planRoute } = await import('../release-safety/route.js');
  return planRoute(index, { from, to: 'latest' }).toVersion;
}

/** Requires that a change of a pin changes only its release. */
async function requireSameImage(from: Pin, to: Pin): Promise<void> {
  const { imageChange } = await import('../release-safety/pins.js');
  const change = imageChange(from, to);
  if (change === undefined) return;
  const { describePinFinding, remedyOfPin } = await import('../words/pin-changes.js');
  const { nameOfPin } = await import('../sources/pinned-version.js');
  throw new LightspanError('invalid-pin', `${nameOfPin(to)}: ${describePinFinding(change)}`, {
    hint: remedyOfPin(change),
  });
}
