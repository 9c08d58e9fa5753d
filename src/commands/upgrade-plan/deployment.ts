import { LightspanError } from '../../errors.js';
import type { Deployment } from '../../release-safety/deployment.js';
import { type DeploymentFacts, nothingOfCompose, nothingOfHelm } from '../../render/deployment-steps.js';
import { printable } from '../../render/printable.js';
import type { Pin } from '../../sources/pinned-version.js';
import type { CurrentVersion } from '../current-version.js';
import type { CurrentVersionOptions, SourceOptions } from '../shared-options.js';

export interface DeploymentOptions {
  readonly deploy?: 'helm' | 'compose';
  readonly chartVersion?: string;
  readonly migrationJob?: true;
  readonly release?: string;
  readonly values?: string;
  readonly out?: string;
}

/**
 * What is deployed with, as the command line has it.
 *
 * @throws {LightspanError} `usage`; `invalid-version` for the version of the chart
 */
export async function readDeployment(
  options: DeploymentOptions,
  format: string,
): Promise<Deployment | undefined> {
  const { deploy, chartVersion, migrationJob, release, values, out } = options;
  if (deploy !== undefined && format === 'junit') {
    throw new LightspanError('usage', '--format junit has no place for the steps of --deploy', {
      hint: 'Write the plan as text, json, markdown or github, or leave --deploy out.',
    });
  }
  if (deploy === undefined && out !== undefined) {
    throw new LightspanError('usage', '--out writes the scripts of --deploy, which is not given');
  }
  if (deploy === 'helm') {
    const { chartRecreateOf } = await import('../../release-safety/chart-version.js');
    return {
      kind: 'helm',
      chartRecreate: chartVersion === undefined ? 'unknown' : chartRecreateOf(chartVersion),
      migrationJob: migrationJob === true,
    };
  }
  const helmOnly = Object.entries({
    '--chart-version': chartVersion,
    '--migration-job': migrationJob,
    '--release': release,
    '--values': values,
  }).find(([, value]) => value !== undefined);
  if (helmOnly !== undefined) {
    throw new LightspanError('usage', `${helmOnly[0]} goes with --deploy helm alone`);
  }
  return deploy === undefined ? undefined : { kind: deploy };
}

/**
 * What is known of the deployment: from the command line, and from the file that pins the version.
 *
 * @throws {LightspanError} `usage` where that file is of another kind of deployment
 */
export async function readDeploymentFacts(
  deployment: Deployment,
  options: DeploymentOptions & CurrentVersionOptions & Pick<SourceOptions, 'allowHttp'>,
  { pinned }: CurrentVersion,
): Promise<DeploymentFacts> {
  const [pin] = pinned;
  // Standard input has no name.
  const file = pin?.file === '-' ? undefined : pin?.file;
  const facts = {
    instance: await knownInstance(options),
    tagOf: (version: string) =>
      `${/^v?/i.exec(pin?.tag ?? '')?.[0] ?? ''}${version}${options.tagSuffix ?? ''}`,
    pinsDigest: pin?.digest !== undefined,
    helm: nothingOfHelm,
    compose: nothingOfCompose,
  };
  if (deployment.kind === 'helm') {
    const valuesPath = pin === undefined ? [] : pin.path.slice(0, -2);
    if (pin !== undefined && pin.path.slice(-2).join('.') !== 'image.tag') {
      throw otherDeployment(pin, 'helm', 'the image.tag of Helm values', 'values.yaml#image.tag');
    }
    const { release, chartVersion, values = file } = options;
    return { ...facts, helm: printableFacts({ release, chartVersion, valuesPath, valuesFile: values }) };
  }
  if (pin === undefined) return facts;
  if (pin.service === undefined) {
    const example = 'docker-compose.yml#services.lightdash.image';
    throw otherDeployment(pin, 'compose', 'the image of a compose service', example);
  }
  return {
    ...facts,
    compose: printableFacts({
      file,
      services: servicesOf(pinned.filter((one) => one.file === pin.file)),
      image: [pin.registry, pin.repository].filter((part) => part !== undefined).join('/') || undefined,
      database: file === undefined ? undefined : await readDatabaseService(file),
    }),
  };
}

function otherDeployment({ file, path }: Pin, deploy: string, what: string, example: string): LightspanError {
  return new LightspanError('usage', `--deploy ${deploy}, and ${file}#${path.join('.')} is not ${what}`, {
    hint: `Name it, for example ${example}, or give the version that runs with --from.`,
  });
}

/** Every service whose image the pins are. */
function servicesOf(pins: readonly Pin[]): string[] {
  const places = pins.flatMap(({ path, otherPlaces }) => [path.join('.'), ...otherPlaces]);
  const named = places.flatMap((place) => /^services\.(.+)\.image$/.exec(place)?.[1] ?? []);
  return [...new Set([...pins.flatMap(({ service }) => service ?? []), ...named])];
}

async function readDatabaseService(file: string): Promise<string | undefined> {
  const { readFileText } = await import('../../sources/input-text.js');
  const { databaseServiceOf } = await import('../../sources/compose-database.js');
  return databaseServiceOf(await readFileText(file));
}

async function knownInstance({
  instance,
  allowHttp,
}: CurrentVersionOptions & Pick<SourceOptions, 'allowHttp'>): Promise<DeploymentFacts['instance']> {
  if (instance === undefined) return undefined;
  const { parseInstanceUrl } = await import('../../sources/running-version.js');
  return { url: String(parseInstanceUrl(instance)), allowHttp: allowHttp === true };
}

/** A line break in a name would tear commands apart, and a terminal would obey what else controls it. */
function printableFacts<Facts extends object>(facts: Facts): Facts {
  const unprintable = Object.values(facts)
    .flat()
    .find((value) => typeof value === 'string' && printable(value) !== value);
  if (unprintable === undefined) return facts;
  throw new LightspanError(
    'usage',
    `--deploy prints commands, and ${JSON.stringify(unprintable)} holds a control character`,
  );
}
