import { dirname, isAbsolute, relative, resolve } from 'node:path';
import { LightspanError } from '../errors.js';
import type { DeployedImage, Deployment } from '../facts/deployment.js';
import type { AppliedBy } from '../facts/deployment-facts.js';
import type { FactValue } from '../facts/fact-names.js';
import type { FactsFile } from '../facts/facts-schema.js';
import { releaseTagOf } from '../facts/lightdash-containers.js';
import { seenValue } from '../facts/needs.js';
import type { Pin } from '../sources/pinned-version.js';
import type { KnownInstance } from '../steps/commands.js';
import { nameOfImage } from '../steps/steps.js';
import { renderNotice } from '../words/notices.js';
import { printable } from '../words/printable.js';
import type { CommandContext } from './context.js';
import type { CurrentVersion } from './current-version.js';
import type { OptionsOf, OptionTable } from './declare.js';
import type { CurrentVersionOptions, SourceOptions } from './options.js';
import { readText } from './readers.js';

/** How to run a plan. */
export const steps = {
  deploy: {
    flags: '--deploy <with>',
    description: 'list the steps of the first hop, with one block of commands to paste, for',
    choices: ['helm', 'compose'],
  },
  open: {
    flags: '--open',
    description: 'print the address of the page that shows this path; nothing is opened',
  },
  out: {
    flags: '--out <folder>',
    description: 'write the commands there, one script per hop',
    read: readText,
  },
  chartVersion: {
    flags: '--chart-version <version>',
    description: 'helm: version of the chart that is deployed',
    read: readText,
  },
  migrationJob: { flags: '--migration-job', description: 'helm: migrationJob.enabled is set' },
  release: { flags: '--release <name>', description: 'helm: name of the release', read: readText },
  values: {
    flags: '--values <file>',
    description: 'helm: your values file (default: the one named by --from-file)',
    read: readText,
  },
} as const satisfies OptionTable;

export type DeploymentOptions = OptionsOf<typeof steps>;

/**
 * Checks that the deployment options of the command line fit together.
 *
 * @throws {LightspanError} `usage`
 */
export function checkDeploymentOptions(options: DeploymentOptions, format: string): void {
  const { deploy, chartVersion, migrationJob, release, values, out } = options;
  if (deploy !== undefined && format === 'junit') {
    throw new LightspanError('usage', '--format junit cannot contain the steps of --deploy', {
      hint: 'Write the plan as text, json, markdown or github, or leave --deploy out.',
    });
  }
  if (deploy === undefined && out !== undefined) {
    throw new LightspanError('usage', '--out writes the scripts of --deploy, but --deploy is not given');
  }
  if (deploy === 'helm') return;
  const helmOnly = Object.entries({
    '--chart-version': chartVersion,
    '--migration-job': migrationJob,
    '--release': release,
    '--values': values,
  }).find(([, value]) => value !== undefined);
  if (helmOnly !== undefined) {
    throw new LightspanError('usage', `${helmOnly[0]} works only with --deploy helm`);
  }
}

/**
 * How the instance is deployed: by the command line, by the file that pins the version, and by the facts, in this order
 * of precedence.
 *
 * @throws {LightspanError} `usage` if that file, or the facts, are of another kind of deployment, or of more than one;
 * {@link ReleaseSafetyError} `invalid-version` for the version of the chart
 */
export async function readDeployment(
  options: DeploymentOptions &
    Pick<CurrentVersionOptions, 'tagSuffix'> & { readonly fact?: ReadonlyMap<string, FactValue> },
  current: CurrentVersion,
  file: FactsFile | undefined,
  context: CommandContext,
): Promise<Deployment | undefined> {
  const { deploy } = options;
  if (deploy === undefined) return undefined;
  const { deploymentOf } = await import('../facts/deployment.js');
  const seen = deploymentOf(file?.facts ?? {});
  const stated = { ...seenValue(file?.facts.stated), ...Object.fromEntries(options.fact ?? []) };
  const other = [stated['deployed-by'], seen.kind].find((kind) => kind !== undefined && kind !== deploy);
  if (other !== undefined) {
    throw new LightspanError('usage', `--deploy ${deploy}, but the facts are of a deployment with ${other}`, {
      hint: `Plan it with --deploy ${other}, or give facts of the other deployment.`,
    });
  }
  if (deploy === 'helm' && seen.appliedBy !== undefined) throw otherOwner(seen.appliedBy);
  const contradicted: Contradicted = (option, fact) =>
    context.stderr.write(renderNotice({ kind: 'option-over-fact', option, fact }));
  const tagged = ofPinnedTag(options, current, { ...seen, kind: deploy }, contradicted);
  if (deploy === 'helm') {
    const helm = printableFacts(
      await helmDeployment(options, current, { ...tagged, ...chartOf(stated, tagged) }, contradicted),
    );
    requireHelmNames(helm);
    return helm;
  }
  const compose = printableFacts(await composeDeployment(current, tagged, contradicted, context));
  requireComposeNames(compose);
  return compose;
}

/** What a person states takes precedence over what was seen. */
function chartOf(
  { 'chart-version': version, 'migration-job': job }: Readonly<Record<string, FactValue>>,
  seen: Deployment,
): Pick<Deployment, 'chartVersion' | 'migrationJob'> {
  return {
    chartVersion: version === undefined ? seen.chartVersion : String(version),
    migrationJob: job === undefined ? seen.migrationJob : job === 'on',
  };
}

/** By hand, the steps would compete with the tool that owns the release, and it would undo them. */
function otherOwner(by: AppliedBy): LightspanError {
  const { what, hint } = otherOwners[by];
  return new LightspanError('usage', `--deploy helm, but the facts are of ${what}`, {
    hint: `Plan without --deploy, and ${hint}`,
  });
}

const otherOwners: Readonly<Record<AppliedBy, { readonly what: string; readonly hint: string }>> = {
  'argo-cd': {
    what: 'a release that Argo CD applies',
    hint: 'set the tag of each hop in Git. helm upgrade would be a second owner, and self-heal undoes a scale-down: switch automated sync off before you stop anything.',
  },
  flux: {
    what: 'a release that Flux applies',
    hint: 'set the tag of each hop in the HelmRelease. Flux replaces a release that it has not made, and may undo a scale-down: run flux suspend helmrelease before you stop anything.',
  },
  other: {
    what: 'objects that helm has not applied',
    hint: 'apply each hop as you apply these objects: with the tool that would undo what helm and kubectl do.',
  },
};

/** Reports that the command line takes precedence over a fact. */
type Contradicted = (option: string, fact: string) => void;

function ofPinnedTag(
  { tagSuffix }: Pick<CurrentVersionOptions, 'tagSuffix'>,
  { pinned: [pin], version, source }: CurrentVersion,
  seen: Deployment,
  contradicted: Contradicted,
): Deployment {
  const tag = seen.image && releaseTagOf(seen.image);
  if (tag !== undefined && tag.version !== version) contradicted(`${version} (${source})`, tag.version);
  const suffix = tagSuffix ?? (pin === undefined ? seen.tagSuffix : '');
  if (tag !== undefined && tag.suffix !== suffix) {
    contradicted(`the suffix ${JSON.stringify(suffix)}`, JSON.stringify(tag.suffix));
  }
  const prefix = pin === undefined ? seen.tagPrefix : (/^v/i.exec(pin.tag)?.[0] ?? '');
  return { ...seen, tagPrefix: prefix, tagSuffix: suffix };
}

async function helmDeployment(
  options: DeploymentOptions,
  { pinned: [pin] }: CurrentVersion,
  seen: Deployment,
  contradicted: Contradicted,
): Promise<Deployment> {
  if (pin !== undefined && !isOfHelmValues(pin.path)) {
    throw otherDeployment(pin, 'helm', 'the image.tag of Helm values', 'values.yaml#image.tag');
  }
  const [namespace, second] = seen.namespaces;
  if (second !== undefined) {
    throw new LightspanError(
      'usage',
      `the facts are of Lightdash in more than one namespace: ${namespace}, ${second}`,
      { hint: 'Collect the facts of one of them, with --namespace.' },
    );
  }
  const [left] = seen.notStopped;
  if (left !== undefined) {
    throw new LightspanError(
      'usage',
      `the steps of --deploy helm stop Deployments, and ${left.kind} ${left.name} would keep running`,
      { hint: 'Scale it to 0 (delete a DaemonSet, suspend a CronJob), and collect the facts again.' },
    );
  }
  const { release = seen.release } = options;
  if (seen.release !== undefined && seen.release !== release) {
    throw new LightspanError(
      'usage',
      `--release ${release}, but the facts are of the release ${seen.release}`,
      { hint: 'Leave --release out, or collect the facts of that release.' },
    );
  }
  if (options.migrationJob === true && seen.migrationJob === false) {
    contradicted('--migration-job', 'that there is none');
  }
  const { chartVersion: given } = options;
  if (given !== undefined && seen.chartVersion !== undefined && given !== seen.chartVersion) {
    contradicted(`--chart-version ${given}`, seen.chartVersion);
  }
  const chartVersion = given ?? seen.chartVersion;
  const { requireChart } = await import('../instance/eras.js');
  if (chartVersion !== undefined) requireChart(chartVersion);
  const named = options.values ?? (pin?.file === '-' ? undefined : pin?.file);
  const agrees = named === undefined || seen.files.includes(named);
  if (!agrees && seen.files.length > 0) contradicted(`the values file ${named}`, seen.files.join(', '));
  return {
    ...seen,
    image: pin === undefined ? seen.image : imageOf(pin),
    release,
    namespace,
    chartVersion,
    // For a chart that depends on Lightdash's chart, the facts do not have the version.
    parentVersion: given,
    file: named ?? seen.file,
    files: agrees ? seen.files : [],
    valuesPath: pin === undefined ? seen.valuesPath : pin.path.slice(0, -2),
    migrationJob: options.migrationJob ?? seen.migrationJob,
  };
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
  { pinned }: CurrentVersion,
  seen: Deployment,
  contradicted: Contradicted,
  context: CommandContext,
): Promise<Deployment> {
  const [pin] = pinned;
  if (pin !== undefined && pin.service === undefined) {
    const example = 'docker-compose.yml#services.lightdash.image';
    throw otherDeployment(pin, 'compose', 'the image of a compose service', example);
  }
  // Standard input has no name.
  const file = pin?.file === '-' ? undefined : pin?.file;
  const agrees = file === undefined || seen.files.some((one) => resolve(one) === resolve(file));
  if (!agrees && seen.files.length > 0) contradicted(`the file ${file}`, seen.files.join(', '));
  const [ofPin, ofFacts] = [nameOfImage(pin && imageOf(pin)), nameOfImage(seen.image)];
  if (ofPin !== undefined && ofFacts !== undefined && ofPin !== ofFacts) {
    contradicted(`the image ${ofPin} (--from-file)`, ofFacts);
  }
  const services = pin === undefined ? [] : servicesOf(pinned.filter((one) => one.file === pin.file));
  const known = agrees ? seen : { files: [], services: [], project: undefined, database: undefined };
  return {
    ...seen,
    ...known,
    ...(known.files.length > 1 ? joinedFiles(known.files) : {}),
    image: pin === undefined ? seen.image : imageOf(pin),
    file: file ?? seen.file,
    services: [...new Set([...services, ...known.services])],
    database: known.database ?? (file === undefined ? undefined : await databaseServiceOf(file, context)),
  };
}

/** Without what else a pin has. */
function imageOf({ registry, repository, tag, digest }: Pin): DeployedImage {
  return { registry: registry ?? null, repository: repository ?? null, tag, digest: digest ?? null };
}

function joinedFiles(files: readonly string[]): Pick<Deployment, 'folder' | 'files'> {
  const colon = files.find((file) => file.includes(':'));
  if (colon !== undefined) {
    throw new LightspanError(
      'usage',
      `--deploy joins files with colons, and ${JSON.stringify(colon)} contains one`,
    );
  }
  const folder = dirname(files[0] ?? '');
  const staysWhole = (file: string) => isAbsolute(file) && !file.startsWith(`${folder}/`);
  return { folder, files: files.map((file) => (staysWhole(file) ? file : relative(folder, file))) };
}

function otherDeployment({ file, path }: Pin, deploy: string, what: string, example: string): LightspanError {
  return new LightspanError('usage', `--deploy ${deploy}, and ${file}#${path.join('.')} is not ${what}`, {
    hint: `Name it, for example ${example}, or give the running version with --from.`,
  });
}

/** Every service whose image is among the pins. */
function servicesOf(pins: readonly Pin[]): string[] {
  const places = pins.flatMap(({ path, otherPlaces }) => [path.join('.'), ...otherPlaces]);
  const named = places.flatMap((place) => /^services\.(.+)\.image$/.exec(place)?.[1] ?? []);
  return [...new Set([...pins.flatMap(({ service }) => service ?? []), ...named])];
}

/** Undefined if docker compose cannot read the file here: the commands then ask for the service. */
async function databaseServiceOf(
  file: string,
  { stdin, env, now }: CommandContext,
): Promise<string | undefined> {
  const { collectDeployment } = await import('../sources/deployment/collect.js');
  const { deploymentOf } = await import('../facts/deployment.js');
  try {
    const { facts } = await collectDeployment({ compose: [file] }, { stdin, env, now });
    return deploymentOf(facts).database;
  } catch (error) {
    if (error instanceof LightspanError) return undefined;
    throw error;
  }
}

/** The running instance, for the commands that ask it for its version. */
export async function knownInstance({
  instance,
  allowHttp,
}: CurrentVersionOptions & Pick<SourceOptions, 'allowHttp'>): Promise<KnownInstance | undefined> {
  if (instance === undefined) return undefined;
  const { parseInstanceAddress } = await import('../sources/instance-health.js');
  return { url: String(parseInstanceAddress(instance)), allowHttp: allowHttp === true };
}

const label = '[a-z0-9](?:[a-z0-9-]*[a-z0-9])?';
const oneLabel = new RegExp(`^${label}$`);
const labels = new RegExp(`^${label}(?:\\.${label})*$`);

/** Kubernetes and Helm allow no other names; a command that is printed could take another for an option. */
function requireHelmNames(helm: Deployment): void {
  const { release, namespace, deployments, backend, autoscalers, database, migrationJobName } = helm;
  const objects = [
    ...deployments,
    ...autoscalers.flatMap(({ name, target }) => [name, target]),
    ...[backend, database?.slice(database.indexOf('/') + 1)],
  ];
  requireNames('a Helm release', [release], (name) => name.length <= 53 && labels.test(name));
  requireNames('a namespace', [namespace], (name) => name.length <= 63 && oneLabel.test(name));
  requireNames(
    'an object of Kubernetes',
    [...objects, migrationJobName],
    (name) => name.length <= 253 && labels.test(name),
  );
}

/** docker compose allows names that begin with "-", which are options in a command. */
function requireComposeNames({ services, database, image }: Deployment): void {
  requireNames('a service to be named in a command', [...services, database], (name) =>
    /^[A-Za-z0-9._][A-Za-z0-9._-]*$/.test(name),
  );
  requireNames('an image', [nameOfImage(image)], (name) => !name.startsWith('-'));
}

function requireNames(
  what: string,
  names: readonly (string | undefined)[],
  isAllowed: (name: string) => boolean,
): void {
  const other = names.find((name) => name !== undefined && !isAllowed(name));
  if (other === undefined) return;
  throw new LightspanError(
    'usage',
    `--deploy prints commands, and ${JSON.stringify(other)} is not the name of ${what}`,
    {
      hint: 'Give the name as it is deployed: helm list, kubectl get and docker compose config show it.',
    },
  );
}

/** A line break in a name would split commands, and other control characters would affect a terminal. */
function printableFacts<Facts extends object>(facts: Facts): Facts {
  const unprintable = Object.values(facts)
    .flatMap(textsIn)
    .find((value) => printable(value) !== value);
  if (unprintable === undefined) return facts;
  throw new LightspanError(
    'usage',
    `--deploy prints commands, and ${JSON.stringify(unprintable)} contains a control character`,
  );
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
