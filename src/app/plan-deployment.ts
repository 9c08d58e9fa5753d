import { dirname, isAbsolute, relative, resolve } from 'node:path';
import type { CommandContext } from '../cli/context.js';
import type { OptionsOf, OptionTable } from '../cli/declare.js';
import type { CurrentVersionOptions, KnownIssueOptions } from '../cli/options.js';
import { readText } from '../cli/readers.js';
import { LightspanError } from '../core/lightspan-error.js';
import { printable } from '../core/text/printable.js';
import type { DeployedImage, Deployment } from '../instance/deployment.js';
import type { AppliedBy } from '../instance/facts/deployment-facts.js';
import type { FactsFile } from '../instance/facts/facts-schema.js';
import { seenValue } from '../instance/facts/needs.js';
import type { Pin } from '../pins/pinned-version.js';
import { nameOfImage } from '../steps/steps.js';
import type { CurrentVersion } from './current-version.js';

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
    needs: ['deploy'],
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

type StepOptions = OptionsOf<typeof steps>;

const refusal = (message: string, hint?: string) => new LightspanError('usage', message, { hint });

export function checkStepOptions(options: StepOptions, format: string): void {
  if (options.deploy !== undefined && format === 'junit') {
    throw refusal(
      '--format junit cannot contain the steps of --deploy',
      'Write the plan as text, json, markdown or github, or leave --deploy out.',
    );
  }
  const ofHelm = ['chartVersion', 'migrationJob', 'release', 'values'] as const;
  const given = ofHelm.find((name) => options[name] !== undefined);
  if (options.deploy !== 'helm' && given !== undefined) {
    throw refusal(`${steps[given].flags.split(' ')[0]} works only with --deploy helm`);
  }
}

/** By the command line, by the file that pins the version, and by the facts, in this order of precedence. */
export async function readDeployment(
  options: StepOptions & Pick<CurrentVersionOptions, 'tagSuffix'> & Pick<KnownIssueOptions, 'fact'>,
  { pinned }: CurrentVersion,
  file: FactsFile | undefined,
  context: CommandContext,
): Promise<Deployment | undefined> {
  const { deploy } = options;
  if (deploy === undefined) return undefined;
  const { deploymentOf } = await import('../instance/deployment.js');
  const seen = deploymentOf(file?.facts ?? {});
  const stated = { ...seenValue(file?.facts.stated), ...Object.fromEntries(options.fact ?? []) };
  const other = [stated['deployed-by'], seen.kind].find((kind) => kind !== undefined && kind !== deploy);
  if (other !== undefined) {
    throw refusal(
      `--deploy ${deploy}, but the facts are of a deployment with ${other}`,
      `Plan it with --deploy ${other}, or give facts of the other deployment.`,
    );
  }
  const [pin] = pinned;
  // Standard input has no name.
  const pinFile = pin?.file === '-' ? undefined : pin?.file;
  const job = stated['migration-job'];
  const known: Deployment = {
    ...seen,
    ...(pin && { image: imageOf(pin), tagPrefix: /^v/i.exec(pin.tag)?.[0] ?? '' }),
    kind: deploy,
    tagSuffix: options.tagSuffix ?? (pin === undefined ? seen.tagSuffix : ''),
    // What a person states takes precedence over what was seen.
    chartVersion: options.chartVersion ?? stated['chart-version']?.toString() ?? seen.chartVersion,
    migrationJob: options.migrationJob ?? (job === undefined ? seen.migrationJob : job === 'on'),
  };
  const deployment =
    deploy === 'helm'
      ? await helmDeployment(known, options.values ?? pinFile, pin, options)
      : await composeDeployment(known, pinFile, pinned, context);
  requirePlainNames(deployment);
  return deployment;
}

/** By hand, the steps would compete with the tool that owns the release, and it would undo them. */
const otherOwners: Readonly<Record<AppliedBy, readonly [what: string, hint: string]>> = {
  'argo-cd': [
    'a release that Argo CD applies',
    'set the tag of each hop in Git. helm upgrade would be a second owner, and self-heal undoes a scale-down: switch automated sync off before you stop anything.',
  ],
  flux: [
    'a release that Flux applies',
    'set the tag of each hop in the HelmRelease. Flux replaces a release that it has not made, and may undo a scale-down: run flux suspend helmrelease before you stop anything.',
  ],
  other: [
    'objects that helm has not applied',
    'apply each hop as you apply these objects: with the tool that would undo what helm and kubectl do.',
  ],
};

async function helmDeployment(
  known: Deployment,
  named: string | undefined,
  pin: Pin | undefined,
  options: StepOptions,
): Promise<Deployment> {
  const { release = known.release } = options;
  const [namespace, second] = known.namespaces;
  const [left] = known.notStopped;
  if (known.appliedBy !== undefined) {
    const [what, hint] = otherOwners[known.appliedBy];
    throw refusal(`--deploy helm, but the facts are of ${what}`, `Plan without --deploy, and ${hint}`);
  }
  if (pin !== undefined && !isOfHelmValues(pin.path)) {
    throw otherDeployment(pin, 'helm', 'the image.tag of Helm values', 'values.yaml#image.tag');
  }
  if (second !== undefined) {
    throw refusal(
      `the facts are of Lightdash in more than one namespace: ${namespace}, ${second}`,
      'Collect the facts of one of them, with --namespace.',
    );
  }
  if (left !== undefined) {
    throw refusal(
      `the steps of --deploy helm stop Deployments, and ${left.kind} ${left.name} would keep running`,
      'Scale it to 0 (delete a DaemonSet, suspend a CronJob), and collect the facts again.',
    );
  }
  if (known.release !== undefined && known.release !== release) {
    throw refusal(
      `--release ${release}, but the facts are of the release ${known.release}`,
      'Leave --release out, or collect the facts of that release.',
    );
  }
  const { requireChart } = await import('../instance/first-versions.js');
  if (known.chartVersion !== undefined) requireChart(known.chartVersion);
  return {
    ...known,
    release,
    namespace,
    // For a chart that depends on Lightdash's chart, the facts do not have the version.
    parentVersion: options.chartVersion,
    file: named ?? known.file,
    files: named === undefined || known.files.includes(named) ? known.files : [],
    valuesPath: pin === undefined ? known.valuesPath : pin.path.slice(0, -2),
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
  known: Deployment,
  file: string | undefined,
  pinned: readonly Pin[],
  context: CommandContext,
): Promise<Deployment> {
  const [pin] = pinned;
  if (pin !== undefined && pin.service === undefined) {
    const example = 'docker-compose.yml#services.lightdash.image';
    throw otherDeployment(pin, 'compose', 'the image of a compose service', example);
  }
  const services = servicesOf(pinned.filter((one) => one.file === pin?.file));
  if (file !== undefined && !known.files.some((one) => resolve(one) === resolve(file))) {
    const database = await databaseServiceOf(file, context);
    return { ...known, file, files: [], services, project: undefined, database };
  }
  return {
    ...known,
    ...(known.files.length > 1 ? joinedFiles(known.files) : {}),
    file: file ?? known.file,
    services: [...new Set([...services, ...known.services])],
  };
}

function imageOf({ registry, repository, tag, digest }: Pin): DeployedImage {
  return { registry: registry ?? null, repository: repository ?? null, tag, digest: digest ?? null };
}

function joinedFiles(files: readonly string[]): Pick<Deployment, 'folder' | 'files'> {
  const folder = dirname(files[0] ?? '');
  const staysWhole = (file: string) => isAbsolute(file) && !file.startsWith(`${folder}/`);
  return { folder, files: files.map((file) => (staysWhole(file) ? file : relative(folder, file))) };
}

function otherDeployment({ file, path }: Pin, deploy: string, what: string, example: string): LightspanError {
  return refusal(
    `--deploy ${deploy}, and ${file}#${path.join('.')} is not ${what}`,
    `Name it, for example ${example}, or give the running version with --from.`,
  );
}

/** Every service whose image is among the pins. */
function servicesOf(pins: readonly Pin[]): string[] {
  const places = pins.flatMap(({ path, otherPlaces }) => [path.join('.'), ...otherPlaces]);
  const named = places.flatMap((place) => /^services\.(.+)\.image$/.exec(place)?.[1] ?? []);
  return [...new Set([...pins.flatMap(({ service }) => service ?? []), ...named])];
}

/** Undefined if docker compose cannot read the file here: the commands then ask for the service. */
async function databaseServiceOf(file: string, context: CommandContext): Promise<string | undefined> {
  const { collectDeployment } = await import('../collect/deployment/collect.js');
  const { deploymentOf } = await import('../instance/deployment.js');
  try {
    return deploymentOf((await collectDeployment({ compose: [file] }, context)).facts).database;
  } catch (error) {
    if (error instanceof LightspanError) return undefined;
    throw error;
  }
}

/** In a command, a name that begins with "-" would be an option, and a line break would end the command. */
function requirePlainNames(deployment: Deployment): void {
  const { release, namespace, deployments, backend, autoscalers, database, migrationJobName } = deployment;
  const { services, image } = deployment;
  const objects = [release, namespace, deployments, backend, autoscalers, database, migrationJobName];
  const names = textsIn([...objects, services, nameOfImage(image)]);
  const other =
    names.find((name) => !/^[\w.][\w.:/-]*$/.test(name)) ??
    textsIn(deployment).find((text) => printable(text) !== text);
  if (other === undefined) return;
  throw refusal(
    `--deploy prints commands, and ${JSON.stringify(other)} cannot stand in one`,
    'Give the name as it is deployed: helm list, kubectl get and docker compose config show it.',
  );
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
