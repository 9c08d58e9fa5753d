import { answerOfBump } from '../answer/builders/pins.js';
import { withTarget } from '../answer/builders/target.js';
import { plainPalette } from '../answer/formats/palette.js';
import { renderText } from '../answer/formats/text.js';
import { renderUpgradeCheckJson } from '../answer/json/document.js';
import { listAcceptances } from '../app/acceptances.js';
import { chooseTarget } from '../app/choose-target.js';
import { deployOf, describeStops, instanceAnswer, openEvidence, requireSeen } from '../app/evidence.js';
import { requireImages } from '../app/require-images.js';
import { LightspanError } from '../core/lightspan-error.js';
import { planBump } from '../core/pins.js';
import { findNoRelease } from '../core/route/no-release.js';
import { isVersion } from '../core/version.js';
import type { CommandLine } from '../door/command-line.js';
import { type CommandContext, widthOf } from '../door/context.js';
import { defineCommand, type OptionsOf, type OptionTable } from '../door/declare.js';
import { type ExitCode, exitCodeOfOutcome, factsUnread } from '../door/exit-codes.js';
import { evidenceQuestionOf, knownIssues, sources } from '../door/options/evidence-options.js';
import { json, suffixIn, tagSuffix, target, targetQuestionOf } from '../door/options/options.js';
import { whereFrom } from '../door/options/phrases.js';
import { chooseFormat } from '../door/readers.js';
import { replaceWhole } from '../door/text-sink.js';
import { requireExitCode } from '../door/write-answer.js';
import { readFileText } from '../gather/files/read-file.js';
import { moveAll, readAgreeingPlaces } from '../pins/places/agreeing.js';
import type { Place } from '../pins/places/place.js';
import type { BumpQuestion } from '../question/change.js';
import type { SettingsOutcome } from '../question/settings.js';

const takes = {
  file: {
    flags: '--file <file>',
    group: 'question',
    brief: 'the file that pins the tag, such as values.yaml',
    description:
      'the file that pins the image tag, such as values.yaml, docker-compose.yml or .env; if it has ' +
      'several, with the path of one, such as docker-compose.yml#services.lightdash.image; or with an ' +
      'expression, such as deploy.sh#/lightdash:(\\S+)/; given several times, all must pin the same, and ' +
      'all are moved',
    several: true,
    required: true,
    lacks: 'pinned-file',
  },
  ...target,
  tagSuffix: {
    ...tagSuffix.tagSuffix,
    description: suffixIn('the tag'),
  },
  check: { flags: '--check', group: 'question', description: 'say what would be done; change nothing' },
  allowRecreate: {
    flags: '--allow-recreate',
    group: 'question',
    description: 'also pin a hop that needs downtime, and say so',
  },
  requireImage: {
    flags: '--require-image',
    group: 'evidence',
    brief: 'first ask the registry for the image',
    description: 'first ask the registry for the image of the target (HEAD, with the login of docker)',
    conflicts: 'offline',
  },
  ...sources,
  ...knownIssues,
  ...json,
  verbose: {
    flags: '--verbose',
    group: 'output',
    description: whereFrom('the answer'),
  },
} as const satisfies OptionTable;

type UpgradeBumpOptions = OptionsOf<typeof takes>;

export const command = defineCommand({
  takes,
  notes:
    'Towards a named target, the pin moves one hop at a time: the release that it pins must run before the next hop.',
  exitCodes: {
    0:
      'the pin was moved or would be (--check), or the pin is at its target already; with --allow-recreate the ' +
      'hop may need downtime, and "safe" in the JSON is then false, as it is for a release that is itself a ' +
      'required stop',
    1:
      'the hop is not proven safe, no rolling hop leaves the release (--to latest-rolling), the facts of --facts stop it, or --require-image finds no image; nothing ' +
      'was changed',
    2: 'the request is wrong, or the pin is not a release that can be moved',
    3:
      'no index is available, the registry of --require-image gives no answer, or the file cannot be read ' +
      `or written, or changed meanwhile; or ${factsUnread('the hop')}`,
    4: 'the index cannot be trusted',
  },
  examples: [
    'lightspan upgrade-bump --file values.yaml --to latest-rolling',
    "lightspan upgrade-bump --file 'docker-compose.yml#services.lightdash.image' --allow-recreate --check",
    'lightspan upgrade-bump --file values.yaml --to latest-rolling --require-image --json',
  ],
  run: upgradeBump,
});

const hint = 'upgrade-bump moves one exact release that is written in the file itself.';

function bumpQuestionOf(
  options: UpgradeBumpOptions,
  settings: SettingsOutcome,
  env: CommandContext['env'],
): BumpQuestion {
  return {
    files: options.file,
    tagSuffix: options.tagSuffix ?? '',
    target: targetQuestionOf(options),
    allowRecreate: options.allowRecreate === true,
    requireImage: options.requireImage === true,
    writes: options.check !== true,
    evidence: evidenceQuestionOf(options, settings, env),
  };
}

async function upgradeBump(
  options: UpgradeBumpOptions,
  context: CommandContext,
  { settings, words: usersWords }: CommandLine,
): Promise<ExitCode> {
  const format = chooseFormat(options);
  const verbose = options.verbose === true;
  const question = bumpQuestionOf(options, settings, context.env);
  const { tagSuffix, target, allowRecreate, writes } = question;
  const texts = new Map<string, Promise<string>>();
  const read = (file: string) => {
    const text = texts.get(file) ?? readFileText(file);
    texts.set(file, text);
    return text;
  };
  const reading = { read, option: '--file', env: context.env, tagSuffix, giveFrom: hint };
  const places = await readAgreeingPlaces(question.files, reading);
  const { version } = places[0].pin;
  const source = await openEvidence(question.evidence, context);
  const { to, recommendation, words } = await chooseTarget(source, version, target, context, true);
  const request = {
    pinnedVersion: version,
    to: recommendation !== undefined && isVersion(to) ? { onTheWayTo: to } : to,
    allowRecreate,
  };
  // An artifact can only bring the landing nearer.
  const reach = planBump({ index: source.index }, request).result;
  const evidence = await source.evidenceFor({ from: reach.fromVersion, to: reach.toVersion });
  const bump = planBump(evidence, request);
  const { result, decision, stops, unseen } = bump;
  const isByReleases = planBump({ ...evidence, preflightOf: undefined }, request).decision !== 'refused';
  if (stops.length === 0 && isByReleases) await requireSeen(unseen);
  const described = await describeStops(stops);
  const accepted = listAcceptances(source.acceptances, bump.accepted);
  const pinned = places.map(({ pin }) => pin);
  const judged = answerOfBump(bump, {
    pin: places.map(({ name }) => name).join(', '),
    otherPlaces: pinned.flatMap(({ otherPlaces }) => otherPlaces),
    ...{ request, check: !writes, described, accepted },
    instance: await instanceAnswer(bump.preflight, described),
    demands: source.demandsOf({ from: result.fromVersion, to: result.toVersion }),
    deploy: (await deployOf(question.evidence.facts.stated, source, pinned)) ?? 'helm',
    evidence: usersWords.evidence,
    rollsOn:
      planBump(evidence, { ...request, to: 'latest-rolling', allowRecreate: false }).decision === 'rolling',
    noRelease: findNoRelease(source.index, { from: result.fromVersion, to: result.toVersion }),
  });
  const answer = withTarget(judged, words);
  const exitCode = exitCodeOfOutcome(decision);
  requireExitCode(answer, exitCode);
  if (decision === 'rolling' || decision === 'recreate') {
    const { moved, pins } = await moveAll(places, result.toVersion, reading);
    if (question.requireImage) {
      for (const pin of pins) await requireImages(pin, question.evidence.network, context);
    }
    if (writes) await replaceAll(places, moved);
  }
  const { stdout, stderr } = context;
  if (format === 'json') {
    stderr.write(renderText(answer, { palette: plainPalette, verbose, width: undefined }));
    stdout.write(renderUpgradeCheckJson(result));
  } else {
    stdout.write(renderText(answer, { palette: plainPalette, verbose, width: widthOf(stdout) }));
  }
  return exitCode;
}

/** A file that has changed since it was read was not judged, and the change would be lost. */
async function replaceAll(places: readonly Place[], moved: ReadonlyMap<string, string>): Promise<void> {
  const written: string[] = [];
  const changed = (file: string, cause?: unknown) =>
    new LightspanError('changed-meanwhile', `${file} was changed by another program in the meantime`, {
      hint:
        `${written.length === 0 ? 'Nothing was written.' : `Written: ${written.join(', ')}.`} Run it again, on ` +
        'the file as it is now.',
      cause,
    });
  const requireSame = async ({ file, text }: Place) => {
    const now = await readFileText(file).catch((error: unknown) => ({ error }));
    if (now !== text) throw changed(file, typeof now === 'string' ? undefined : now.error);
  };
  for (const place of places) await requireSame(place);
  for (const [file, text] of moved) {
    const place = places.find((candidate) => candidate.file === file);
    if (place === undefined) throw new Error(`${file} was not read`);
    if (!(await replaceWhole(file, text, () => requireSame(place)))) throw changed(file);
    written.push(file);
  }
}
