import { lines } from '../support/lines.js';
import type { Files } from './moves.js';

const of = (file: string, write: (what: string) => string, was: string, is: string, beside: Files = {}) =>
  [
    { ...beside, [file]: write(was) },
    { ...beside, [file]: write(is) },
  ] as const;
const run = (tag: string) => `docker run lightdash/lightdash:${tag}\n`;

const told = (file: string, command: string, beside: Files) =>
  of(file, (minor) => `${command.replace('#', minor)}\n`, '120', '156', beside);
const script = { 'deploy.sh': run('1.$2.0') };

const ruled = (rules: string) => `  rules: [${rules}]\n`;
const byRules = (write: (rule: string) => string) =>
  of(
    '.gitlab-ci.yml',
    (rule) => `deploy:\n  script: ["docker run lightdash/lightdash:$TAG"]\n${write(rule)}`,
    'next/**',
    '**/*',
  );
const github = (environment: string, step: string, more = '') =>
  `jobs:\n  roll:\n    environment: ${environment}\n${more}    steps: [{run: "docker run lightdash/lightdash:${step}"}]\n`;
const inGithub = (environment: string, step: string, more = '') =>
  of(
    '.github/workflows/deploy.yml',
    (name) => github(environment.replace('#', name), step, more),
    'staging',
    'prod',
  );
const kept = '$' + '{{ vars.LIGHTDASH_TAG }}';
const anchored = (label: string, use: string) =>
  of('app.yaml', (version) => `labels: {${label}: &v ${version}}\n${use}`, '1.2.0', '1.3.0');

/** A bundle of Fleet, with values of its own for some clusters. */
const bundle = (group: string, size = 'small'): Files => ({
  'fleet.yaml': lines(
    'helm: {chart: lightdash, values: {image: {tag: 1.2.0}}}',
    'targetCustomizations:',
    `  - {name: next, clusterGroup: ${group}, helm: {values: {image: {tag: 1.3.0}}}}`,
    `  - {name: small, clusterSelector: {matchLabels: {size: ${size}}}, helm: {values: {replicaCount: 1}}}`,
  ),
});
const perCluster = (ring: string, zone = 'a'): Files => ({
  'all.yaml': lines(
    ...['kind: ApplicationSet', 'metadata: {name: bi}', 'spec:', '  generators:'],
    `    - clusters: {selector: {matchLabels: {ring: ${ring}}}, values: {rel: 1.3.0}}`,
    '    - clusters: {selector: {matchLabels: {ring: stable}}, values: {rel: 1.2.0}}',
    '  template:',
    '    spec:',
    '      source:',
    '        chart: lightdash',
    '        helm:',
    '          parameters: [{name: image.tag, value: "{{values.rel}}"}]',
    '          valuesObject:',
    `            affinity: {podAffinity: [{labelSelector: {matchLabels: {zone: ${zone}}}}]}`,
  ),
});

/** Images behind anchors, and the services that use them. */
const behindAnchors = (web: string, db = 'postgres:15.6', more = ''): Files => ({
  'compose.yaml': lines(
    'x-now: &now lightdash/lightdash:1.2.0',
    'x-next: &next lightdash/lightdash:1.3.0',
    `x-db: &db ${db}`,
    `services: {web: {image: *${web}${more}}, db: {image: *db}}`,
  ),
});

const dockerfile = 'FROM lightdash/lightdash:1.100.0\nCOPY theme /theme\n';
const built = (build: string, image: string) => `services: {bi: {build: ${build}, image: "${image}"}}\n`;
/** An image that kustomize sets, of which the manifest does not say by its name that it is Lightdash's. */
const kustomized = (metadata: string, container: string, image = 'acme/bi'): readonly [Files, Files] =>
  of(
    'kustomization.yaml',
    (tag) => `resources: [bi.yaml]\nimages: [{name: ${image}, newTag: ${tag}}]\n`,
    '1.2.0',
    '1.3.0',
    {
      'bi.yaml': lines(
        'kind: Deployment',
        `metadata: {${metadata}}`,
        `spec: {template: {spec: {containers: [{image: ${image}, ${container}}]}}}`,
      ),
    },
  );
const overlay = (resources: string, tag: string): Files => ({
  'prod/kustomization.yaml': `resources: [${resources}]\nimages: [{name: acme/bi, newTag: ${tag}}]\n`,
  'lightdash/bi.yaml':
    'kind: Deployment\nspec: {template: {spec: {containers: [{name: bi, image: acme/bi}]}}}\n',
});
const stack = '@acme/lightdash-stack';
const packages = (file: string, write: (version: string) => string) => of(file, write, '1.2.0', '1.3.0');
const lockOfNpm = (name: string) =>
  packages('package-lock.json', (version) => {
    const all = { [stack]: '1.0.0', [name]: version };
    const locked = Object.entries(all).map(([one, at]) => [`node_modules/${one}`, { version: at }]);
    return `${JSON.stringify({ packages: Object.fromEntries(locked) }, null, 2)}\n`;
  });
const updated = (key: string) =>
  of(
    'app.yaml',
    (how) =>
      lines(
        'kind: Application',
        'metadata:',
        '  name: bi',
        `  annotations: {argocd-image-updater.argoproj.io/image-list: "bi=lightdash/lightdash", ${key}: ${how}}`,
      ),
    'digest',
    'semver',
  );
/** What an environment gives modules of the repository, of which one has what is called Lightdash. */
const module = (bi: string, api: string): Files => ({
  'modules/bi/main.tf': lines(
    'variable "image" {}',
    'resource "aws_ecs_task_definition" "lightdash" {',
    '  container_definitions = jsonencode([{ name = "bi", image = var.image }])',
    '}',
  ),
  'prod/main.tf': lines(
    'module "bi" {',
    '  source = "../modules/bi"',
    `  image = "acme.io/bi:${bi}"`,
    '}',
    'module "api" {',
    '  source = "../modules/api"',
    `  image = "acme.io/api:${api}"`,
    '}',
  ),
});
const role = (name: string) =>
  of(
    'requirements.yml',
    (version) => {
      const all = { lightdash: 'v1', [name]: version };
      const fetched = Object.entries(all).map(([one, at]) => ({
        src: `https://git.acme.io/${one}.git`,
        version: at,
      }));
      return `${JSON.stringify({ roles: fetched })}\n`;
    },
    'v2',
    'v3',
  );
/** A file of versions, of which a script asks for some: only this one changes. */
const inFile = (
  name: string,
  write: (version: string) => string,
  ...script: readonly string[]
): readonly [Files, Files] => of(name, write, '1.2.0', '1.3.0', { 'deploy.sh': lines(...script) });
const all = (bi: string, billing: string) => `${JSON.stringify({ bi, billing })}\n`;
const tools = (line: string): readonly [Files, Files] =>
  of('Makefile', (more) => `up:\n\tdocker compose -f bi.yaml up\n${more}`, '', `more:\n\t${line}\n`, {
    'bi.yaml': 'services: {bi: {image: "lightdash/lightdash:1.2.0"}}\n',
  });
const shown = (command: string): readonly [Files, Files] =>
  of(
    'up.sh',
    (name) =>
      lines('stack() {', `  ${command.replace('#', name)}`, '}', 'stack | docker stack deploy -c - bi'),
    'bi.yaml',
    'next.yaml',
    {
      'bi.yaml': 'services: {bi: {image: "lightdash/lightdash:1.2.0"}}\n',
      'next.yaml': 'services: {bi: {image: "lightdash/lightdash:1.3.0"}}\n',
    },
  );
const flake = (bi: string, theirs: string): Files => ({
  'flake.lock': JSON.stringify({
    nodes: {
      bi: { locked: { owner: 'acme', repo: 'bi', rev: bi } },
      nixpkgs: { locked: { owner: 'NixOS', repo: 'nixpkgs', rev: theirs } },
    },
  }),
  'flake.nix': lines('inputs.bi.url = "github:acme/bi";', 'image = "lightdash/lightdash:$' + '{bi.rev}";'),
});
const locked = (rev: string): Files => ({
  ...flake(rev, 'bbb'),
  'flake.nix': lines(
    'worker = "lightdash/lightdash-worker:$' + '{nixpkgs.rev}";',
    'lock = fromJSON (readFile ./flake.lock);',
    'image = "lightdash/lightdash:$' + '{lock.nodes.bi.locked.rev}";',
  ),
});
const runBi = ['TAG=$(jq -r .bi versions.json)', 'docker run lightdash/lightdash:$TAG'];

const composed = (tag: string) => `services: {bi: {image: "lightdash/lightdash:${tag}"}}\n`;
const renamed = (was: string, is: string): readonly [Files, Files] => [
  { 'compose.yaml': composed('1.2.0'), [was]: composed('1.3.0') },
  { 'compose.yaml': composed('1.2.0'), [is]: composed('1.3.0') },
];
const byComposeFile = (was: string, is: string) =>
  of('.env', (files) => lines('LEVEL=info', files), was, is, {
    'compose.yaml': composed('1.2.0'),
    'compose.next.yaml': composed('1.3.0'),
  });
const charted = (was: string, is: string) =>
  of(
    'kustomization.yaml',
    (more) =>
      `helmCharts: [{name: lightdash, repo: "https://charts.acme.io", version: 1.0.0, ${more}, valuesInline: {image: {tag: 1.2.0}}}]\n`,
    was,
    is,
    { 'values-next.yaml': 'image: {tag: 1.3.0}\n', 'values-now.yaml': 'image: {tag: 1.2.0}\n' },
  );
const kustomizing = (was: string, is: string) =>
  of('kustomization.yaml', (more) => `resources: [d.yaml, pins.yaml]\n${more}\n`, was, is, {
    'd.yaml':
      'kind: Deployment\nmetadata: {name: bi}\nspec: {template: {spec: {containers: [{name: bi, image: "lightdash/lightdash:1.0.0"}]}}}\n',
    'pins.yaml': 'kind: ConfigMap\nmetadata: {name: pins}\ndata: {bi: "1.2.0,1.3.0"}\n',
  });
const replacing = (index: number, field = 'spec.template.spec.containers.0.image') =>
  `replacements: [{source: {kind: ConfigMap, name: pins, fieldPath: data.bi, options: {delimiter: ",", index: ${index}}}, targets: [{select: {kind: Deployment}, fieldPaths: [${field}], options: {delimiter: ":", index: 1}}]}]`;
const patching = (container: number) =>
  `patches: [{target: {kind: Deployment}, patch: '[{"op": "replace", "path": "/spec/template/spec/containers/${container}/image", "value": "lightdash/lightdash:1.2.0"}]'}]`;
const fluxOf = (held: string, of = 'bi') =>
  ['bi', 'redis'].map((name) =>
    lines(
      'apiVersion: kustomize.toolkit.fluxcd.io/v1',
      'kind: Kustomization',
      `metadata: {name: ${name}}`,
      `spec: {path: ./deploy/${name}, ${of === name ? held : ''}sourceRef: {kind: GitRepository, name: acme}}`,
    ),
  );
const heldByFlux = (was: string, is: string, ofOne?: string) =>
  of('apps.yaml', (held) => fluxOf(held, ofOne).join('---\n'), was, is, {
    'deploy/bi/d.yaml':
      'kind: Deployment\nmetadata: {name: bi}\nspec: {template: {spec: {containers: [{name: bi, image: "lightdash/lightdash:1.2.0"}]}}}\n',
    'deploy/redis/d.yaml': 'kind: Deployment\nmetadata: {name: redis}\n',
  });
const heldInCluster = (was: string, is: string) =>
  of(
    'bi.yaml',
    (held) =>
      `kind: Deployment\nmetadata: {name: bi}\nspec: {${held}template: {spec: {containers: [{name: bi, image: "lightdash/lightdash:1.2.0"}]}}}\n`,
    was,
    is,
  );
const inFolders = (file: string, write: (folder: string) => string) =>
  of(file, write, 'now', 'next', {
    'now/compose.yaml': composed('1.2.0'),
    'next/compose.yaml': composed('1.3.0'),
  });
const byAction = (was: string, is: string) =>
  of('.github/workflows/deploy.yml', (name) => `jobs: {roll: {steps: [{uses: ${name}}]}}\n`, was, is, {
    '.github/actions/now/action.yml': `runs: {using: composite, steps: [{run: "docker run lightdash/lightdash:1.2.0"}]}\n`,
    '.github/actions/next/action.yml': `runs: {using: composite, steps: [{run: "docker run lightdash/lightdash:1.3.0"}]}\n`,
    '.github/actions/lint/action.yml': 'runs: {using: composite, steps: [{run: yamllint .}]}\n',
  });
const dependent = (dependency: string) =>
  lines(
    'name: acme',
    'dependencies:',
    `  - {name: lightdash, version: 1.0.0, repository: "https://charts.acme.io", ${dependency}}`,
    '  - {name: redis, version: 1.0.0, repository: "https://charts.acme.io", condition: redis.on, tags: [cache]}',
  );
const switched = (dependency: string, values: string): readonly [Files, Files] =>
  of('values.yaml', (on) => `${values.replace('#', on)}lightdash: {image: {tag: 1.2.0}}\n`, 'false', 'true', {
    'Chart.yaml': dependent(dependency),
  });
const byVariable = (was: string, is: string, ...more: readonly string[]) =>
  of('main.tf', (set) => lines('variable "which" {', `  default = ${set}`, '}', ...more), was, is);
const twoTags = [
  'locals {',
  '  tags = { now = "1.2.0", next = "1.3.0" }',
  '  image = "lightdash/lightdash:$' + '{local.tags[var.which]}"',
  '}',
];
const twoImages = [
  'locals {',
  '  image = var.which ? "lightdash/lightdash:1.3.0" : "lightdash/lightdash:1.2.0"',
  '}',
];

/** What chooses one of several releases, or tells a script which: it moves Lightdash. */
export const movesChosen: Readonly<Record<string, readonly [Files, Files]>> = {
  'what a container is told to deploy': tools(
    'docker compose -f bi.yaml exec -T bi curl -d tag=1.3.0 http://deployer/lightdash',
  ),
  'what a target for help also runs': of(
    'Makefile',
    (tag) => `help:\n\t@echo "runs" && docker run lightdash/lightdash:${tag}\n`,
    '1.2.0',
    '1.3.0',
  ),
  'a version that is one word of the command that runs a script': of(
    'cloudbuild.yaml',
    (version) => `steps: [{name: bash, args: [./deploy.sh, "${version}"]}]\n`,
    '1.2.0',
    '1.3.0',
    { 'deploy.sh': run('$1') },
  ),
  'the tag of an image that is built from Lightdash': of(
    '.env',
    (version) => `BI_TAG=${version}\n`,
    '1.2.0',
    '1.3.0',
    { 'compose.yaml': built('.', 'acme/bi:$' + '{BI_TAG}'), Dockerfile: dockerfile },
  ),
  'an image that is built from Lightdash in another folder': of(
    'compose.yaml',
    (version) => built('{context: bi, dockerfile: web.Dockerfile}', `acme/bi:${version}`),
    '1.2.0',
    '1.3.0',
    { 'bi/web.Dockerfile': dockerfile },
  ),
  'the image of a container that is given the secret of Lightdash': kustomized(
    'name: bi',
    'name: web, env: [{name: LIGHTDASH_SECRET, value: x}]',
  ),
  'the image of a container that is given what is called so': kustomized(
    'name: bi',
    'name: web, envFrom: [{secretRef: {name: lightdash-env}}]',
  ),
  'the image of a container whose name ends so': kustomized('name: bi', 'name: acme-lightdash'),
  'the first image of an object that is called so': kustomized('name: lightdash', 'name: web'),
  'the first image of an object with such a label': kustomized(
    'name: bi, labels: {app: lightdash}',
    'name: web',
  ),
  'an image in a folder that is called so': [
    overlay('../lightdash', '1.2.0'),
    overlay('../lightdash', '1.3.0'),
  ],
  'by what the image updater of Argo CD moves it': updated(
    'argocd-image-updater.argoproj.io/bi.update-strategy',
  ),
  'by what Keel moves it': updated('keel.sh/policy'),
  'an image that a module of the repository is given': [module('1.2.0', '1.2.0'), module('1.3.0', '1.2.0')],
  'a role that is fetched from a repository called so': role('lightdash'),
  'a package of npm that is called so': packages(
    'package.json',
    (version) => `{"dependencies": {"${stack}": "${version}"}}\n`,
  ),
  'such a package in the lock of npm': lockOfNpm(stack),
  'such a package in the lock of yarn': packages('yarn.lock', (version) =>
    lines(`"${stack}@^1.0.0":`, `  version "${version}"`),
  ),
  'such a package in the lock of pnpm': packages('pnpm-lock.yaml', (version) =>
    lines('packages:', `  '${stack}@${version}':`, '    resolution: {}'),
  ),
  'a file that gets the name by which compose takes it up': renamed(
    'compose.next.yaml',
    'compose.override.yaml',
  ),
  'a file that loses the name by which compose takes it up': renamed(
    'compose.override.yaml',
    'compose.next.yaml',
  ),
  'which files compose takes': byComposeFile('', 'COMPOSE_FILE=compose.yaml:compose.next.yaml'),
  'in which order compose takes files': byComposeFile(
    'COMPOSE_FILE=compose.next.yaml:compose.yaml',
    'COMPOSE_FILE=compose.yaml:compose.next.yaml',
  ),
  'the values of a chart of kustomize': charted(
    'valuesFile: values-now.yaml',
    'valuesFile: values-next.yaml',
  ),
  'other values of a chart of kustomize': charted(
    'releaseName: bi',
    'additionalValuesFiles: [values-next.yaml]',
  ),
  'in which order a chart of kustomize takes values': charted(
    'additionalValuesFiles: [values-now.yaml, values-next.yaml]',
    'additionalValuesFiles: [values-next.yaml, values-now.yaml]',
  ),
  'whose values win in a chart of kustomize': charted(
    'valuesFile: values-next.yaml, valuesMerge: override',
    'valuesFile: values-next.yaml, valuesMerge: merge',
  ),
  'what kustomize puts into an image': kustomizing('', replacing(0)),
  'what kustomize put into an image': kustomizing(replacing(1), ''),
  'which of two tags kustomize puts into an image': kustomizing(replacing(0), replacing(1)),
  'into which container a patch of kustomize puts an image': kustomizing(patching(1), patching(0)),
  'a Kustomization that Flux goes on with': heldByFlux('suspend: true, ', ''),
  'a Kustomization that Flux goes on with, word for word': heldByFlux('suspend: true, ', 'suspend: false, '),
  'a Deployment that goes on': heldInCluster('paused: true, ', ''),
  'the folder of a project of compose': inFolders(
    'up.sh',
    (folder) => `docker compose --project-directory ${folder} up -d\n`,
  ),
  'which action of the repository a workflow runs': byAction(
    './.github/actions/now',
    './.github/actions/next',
  ),
  'which part of its file a job of GitLab takes': of(
    '.gitlab-ci.yml',
    (name) =>
      lines(
        '.now: {script: ["docker run lightdash/lightdash:1.2.0"]}',
        '.next: {script: ["docker run lightdash/lightdash:1.3.0"]}',
        `roll: {script: [!reference [.${name}, script]]}`,
      ),
    'now',
    'next',
  ),
  'the condition of a chart that is Lightdash': switched('condition: "bi.on, bi.run"', 'bi: {run: #}\n'),
  'the tag by which a chart that is Lightdash is installed': switched('tags: [bi]', 'tags: {bi: #}\n'),
  'another condition of a chart that is Lightdash': of(
    'Chart.yaml',
    dependent,
    'condition: bi.on',
    'condition: bi.run',
    { 'values.yaml': 'bi: {on: false, run: true}\nlightdash: {image: {tag: 1.2.0}}\n' },
  ),
  'which template a release of Helmfile inherits': of(
    'helmfile.yaml',
    (name) =>
      lines(
        'templates: {now: {values: [{image: {tag: 1.2.0}}]}, next: {values: [{image: {tag: 1.3.0}}]}}',
        `releases: [{name: bi, chart: lightdash/lightdash, inherit: [{template: ${name}}]}]`,
      ),
    'now',
    'next',
  ),
  'from which object Flux fills in a tag': of(
    'app.yaml',
    (name) =>
      `kind: Kustomization\nmetadata: {name: bi}\nspec: {path: ./bi, postBuild: {substituteFrom: [{kind: ConfigMap, name: ${name}}]}}\n`,
    'now',
    'next',
    {
      'bi/d.yaml':
        'kind: Deployment\nspec: {template: {spec: {containers: [{image: "lightdash/lightdash:$' +
        '{tag}"}]}}}\n',
    },
  ),
  'the name by which Terraform takes a tag': byVariable('"now"', '"next"', ...twoTags),
  'a condition of Terraform': byVariable('false', 'true', ...twoImages),
  'an item of a lock that a script asks for': inFile(
    'images.lock.yaml',
    (tag) => `images: {bi: {repo: acme/bi, tag: ${tag}}}\n`,
    'TAG=$(yq .images.bi.tag images.lock.yaml)',
    'docker run lightdash/lightdash:$TAG',
  ),
  'an item of a lock of lines that a script asks for': inFile(
    'images.lock',
    (tag) => lines('images:', '  bi:', '    repo: acme/bi', `    tag: ${tag}`),
    'docker run "lightdash/lightdash:$(yq .images.bi.tag images.lock)"',
  ),
  'an item of a list that a script asks for by its name': inFile(
    'images.json',
    (tag) => `${JSON.stringify({ images: [{ name: 'bi', image: 'acme/bi', tag }] })}\n`,
    `TAG=$(jq -r '.images[] | select(.name=="bi") | .tag' images.json)`,
    'docker run lightdash/lightdash:$TAG',
  ),
  'a version that a script asks for by what is not its name': inFile(
    'releases.json',
    (tag) => `${JSON.stringify([{ env: 'prod', tag }])}\n`,
    `TAG=$(jq -r '.[] | select(.env == "prod") | .tag' releases.json)`,
    'docker run lightdash/lightdash:$TAG',
  ),
  'a value of a file in which a script sets another': inFile(
    'values.yaml',
    (tag) => `image: {repository: acme/bi, tag: ${tag}}\nreplicas: 1\n`,
    "yq -i '.replicas = 2' values.yaml",
    'helm upgrade lightdash lightdash/lightdash -f values.yaml',
  ),
  'an item of a lock that is taken in another way': of(
    'images.lock.json',
    (tag) => `${JSON.stringify({ images: { web: { repo: 'bi', tag } } })}\n`,
    '1.2.0',
    '1.3.0',
    {
      'bi.jsonnet': lines(
        'local images = import "images.lock.json";',
        '{ image: "lightdash/lightdash:" + images.web.tag }',
      ),
    },
  ),
  'the stage from which the image of a service is built': of(
    'compose.yaml',
    (stage) => `services: {bi: {image: acme/bi, build: {context: ., target: ${stage}}}}\n`,
    'stable',
    'next',
    { Dockerfile: 'FROM lightdash/lightdash:1.2.0 AS stable\nFROM lightdash/lightdash:1.3.0 AS next\n' },
  ),
  'a version that a script asks for, and is told by another': inFile(
    'versions.json',
    (other) => all('1.2.0', other),
    ...runBi,
    'NEXT=$(jq -r .billing versions.json)',
    './next.sh "$NEXT"',
  ),
  'a version in a file that a script also reads as a whole': inFile(
    'versions.json',
    (other) => all('1.2.0', other),
    ...runBi,
    './next.py versions.json',
  ),
  'a version that a script asks for, or takes another': inFile(
    'versions.json',
    (bi) => all(bi, '1.0.0'),
    `TAG=$(jq -r 'if has("next") then .next else .bi end' versions.json)`,
    'docker run lightdash/lightdash:$TAG',
  ),
  'a version that a function of another script asks for': of(
    'versions.json',
    (bi) => all(bi, '1.0.0'),
    '1.2.0',
    '1.3.0',
    {
      'lib.sh': 'version() { jq -r ".$1" versions.json; }\n',
      'deploy.sh': lines(
        '. ./lib.sh',
        'docker run lightdash/lightdash:$(version bi)',
        'docker run acme/billing:$(jq -r .billing versions.json)',
      ),
    },
  ),
  'a version that a script asks for, which is an alias': inFile(
    'versions.yaml',
    (bi) => lines(`base: &base ${bi}`, 'bi: *base'),
    'TAG=$(yq .bi versions.yaml)',
    'docker run lightdash/lightdash:$TAG',
  ),
  'a version that a script asks for in the form of an image': inFile(
    'versions.json',
    (bi) => all(bi, '1.0.0'),
    'echo tag:$(jq -r .bi versions.json) > values.yaml',
    'helm upgrade bi lightdash/lightdash -f values.yaml',
  ),
  'an input of a flake under another name': [flake('aaa', 'bbb'), flake('ccc', 'bbb')],
  'a value that a kustomization in JSON puts into an image': of(
    'v.yaml',
    (tag) => `{kind: ConfigMap, metadata: {name: v}, data: {tag: ${tag}}}\n`,
    '1.2.0',
    '1.3.0',
    {
      'kustomization.yaml': `${JSON.stringify({
        resources: ['v.yaml', 'bi.yaml'],
        replacements: [
          {
            source: { kind: 'ConfigMap', name: 'v', fieldPath: 'data.tag' },
            targets: [{ select: { kind: 'Deployment' }, fieldPaths: ['spec.containers.0.image'] }],
          },
        ],
      })}\n`,
      'bi.yaml': 'kind: Deployment\nspec: {containers: [{name: bi, image: "lightdash/lightdash:x"}]}\n',
    },
  ),
  'the variables of a compose file in braces': of(
    'deploy.sh',
    (name) => `docker compose --env-file ${name}.env up -d\n`,
    'bi',
    'next',
    {
      'compose.yaml': '{services: {bi: {image: "lightdash/lightdash:$' + '{TAG}"}}}\n',
      'bi.env': 'TAG=1.2.0\n',
      'next.env': 'TAG=1.3.0\n',
    },
  ),
  'an input of a flake, whose lock is read': [locked('aaa'), locked('ccc')],
  'a release that is written to a file, word for word': of(
    'up.sh',
    (tag) => lines('{', `  echo "FROM lightdash/lightdash:${tag} AS bi"`, '} > Dockerfile'),
    '1.2.0',
    '1.3.0',
  ),
  'a release that a script writes, word for word, for what runs it': of(
    'file.sh',
    (tag) => `echo "FROM lightdash/lightdash:${tag} AS bi"\n`,
    '1.2.0',
    '1.3.0',
    { 'up.sh': './file.sh | docker build -t bi -\n' },
  ),
  'a release that make writes, word for word, for what runs it': of(
    'Makefile',
    (tag) => `file:\n\t@echo "FROM lightdash/lightdash:${tag} AS bi"\n`,
    '1.2.0',
    '1.3.0',
  ),
  'what a function shows of a compose file, and is deployed': shown('docker compose -f # config'),
  'what compose writes of a compose file, and is deployed': shown('docker compose -f # config -o stack.yaml'),
  'what a command gives a variable': of(
    'up.sh',
    (tag) =>
      lines('TAG=$(./tag.sh)', 'docker run lightdash/lightdash:$TAG', `echo "set TAG ${tag}" | ./tell`),
    '1.2.0',
    '1.3.0',
  ),
  'a part of a version that a script is given by -p': told('Makefile', 'up:\n\t./deploy.sh -p #', script),
  'a part of a version that a script is given by --memory': told('ci.sh', './deploy.sh --memory #', script),
  'a part of a version for a recipe of just': told('ci.sh', 'just deploy #', {
    justfile: `deploy minor:\n    ${run('1.{{minor}}.0')}`,
  }),
  'a part of a version for a function of a shell': told('ci.sh', 'deploy_bi #', {
    'lib.sh': `deploy_bi() {\n  ${run('1.$1.0')}}\n`,
  }),
  'what a task is given behind two hyphens': told('ci.sh', 'task deploy -- 1.#.0', {
    'Taskfile.yml': 'tasks: {deploy: {cmds: ["docker run lightdash/lightdash:{{.CLI_ARGS}}"]}}\n',
  }),
  'for which files a rule of GitLab sets the tag': byRules((files) =>
    ruled(`{changes: ["${files}"], variables: {TAG: 1.3.0}}, {variables: {TAG: 1.2.0}}`),
  ),
  'for which files a rule of GitLab leaves the tag as it is': byRules((files) =>
    ruled(`{changes: {paths: ["${files}"]}}, {variables: {TAG: 1.2.0}}`),
  ),
  'when a rule of GitLab sets the tag': byRules((branch) =>
    ruled(`{if: "$CI_COMMIT_BRANCH == '${branch}'", variables: {TAG: 1.3.0}}, {variables: {TAG: 1.2.0}}`),
  ),
  'in which order rules of GitLab set the tag': byRules((files) =>
    ruled(
      (files === 'next/**' ? ['A', 'B'] : ['B', 'A'])
        .map((name) => `{if: $${name}, variables: {TAG: ${name === 'A' ? '1.2.0' : '1.3.0'}}}`)
        .join(', '),
    ),
  ),
  'for which files a rule behind an anchor sets the tag': of(
    '.gitlab-ci.yml',
    (files) =>
      lines(
        '.rules: &rules',
        `  - {changes: ["${files}"], variables: {TAG: 1.3.0}}`,
        '  - {variables: {TAG: 1.2.0}}',
        'deploy: {rules: *rules, script: ["docker run lightdash/lightdash:$TAG"]}',
      ),
    'next/**',
    '**/*',
  ),
  'the environment for which Helmfile runs': of(
    'deploy.sh',
    (name) => `helmfile -e ${name} apply\n`,
    'staging',
    'prod',
    {
      'helmfile.yaml':
        'releases: [{name: bi, chart: lightdash/lightdash, values: ["{{ .Environment.Name }}.yaml"]}]\n',
    },
  ),
  'the environment of a job of GitHub': inGithub('#', kept),
  'the name of the environment of a job of GitHub': inGithub(
    '{name: #}',
    '$TAG',
    `    env: {TAG: "${kept}"}\n`,
  ),
  'the environment that a matrix has': of(
    '.github/workflows/deploy.yml',
    (name) => github('$' + '{{ matrix.stage }}', kept, `    strategy: {matrix: {stage: [${name}]}}\n`),
    'staging',
    'prod',
  ),
  'the environment that a workflow is given': of(
    '.github/workflows/prod.yml',
    (name) => `jobs: {prod: {uses: ./.github/workflows/deploy.yml, with: {environment: ${name}}}}\n`,
    'staging',
    'prod',
    { '.github/workflows/deploy.yml': github('$' + '{{ inputs.environment }}', kept) },
  ),
  'the environment of a job of GitLab': of(
    '.gitlab-ci.yml',
    (name) => `deploy: {environment: ${name}, script: ["docker run lightdash/lightdash:$LIGHTDASH_TAG"]}\n`,
    'staging',
    'prod',
  ),
  'the context of a job of CircleCI': of(
    '.circleci/config.yml',
    (name) =>
      lines(
        'jobs: {roll: {steps: [{run: "docker run lightdash/lightdash:$LIGHTDASH_TAG"}]}}',
        ...Array.from({ length: 12 }, () => '# far away'),
        `workflows: {all: {jobs: [{roll: {context: ${name}}}]}}`,
      ),
    'staging',
    'prod',
  ),
  'the group of variables of a pipeline of Azure': of(
    'azure-pipelines.yml',
    (name) =>
      lines(
        `variables: [{group: ${name}}]`,
        'steps: [{script: "docker run lightdash/lightdash:$(LIGHTDASH_TAG)"}]',
      ),
    'staging',
    'prod',
  ),
  'in which group of Ansible a host is': of(
    'hosts.ini',
    (groups) => groups,
    lines('[stable]', 'bi1', '[next]', 'bi2'),
    lines('[stable]', '[next]', 'bi1', 'bi2'),
    {
      'group_vars/stable.yml': 'lightdash_version: 1.2.0\n',
      'group_vars/next.yml': 'lightdash_version: 1.3.0\n',
    },
  ),
  'for which clusters a bundle of Fleet has another tag': [bundle('canary'), bundle('all')],
  'for which clusters an ApplicationSet has another tag': [perCluster('canary'), perCluster('all')],
  'for which clusters an ApplicationSet combines them with a tag': of(
    'all.yaml',
    (ring) =>
      lines(
        ...['kind: ApplicationSet', 'metadata: {name: lightdash}', 'spec:', '  generators:', '    - matrix:'],
        '        generators:',
        `          - clusters: {selector: {matchLabels: {ring: ${ring}}}}`,
        '          - list: {elements: [{rel: 1.2.0}]}',
        '  template:',
        '    spec: {source: {chart: lightdash, helm: {parameters: [{name: image.tag, value: "{{rel}}"}]}}}',
      ),
    'canary',
    'all',
  ),
  'the revision of a workflow of another repository, called Lightdash': of(
    '.github/workflows/roll.yml',
    (revision) => `jobs: {bi: {uses: acme/deploy/.github/workflows/lightdash.yml@${revision}}}\n`,
    'v3',
    'v4',
  ),
  'which anchor the image of a service is an alias of': [behindAnchors('now'), behindAnchors('next')],
  'a label whose anchor gives a name its release': anchored('version', 'lightdash_release: *v\n'),
  'a label whose anchor a parameter of Helm has': anchored(
    'version',
    'helm: {parameters: [{name: lightdash.image.tag, value: *v}]}\n',
  ),
};

export const harmlessChosen: Readonly<Record<string, readonly [Files, Files]>> = {
  'what a target for help says': of(
    'Makefile',
    (more) => `up:\n\tdocker run lightdash/lightdash:1.2.0\nhelp: ## this\n${more}`,
    '',
    '\t@echo "make up: runs lightdash/lightdash:1.2.0"\n',
  ),
  'what a function for usage says': of(
    'up.sh',
    (more) => `usage() {\n${more}  exit 1\n}\ndocker run lightdash/lightdash:$1\n`,
    '',
    '  echo "up.sh 1.2.0 runs lightdash/lightdash:1.2.0"\n',
  ),
  'a tag that a script gives to the chart of another program': of(
    'versions.env',
    (version) => `BI_TAG=1.2.0\nBILLING_TAG=${version}\n`,
    '4.0.0',
    '4.1.0',
    {
      'deploy.sh': lines(
        '. ./versions.env',
        'helm upgrade bi lightdash/lightdash --set image.tag=$BI_TAG',
        'helm upgrade billing acme/billing --set image.tag=$BILLING_TAG',
      ),
    },
  ),
  'an image that another module of the repository is given': [
    module('1.2.0', '1.2.0'),
    module('1.2.0', '1.3.0'),
  ],
  'a role that is fetched from another repository': role('caddy'),
  'a password beside the version': of(
    '.env',
    (word) => `LIGHTDASH_VERSION=1.2.0\nPGPASSWORD=${word}\n`,
    'a1.2.3',
    'b2.3.4',
  ),
  'what opens the database of Lightdash': tools('docker compose -f bi.yaml exec db psql -U bi'),
  'what shows what runs': tools('kubectl get -f bi.yaml -o wide'),
  'another image in the namespace of Lightdash': kustomized('name: api, namespace: lightdash', 'name: api'),
  'the image of what only asks Lightdash': kustomized(
    'name: dbt',
    'name: dbt, env: [{name: LIGHTDASH_API_KEY, value: x}]',
  ),
  'the image of the Redis of Lightdash': kustomized('name: lightdash-redis', 'name: lightdash-redis'),
  'an image of one of two folders': [
    overlay('../lightdash, ../api', '1.2.0'),
    overlay('../lightdash, ../api', '1.3.0'),
  ],
  'an image that is built from another one': of(
    'compose.yaml',
    (version) =>
      `services: {bi: {build: bi, image: acme/bi}, api: {build: api, image: "acme/api:${version}"}}\n`,
    '1.2.0',
    '1.3.0',
    { 'bi/Dockerfile': dockerfile, 'api/Dockerfile': 'FROM node:22\n' },
  ),
  'another package in the lock of npm': lockOfNpm('zod'),
  'the client of Lightdash in the lock of npm': lockOfNpm('@lightdash/cli'),
  'what describes the types of Lightdash': lockOfNpm('@types/lightdash'),
  'a compose file of another name': renamed('compose.next.yaml', 'compose.later.yaml'),
  'a Kustomization that Flux holds back': heldByFlux('', 'suspend: true, '),
  'another Kustomization that Flux goes on with': heldByFlux('suspend: true, ', '', 'redis'),
  'a Deployment that is held back': heldInCluster('', 'paused: true, '),
  'an action of the repository that only looks': byAction('actions/checkout@v4', './.github/actions/lint'),
  'which template another release of Helmfile inherits': of(
    'helmfile.yaml',
    (name) =>
      lines(
        'repositories: [{name: acme, url: "https://charts.acme.io"}]',
        'templates: {now: {wait: true}, next: {wait: false}}',
        'releases:',
        '  - {name: bi, chart: lightdash/lightdash, values: [{image: {tag: 1.2.0}}]}',
        `  - {name: redis, chart: acme/redis, inherit: [{template: ${name}}]}`,
      ),
    'now',
    'next',
  ),
  'the condition of another chart beside that of Lightdash': switched('condition: bi.on', 'redis: {on: #}\n'),
  'the tag of another chart beside that of Lightdash': switched('tags: [bi]', 'tags: {cache: #}\n'),
  'what kustomize puts elsewhere': kustomizing('', replacing(0, 'spec.replicas')),
  'the default of a variable that no image takes': byVariable(
    '"now"',
    '"next"',
    'image = "lightdash/lightdash:1.2.0"',
  ),
  'another input of a flake': [flake('aaa', 'bbb'), flake('aaa', 'ccc')],
  'the tag of another service, which stands in the same line': of(
    '.env',
    (version) => `API_TAG=${version}\nBI_TAG=1.2.0\n`,
    '1.0.0',
    '1.1.0',
    {
      'compose.yaml':
        'services: {bi: {image: "lightdash/lightdash:$' +
        '{BI_TAG}"}, api: {image: "acme/api:$' +
        '{API_TAG}"}}\n',
    },
  ),
  'a variable of another service': of(
    'compose.yaml',
    (version) =>
      `services: {bi: {image: "lightdash/lightdash:1.2.0"}, api: {image: acme/api, environment: {VERSION: ${version}}}}\n`,
    '1.0.0',
    '1.1.0',
  ),
  'what checks how Lightdash is deployed': tools('docker compose -f bi.yaml config --quiet'),
  'what takes Lightdash down': tools('docker compose -f bi.yaml down -v'),
  'a command of a recipe that is not shown': of(
    'Makefile',
    (command) => `up:\n\t${command}\n`,
    'docker run lightdash/lightdash:1.2.0',
    '@docker run lightdash/lightdash:1.2.0',
  ),
  'what shows how Lightdash differs, whatever comes of it': tools('kubectl diff -f bi.yaml || true'),
  'the port of another computer': of(
    'up.sh',
    (port) => `ssh -p ${port} bi.acme.io ${run('1.2.0')}`,
    '22',
    '2222',
  ),
  'in which quotes a script is told what to do': of(
    'ci.sh',
    (version) => `./deploy.sh -p ${version}\n`,
    '156',
    '"156"',
    script,
  ),
  'rules of GitLab that set something else': of(
    '.gitlab-ci.yml',
    (files) =>
      lines(
        `lint: {rules: [{changes: ["${files}"], variables: {FAST: "1"}}]}`,
        'deploy: {script: ["docker run lightdash/lightdash:1.2.0"]}',
      ),
    'a/**',
    'b/**',
  ),
  'when a step of a job runs whose environment has the tag': of(
    '.github/workflows/deploy.yml',
    (when) => github('prod', kept).replace('[{run', `[{if: ${when}, run: ./notify.sh}, {run`),
    'success()',
    'always()',
  ),
  'what the cache of a job is called': of(
    '.gitlab-ci.yml',
    (version) =>
      `deploy: {cache: {key: helm-${version}}, script: ["docker run lightdash/lightdash:1.2.0"]}\n`,
    '3.14.0',
    '3.15.0',
  ),
  'what saves the database of Lightdash': tools(
    'docker compose -f bi.yaml exec -T db pg_dump -U bi bi | gzip > bi-$(date +%F).sql.gz',
  ),
  'the address of an environment': inGithub('{name: prod, url: "https://#.acme.io"}', kept),
  'the environment of a job that names its tag': inGithub('#', '$TAG', '    env: {TAG: 1.2.0}\n'),
  'the environment of a job that is given its tag': inGithub('#', '$' + '{{ inputs.tag }}'),
  'the environment of a job that takes a password': inGithub(
    '#',
    '1.2.0',
    '    env: {DB: "$' + '{{ secrets.DB }}"}\n',
  ),
  'the environment of another job': of(
    '.github/workflows/deploy.yml',
    (name) =>
      `${github('prod', kept)}  billing:\n    environment: ${name}\n    steps: [{run: ./billing.sh}]\n`,
    'staging',
    'prod',
  ),
  'the environment of a module that is given its tag': of(
    'main.tf',
    (name) =>
      lines(
        'module "bi" {',
        `  environment = "${name}"`,
        '  image = "lightdash/lightdash:$' + '{var.tag}"',
        '}',
      ),
    'staging',
    'prod',
  ),
  'for which clusters a bundle of Fleet has other values': [bundle('canary'), bundle('canary', 'tiny')],
  'near which pods those of an ApplicationSet run': [perCluster('canary'), perCluster('canary', 'b')],
  'another image behind an anchor': [behindAnchors('now'), behindAnchors('now', 'postgres:15.7')],
  'what stands beside an image that is an alias': [
    behindAnchors('now'),
    behindAnchors('now', 'postgres:15.6', ', restart: always'),
  ],
  'the name of the anchor of an image': [
    { 'compose.yaml': 'x-bi: &now lightdash/lightdash:1.2.0\nservices: {bi: {image: *now}}\n' },
    { 'compose.yaml': 'x-bi: &bi lightdash/lightdash:1.2.0\nservices: {bi: {image: *bi}}\n' },
  ],
  'a label whose anchor another label has': anchored(
    'chart',
    'image: {repository: lightdash/lightdash, tag: 1.2.0}\nweb: {labels: {chart: *v}}\n',
  ),
};
