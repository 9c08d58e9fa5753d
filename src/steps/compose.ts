import { compact } from '../core/text/compact.js';
import { shellPlaceholder, shellWord } from '../core/text/quoted-words.js';
import { compareVersions, type Version } from '../core/version.js';
import type { ComposeDeployment } from '../instance/deployment.js';
import { firstWith } from '../instance/first-versions.js';
import { databaseFunctions } from './database.js';
import { digestNotes, type HopOfDeployment, nameOfImage, nested, type Tool, tagOf } from './tool.js';

/** The functions of the shell for a deployment with docker compose. `compose` itself names its files. */
export const composeFunctions: readonly string[] = [
  `look_for_compose() {
  docker compose version > /dev/null 2>&1 ||
    fail 'There is no docker compose here (its plugin, from version 2 on): the steps are for it, not for docker-compose 1 or podman-compose.'
}
look_for_project() {
  project=$(compose config | sed -n 's/^name: //p')
  [ -n "$project" ] || fail 'docker compose does not read its files here: check the folder and the files.'
  place="docker compose project $project, host \${DOCKER_HOST:-$(docker context show 2> /dev/null || printf default)}"
}`,
  // A line for each container of the project that runs: service, image, variables. The names of images may have moved.
  `containers() {
  ids=$(compose ps --quiet) || return 1
  for id in $ids; do
    docker inspect --format '{{index .Config.Labels "com.docker.compose.service"}} {{.Config.Image}} {{json .Config.Env}}' "$id" ||
      return 1
  done
}
images_of() { printf '%s\\n' "$all" | awk -v name="$1" '$1 == name { print $2 }'; }`,
  `any_runs() {
  all=$(containers) || fail 'docker does not say what runs.'
  for service in $services; do
    for image in $(images_of "$service"); do
      if has_tag "$image" "$1"; then return 0; fi
    done
  done
  return 1
}`,
  `only_runs() {
  all=$(containers)
  for service in $services; do
    for image in $(images_of "$service"); do
      has_tag "$image" "$1" || fail "The service $service runs $image, and not $1."
    done
  done
  others=$(printf '%s\\n' "$all" | awk -v ours=" $services \${OTHER_LIGHTDASH:-} " \\
    'index(ours, " " $1 " ") == 0 && ($2 ~ /(^|\\/)lightdash([:@]|$)/ || /"LIGHTDASH_SECRET=/) { print $1 }')
  [ -z "$others" ] || fail "Not of this plan, but Lightdash, in the same project: $others
Set LIGHTDASH_SERVICE to all services that are upgraded ('$services ...'), or OTHER_LIGHTDASH to those with a database of their own."
}
runs() {
  only_runs "$1"
  for service in $services; do
    [ -n "$(images_of "$service")" ] || fail "The service $service does not run: start it, or set LIGHTDASH_SERVICE to those that do."
  done
}`,
  `tagged() {
  for service in $services; do
    images=$(compose config --images "$service") found=no
    for image in $images; do
      if has_tag "$image" "$1"; then found=yes; fi
    done
    [ "$found" = yes ] || fail "$files does not give $1 to the service $service: set $setting there first"
  done
}`,
  // An image that is built here, or was loaded where there is no network, is in no registry.
  `have_images() {
  for service in $services; do
    compose pull "$service" || {
      for image in $(compose config --images "$service"); do
        if has_tag "$image" "$tag"; then
          docker image inspect "$image" > /dev/null 2>&1 || fail "The image $image cannot be pulled, and is not here: pull, build or load it first."
        fi
      done
      say "The image of the service $service was not pulled: it is here already."
    }
  done
}`,
  `stop_lightdash() {
  for service in $services; do compose stop --timeout 90 "$service"; done
  all=$(containers)
  for service in $services; do
    [ -z "$(images_of "$service")" ] || fail "The service $service still runs."
  done
}`,
  `find_database() {
  database=$(printf '%s\\n' "$all" | awk -v ours=" $services " 'index(ours, " " $1 " ")' |
    sed -n 's/.*"PGDATABASE=\\([^"]*\\)".*/\\1/p' | sort -u)
  choose_database
}`,
  // `up` without names would leave out services whose profile is not active here, and touch the database.
  `start() {
  for service in $services; do compose up --detach --no-deps "$service"; done
}`,
  `preflight() {
  service=\${services%% *}
  if told=$(compose run --rm --no-deps -T --entrypoint pnpm "$service" -F backend migrate-production preflight --json < /dev/null 2>&1); then
    say 'The new image has no objection (its preflight).'
    return
  fi
  case $told in
    *'"abort"'*) fail "The new image would not start (its preflight):
$told" ;;
  esac
  say 'The preflight of the new image could not run here; it runs when the image starts.'
}`,
];

export function composeTool(of: HopOfDeployment<ComposeDeployment>): Tool {
  const { deployment } = of;
  const { file, files, services, variable, folder = '.' } = deployment;
  const compose = composeCommand(deployment);
  const name = variable?.file ?? file ?? (files.join(' or ') || 'your compose file');
  const serviceWords =
    services.length === 0 ? shellPlaceholder('LIGHTDASH_SERVICE') : services.map(shellWord).join(' ');
  const elsewhere = compact<string>(goTo(folder), compose).join(' && ');
  return {
    functions: [
      `compose() { ${compose} "$@"; }`,
      ...databaseFunctions(placeOfDatabase(deployment)),
      `undo() { printf '%s' ${shellWord(`${elsewhere} start `)}"$services"; }`,
    ],
    variables: [
      services.length === 0
        ? `services=${serviceWords}`
        : `services=\${LIGHTDASH_SERVICE:-${services.join(' ')}}`,
      `files=${shellWord(name)} setting=${shellWord(variable?.name ?? 'the tag')}`,
    ],
    setup: composeSetup(deployment),
    setupOfLaterRun: [],
    upgraded: '$services',
    values: (version) => ({ file: name, yaml: settingOf(of, version) ?? imagesOf(of, version) }),
    look: ['runs "$old"', 'tagged "$tag"'],
    lookLast: compact(
      'have_images',
      compareVersions(of.hop.toVersion, firstWith.startCheck) >= 0 && 'preflight',
    ),
    lookNotes: [
      'Nothing is stopped before the image is here.',
      'A service with a profile is upgraded if the plan names it, whatever COMPOSE_PROFILES is by then.',
      ...digestNotes(deployment),
    ],
    lookAgain: ['tagged "$tag"', 'only_runs "$old"'],
    stopNotes: ['Running jobs have 90 seconds to end.'],
    tagged: 'tagged',
    waits: [],
    start: ['start'],
    startNotes: [
      of.hop.strategy === 'Recreate'
        ? 'The new container migrates the database before it answers.'
        : 'Compose replaces the container, so even here there is downtime; the new one migrates the ' +
          'database before it answers.',
      'Only Lightdash is stopped and started, never all of the project: down would throw away a database that is ' +
        'in no named volume.',
      `Follow it in another terminal: ${elsewhere} logs --follow ${serviceWords}`,
    ],
    confirm: [],
    confirmNotes: [],
  };
}

/** The variable with another release in place of that from which the hop starts. */
function settingOf(
  { deployment: { variable } }: HopOfDeployment<ComposeDeployment>,
  version: Version,
): string | undefined {
  if (variable === undefined) return undefined;
  const { name, written } = variable;
  return `${name}=${written.replace(/\d+\.\d+\.\d+(?!.*\d+\.\d+\.\d)/, version)}\n`;
}

function imagesOf(of: HopOfDeployment<ComposeDeployment>, version: Version): string {
  const { services, image, images } = of.deployment;
  const nameOf = (service: string) => nameOfImage(images?.get(service) ?? image) ?? '<your image>';
  const lines = (services.length === 0 ? ['<your service>'] : services).flatMap((service) => [
    `${service}:`,
    `  image: ${JSON.stringify(`${nameOf(service)}:${tagOf(of, version)}`)}`,
  ]);
  return nested(['services'], lines);
}

function placeOfDatabase({ database }: ComposeDeployment) {
  if (database === undefined) return { kind: 'unknown' } as const;
  return { kind: 'container', exec: `compose exec -T ${shellWord(database)}` } as const;
}

/**
 * docker compose with all files of the project in their order: without one of them it would bring up another
 * deployment. Where it finds them by itself, it is run in their folder.
 */
export function composeCommand({ folder, files, envFiles = [] }: ComposeDeployment): string {
  if (folder !== undefined) return 'docker compose';
  const named = files.map((file) => `--file ${shellWord(file)}`);
  return ['docker compose', ...named, ...envFiles.map((file) => `--env-file ${shellWord(file)}`)].join(' ');
}

/** Nothing for the folder that the user is in. */
function goTo(folder: string): string | undefined {
  if (folder === '.') return undefined;
  // A bare name would be looked up in CDPATH.
  const path = /^(\/|\.\.?(\/|$))/.test(folder) ? folder : `./${folder}`;
  return `cd ${shellWord(path)}`;
}

/**
 * compose is run as the user runs it: where it finds all of its files by itself, in their folder, so that an override
 * file that is only there counts too; else with the name of each (`composeCommand`).
 */
function composeSetup({ folder, files, project }: ComposeDeployment): string[] {
  const otherFiles =
    `COMPOSE_FILE is set, but this plan is for ${files.join(' and ')}: unset it, or plan with --compose for ` +
    'each file it names';
  return compact<string>(
    'look_for_compose',
    folder !== undefined && `[ -z "\${COMPOSE_FILE:-}" ] || fail ${shellWord(otherFiles)}`,
    folder !== undefined && goTo(folder),
    project !== undefined &&
      `[ -n "\${COMPOSE_PROJECT_NAME:-}" ] || export COMPOSE_PROJECT_NAME=${shellWord(project)}`,
    'look_for_project',
  );
}
