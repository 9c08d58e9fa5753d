import { renderUpgradeCheckJson } from '../answer/json/document.js';
import { renderCurrentVersion, renderLatest } from '../answer/outputs/messages.js';
import { LightspanError } from '../errors.js';
import { exitCodeOfAnswer } from '../exit-codes.js';
import type { Version } from '../release-safety/field-schemas.js';
import { latestVersionOf } from '../release-safety/index-summary.js';
import { judgeRoute } from '../release-safety/judge.js';
import { planRoute } from '../release-safety/route.js';
import { requireForward } from '../release-safety/span.js';
import type { CommandContext } from './context.js';
import { type CurrentVersion, findCurrentVersion, statedFacts } from './current-version.js';
import { defineCommand } from './declare.js';
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

export const command = defineCommand({
  takes: {
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
  },
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
  run: async (options, context) => {
    const { stderr } = context;
    const format = chooseFormat(options);
    const current = await findCurrentVersion(options, context);
    const { toFile, tagSuffix } = options;
    const asked =
      toFile === undefined ? options.to : await readTargetOfFile(toFile, tagSuffix, current, context);
    const from = current.version;
    // A fault of two given versions is found before anything is fetched.
    if (asked !== 'latest') requireForward({ from, to: asked });
    const fact = statedFacts(options, current.pinned);
    const source = await openEvidence({ ...options, fact }, context);
    const { index, leftOut } = source;
    const span = { from, to: asked === 'latest' ? planRoute(index, { from, to: asked }).toVersion : asked };
    const judged = await judgeGivenSpan(source, span, context);
    const { result, evidence } = judged;
    const exitCode = exitCodeOfAnswer(result.safe);
    const latestVersion = latestVersionOf(index);
    if (options.from === undefined) stderr.write(renderCurrentVersion(current));
    if (asked === 'latest') stderr.write(renderLatest(latestVersion));
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
          const { answerOfCheck } = await import('../answer/check.js');
          const { coveredVersions: releases, missingRanges } = result;
          const hop = { toVersion: span.to, releases, missingRanges };
          const times =
            evidence.known && (await import('./hop-details.js')).timesOfHops([hop], evidence.known);
          const route = format === 'text' ? undefined : judgeRoute(evidence, span).route;
          return answerOfCheck(result, {
            verbose: options.verbose === true,
            latestVersion,
            judgedBy: by,
            acceptedToRoll: judged.acceptedToRoll,
            time: times?.[0],
            instance: await instanceAnswer(judged.preflight, stops),
            route,
            firstHop: () => (route ?? judgeRoute(evidence, span).route).hops[0],
          });
        },
      },
      context,
    );
    return exitCode;
  },
});

/** The version that `--to-file` pins for the image that `--from-file` pins: a change of a pin changes only its release. */
async function readTargetOfFile(
  toFile: string,
  tagSuffix: string | undefined,
  { pinned }: CurrentVersion,
  { stdin }: CommandContext,
): Promise<Version> {
  const { readAgreeingPins } = await import('../sources/lightdash-places.js');
  const giveOtherwise = 'Give the target version with --to instead.';
  const option = '--to-file';
  const [wanted] = await readAgreeingPins([toFile], { stdin, tagSuffix, giveOtherwise, option });
  const { imageChange } = await import('../release-safety/pins.js');
  const [change] = pinned.flatMap((pin) => imageChange(pin, wanted) ?? []);
  if (change === undefined) return wanted.version;
  const { describePinFinding, remedyOfPin } = await import('../words/pin-changes.js');
  const { nameOfPin } = await import('../sources/pinned-version.js');
  throw new LightspanError('invalid-pin', `${nameOfPin(wanted)}: ${describePinFinding(change)}`, {
    hint: remedyOfPin(change),
  });
}
