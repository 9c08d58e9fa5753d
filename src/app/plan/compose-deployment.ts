import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { lazy } from '../../core/common/memoize.js';
import { isInputError, LightspanError } from '../../core/lightspan-error.js';
import type { CommandContext } from '../../door/context.js';
import { folderFoundIn } from '../../instance/compose-files.js';
import type { ComposeDeployment, DeployedImage, SeenDeployment } from '../../instance/deployment.js';
import { imageFact } from '../../instance/image-reference.js';
import { isVariablesFile } from '../../pins/pin-pattern.js';
import type { LightdashPlace } from '../../pins/yaml/lightdash-places.js';
import type { Pin } from '../../pins/yaml/pin-at.js';
import type { DeploymentSources } from '../../question/facts.js';
import type { ComposeSteps } from '../../question/route.js';
import { composeFilesBeside } from '../settings/files-beside.js';
import {
  allFiles,
  fileOfPin,
  imageOfPin,
  isFile,
  lastPinIn,
  otherDeployment,
  type PinsOfDeployment,
  refusal,
} from './files-of-deployment.js';

export async function composeDeployment(
  seen: SeenDeployment,
  { pinned, tagSuffix }: PinsOfDeployment,
  { files: composeFiles, envFiles: composeEnvFile }: ComposeSteps,
  context: CommandContext,
): Promise<ComposeDeployment> {
  const { compose: known } = seen;
  const ofCompose = pinned.filter(({ service }) => service !== undefined);
  const first = ofCompose.length > 0 ? undefined : pinned[0];
  // A `.env` pins for the compose file beside it, and files of variables that are named for those that are.
  const beside = first === undefined ? [] : pinned.flatMap(({ file }) => composeFilesBeside(file));
  const seenEnvFiles = known.files.length > 0 ? known.envFiles : undefined;
  const given = { files: [...composeFiles, ...known.files], envFiles: composeEnvFile ?? seenEnvFiles };
  const ofPins = first === undefined ? undefined : envFilesOfPins(pinned, given, context);
  if (first !== undefined && beside.length !== 1 && ofPins === undefined) throw ofNoService(first);
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
  const isKnown = named.length !== 1 || given.files.length > 0;
  const envFiles = given.envFiles ?? ofPins ?? envFilesIn(context.env);
  const files = isKnown ? named : filesOfProject({ files: [only], envFiles, env: context.env });
  const folder = envFiles === undefined && isFirstFound(only, context.env) ? folderFoundIn(files) : undefined;
  const places = lazy(() => placesIn(files));
  const pins =
    ofCompose.length === 0
      ? await pinsAt(await places(), { envFiles, tagSuffix, env: context.env })
      : ofCompose.filter(({ file }) => file === '-' || files.some(isFile(file)));
  const pin = lastPinIn(files, pins);
  const { variable } = pin ?? {};
  const isOther = ({ file, path: [name] }: Pin) =>
    variable === undefined || !isFile(variable.file)(file) || variable.name !== name;
  const other = ofPins && pinned.find(isOther);
  if (other) throw ofNoService(other);
  if (variable !== undefined && envFiles !== undefined && !envFiles.some(isFile(variable.file))) {
    const { giveRunningVersion } = await import('../../pins/yaml/pin-at.js');
    throw refusal(
      `${variable.file} sets the release of ${pin?.file}, but docker compose reads ${envFiles.join(', ')} instead`,
      giveRunningVersion,
    );
  }
  const read =
    files.length > 0 && known.services.length === 0
      ? await readProject({ compose: files, composeEnvFile: envFiles }, context)
      : known;
  // Without docker compose, what the other files bring is not known: the commands ask for it.
  const written =
    read === undefined && pins.length === 0 && files.length === 1 ? imagesAt(await places()) : undefined;
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
 * The files of variables that docker compose is given, if all pins are in them: as they are named, or else those that pin,
 * where docker compose has no `.env` beside its first file and none from the environment. Undefined if another pins.
 */
function envFilesOfPins(
  pinned: readonly Pin[],
  {
    files: [first],
    envFiles,
  }: { readonly files: readonly string[]; readonly envFiles: ComposeSteps['envFiles'] },
  { env }: Pick<CommandContext, 'env'>,
): readonly string[] | undefined {
  if (first === undefined) return undefined;
  const hasOwn = Boolean(env.COMPOSE_ENV_FILES) || existsSync(join(dirname(first), '.env'));
  const ofPins = [...new Set(pinned.map(({ file }) => file))];
  const named = envFiles ?? (hasOwn ? [] : ofPins.filter(isVariablesFile));
  return ofPins.every((file) => named.some(isFile(file))) ? named : undefined;
}

function ofNoService(pin: Pin): LightspanError {
  const { file } = pin;
  return otherDeployment(
    pin,
    'compose',
    'the image of a compose service',
    'docker-compose.yml#services.lightdash.image',
    isVariablesFile(file)
      ? ` If docker compose is run with --env-file ${file}, pass --compose for each of its files and ` +
          `--compose-env-file ${file}.`
      : undefined,
  );
}

/** Where each file runs Lightdash; none at all where one of them cannot be read. */
async function placesIn(files: readonly string[]): Promise<ReadonlyMap<string, readonly LightdashPlace[]>> {
  const { findLightdash } = await import('../../pins/yaml/lightdash-places.js');
  const { readPinFile } = await import('../../pins/yaml/pin-documents.js');
  const { readFileText } = await import('../../gather/files/read-file.js');
  const places = new Map<string, readonly LightdashPlace[]>();
  try {
    for (const file of files) places.set(file, findLightdash(readPinFile(await readFileText(file), file)));
  } catch (error) {
    if (!(error instanceof LightspanError)) throw error;
    return new Map();
  }
  return places;
}

/**
 * What files of compose pin, where the running version was named in another way: they say where the release of a hop is
 * to be written. Where one of them has it in a way that is not read, none says it: that one may win.
 */
async function pinsAt(
  places: ReadonlyMap<string, readonly LightdashPlace[]>,
  {
    envFiles,
    tagSuffix,
    env,
  }: Pick<ComposeSteps, 'envFiles'> & Pick<PinsOfDeployment, 'tagSuffix'> & Pick<CommandContext, 'env'>,
): Promise<readonly Pin[]> {
  const { readPlace } = await import('../../pins/places/read-place.js');
  const { readFileText } = await import('../../gather/files/read-file.js');
  const variables = envFiles === undefined ? env : { ...env, COMPOSE_ENV_FILES: envFiles.join(',') };
  const reading = { read: readFileText, option: '--compose', env: variables, tagSuffix };
  const pins: Pin[] = [];
  try {
    for (const [file, { length }] of places) if (length > 0) pins.push((await readPlace(file, reading)).pin);
  } catch (error) {
    if (!(error instanceof LightspanError)) throw error;
    return [];
  }
  return pins;
}

/** The images of services that name no release, such as `lightdash/lightdash:latest`. */
function imagesAt(
  places: ReadonlyMap<string, readonly LightdashPlace[]>,
): ReadonlyMap<string, DeployedImage> {
  return new Map(
    [...places.values()].flat().flatMap(({ path, scalar }): [string, DeployedImage][] => {
      const [parent, service, key, ...deeper] = path;
      const isOfService = parent === 'services' && key === 'image' && deeper.length === 0;
      const text = String(scalar?.value ?? '');
      return isOfService && service !== undefined && /^[\w.:/@-]+$/.test(text)
        ? [[service, imageFact(text, null)]]
        : [];
    }),
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
