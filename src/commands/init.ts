import { resolve } from 'node:path';
import { renderDocument } from '../answer/json/document.js';
import type { InitResult } from '../answer/json/settings-schemas.js';
import { filesOfInstance, isOfKind } from '../app/init/files-of-instance.js';
import {
  type FoundHere,
  findPinsHere,
  isNestedTag,
  placesToWrite,
  type Unread,
  unseenIn,
} from '../app/init/pins-here.js';
import { composeAround, valuesAround } from '../app/settings/files-beside.js';
import type { FloatingImage } from '../app/settings/floating-images.js';
import { settingsName } from '../app/settings/in-force.js';
import { readSettings } from '../app/settings/read.js';
import { type SeenCluster, seeCluster } from '../app/settings/seen-cluster.js';
import { settingsText } from '../app/settings/settings-text.js';
import { valuesIn } from '../app/settings/values-in.js';
import { findCurrentVersion } from '../app/sources/current-version.js';
import { LightspanError } from '../core/lightspan-error.js';
import { printable } from '../core/text/printable.js';
import { shellWord } from '../core/text/quoted-words.js';
import type { Version } from '../core/version.js';
import type { CommandContext } from '../door/context.js';
import { defineCommand, type OptionsOf, type OptionTable } from '../door/declare.js';
import { type ExitCode, exitCodes } from '../door/exit-codes.js';
import { cluster } from '../door/options/deployment-options.js';
import { allowHttp, json, statedVersionOf, suffixIn, tagSuffix } from '../door/options/options.js';
import { asksJson } from '../door/readers.js';
import { writeWhole } from '../door/text-sink.js';
import { existingFile } from '../gather/files/write-file.js';
import { usualTimeoutMs } from '../gather/limits.js';
import { indexPath } from '../gather/publisher/mirror.js';
import { nameOfPin } from '../pins/yaml/pinned-version.js';

const takes = {
  instance: {
    flags: '--instance <url>',
    description: 'ask this running instance for its version',
  },
  ...cluster,
  kubernetes: {
    flags: '--kubernetes',
    description: 'ask the cluster with your kubectl for the version and the release of Helm: only get',
  },
  tagSuffix: {
    ...tagSuffix.tagSuffix,
    description: suffixIn('tags'),
  },
  ...allowHttp,
  ...json,
} as const satisfies OptionTable;

export const command = defineCommand({
  takes,
  exitCodes: {
    0: 'the file is written, and what was not found is named; or, beside a file, the lines that pin what runs are shown',
    2: 'the request is wrong, there already is a file, or nothing was found',
    3: 'the instance or the cluster does not answer, or a file cannot be read or written',
    4: 'the answer of the instance cannot be trusted',
  },
  examples: [
    'lightspan init',
    'lightspan init --instance https://lightdash.example.com',
    'lightspan init --kubernetes --namespace bi',
  ],
  run: init,
});

async function init(options: OptionsOf<typeof takes>, context: CommandContext): Promise<ExitCode> {
  if (existingFile(settingsName) !== undefined) return await showLinesThatPin(options, context);
  const running = await findRunning(options, context);
  const here = await findPinsHere(options.tagSuffix, context);
  const allPins = [...here.pinned, ...here.floating];
  const values = await filesOfInstance('helm.values', allPins, valuesAround, context);
  // A compose file may take its release from files of variables that it is given, one for each environment.
  const ofCompose = here.pinned.length === 0 ? allPins : [...allPins, ...here.unread];
  const compose = await filesOfInstance(
    'compose.files',
    ofCompose,
    (file) => composeAround(file, context.env),
    context,
  );
  const others = [...values.others, ...compose.others];
  const ambiguous = [...values.ambiguous, ...compose.ambiguous];
  const pinned = here.pinned.filter(({ file }) => !others.includes(file));
  const pins = await placesToWrite(pinned, options.tagSuffix, context);
  const isOfChart = allPins.some(isNestedTag) && !allPins.some(isOfKind['compose.files']);
  const files = { values: values.files, files: compose.files, pins, helm: running.helm, isOfChart };
  const settings = settingsOf(options, files, context.env);
  const text = settingsText(settings, schemaFrom('.'));
  if (text === undefined)
    throw nothingFound(ambiguous, [...values.candidates, ...compose.candidates], here.unread);
  readSettings(text, settingsName);
  await writeWhole(settingsName, text);
  const floating = here.floating.filter(({ file }) => !others.includes(file));
  const unseen = await unseenIn(pinned, options.tagSuffix, context);
  const notFound = lackingIn(settings, { pinned, floating, running, ambiguous, unread: here.unread, unseen });
  const { stdout, stderr } = context;
  if (asksJson(options)) {
    const all = here.pinned.map(({ file, path, version }) => ({ file, path: path.join('.'), version }));
    const runningVersion = running.version ?? null;
    const outcome = { file: settingsName, settings, pinned: all, runningVersion, notFound };
    stdout.write(renderDocument<InitResult>(outcome));
    return exitCodes.yes;
  }
  // The file explains itself; here stands what was found.
  for (const [key, value] of valuesIn({ ...settings, to: undefined }))
    stdout.write(`${printable(`${key}: ${[value].flat().join(', ')}`)}\n`);
  const list = notFound.map((what) => `  - ${printable(what)}\n`).join('');
  const about = pins.length > 0 && pins.every(hasPath) ? ': pin-check looks at its pins alone' : '';
  // Without a pin and an instance, a check needs the running version on its command line.
  const isVersionKnown = pins.length > 0 || settings.instance !== undefined;
  const [one] = pins;
  const isOneOfMany =
    settings.instance === undefined && new Set(pinned.map(({ version }) => version)).size > 1;
  const [when, place] =
    isOneOfMany && one !== undefined ? [', for one instance', ` --from-file ${shellWord(one)}`] : ['', ''];
  const next = `; next${when}: ${isVersionKnown ? '' : `add instance: <url> to it, and `}lightspan upgrade-check${place}`;
  stderr.write(`Written to ${settingsName}${about}${next}. Not found:\n${list}`);
  if (running.version !== undefined)
    for (const text of linesThatPin(floating, running.version)) stderr.write(text);
  return exitCodes.yes;
}

/** Beside settings, nothing is written: what an instance or a cluster runs is shown as the lines that would pin it. */
async function showLinesThatPin(
  options: OptionsOf<typeof takes>,
  context: CommandContext,
): Promise<ExitCode> {
  const isAsked = options.instance !== undefined || options.kubernetes === true;
  const { version } = isAsked && !asksJson(options) ? await findRunning(options, context) : {};
  const { floating } =
    version === undefined ? { floating: [] } : await findPinsHere(options.tagSuffix, context);
  if (version === undefined || floating.length === 0) {
    throw refuse(
      `there already is a ${settingsName}`,
      'lightspan settings shows what it decides; move it away to have another one written.',
    );
  }
  for (const text of linesThatPin(floating, version)) context.stdout.write(text);
  context.stderr.write(`Nothing was written: there already is a ${settingsName}.\n`);
  return exitCodes.yes;
}

/** What runs: the release, by whom it was named, and what a cluster says of how it is deployed. */
interface Running {
  readonly version?: Version | undefined;
  /** Each that names the release, such as `the instance runs 1.121.0`. */
  readonly named: readonly string[];
  readonly versions: readonly Version[];
  readonly helm?: SeenCluster['helm'];
  /** The sources that were read and do not show it. */
  readonly lacking: readonly string[];
}

/** What runs, read from the instance, the cluster, or both; if both, they must agree. */
async function findRunning(options: OptionsOf<typeof takes>, context: CommandContext): Promise<Running> {
  const { kubernetes, namespace, release, context: named } = options;
  const served =
    options.instance === undefined
      ? undefined
      : (await findCurrentVersion(statedVersionOf({ ...options, timeout: usualTimeoutMs }), context)).version;
  const cluster =
    kubernetes === true ? await seeCluster({ namespace, release, context: named }, context) : undefined;
  const deployed = cluster?.version;
  return {
    version: served ?? deployed,
    named: [
      ...(served === undefined ? [] : [`the instance runs ${served}`]),
      ...(deployed === undefined ? [] : [`the cluster runs ${deployed}`]),
    ],
    versions: [served, deployed].filter((version) => version !== undefined),
    helm: cluster?.helm,
    lacking:
      cluster === undefined || deployed !== undefined ? [] : [`one release in the cluster: ${cluster.why}`],
  };
}

/** The lines that would pin the running release, file by file, so that the gate sees its next move. */
function linesThatPin(floating: readonly FloatingImage[], running: string): readonly string[] {
  const files = [...new Set(floating.map(({ file }) => file))];
  return files.map((file) => {
    const images = floating.filter((image) => image.file === file);
    const lines = [...new Set(images.map(({ pinnedTo }) => pinnedTo(running)))];
    const places = images.length === 1 ? [file] : images.map(nameOfPin);
    const often = images.length === 1 ? 'one line' : `the image in ${images.length} places`;
    const title = `To pin the running release, write ${often} in ${file} and one line in ${settingsName}:`;
    const pins = `pins: [${places.map((place) => JSON.stringify(place)).join(', ')}]`;
    return [title, ...[...lines, pins].map((line) => `  ${line}`)]
      .map((line) => `${printable(line)}\n`)
      .join('');
  });
}

/** The schema of the settings, of the package as it is installed in a folder or above it. */
function schemaFrom(folder: string): string | undefined {
  const file = `${folder}/node_modules/lightspan/schemas/settings.json`;
  if (existingFile(file) !== undefined) return file;
  const isTop = resolve(folder) === resolve(folder, '..');
  return isTop ? undefined : schemaFrom(folder === '.' ? '..' : `${folder}/..`);
}

function refuse(message: string, hint: string | undefined): LightspanError {
  return new LightspanError('usage', message, { hint });
}

/** @param candidates the files of which each may be an environment of its own */
function nothingFound(
  ambiguous: readonly string[],
  candidates: readonly string[],
  unread: readonly Unread[],
): LightspanError {
  const checks = candidates.map((file) => `  lightspan check --from-file ${shellWord(file)}`);
  if (checks.length > 0)
    return refuse(
      ambiguous.join('; '),
      ['Name the file of the environment that you ask about:', ...checks].join('\n'),
    );
  if (ambiguous.length > 0) return refuse(ambiguous.join('; '), 'Run it in the folder of one of them.');
  const [first] = unread;
  if (first !== undefined) {
    const why = new Set(unread.map((pin) => `${nameOfPin(pin)}: ${pin.why}`));
    return refuse(`nothing was found to write: no release can be read. ${[...why].join('; ')}`, first.hint);
  }
  return refuse(
    'nothing was found to write: no file below this folder pins Lightdash',
    `It looks for the Lightdash tag in ${lookedFor}, but not in hidden folders other than .github, in node_modules or ` +
      'in the templates of a chart. Run it where there is one, mark the line with the comment lightspan: pin, name ' +
      'the running --instance, or ask the cluster with --kubernetes.',
  );
}

const hasPath = (pin: string) => pin.includes('#');

/** What is written, by the names of the settings. */
function settingsOf(
  { instance, tagSuffix }: OptionsOf<typeof takes>,
  found: Record<'values' | 'files', readonly string[]> & {
    readonly pins: readonly string[];
    readonly helm: Running['helm'];
    /** Whether the values of a chart of their own pin it, as of one that brings that of Lightdash with others. */
    readonly isOfChart: boolean;
  },
  env: CommandContext['env'],
) {
  const { values, files, pins, helm } = found;
  // If there are files of both kinds, the user says which one the instance has, or the cluster shows it.
  const isHelm = values.length > 0 || helm !== undefined || found.isOfChart;
  const deploy = helm === undefined && isHelm === files.length > 0 ? undefined : isHelm ? 'helm' : 'compose';
  return {
    instance,
    pins: pins.length === 0 ? undefined : pins,
    tagSuffix,
    to: pins.length === 0 && instance === undefined ? undefined : 'recommended',
    index: existingFile(indexPath) && indexPath,
    deploy,
    helm:
      deploy === 'helm' && (helm ?? values[0]) !== undefined
        ? { ...helm, values: values.length > 0 ? values : undefined }
        : undefined,
    compose: deploy === 'compose' ? { files } : undefined,
    database: env.PGHOST || env.PGSERVICE || env.PGDATABASE ? 'env' : undefined,
  };
}

/** Each thing that a person has to add. */
function lackingIn(
  { instance, pins, deploy, helm, compose, database }: ReturnType<typeof settingsOf>,
  found: {
    readonly pinned: readonly FoundHere[];
    readonly floating: readonly FloatingImage[];
    readonly running: Running;
    readonly ambiguous: readonly string[];
    readonly unread: readonly Unread[];
    readonly unseen: readonly string[];
  },
): readonly string[] {
  const { pinned, floating, running, ambiguous, unseen } = found;
  // For these, the list says that the release comes from another file.
  const unread = [...new Set(found.unread.map(({ file }) => file))].filter(
    (file) => floating.every((image) => image.file !== file) && !compose?.files.includes(file),
  );
  const isUnknown = floating.length > 0 && running.version === undefined && running.lacking.length === 0;
  const askCluster = deploy === 'compose' ? '' : ', or --kubernetes to ask the cluster';
  const names = floating.map(nameOfPin).join(', ');
  const versions = new Set([...running.versions, ...pinned.map(({ version }) => version)]);
  const unnamed = (['release', 'namespace', 'context'] as const).filter((key) => helm?.[key] === undefined);
  return Object.entries({
    'pins: no pin of Lightdash here': pins === undefined && floating.length === 0,
    [`pins: ${names} ${floating.length === 1 ? 'names' : 'name'} no release: the version comes from the instance`]:
      floating.length > 0,
    [running.lacking.join('; ')]: running.lacking.length > 0,
    [`one version: ${versionsOf(pinned, running)}. Leave out the pins of other instances`]: versions.size > 1,
    [ambiguous.join('; ')]: ambiguous.length > 0,
    [`a release in ${unread.join(', ')}`]: unread.length > 0,
    [`moves of ${unseen.join(', ')} in pin-check: git ignores it. Write the release in a file that git has`]:
      unseen.length > 0,
    [`instance: not named (--instance${isUnknown ? askCluster : ''})`]: instance === undefined,
    'deploy: not clear from these files; write helm or compose if one of them deploys it':
      deploy === undefined,
    [`${unnamed.map((key) => `helm.${key}`).join(', ')}: in no file (--kubernetes)`]:
      deploy === 'helm' && unnamed.length > 0,
    'database: no PG* variable is set': database === undefined,
  }).flatMap(([what, isLacking]) => (isLacking ? [what] : []));
}

const lookedFor =
  'values of the chart, compose files with their .env, kustomizations, manifests, Dockerfiles, Terraform and JSON';

/** Which file pins which version, and what runs. */
function versionsOf(pinned: readonly FoundHere[], { named }: Pick<Running, 'named'>): string {
  const pins = pinned.map((pin) => `${nameOfPin(pin)} is ${pin.version}`);
  return [...named, ...pins].join(', ');
}
