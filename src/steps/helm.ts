import { shellPlaceholder, shellWord } from '../core/text/quoted-words.js';
import type { Version } from '../core/version.js';
import { deploysOtherChart, type HelmDeployment } from '../instance/deployment.js';
import {
  chartOf,
  chartWith,
  isChartBefore,
  lastChartThatNeedsScaleDown,
  strategySetBy,
} from '../instance/first-versions.js';
import { capitalize } from '../words/phrase.js';
import { databaseFunctions } from './database.js';
import { digestNotes, type HopOfDeployment, longestWait, nested, type Tool, tagOf } from './tool.js';

/** The functions of the shell for a release of Helm. `helm_with` itself names the release, its chart and its values. */
export const helmFunctions: readonly string[] = [
  `kube() { kubectl "$@" --namespace "$namespace" \${context:+--context "$context"}; }
helm_here() { helm "$@" --namespace "$namespace" \${context:+--kube-context "$context"}; }`,
  `same_cluster() {
  [ -z "\${HELM_KUBEAPISERVER:-}\${HELM_KUBECONTEXT:-}" ] ||
    [ "\${HELM_KUBEAPISERVER:-}:\${HELM_KUBECONTEXT:-}" = ":$(kubectl config current-context)" ] ||
    fail 'helm may use a different cluster from kubectl: unset HELM_KUBECONTEXT and HELM_KUBEAPISERVER'
}`,
  // Name, replicas and images of a Deployment.
  `workload_line() {
  kube get deployment "$1" --output 'jsonpath={.metadata.name} {.spec.replicas} {.spec.template.spec.containers[*].image}'
}`,
  `any_runs() {
  for workload in $workloads; do
    line=$(workload_line "$workload") || fail 'kubectl does not say what runs.'
    case "$line " in *' 0 '*) ;; *":$1 "* | *":$1@"*) return 0 ;; esac
  done
  return 1
}
runs() {
  for workload in $workloads; do
    line=$(workload_line "$workload")
    case "$line " in *":$1 "* | *":$1@"*) ;; *) fail "The deployment has other images, not $1: $line" ;; esac
  done
}`,
  `look_at_workloads() {
  [ -n "$workloads" ] || fail "There is no Deployment of $release in $place: check context, namespace and release."
  runs "$1"
  for workload in $workloads; do
    owner=$(kube get deployment "$workload" --output 'jsonpath={.metadata.labels} {.metadata.annotations}')
    case $owner in
      *toolkit.fluxcd.io/* | *argocd.argoproj.io/*)
        fail "The deployment $workload is applied from Git, which would undo these steps: set the tag there, and pause it first (flux suspend, automated sync off)." ;;
    esac
    replicas=$(kube get deployment "$workload" --output 'jsonpath={.spec.replicas}')
    keep "replicas-$workload" "$replicas"
    say "  deployment/$workload with $replicas pods"
  done
  others=$(kube get deployment,statefulset,daemonset --output \\
    'jsonpath={range .items[*]}{.metadata.name} {.spec.template.spec.containers[*].image}{"\\n"}{end}')
  others=$(printf '%s\\n' "$others" | awk -v ours=" $workloads \${OTHER_LIGHTDASH:-} " \\
    'index(ours, " " $1 " ") == 0 && / ([^ ]*\\/)?lightdash[:@]/ { print $1 }')
  [ -z "$others" ] || fail "Not of this plan, but Lightdash, in the same namespace: $others
Set OTHER_LIGHTDASH to those that have a database of their own."
  keep workloads "$workloads"
}`,
  // An autoscaler leaves a Deployment alone that is scaled to 0, until somebody scales it up again; KEDA does not.
  `save_autoscalers() {
  all=$(kube get horizontalpodautoscaler --output 'jsonpath={range .items[*]}{.metadata.name} {.spec.scaleTargetRef.name}{"\\n"}{end}')
  all=$(printf '%s\\n' "$all" | awk -v ours=" $workloads " 'NF == 2 && index(ours, " " $2 " ") { print $1 }')
  for autoscaler in $all; do
    case $autoscaler in keda-hpa-*)
      [ "\${KEDA:-}" = paused ] || fail "KEDA scales with $autoscaler, and would start pods: pause its ScaledObject, then set KEDA=paused." ;;
    esac
    saved=$folder/autoscaler-$autoscaler.yaml
    kube get horizontalpodautoscaler "$autoscaler" --output yaml |
      sed '/^  \\(resourceVersion\\|uid\\|creationTimestamp\\|generation\\):/d' >| "$saved"
    say "Autoscaler $autoscaler, saved as $saved"
  done
  keep autoscalers "$(printf '%s' "$all" | tr '\\n' ' ')"
}`,
  // kubectl reads the YAML as the cluster does, and with --local asks no server.
  `tagged() {
  rendered=$(helm_with template --is-upgrade --no-hooks)
  objects=$(printf '%s\\n' "$rendered" | kubectl label --local --overwrite --filename - lightspan=read \\
    --output 'jsonpath={.kind}{" "}{.spec.strategy.type}{" "}{.spec.template.spec.containers[*].image}{"\\n"}')
  image=":$(printf '%s' "$1" | sed 's/\\./\\\\./g')(@sha256:[0-9a-f]+)?( |\\$)"
  printf '%s\\n' "$objects" | grep -E -e "$image" > /dev/null || fail "The chart with $files deploys no image with the tag \\
$1: set it there first, or the next upgrade from that file goes back."
  ours=$(printf '%s\\n' "$objects" | grep -E -e "^Deployment .*$image" || true)
  case \${2:-} in
    Recreate) wrong=$(printf '%s\\n' "$ours" | grep -v '^Deployment Recreate ' || true) ;;
    RollingUpdate) wrong=$(printf '%s\\n' "$ours" | grep '^Deployment Recreate ' || true) ;;
    *) wrong= ;;
  esac
  [ -z "$wrong" ] || fail "The chart with $files does not deploy with $2: set that there first."
}`,
  // In a subshell: a bash with an exit trap whose own `printf` loses its reader takes Ctrl-C from what follows.
  `show_difference() {
  (printf '%s\\n' "$rendered") | kube diff --filename - || [ "$?" = 1 ] || say 'kubectl cannot show what would change.'
}`,
  // Values that were once set by hand are in no file, and an upgrade from the files drops them.
  `look_at_values() {
  both=$(helm_here get values "$release" --output yaml | helm_with template --is-upgrade --no-hooks --values -)
  if [ "$both" != "$rendered" ] && [ "\${RELEASE_VALUES:-}" != drop ]; then
    [ "$rendered" != "$(helm_with template --is-upgrade --no-hooks)" ] ||
      fail "The release has values that $files do not have (helm get values $release): add them, or set RELEASE_VALUES=drop."
  fi
}`,
  `release_status() {
  told=$(helm_here status "$release") || return 1
  printf '%s\\n' "$told" | sed -n 's/^STATUS: //p'
}
look_at_release() {
  version=$(helm version --short)
  case $version in v3.* | v4.*) ;; *) fail "This is Helm $version: the steps are for Helm 3 and 4." ;; esac
  phase=$(release_status)
  case $phase in
    deployed | failed | superseded) ;;
    *) fail "The release $release is '$phase': another helm is at work, or one was interrupted (helm history $release)." ;;
  esac
}`,
  `update_repository() {
  helm repo list 2> /dev/null | grep '^lightdash[[:space:]]' > /dev/null ||
    helm repo add lightdash https://lightdash.github.io/helm-charts
  helm repo update lightdash
}`,
  `migration_jobs() {
  all=$(kube get job --output 'jsonpath={range .items[*]}{.metadata.name} {.status.active}{"\\n"}{end}') || return 1
  printf '%s\\n' "$all" | awk -v job="$job" '$1 == job || job == "" && $1 ~ /-migrate$/'
}`,
  // An interrupted helm leaves its job at work and its release pending: another upgrade would delete the one and
  // refuse the other, and a rollback would start the old release on the new schema.
  `wait_for_helm() {
  left=\${LIGHTSPAN_WAIT:-${longestWait.seconds}} pending=30
  while :; do
    active=$(migration_jobs)
    active=$(printf '%s\\n' "$active" | awk '$2 > 0 { print $1 }')
    phase=$(release_status)
    case $phase in pending-*) ;; *) pending=0 ;; esac
    [ -n "$active" ] || [ "$pending" -gt 0 ] || break
    [ "$left" -gt 0 ] || fail "The job $active is still running."
    say "Waiting for an earlier helm: release $phase, job \${active:-none}"
    if [ -z "$active" ]; then pending=$((pending - 1)); fi
    left=$((left - 10))
    sleep 10
  done
  case $phase in pending-*)
    [ -n "$(kept begun)" ] || fail "The release $release is $phase, and not by these steps: see helm history $release."
    say 'That helm ended and left its release pending: the record of it is removed, and nothing else.'
    kube delete secret --selector "owner=helm,name=$release,status=$phase" ;;
  esac
}`,
  `find_database() {
  database=
  for workload in $workloads; do
    [ -n "$database" ] || database=$(kubectl exec "deployment/$workload" --namespace "$namespace" \${context:+--context "$context"} -- \\
      printenv PGDATABASE 2> /dev/null || true)
  done
  choose_database
}`,
  `stop_lightdash() {
  for workload in $workloads; do kube scale deployment "$workload" --replicas=0; done
  for workload in $workloads; do
    labels=$(kube get deployment "$workload" --output \\
      'go-template={{range $k, $v := .spec.selector.matchLabels}}{{$k}}={{$v}},{{end}}')
    kube wait --for=delete pod --selector "\${labels%,}" \\
      --field-selector 'status.phase!=Succeeded,status.phase!=Failed' --timeout=10m
  done
}`,
  // Helm 4 applies on the server, where the number of replicas that kubectl has set is a conflict.
  `start() {
  version=$(helm version --short) patch=
  case $version in v4.*) patch=--server-side=false ;; esac
  helm_with upgrade \${patch:+"$patch"} --timeout ${longestWait.duration} || {
    log=$folder/failed-$(now).log
    for name in $(migration_jobs | cut -d ' ' -f 1); do kube logs "job/$name" --tail=-1 || true; done > "$log" 2>&1
    kube get events >> "$log" 2>&1 || true
    fail "helm upgrade failed. The log of its job and the events are in $log"
  }
}`,
  `bring_back() {
  for workload in $workloads; do
    was=$(kept "replicas-$workload")
    replicas=$(kube get deployment "$workload" --output 'jsonpath={.spec.replicas}')
    if [ "$replicas" -lt "$was" ]; then kube scale deployment "$workload" --replicas="$was"; fi
  done
  for autoscaler in $(kept autoscalers); do
    there=$(kube get horizontalpodautoscaler "$autoscaler" --ignore-not-found --output name)
    [ -n "$there" ] || kube apply --filename "$folder/autoscaler-$autoscaler.yaml"
  done
  for workload in $workloads; do kube rollout status deployment "$workload"; done
}`,
  `undo() {
  for workload in $workloads; do
    printf '%s' "kubectl scale deployment $workload --replicas=$(kept "replicas-$workload") --namespace $namespace\${context:+ --context $context}; "
  done
}`,
];

export function helmTool(of: HopOfDeployment<HelmDeployment>): Tool {
  const { hop, deployment } = of;
  const { release, file = 'your values file', migrationJobName, autoscalers } = deployment;
  const recreate = hop.strategy === 'Recreate';
  return {
    functions: [...databaseFunctions(placeOfDatabase(deployment)), helmWith(deployment)],
    variables: [
      `release=${release === undefined ? shellPlaceholder('RELEASE') : shellWord(release)}`,
      `namespace=${namespaceOf(deployment)} files=${shellWord(file)} job=${migrationJobName ?? ''}`,
    ],
    setup: [
      ...contextCommands(deployment),
      'context=$(kubectl config current-context 2> /dev/null || true)',
      `place="context \${context:-of this pod}, namespace $namespace, release $release"`,
      `workloads=${workloadsOf(deployment)}`,
    ],
    setupOfLaterRun: ['workloads=$(kept workloads)'],
    upgraded: '$workloads',
    values: (version) => ({ file, yaml: valuesOf(of, version) }),
    look: [
      'look_at_release',
      ...repositoryCommands(deployment),
      `tagged "$tag"${strategyOf(of)}`,
      'look_at_values',
      'look_at_workloads "$old"',
    ],
    lookLast: ['show_difference', 'helm_with upgrade --dry-run > /dev/null', 'save_autoscalers'],
    lookNotes: lookNotes(deployment),
    lookAgain: [`tagged "$tag"${strategyOf(of)}`, 'runs "$old"'],
    stopNotes: [
      `Charts up to ${lastChartThatNeedsScaleDown} do not stop the pods, so old ones would run while the ` +
        'database is migrated. Later charts do, but only after the backup.',
      ...autoscalers.map(autoscalerNote),
    ],
    tagged: 'tagged',
    waits: ['wait_for_helm'],
    start: ['start'],
    startNotes: [
      recreate ? 'The workloads are already down.' : 'Old and new pods overlap; no downtime.',
      migrationNote(deployment),
      'Never add --atomic (Helm 4: --rollback-on-failure): it would start the old version on a database ' +
        'that may already be migrated. And no helm rollback, for the same reason.',
    ],
    confirm: ['bring_back'],
    confirmNotes: [
      'Every Deployment gets its former number of pods, and its autoscaler.',
      'If the deadline is exceeded, check the pods before anything else: they may still be migrating.',
    ],
  };
}

function lookNotes(deployment: HelmDeployment): string[] {
  const files = deployment.files.length > 1 ? 'these files: add to one of them' : 'that file: add to it';
  return [
    'What the chart would refuse later, it refuses here. Whether the cluster can pull the image remains open.',
    ...digestNotes(deployment),
    `Helm takes values only from ${files} anything once set with --set ("helm get values" lists it). ` +
      '--reuse-values would drop the defaults of a newer chart.',
    'CHART names a chart from elsewhere: a file, a folder, or an address that begins with oci://.',
    'Begin it in tmux or screen: a helm that loses its terminal leaves its release pending.',
  ];
}

/** Another cluster may have objects of the same names. */
function contextCommands({ context }: HelmDeployment): string[] {
  if (context === undefined) return ['same_cluster'];
  const message =
    `kubectl does not use the context ${context}, where the facts come from: run kubectl config use-context ` +
    `${shellWord(context)}, or set KUBE_CONTEXT to its name here`;
  return [
    `known=${shellWord(context)}`,
    `[ "$(kubectl config current-context)" = "\${KUBE_CONTEXT:-$known}" ] ||\n  fail ${shellWord(message)}`,
    'same_cluster',
  ];
}

function namespaceOf({ namespace }: HelmDeployment): string {
  return namespace === undefined ? shellPlaceholder('NAMESPACE') : shellWord(namespace);
}

/** Those that were seen; else those with the labels of the chart. */
function workloadsOf({ deployments }: HelmDeployment): string {
  if (deployments.length > 0) return shellWord(deployments.join(' '));
  return (
    "$(kube get deployment --output 'jsonpath={.items[*].metadata.name}' \\\n" +
    '  --selector "app.kubernetes.io/name=lightdash,app.kubernetes.io/instance=$release")'
  );
}

function placeOfDatabase({ database }: HelmDeployment) {
  if (database === undefined) return { kind: 'here' } as const;
  const where = `--namespace "$namespace" \${context:+--context "$context"}`;
  return { kind: 'container', exec: `kubectl exec --stdin ${shellWord(database)} ${where} --` } as const;
}

/** Helm reads the value of an option that may be repeated as a line of CSV: a comma begins another file. */
function valueOfHelm(file: string): string {
  return /[,"\n]/.test(file) ? `"${file.replaceAll('"', '""')}"` : file;
}

function helmWith(deployment: HelmDeployment): string {
  const { file, files, chartVersion, parentVersion } = deployment;
  const word = (value: string | undefined, variable: string) =>
    value === undefined ? shellPlaceholder(variable) : shellWord(value);
  const isOther = deploysOtherChart(deployment);
  const version = isOther ? parentVersion : chartVersion;
  const chart = isOther ? shellPlaceholder('CHART') : `"\${CHART:-lightdash/lightdash}"`;
  const named = isOther && version === undefined ? '' : ` --version ${word(version, 'CHART_VERSION')}`;
  const values = (files.length === 0 ? [file] : files).map(
    (valuesFile) => `--values ${word(valuesFile && valueOfHelm(valuesFile), 'VALUES_FILE')}`,
  );
  return `helm_with() {
  verb=$1
  shift
  helm_here "$verb" "$release" ${chart}${named} "$@" \\
    ${values.join(' ')}
}`;
}

function repositoryCommands(deployment: HelmDeployment): string[] {
  if (deploysOtherChart(deployment)) return [];
  return [`if [ "\${CHART:-lightdash/lightdash}" = lightdash/lightdash ]; then update_repository; fi`];
}

/** An older chart knows no strategy, and what is not known of a chart is no fault of the values. */
function strategyOf({ hop: { strategy }, deployment }: HopOfDeployment<HelmDeployment>): string {
  const chart = publisherChart(deployment);
  return chart === undefined || strategySetBy(chart) === 'nothing' ? '' : ` ${strategy}`;
}

function valuesOf(of: HopOfDeployment<HelmDeployment>, version: Version): string {
  const yaml = ['image:', `  tag: ${JSON.stringify(tagOf(of, version))}`, ...strategyValues(of)];
  return nested(of.deployment.valuesPath, yaml);
}

/** What each chart takes the strategy from; of a chart that is not known, all that may be. */
function strategyValues({ hop: { strategy }, deployment }: HopOfDeployment<HelmDeployment>): string[] {
  const chart = publisherChart(deployment);
  const setBy = chart && strategySetBy(chart);
  if (setBy === 'nothing') return [];
  const certain = chart !== undefined && !isChartBefore(chart, chartWith.upgradeModeSeen);
  const mode = [`upgrade: {mode: ${strategy}}`];
  const each = ['lightdashBackend', 'scheduler', 'appBuildWorker'].map(
    (workload) => `${workload}: {strategy: {type: ${strategy}}}`,
  );
  const ofOthers = '# and likewise for each NATS worker that is enabled';
  if (setBy === 'strategies') return [...each, ofOthers];
  if (certain) return mode;
  return [
    `# charts from ${chartWith.scaleDown} on`,
    ...mode,
    `# charts from ${chartWith.strategy} to ${lastChartThatNeedsScaleDown}; later ones may need it too`,
    ...each,
    ofOthers,
  ];
}

function publisherChart(deployment: HelmDeployment) {
  return deploysOtherChart(deployment) ? undefined : chartOf(deployment.chartVersion);
}

function autoscalerNote({
  name,
  targetName,
  minReplicas,
  maxReplicas,
}: HelmDeployment['autoscalers'][number]) {
  return (
    `The autoscaler ${name} (${minReplicas} to ${maxReplicas} pods of deployment/${targetName}) leaves a Deployment ` +
    'alone that is scaled to 0. If KEDA created it, pause it in KEDA.'
  );
}

function migrationNote({ migrationJob, migrationJobName, backend, startup }: HelmDeployment): string {
  if (migrationJob === true) {
    const job =
      migrationJobName === undefined ? 'the job whose name ends in -migrate' : `job/${migrationJobName}`;
    return (
      'Helm waits for the migration job, however long it takes, and stops if it fails. Follow it in another ' +
      `terminal with kubectl logs --follow (${job}); 100 seconds after it ends, the cluster deletes it and its ` +
      'logs.'
    );
  }
  const unless = migrationJob === false ? '' : 'Unless migrationJob.enabled is set, ';
  const when = `${unless}the new pods migrate as they start`;
  const ends =
    startup === 'none'
      ? `deployment/${backend} has no startup probe, so its liveness probe may kill a container that migrates`
      : 'a container that takes longer than its startup probe allows ' +
        `(${startup === undefined ? 'about 185 seconds by default' : `deployment/${backend}: ${startup} seconds`}) ` +
        'is killed and starts over';
  return `${capitalize(when)}: ${ends}.`;
}
