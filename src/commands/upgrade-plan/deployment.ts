import { dirname, isAbsolute, relative, resolve } from 'node:path';
import { LightspanError } from '../../errors.js';
import type { Deployed } from '../../facts/deployed.js';
import type { AppliedBy } from '../../facts/deployment-facts.js';
import type { FactValue } from '../../facts/fact-names.js';
import type { FactsFile } from '../../facts/facts-schema.js';
import { releaseTagOf } from '../../facts/release-tag.js';
import { seenValue } from '../../facts/seen-value.js';
import type { Deployment } from '../../release-safety/deployment.js';
import {
  type ComposeFacts,
  type DeploymentFacts,
  deploysOtherChart,
  type HelmFacts,
  nothingOfCompose,
  nothingOfHelm,
} from '../../render/deployment/known.js';
import { printable } from '../../render/printable.js';
import { renderNotice } from '../../render/words/notices.js';
import type { Pin } from '../../sources/pinned-version.js';
import type { CommandContext } from '../context.js';
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
 * How the instance is deployed: by the command line and, for what it does not say, by the facts.
 *
 * @throws {LightspanError} `usage` if the facts are of another deployment; `invalid-version` for the version of the
 * chart
 */
export async function readDeployment(
  { deploy, chartVersion, migrationJob }: DeploymentOptions,
  { deployed, stated }: KnownDeployment,
): Promise<Deployment | undefined> {
  if (deploy === undefined) return undefined;
  const other = [stated.get('deployed-by'), deployed?.kind].find(
    (kind) => kind !== undefined && kind !== deploy,
  );
  if (other !== undefined) {
    throw new LightspanError('usage', `--deploy ${deploy}, but the facts are of a deployment with ${other}`, {
      hint: `Plan it with --deploy ${other}, or give facts of the other deployment.`,
    });
  }
  if (deploy === 'compose') return { kind: deploy };
  if (deployed?.appliedBy !== undefined) throw otherOwner(deployed.appliedBy);
  const { chartRecreateOf } = await import('../../release-safety/chart-version.js');
  const chart = chartVersion ?? textOf(stated.get('chart-version')) ?? deployed?.helm.chartVersion;
  return {
    kind: 'helm',
    chartRecreate: chart === undefined ? 'unknown' : chartRecreateOf(chart),
    migrationJob: migrationJob ?? hasJob(stated) ?? deployed?.helm.migrationJob ?? false,
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

/** What facts say; what a person states takes precedence over what was seen. */
export interface KnownDeployment {
  readonly deployed: Deployed | undefined;
  readonly stated: ReadonlyMap<string, FactValue>;
}

export async function knownDeployment(
  file: FactsFile | undefined,
  fact: ReadonlyMap<string, FactValue> = new Map(),
): Promise<KnownDeployment> {
  if (file === undefined) return { deployed: undefined, stated: fact };
  const { deployedOf } = await import('../../facts/deployed.js');
  const inFile = Object.entries(seenValue(file.facts.stated) ?? {});
  return { deployed: deployedOf(file.facts), stated: new Map([...inFile, ...fact]) };
}

function hasJob(stated: KnownDeployment['stated']): boolean | undefined {
  const job = stated.get('migration-job');
  return job === undefined ? undefined : job === 'on';
}

function textOf(value: FactValue | undefined): string | undefined {
  return value === undefined ? undefined : String(value);
}

/** Reports that the command line takes precedence over a fact. */
type Contradicted = (option: string, fact: string) => void;

/**
 * What is known of the deployment: from the command line, from the file that pins the version, and from the facts, in
 * this order of precedence.
 *
 * @throws {LightspanError} `usage` if that file is of another kind of deployment, or the facts of more than one
 */
export async function readDeploymentFacts(
  deployment: Deployment,
  options: DeploymentOptions & CurrentVersionOptions & Pick<SourceOptions, 'allowHttp'>,
  { pinned, version, source }: CurrentVersion,
  told: KnownDeployment,
  context: CommandContext,
): Promise<DeploymentFacts> {
  const contradicted: Contradicted = (option, fact) =>
    context.stderr.write(renderNotice({ kind: 'option-over-fact', option, fact }));
  const [pin] = pinned;
  const { deployed } = told;
  const image = deployed?.image;
  const tag = image && releaseTagOf(image);
  if (tag !== undefined && tag.version !== version) contradicted(`${version} (${source})`, tag.version);
  const suffix = options.tagSuffix ?? (pin === undefined ? tag?.suffix : undefined) ?? '';
  if (tag !== undefined && tag.suffix !== suffix) {
    contradicted(`the suffix ${JSON.stringify(suffix)}`, JSON.stringify(tag.suffix));
  }
  const written = pin === undefined ? tag && image?.tag : pin.tag;
  const prefix = /^v?/i.exec(written ?? '')?.[0] ?? '';
  const facts = {
    instance: await knownInstance(options),
    tagOf: (toVersion: string) => `${prefix}${toVersion}${suffix}`,
    pinsDigest: pin === undefined ? (image?.digest ?? null) !== null : pin.digest !== undefined,
    helm: nothingOfHelm,
    compose: nothingOfCompose,
  };
  if (deployment.kind === 'helm') {
    const helm = printableFacts(helmFacts(options, pin, told, contradicted));
    requireHelmNames(helm);
    return { ...facts, helm };
  }
  const compose = printableFacts(await composeFacts(pin, pinned, deployed, contradicted, context));
  requireComposeNames(compose);
  return { ...facts, compose };
}

function helmFacts(
  options: DeploymentOptions,
  pin: Pin | undefined,
  { deployed, stated }: KnownDeployment,
  contradicted: Contradicted,
): HelmFacts {
  if (pin !== undefined && !isOfHelmValues(pin.path)) {
    throw otherDeployment(pin, 'helm', 'the image.tag of Helm values', 'values.yaml#image.tag');
  }
  const [namespace, second] = deployed?.namespaces ?? [];
  if (second !== undefined) {
    throw new LightspanError(
      'usage',
      `the facts are of Lightdash in more than one namespace: ${namespace}, ${second}`,
      { hint: 'Collect the facts of one of them, with --namespace.' },
    );
  }
  const helm = deployed?.helm;
  const [left] = helm?.notStopped ?? [];
  if (left !== undefined) {
    throw new LightspanError(
      'usage',
      `the steps of --deploy helm stop Deployments, and ${left.kind} ${left.name} would keep running`,
      { hint: 'Scale it to 0 (delete a DaemonSet, suspend a CronJob), and collect the facts again.' },
    );
  }
  const { release = helm?.release } = options;
  if (helm?.release !== undefined && helm.release !== release) {
    throw new LightspanError(
      'usage',
      `--release ${release}, but the facts are of the release ${helm.release}`,
      { hint: 'Leave --release out, or collect the facts of that release.' },
    );
  }
  const first = <Value extends string>(option: string, given: Value | undefined, fact: Value | undefined) => {
    if (given !== undefined && fact !== undefined && given !== fact) contradicted(`${option} ${given}`, fact);
    return given ?? fact;
  };
  const job = hasJob(stated) ?? helm?.migrationJob;
  if (options.migrationJob === true && job === false) contradicted('--migration-job', 'that there is none');
  const ofChart = textOf(stated.get('chart-version')) ?? helm?.chartVersion;
  const chartVersion = first('--chart-version', options.chartVersion, ofChart);
  const valuesPath = pin === undefined ? (helm?.valuesPath ?? []) : pin.path.slice(0, -2);
  // For a chart that depends on Lightdash's chart, the facts do not have the version.
  const ofOther = deploysOtherChart({ valuesPath, chart: helm?.chart });
  const named = options.values ?? (pin?.file === '-' ? undefined : pin?.file);
  const seenFiles = helm?.valuesFiles ?? [];
  const agrees = named === undefined || seenFiles.includes(named);
  if (!agrees && seenFiles.length > 0) contradicted(`the values file ${named}`, seenFiles.join(', '));
  return {
    ...nothingOfHelm,
    context: helm?.context,
    release,
    namespace,
    chart: helm?.chart,
    chartVersion: ofOther ? options.chartVersion : chartVersion,
    valuesFile: named ?? seenFiles.at(-1),
    valuesFiles: agrees ? seenFiles : [],
    valuesPath,
    deployments: helm?.deployments ?? [],
    backend: helm?.backend,
    autoscalers: helm?.autoscalers ?? [],
    migrationJobName: helm?.migrationJobName,
    migratesAtBoot: job === false,
    startup: helm?.startup,
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

async function composeFacts(
  pin: Pin | undefined,
  pinned: readonly Pin[],
  deployed: Deployed | undefined,
  contradicted: Contradicted,
  context: CommandContext,
): Promise<ComposeFacts> {
  if (pin !== undefined && pin.service === undefined) {
    const example = 'docker-compose.yml#services.lightdash.image';
    throw otherDeployment(pin, 'compose', 'the image of a compose service', example);
  }
  const seen = deployed?.compose;
  const files = seen?.files ?? [];
  // Standard input has no name.
  const file = pin?.file === '-' ? undefined : pin?.file;
  const agrees = file === undefined || files.some((one) => resolve(one) === resolve(file));
  if (!agrees && files.length > 0) contradicted(`the file ${file}`, files.join(', '));
  const ofPin = pin && nameOfImage(pin);
  const ofFacts = deployed?.image && nameOfImage(deployed.image);
  if (ofPin !== undefined && ofFacts !== undefined && ofPin !== ofFacts) {
    contradicted(`the image ${ofPin} (--from-file)`, ofFacts);
  }
  const known = agrees ? seen : undefined;
  const services = pin === undefined ? [] : servicesOf(pinned.filter((one) => one.file === pin.file));
  return {
    file: file ?? (files.length === 1 ? files[0] : undefined),
    joined: agrees && files.length > 1 ? joinedFiles(files) : undefined,
    project: known?.project,
    services: [...new Set([...services, ...(known?.services ?? [])])],
    image: pin === undefined ? ofFacts : ofPin,
    database: known?.database ?? (file === undefined ? undefined : await databaseServiceOf(file, context)),
  };
}

function joinedFiles(files: readonly string[]): NonNullable<ComposeFacts['joined']> {
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

function nameOfImage({ registry, repository }: NamedImage): string | undefined {
  return [registry, repository].filter((part) => part !== undefined && part !== null).join('/') || undefined;
}

interface NamedImage {
  readonly registry: string | null | undefined;
  readonly repository: string | null | undefined;
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
  const { collectDeployment } = await import('../../sources/deployment/collect.js');
  const { deployedOf } = await import('../../facts/deployed.js');
  try {
    return deployedOf((await collectDeployment({ compose: [file] }, { stdin, env, now })).facts).compose
      .database;
  } catch (error) {
    if (error instanceof LightspanError) return undefined;
    throw error;
  }
}

async function knownInstance({
  instance,
  allowHttp,
}: CurrentVersionOptions & Pick<SourceOptions, 'allowHttp'>): Promise<DeploymentFacts['instance']> {
  if (instance === undefined) return undefined;
  const { parseInstanceUrl } = await import('../../sources/running-version.js');
  return { url: String(parseInstanceUrl(instance)), allowHttp: allowHttp === true };
}

const label = '[a-z0-9](?:[a-z0-9-]*[a-z0-9])?';
const oneLabel = new RegExp(`^${label}$`);
const labels = new RegExp(`^${label}(?:\\.${label})*$`);

/** Kubernetes and Helm allow no other names; a command that is printed could take another for an option. */
function requireHelmNames(helm: HelmFacts): void {
  const { release, namespace, deployments, backend, autoscalers, migrationJobName } = helm;
  const objects = [...deployments, ...autoscalers.flatMap(({ name, target }) => [name, target]), backend];
  requireNames('a Helm release', [release], (name) => name.length <= 53 && labels.test(name));
  requireNames('a namespace', [namespace], (name) => name.length <= 63 && oneLabel.test(name));
  requireNames(
    'an object of Kubernetes',
    [...objects, migrationJobName],
    (name) => name.length <= 253 && labels.test(name),
  );
}

/** docker compose allows names that begin with "-", which are options in a command. */
function requireComposeNames({ services, database, image }: ComposeFacts): void {
  requireNames('a service to be named in a command', [...services, database], (name) =>
    /^[A-Za-z0-9._][A-Za-z0-9._-]*$/.test(name),
  );
  requireNames('an image', [image], (name) => !name.startsWith('-'));
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
