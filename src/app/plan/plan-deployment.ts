import { resolve } from 'node:path';
import { isInputError, LightspanError } from '../../core/lightspan-error.js';
import { printable } from '../../core/text/printable.js';
import type { CommandContext } from '../../door/context.js';
import { folderFoundIn } from '../../instance/compose-files.js';
import type {
  ComposeDeployment,
  DeployedImage,
  Deployment,
  HelmDeployment,
  SeenDeployment,
} from '../../instance/deployment.js';
import type { AppliedBy } from '../../instance/facts/deployment-facts.js';
import type { FactsFile } from '../../instance/facts/facts-schema.js';
import { seenValue } from '../../instance/facts/needs.js';
import type { Pin } from '../../pins/yaml/pin-at.js';
import { nameOfPin } from '../../pins/yaml/pinned-version.js';
import type { FactsInFile } from '../../question/evidence.js';
import type { DeploymentSources } from '../../question/facts.js';
import type { ComposeSteps, HelmSteps, StepsQuestion } from '../../question/route.js';
import { nameOfImage } from '../../steps/tool.js';
import { composeFilesBeside } from '../settings/files-beside.js';
import type { CurrentVersion } from '../sources/current-version.js';

const refusal = (message: string, hint?: string) => new LightspanError('usage', message, { hint });

/**
 * The deployment, by the question, by the file that pins the version, and by the facts, in this order of precedence.
 */
export async function readDeployment(
  steps: StepsQuestion,
  { pinned }: CurrentVersion,
  facts: { readonly file: FactsFile | undefined; readonly stated: FactsInFile['stated'] },
  context: CommandContext,
): Promise<Deployment> {
  const { kind: deploy } = steps;
  const { file } = facts;
  const { deploymentOf } = await import('../../instance/deployment.js');
  const seen = deploymentOf(file?.facts ?? {});
  const stated = { ...seenValue(file?.facts.stated), ...Object.fromEntries(facts.stated) };
  const otherTool = [stated['deployed-by'], seen.kind].find((kind) => kind !== undefined && kind !== deploy);
  if (otherTool !== undefined) {
    throw refusal(
      `--deploy ${deploy}, but the facts are of a deployment with ${otherTool}`,
      `Plan it with --deploy ${otherTool}, or give facts of the other deployment.`,
    );
  }
  const deployment =
    steps.kind === 'helm'
      ? await helmDeployment({ ...seen, helm: withStated(seen.helm, steps, stated) }, pinned, steps)
      : await composeDeployment(seen, pinned, steps, context);
  requirePlainNames(deployment);
  return deployment;
}

/** What a person states takes precedence over what was seen. */
function withStated(
  seen: HelmDeployment,
  { chartVersion, migrationJob }: HelmSteps,
  stated: Readonly<Record<string, unknown>>,
): HelmDeployment {
  const job = stated['migration-job'];
  return {
    ...seen,
    chartVersion: chartVersion ?? stated['chart-version']?.toString() ?? seen.chartVersion,
    migrationJob: migrationJob || (job === undefined ? seen.migrationJob : job === 'on'),
  };
}

/** What a pin says of an image. */
function imageOfPin(
  pin: Pin | undefined,
  tagSuffix: string | undefined,
  { image, tagPrefix: prefix, tagSuffix: suffix }: Deployment,
): Pick<Deployment, 'image' | 'tagPrefix' | 'tagSuffix'> {
  if (pin === undefined) return { image, tagPrefix: prefix, tagSuffix: tagSuffix ?? suffix };
  const { registry = null, repository = null, tag, digest = null } = pin;
  const tagPrefix = /^v/i.exec(tag)?.[0] ?? '';
  return { image: { registry, repository, tag, digest }, tagPrefix, tagSuffix: tagSuffix ?? '' };
}

/** Tools that own a release: commands by hand would compete with them, and they would undo what these do. */
const otherOwners: Readonly<Record<AppliedBy, readonly [what: string, hint: string]>> = {
  'argo-cd': [
    'a release that Argo CD applies',
    'it prints the steps for Argo CD: helm upgrade would be a second owner, and self-heal undoes a scale-down, so ' +
      'they turn off automated sync before anything stops.',
  ],
  flux: [
    'a release that Flux applies',
    'it prints the steps for Flux, which replaces releases it did not make, and may undo a scale-down: they begin ' +
      'with flux suspend helmrelease.',
  ],
  other: [
    'objects that Helm did not apply',
    'apply each hop as you apply these objects, with the same tool: it would undo what helm and kubectl do.',
  ],
};

async function helmDeployment(
  seen: SeenDeployment,
  pinned: readonly Pin[],
  { release = seen.helm.release, values, chartVersion, tagSuffix }: HelmSteps,
): Promise<HelmDeployment> {
  const { helm: known } = seen;
  const [namespace, second] = seen.namespaces;
  const [left] = seen.notStopped;
  if (seen.appliedBy !== undefined) {
    const [what, hint] = otherOwners[seen.appliedBy];
    throw refusal(`--deploy helm, but the facts are of ${what}`, `Plan without --deploy, and ${hint}`);
  }
  const ofHelm = pinned.filter(({ path }) => isOfHelmValues(path));
  if (pinned[0] !== undefined && ofHelm.length === 0) {
    throw otherDeployment(pinned[0], 'helm', 'the image.tag of Helm values', 'values.yaml#image.tag');
  }
  if (second !== undefined) {
    throw refusal(
      `the facts are of Lightdash in several namespaces: ${namespace}, ${second}`,
      'Collect the facts of one of them, with --namespace.',
    );
  }
  if (left !== undefined) {
    throw refusal(
      `the steps of --deploy helm stop Deployments, but ${left.kind} ${left.name} would keep running`,
      'Scale it to 0 (delete a DaemonSet, suspend a CronJob), and collect the facts again.',
    );
  }
  if (known.release !== undefined && known.release !== release) {
    throw refusal(
      `--release ${release}, but the facts are of the release ${known.release}`,
      'Leave out --release, or collect the facts of that release.',
    );
  }
  const { requireChart } = await import('../../instance/first-versions.js');
  if (known.chartVersion !== undefined) requireChart(known.chartVersion);
  const files = allFiles({
    named: values,
    known: { ...seen, files: known.files },
    pins: ofHelm,
    option: '--values',
  });
  const pin = lastPinIn(files, ofHelm);
  return {
    ...known,
    ...imageOfPin(pin, tagSuffix, known),
    release,
    namespace,
    // For a chart that depends on Lightdash's chart, the facts do not have the version.
    parentVersion: chartVersion,
    file: fileOfPin(pin) ?? values.at(-1) ?? files.at(-1),
    files,
    valuesPath: pin === undefined ? known.valuesPath : pin.path.slice(0, -2),
  };
}

/** Standard input has no name. */
function fileOfPin(pin: Pin | undefined): string | undefined {
  return pin?.file === '-' ? undefined : pin?.file;
}

function isFile(path: string): (file: string) => boolean {
  return (file) => resolve(file) === resolve(path);
}

/** The pin of the last file that has one: the later file wins. */
function lastPinIn(files: readonly string[], pins: readonly Pin[]): Pin | undefined {
  const pinsInOrder = files.toReversed().flatMap((file) => pins.filter((pin) => isFile(pin.file)(file)));
  return pinsInOrder[0] ?? pins[0];
}

/**
 * All files of the deployment, in their order: those that are given, those of the facts, or the one that pins. A
 * command without one of them would deploy something else.
 *
 * @throws {LightspanError} `usage` if what is known of them would be left out
 */
function allFiles({
  named: namedFiles,
  known: { files: seen, hasUnnamedFiles },
  pins,
  option,
}: {
  readonly named: readonly string[];
  readonly known: Pick<Deployment, 'files'> & Pick<SeenDeployment, 'hasUnnamedFiles'>;
  readonly pins: readonly Pin[];
  readonly option: '--values' | '--compose';
}): readonly string[] {
  const refuse = (message: string) =>
    refusal(message, `Name every file of the deployment with ${option}, in deployment order.`);
  const pinFiles = [...new Set(pins.flatMap((pin) => fileOfPin(pin) ?? []))];
  const [first, second] = pinFiles;
  if (namedFiles.length > 0 && seen.length > 0 && !isInOrderOf(namedFiles, seen)) {
    throw refuse(`${option} names ${namedFiles.join(', ')}, but the facts are of ${seen.join(', ')}`);
  }
  const all = seen.length > 0 ? seen : namedFiles;
  if (all.length > 0) {
    if (first === undefined || pinFiles.some((file) => all.some(isFile(file)))) return all;
    throw refuse(`${first} pins the version, but is not a file of the deployment: ${all.join(', ')}`);
  }
  if (first !== undefined && hasUnnamedFiles) {
    throw refuse(`the facts do not name the files of the deployment; ${first} may be one`);
  }
  if (second !== undefined) {
    throw refuse(`${first} and ${second} both pin the version, and it is not known which files are deployed`);
  }
  return pinFiles;
}

function isInOrderOf(some: readonly string[], all: readonly string[]): boolean {
  const places = some.map((file) => all.findIndex(isFile(file)));
  return places.every((place, i) => place > (places[i - 1] ?? -1));
}

/**
 * Whether a path is that of a tag in a file for helm itself. The files of Flux, Argo CD and helmfile contain values:
 * helm would read such a file as a whole as values, and deploy the defaults of the chart.
 */
function isOfHelmValues(path: readonly string[]): boolean {
  const charts = path.slice(0, -2);
  const isOfOther = charts[0] === 'spec' || charts.some((key) => /^(?:values(?:Object)?|\d+)$/.test(key));
  return path.slice(-2).join('.') === 'image.tag' && !isOfOther;
}

async function composeDeployment(
  seen: SeenDeployment,
  pinned: readonly Pin[],
  { files: composeFiles, envFiles: composeEnvFile, tagSuffix }: ComposeSteps,
  context: CommandContext,
): Promise<ComposeDeployment> {
  const { compose: known } = seen;
  const ofCompose = pinned.filter(({ service }) => service !== undefined);
  // A `.env` pins for the compose file beside it.
  const beside = ofCompose.length > 0 ? [] : pinned.flatMap(({ file }) => composeFilesBeside(file));
  if (pinned[0] !== undefined && ofCompose.length === 0 && beside.length !== 1) {
    const example = 'docker-compose.yml#services.lightdash.image';
    throw otherDeployment(pinned[0], 'compose', 'the image of a compose service', example);
  }
  const seenEnvFiles = known.files.length > 0 ? known.envFiles : undefined;
  if (composeEnvFile && seenEnvFiles && composeEnvFile.join('\n') !== seenEnvFiles.join('\n')) {
    throw refusal(
      `--compose-env-file names ${composeEnvFile.join(', ')}, but the facts are of ${seenEnvFiles.join(', ')}`,
      'Name the same files in the same order, or collect the facts again.',
    );
  }
  const { envFilesIn } = await import('../../gather/files/variables.js');
  const { filesOfProject, isFirstFound } = await import('../../gather/deployment/compose/compose-files.js');
  const named = allFiles({
    named: composeFiles.length > 0 ? composeFiles : beside,
    known: { ...seen, files: known.files },
    pins: ofCompose,
    option: '--compose',
  });
  const [only = ''] = named;
  const isKnown = named.length !== 1 || [...composeFiles, ...known.files].length > 0;
  const envFiles = composeEnvFile ?? seenEnvFiles ?? envFilesIn(context.env);
  const files = isKnown ? named : filesOfProject({ files: [only], envFiles, env: context.env });
  const folder = envFiles === undefined && isFirstFound(only, context.env) ? folderFoundIn(files) : undefined;
  const pins =
    ofCompose.length === 0
      ? await pinsIn(files, { envFiles, tagSuffix, env: context.env })
      : ofCompose.filter(({ file }) => file === '-' || files.some(isFile(file)));
  const pin = lastPinIn(files, pins);
  const { variable } = pin ?? {};
  if (variable !== undefined && envFiles !== undefined && !envFiles.some(isFile(variable.file))) {
    throw refusal(
      `${variable.file} sets the release of ${pin?.file}, but docker compose reads ${envFiles.join(', ')} instead`,
      'Give the running version with --from instead.',
    );
  }
  const read =
    files.length > 0 && known.services.length === 0
      ? await readProject({ compose: files, composeEnvFile: envFiles }, context)
      : known;
  // Without docker compose, what the other files bring is not known: the commands ask for it.
  const [file] = files;
  const written =
    read === undefined && pins.length === 0 && files.length === 1 && file !== undefined
      ? await floatingImages(file)
      : undefined;
  const services = read === undefined && files.length > 1 ? [] : servicesOf(pins);
  return {
    ...known,
    ...imageOfPin(pin, tagSuffix, { ...known, image: known.image ?? read?.image }),
    ...{ files, envFiles, folder },
    file: fileOfPin(pin) ?? (files.length === 1 ? files[0] : undefined),
    variable,
    services: [...new Set([...services, ...(read?.services ?? written?.keys() ?? [])])],
    images: read?.images ?? written,
    database: read?.database,
  };
}

/**
 * What files of compose pin, where the running version was named in another way: they say where the release of a hop is
 * to be written. Where one of them has it in a way that is not read, none says it: that one may win.
 */
async function pinsIn(
  files: readonly string[],
  { envFiles, tagSuffix, env }: Pick<ComposeSteps, 'envFiles' | 'tagSuffix'> & Pick<CommandContext, 'env'>,
): Promise<readonly Pin[]> {
  const { readPlace } = await import('../../pins/places/read-place.js');
  const { findLightdash } = await import('../../pins/yaml/lightdash-places.js');
  const { readPinFile } = await import('../../pins/yaml/pin-documents.js');
  const { readFileText } = await import('../../gather/files/read-file.js');
  const variables = envFiles === undefined ? env : { ...env, COMPOSE_ENV_FILES: envFiles.join(',') };
  const reading = { read: readFileText, option: '--compose', env: variables, tagSuffix };
  const pins: Pin[] = [];
  try {
    for (const file of files) {
      const isThere = findLightdash(readPinFile(await readFileText(file), file)).length > 0;
      if (isThere) pins.push((await readPlace(file, reading)).pin);
    }
  } catch (error) {
    if (!(error instanceof LightspanError)) throw error;
    return [];
  }
  return pins;
}

/** The images of services that name no release, such as `lightdash/lightdash:latest`, where no docker compose reads the file. */
async function floatingImages(file: string): Promise<ReadonlyMap<string, DeployedImage>> {
  const { findLightdash } = await import('../../pins/yaml/lightdash-places.js');
  const { readPinFile } = await import('../../pins/yaml/pin-documents.js');
  const { readFileText } = await import('../../gather/files/read-file.js');
  const { imageFact } = await import('../../instance/image-reference.js');
  try {
    const places = findLightdash(readPinFile(await readFileText(file), file));
    return new Map(
      places.flatMap(({ path: [parent, service, key, ...deeper], scalar }): [string, DeployedImage][] => {
        const isOfService = parent === 'services' && key === 'image' && deeper.length === 0;
        const text = String(scalar?.value ?? '');
        return isOfService && service !== undefined && /^[\w.:/@-]+$/.test(text)
          ? [[service, imageFact(text, null)]]
          : [];
      }),
    );
  } catch (error) {
    if (!(error instanceof LightspanError)) throw error;
    return new Map();
  }
}

function otherDeployment(pin: Pin, deploy: string, what: string, example: string): LightspanError {
  return refusal(
    `--deploy ${deploy}, but ${nameOfPin(pin)} is not ${what}`,
    `Name it, for example ${example}, or pass the running version with --from.`,
  );
}

/** Every service whose image is among the pins. */
function servicesOf(pins: readonly Pin[]): string[] {
  const places = pins.flatMap(({ path, otherPlaces }) => [path.join('.'), ...otherPlaces]);
  const named = places.flatMap((place) => /^services\.(.+)\.image$/.exec(place)?.[1] ?? []);
  return [...new Set([...pins.flatMap(({ service }) => service ?? []), ...named])];
}

/**
 * Undefined if docker compose cannot read the files here.
 *
 * @throws {LightspanError} `usage` if they are not those that docker compose would read
 */
async function readProject(
  files: Pick<DeploymentSources, 'compose' | 'composeEnvFile'>,
  context: CommandContext,
): Promise<Pick<ComposeDeployment, 'services' | 'database' | 'image' | 'images'> | undefined> {
  const { collectDeployment } = await import('../../gather/deployment/collect.js');
  const { deploymentOf } = await import('../../instance/deployment.js');
  try {
    return deploymentOf((await collectDeployment(files, context)).facts).compose;
  } catch (error) {
    if (!(error instanceof LightspanError) || error.code === 'usage' || isInputError(error)) throw error;
    return undefined;
  }
}

/** In a command, a name that begins with "-" would be an option, and a line break would end the command. */
function requirePlainNames(deployment: Deployment): void {
  const names = textsIn([...objectsIn(deployment), deployment.database, nameOfImage(deployment.image)]);
  const unusable =
    names.find((name) => !/^[\w.][\w.:/-]*$/.test(name)) ??
    textsIn(deployment).find((text) => printable(text) !== text);
  if (unusable === undefined) return;
  throw refusal(
    `--deploy prints commands, and ${JSON.stringify(unusable)} cannot be part of one`,
    'Give the name as it is deployed: helm list, kubectl get and docker compose config show it.',
  );
}

function objectsIn(deployment: Deployment): readonly unknown[] {
  if (deployment.kind === 'compose') return [deployment.services];
  const { release, namespace, deployments, backend, autoscalers, migrationJobName } = deployment;
  return [release, namespace, deployments, backend, autoscalers, migrationJobName];
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
