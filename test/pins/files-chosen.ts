import { lines } from '../support/lines.js';
import type { Files } from './moves.js';

type Change = readonly [Files, Files];

/** One file is changed, beside others that stay: what was and what is written at `#`. */
const changed = (file: string, text: string, was: string, is: string, beside: Files): Change => [
  { ...beside, [file]: text.replace('#', was) },
  { ...beside, [file]: text.replace('#', is) },
];

const deployment = (more: string) =>
  lines('apiVersion: apps/v1', 'kind: Deployment', 'metadata: {name: lightdash}', `spec: {${more}}`);
const running = (version: string) =>
  deployment(`template: {spec: {containers: [{name: bi, image: "lightdash/lightdash:${version}"}]}}`);
const operations = lines(
  '- op: replace',
  '  path: /spec/template/spec/containers/0/image',
  '  value: lightdash/lightdash:1.2.0',
);
const overlay: Files = {
  'base/kustomization.yaml': 'resources: [bi.yaml]\n',
  'base/bi.yaml': running('1.156.0'),
  'prod/hold.yaml': running('1.2.0'),
  'prod/next.yaml': running('1.157.0'),
  'prod/operations.yaml': operations,
  'prod/replicas.yaml': deployment('replicas: 4'),
  'prod/limits.yaml': deployment('paused: false'),
  'prod/release.yaml': lines(
    'apiVersion: helm.toolkit.fluxcd.io/v2',
    'kind: HelmRelease',
    'metadata: {name: lightdash}',
    'spec: {values: {image: {tag: 1.2.0}}}',
  ),
};
const patched = (was: string, is: string): Change =>
  changed('prod/kustomization.yaml', 'resources: [../base]\n#', was, is, overlay);
const patches = (...files: readonly string[]) =>
  lines('patches:', ...files.map((file) => `  - path: ${file}`));
const targeted = (file: string, target: string) => `patches: [{path: ${file}, target: {${target}}}]\n`;

const tags: Files = {
  'values/stable.yaml': 'image:\n  tag: 1.2.0\n',
  'values/next.yaml': 'image:\n  tag: 1.156.0\n',
  'values/limits.yaml': 'resources:\n  limits: {memory: 4Gi}\n',
  'values/queue.yaml': 'redis:\n  maxMemory: 4Gi\n',
};
const release = (values: string) =>
  lines(
    'resource "helm_release" "bi" {',
    '  chart      = "lightdash"',
    '  repository = "https://lightdash.github.io/helm-charts"',
    '  version    = "1.7.3"',
    `  values     = ${values}`,
    '}',
  );
const terraform = (values: string, was: string, is: string) =>
  changed('main.tf', release(values), was, is, tags);

const manifests: Files = {
  'k8s/stable.yaml': running('1.2.0'),
  'k8s/next.yaml': running('1.156.0'),
  'k8s/quota.yaml':
    'apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: lightdash}\nspec: {hard: {pods: 4}}\n',
};
const named = (file: string, text: string, beside: Files = manifests) =>
  changed(file, text, 'stable', 'next', beside);
const variables: Files = { 'env/stable.env': 'TAG=1.2.0\n', 'env/next.env': 'TAG=1.156.0\n' };
/** Two folders that images are built from: Lightdash's, and another program's. */
const builtApart: Files = {
  'bi/Dockerfile': 'FROM lightdash/lightdash:1.2.0\n',
  'dbt/Dockerfile': 'FROM python:3.12.1\n',
};
const stages = 'FROM lightdash/lightdash:1.2.0 AS stable\nFROM lightdash/lightdash:1.156.0 AS next\n';

/** Compose files and what they take, of Lightdash and of other programs. */
const stack: Files = {
  'compose.yaml': 'services: {bi: {image: "lightdash/lightdash:1.2.0"}}\n',
  'next.yaml': 'services: {bi: {image: "lightdash/lightdash:1.3.0"}}\n',
  'mail.yaml': 'services: {mail: {image: "mailhog/mailhog:$' + '{V}"}}\n',
  'metrics.yaml': 'services: {metrics: {image: "prom/prometheus:v2.53.0"}}\n',
  'mail.env': 'V=v1.0.0\n',
  'post.env': 'V=v1.0.1\n',
  'bi.Dockerfile': 'FROM lightdash/lightdash:1.2.0\n',
  'web.Dockerfile': 'FROM nginx:1.26\n',
  'site.Dockerfile': 'FROM nginx:1.27\n',
  'redis-a.yaml': 'image: {tag: 7.2.4}\n',
  'redis-b.yaml': 'image: {tag: 7.4.0}\n',
};
/** Sources of Flux, in one file with what takes them; that of one program gets another tag. */
const sourced = (program: string): Change =>
  changed(
    'apps.yaml',
    ['bi', 'web']
      .flatMap((name) => [
        lines(
          ...['kind: Kustomization', `metadata: {name: ${name}}`, 'spec:', `  path: ./${name}`],
          `  sourceRef: {kind: GitRepository, name: ${name}-source}`,
        ),
        lines(
          ...['kind: GitRepository', `metadata: {name: ${name}-source}`, 'spec:'],
          `  url: https://git.acme.io/${name}.git`,
          `  ref: {tag: ${name === program ? '#' : 'v1.0.0'}}`,
        ),
      ])
      .join('---\n'),
    'v1.0.0',
    'v1.1.0',
    { 'bi/bi.yaml': running('1.2.0'), 'web/web.yaml': 'kind: ConfigMap\nmetadata: {name: web}\n' },
  );
/** A script with a line that is longer than what is searched for names, and a release at its end. */
const longCommand = (file: string, version: string) =>
  lines(
    `docker compose -f compose.yaml -f ${file} up -d`,
    `NOTE="${'a '.repeat(1_100)}" docker run lightdash/lightdash:${version}`,
  );
const fetchedAt = (program: string, was: string, is: string): Change =>
  changed(
    'apps.yaml',
    ['bi', 'redis']
      .map((name) =>
        lines(
          ...['kind: Application', `metadata: {name: ${name}}`, 'spec:', '  source:'],
          `    path: overlays/${name}`,
          `    targetRevision: ${name === program ? '#' : 'main'}`,
        ),
      )
      .join('---\n'),
    was,
    is,
    {
      'overlays/bi/kustomization.yaml': 'images: [{name: lightdash/lightdash, newTag: 1.2.0}]\n',
      'overlays/redis/kustomization.yaml': 'images: [{name: redis, newTag: 7.2.4}]\n',
    },
  );
const takingValues = (files: Files): Files => ({
  'app.yaml': lines(
    'kind: Application',
    'metadata: {name: lightdash}',
    'spec: {source: {chart: lightdash, helm: {ignoreMissingValueFiles: true, valueFiles: [envs/prod.yaml]}}}',
  ),
  'envs/prod.yaml': 'image: {tag: 1.2.0}\n',
  ...files,
});
/** Values in a file, which an Application that has not the word takes where they are. */
const naming = (file: string): Files => ({
  'app.yaml': lines(
    'kind: Application',
    'metadata: {name: bi}',
    'spec:',
    '  source:',
    '    path: charts/bi',
    '    helm: {ignoreMissingValueFiles: true, valueFiles: [../../envs/prod.yaml]}',
  ),
  [file]: 'lightdash: {image: {tag: 1.2.0}}\n',
});
const applied = (file: string): Files => ({
  'apps.yaml': 'kind: Kustomization\nmetadata: {name: apps}\nspec: {path: ./apps/reports, prune: true}\n',
  [file]:
    'kind: HelmRelease\nmetadata: {name: bi}\nspec: {chart: {spec: {chart: lightdash}}, values: {image: {tag: 1.2.0}}}\n',
});
const installed = (chart: string, was: string, is: string): Change =>
  changed('values.yaml', `${chart}: {enabled: #}\n`, was, is, {
    'Chart.yaml': lines(
      'name: platform',
      'dependencies:',
      '  - {name: lightdash, version: 2.10.0, alias: bi, condition: bi.enabled}',
      '  - {name: redis, version: 19.0.2, condition: redis.enabled}',
    ),
    'prod.yaml': 'bi: {image: {tag: 1.2.0}}\n',
  });

export const movesByPath: Readonly<Record<string, Change>> = {
  'a tag of the source that something without the word, but with a folder of Lightdash, takes': sourced('bi'),
  'a revision of the repository whose folder pins Lightdash': fetchedAt('bi', 'v14', 'v15'),
  'a file of values that an Application names gets another name': [
    takingValues({}),
    { 'app.yaml': String(takingValues({})['app.yaml']), 'attic/prod.yaml': 'image: {tag: 1.2.0}\n' },
  ],
  'a file with a pin gets another name than the one that something without the word names': [
    naming('envs/prod.yaml'),
    naming('envs/old.yaml'),
  ],
  'the profile of a service that is built from the folder of Lightdash': changed(
    'all.yaml',
    lines('services:', '  bi: {build: bi, profiles: [#]}', '  dbt: {build: dbt}'),
    'tools',
    'models',
    builtApart,
  ),
  'the profile of a service that takes over the image of another': changed(
    'all.yaml',
    lines(
      'services:',
      '  bi: {image: "lightdash/lightdash:1.2.0", profiles: [off]}',
      '  web: {extends: {service: bi}, profiles: [#]}',
    ),
    'tools',
    'models',
    {},
  ),
  'the profile of a service that is merged with another': changed(
    'all.yaml',
    lines(
      'x-bi: &bi {image: "lightdash/lightdash:1.2.0"}',
      'services:',
      '  lightdash: {<<: *bi}',
      '  web: {<<: *bi, profiles: [#]}',
    ),
    'tools',
    'models',
    {},
  ),
  'a compose file with another image for the service of Lightdash': changed(
    '.env',
    'COMPOSE_FILE=compose.yaml:#\n',
    'mail.yaml',
    'fork.yaml',
    { ...stack, 'fork.yaml': 'services: {bi: {image: "acme/reports:3.2.0"}}\n' },
  ),
  'values with another image for the chart of Lightdash': changed(
    'up.sh',
    'helm upgrade bi lightdash/lightdash -f bi.yaml#\n',
    '',
    ' -f fork.yaml',
    { 'bi.yaml': 'image: {tag: 1.2.0}\n', 'fork.yaml': 'image: {repository: acme/reports, tag: 3.2.0}\n' },
  ),
  'a release at the end of a long line, beside files of other programs': [
    { ...stack, 'up.sh': longCommand('mail.yaml', '1.2.0') },
    { ...stack, 'up.sh': longCommand('metrics.yaml', '1.156.0') },
  ],
  'a compose file that pins, between two that do not': changed(
    '.env',
    'COMPOSE_FILE=mail.yaml:#:metrics.yaml\n',
    'compose.yaml',
    'next.yaml',
    stack,
  ),
  'the order of two compose files that pin': changed(
    '.env',
    'COMPOSE_FILE=#\n',
    'compose.yaml:mail.yaml:next.yaml',
    'next.yaml:metrics.yaml:compose.yaml',
    stack,
  ),
  'a file with a pin leaves the folder that Flux applies': [
    applied('apps/reports/release.yaml'),
    applied('attic/release.yaml'),
  ],
  'a chart on which another one depends is no longer installed': installed('bi', 'true', 'false'),
  'a patch of kustomize that is removed, one of two': patched(
    patches('hold.yaml', 'replicas.yaml'),
    patches('replicas.yaml'),
  ),
  'the only patch of kustomize, which is removed': patched(patches('hold.yaml'), ''),
  'a patch of kustomize that is added': patched(
    patches('replicas.yaml'),
    patches('./next.yaml', 'replicas.yaml'),
  ),
  'another patch of kustomize': patched(patches('hold.yaml'), patches('next.yaml')),
  'the order of two patches of kustomize': patched(
    patches('hold.yaml', 'next.yaml'),
    patches('next.yaml', 'hold.yaml'),
  ),
  'an old list of patches of kustomize': patched(
    'patchesStrategicMerge: [hold.yaml, replicas.yaml]\n',
    'patchesStrategicMerge: [replicas.yaml]\n',
  ),
  'operations of a patch of kustomize': patched(targeted('operations.yaml', 'kind: Deployment'), ''),
  'the target of a patch of kustomize': patched(
    targeted('operations.yaml', 'kind: Deployment, name: lightdash'),
    targeted('operations.yaml', 'kind: Deployment, name: superset'),
  ),
  'a patch of kustomize that sets a tag among values': patched(patches('release.yaml'), ''),
  'values of Terraform': terraform('[file("values/#.yaml")]', 'stable', 'next'),
  'values of Terraform, from the folder of the module': terraform(
    `[\n    file("$\{path.module}/values/#.yaml"),\n  ]`,
    'stable',
    'next',
  ),
  'values of Terraform that are filled in': terraform(
    `[templatefile("$\{path.module}/values/#.yaml", {})]`,
    'stable',
    'next',
  ),
  'values of Terraform that are left out': terraform(
    '[file("values/stable.yaml")#]',
    ', file("values/next.yaml")',
    '',
  ),
  'the order of values of Terraform': terraform(
    '[#]',
    'file("values/next.yaml"), file("values/stable.yaml")',
    'file("values/stable.yaml"), file("values/next.yaml")',
  ),
  'a manifest that Terraform reads': named(
    'main.tf',
    `resource "kubernetes_manifest" "bi" {\n  manifest = yamldecode(file("$\{path.module}/k8s/#.yaml"))\n}\n`,
  ),
  'a manifest that a program names': named(
    'index.ts',
    "new k8s.yaml.ConfigFile('bi', { file: 'k8s/#.yaml' });\n",
  ),
  'values that a program names': named(
    '__main__.py',
    'Release("bi", chart="lightdash", values=yaml.safe_load(open("values/#.yaml")))\n',
    tags,
  ),
  'a file of variables that systemd reads': named(
    'bi.service',
    `[Service]\nEnvironmentFile=/opt/bi/env/#.env\nExecStart=docker run lightdash/lightdash:$\{TAG}\n`,
    variables,
  ),
  'a file of variables that a script reads': named(
    'deploy.sh',
    'source env/#.env\ndocker run lightdash/lightdash:$TAG\n',
    variables,
  ),
  'the stage that compose builds': named(
    'compose.yaml',
    'services: {bi: {build: {context: ., target: #}}}\n',
    { Dockerfile: stages },
  ),
  'the stage that docker builds': named('Makefile', 'image:\n\tdocker build --target # -t acme/bi .\n', {
    Dockerfile: stages,
  }),
};

const idle = 'kind: PodDisruptionBudget\nmetadata: {name: lightdash}\nspec: {minAvailable: 1}\n';
const listed = (was: string, is: string, name = 'kustomization.yaml'): Change =>
  changed('base/kustomization.yaml', 'resources: [bi.yaml]\n#', was, is, {
    'base/bi.yaml': running('1.2.0'),
    'base/budget.yaml': idle,
    [`parts/budget/${name}`]: 'kind: Component\nresources: [budget.yaml]\n',
    'parts/budget/budget.yaml': idle,
  });
const suite = (version: string) =>
  lines(
    'suite: deployment',
    'templates: [deployment.yaml]',
    'tests:',
    '  - it: sets the tag',
    '    asserts:',
    '      - equal:',
    '          path: spec.template.spec.containers[0].image',
    `          value: lightdash/lightdash:${version}`,
  );

export const harmlessByPath: Readonly<Record<string, Change>> = {
  'a patch of kustomize without an image, before one with it': patched(
    patches('hold.yaml'),
    patches('replicas.yaml', 'hold.yaml'),
  ),
  'a patch of kustomize without an image': patched(
    patches('hold.yaml', 'replicas.yaml'),
    patches('hold.yaml'),
  ),
  'the order of patches of kustomize without an image': patched(
    patches('limits.yaml', 'replicas.yaml', 'hold.yaml'),
    patches('hold.yaml', 'replicas.yaml', 'limits.yaml'),
  ),
  'values of Terraform that have no tag': terraform(
    '[file("values/stable.yaml"), file("values/#.yaml")]',
    'limits',
    'queue',
  ),
  'how values of Terraform are read': terraform(
    '[#]',
    'file("values/stable.yaml")',
    'templatefile("values/stable.yaml", { host = "bi.acme.io" })',
  ),
  'a manifest without an image that a program names': changed(
    'index.ts',
    "new k8s.yaml.ConfigFile('bi', { file: 'k8s/stable.yaml' });\n#",
    '',
    "new k8s.yaml.ConfigFile('quota', { file: 'k8s/quota.yaml' });\n",
    manifests,
  ),
  'what a program takes from its package': changed(
    'src/program.ts',
    "#\nrun('lightdash/lightdash:1.2.0');\n",
    "import { version } from './version.js';",
    "import packageJson from '../package.json' with { type: 'json' };",
    { 'package.json': '{"version": "0.2.0", "scripts": {"dev": "docker run lightdash/lightdash:1.2.0"}}\n' },
  ),
  'the stage of another image that is built': named(
    'compose.yaml',
    'services: {web: {build: {context: web, target: #}}}\n',
    { Dockerfile: stages.replaceAll('stable', 'bi').replaceAll('next', 'theme') },
  ),
  'an object of Lightdash that runs nothing, which kustomize lists': changed(
    'base/kustomization.yaml',
    'resources: [bi.yaml#]\n',
    '',
    ', budget.yaml',
    listed('', '')[0],
  ),
  'a component of kustomize that runs nothing': listed('', 'components: [../parts/budget]\n'),
  'the same, in a file with the shorter ending': listed(
    '',
    'components: [../parts/budget]\n',
    'kustomization.yml',
  ),
  'the same, in a file without an ending': listed('', 'components: [../parts/budget]\n', 'Kustomization'),
  'a compose file of another program that is taken too': changed(
    '.env',
    'COMPOSE_FILE=compose.yaml:#\n',
    'mail.yaml',
    'metrics.yaml',
    stack,
  ),
  'a compose file of another program that a script takes too': changed(
    'up.sh',
    'docker compose -f compose.yaml# up -d\n',
    '',
    ' -f metrics.yaml',
    stack,
  ),
  'a Dockerfile of another program': changed(
    'build.yaml',
    lines(
      'services:',
      '  bi: {build: {context: ., dockerfile: bi.Dockerfile}}',
      '  web: {build: {context: ., dockerfile: #}}',
    ),
    'web.Dockerfile',
    'site.Dockerfile',
    stack,
  ),
  'the profile of a service that is built from another folder': changed(
    'all.yaml',
    lines('services:', '  bi: {build: bi}', '  dbt: {build: dbt, profiles: [#]}'),
    'tools',
    'models',
    builtApart,
  ),
  'variables of another part of compose': changed(
    'all.yaml',
    lines('include:', '  - {path: compose.yaml}', '  - {path: mail.yaml, env_file: #}'),
    'mail.env',
    'post.env',
    stack,
  ),
  'values of another chart in a command': changed(
    'up.sh',
    'helm upgrade bi lightdash/lightdash -f bi.yaml\nhelm upgrade redis bitnami/redis -f #\n',
    'redis-a.yaml',
    'redis-b.yaml',
    { ...stack, 'bi.yaml': 'image: {tag: 1.2.0}\n' },
  ),
  'a resource of another program that kustomize lists': changed(
    'kustomization.yaml',
    'resources: [bi.yaml#]\n',
    '',
    ', redis.yaml',
    {
      'bi.yaml': running('1.2.0'),
      'redis.yaml': running('7.2.4').replaceAll(/lightdash(?:\/lightdash)?/g, 'redis'),
    },
  ),
  'a tag of the source of another program, beside that': sourced('web'),
  'a revision of the repository of another program': fetchedAt('redis', 'v14', 'v15'),
  'the version of a chart of Argo CD, while the tag is written': changed(
    'apps.yaml',
    lines(
      'kind: Application',
      'metadata: {name: lightdash}',
      'spec:',
      '  source: {chart: lightdash, targetRevision: #, helm: {parameters: [{name: image.tag, value: 1.2.0}]}}',
    ),
    '2.10.0',
    '2.11.0',
    {},
  ),
  'a file beside one that an Application names gets another name': [
    takingValues({ 'envs/notes.yaml': 'owner: data\n' }),
    takingValues({ 'envs/contacts.yaml': 'owner: data\n' }),
  ],
  'a file with a pin gets another name in the folder that Flux applies': [
    applied('apps/reports/release.yaml'),
    applied('apps/reports/bi.yaml'),
  ],
  'another chart on which the chart depends is installed': installed('redis', 'false', 'true'),
  'what a test of a chart expects': [
    { 'chart/Chart.yaml': 'name: bi\n', 'chart/tests/bi_test.yaml': suite('1.2.0') },
    { 'chart/Chart.yaml': 'name: bi\n', 'chart/tests/bi_test.yaml': suite('1.156.0') },
  ],
};
