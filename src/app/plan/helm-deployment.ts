import type { HelmDeployment, SeenDeployment } from '../../instance/deployment.js';
import type { AppliedBy } from '../../instance/facts/deployment-facts.js';
import type { HelmSteps } from '../../question/route.js';
import {
  allFiles,
  fileOfPin,
  imageOfPin,
  lastPinIn,
  otherDeployment,
  type PinsOfDeployment,
  refusal,
} from './files-of-deployment.js';

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

export async function helmDeployment(
  seen: SeenDeployment,
  { pinned, tagSuffix }: PinsOfDeployment,
  steps: HelmSteps,
  stated: Readonly<Record<string, unknown>>,
): Promise<HelmDeployment> {
  const known = withStated(seen.helm, steps, stated);
  const { release = known.release, values, chartVersion } = steps;
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

/**
 * Whether a path is that of a tag in a file for helm itself. The files of Flux, Argo CD and helmfile contain values:
 * helm would read such a file as a whole as values, and deploy the defaults of the chart.
 */
function isOfHelmValues(path: readonly string[]): boolean {
  const charts = path.slice(0, -2);
  const isOfOther = charts[0] === 'spec' || charts.some((key) => /^(?:values(?:Object)?|\d+)$/.test(key));
  return path.slice(-2).join('.') === 'image.tag' && !isOfOther;
}
