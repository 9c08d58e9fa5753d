import { lines } from '../support/lines.js';
import type { Files } from './moves.js';

const json = (value: unknown) => JSON.stringify(value, null, 2);

const source = (url: string, ref: string) =>
  lines(
    'apiVersion: source.toolkit.fluxcd.io/v1',
    'kind: OCIRepository',
    'metadata: {name: bi}',
    'spec:',
    `  url: ${url}`,
    `  ref: ${ref}`,
  );
const chart = 'oci://registry.acme.io/charts/lightdash';
const release = (name: string, spec: string, ...more: readonly string[]) =>
  lines(
    'apiVersion: helm.toolkit.fluxcd.io/v2',
    'kind: HelmRelease',
    `metadata: {name: ${name}}`,
    'spec:',
    `  ${spec}`,
    ...more,
  );
const deployment = (image: string, metadata = '{name: bi}') =>
  lines(
    ...['kind: Deployment', `metadata: ${metadata}`, 'spec:'],
    `  template: {spec: {containers: [{name: web, image: "${image}"}]}}`,
  );
const ofSource = 'chartRef: {kind: OCIRepository, name: bi}';
const tagged = '  values: {image: {tag: 1.100.0}}';

/** What one object, chart or pipeline takes over from another: 1.2.0 becomes 1.156.0. */
export const versionsTakenOver: Readonly<Record<string, Files>> = {
  'a module that is spread beside the image': {
    'base.js': "module.exports = {\n  replicas: 2,\n  value: '1.2.0',\n};\n",
    'app.js': lines(
      "const base = require('./base');",
      'module.exports = {',
      "  image: 'lightdash/lightdash',",
      '  ...base,',
      '};',
    ),
  },
  'a module that is spread where it is fetched': {
    'base.js': "module.exports = { bi: '1.2.0' };\n",
    'app.js': "module.exports = { image: 'lightdash/lightdash', ...require('./base') };\n",
  },
  'one name of a module, spread': {
    'lib/base.ts': "export const base = {\n  v: '1.2.0',\n};\n",
    'app.ts': lines(
      'import {',
      '  base,',
      "} from './lib/base';",
      "export default { ...base, image: { repository: 'lightdash/lightdash' } };",
    ),
  },
  'an image of another name, spread into what is called Lightdash': {
    'lib/base.ts': "export default { image: 'registry.acme.io/bi:1.2.0' };\n",
    'app.ts': "import base from './lib/base';\nexport default { services: { lightdash: { ...base } } };\n",
  },
  'a module that is merged': {
    'base.js': "module.exports = { v: '1.2.0' };\n",
    'app.js': lines(
      "const base = require('./base');",
      "module.exports = Object.assign({ image: 'lightdash/lightdash' }, base);",
    ),
  },
  'a module that is spread into one that is spread': {
    'common.js': "module.exports = { v: '1.2.0' };\n",
    'base.js': "const common = require('./common');\nmodule.exports = { ...common, replicas: 2 };\n",
    'app.js': lines(
      "const base = require('./base');",
      "module.exports = { image: 'lightdash/lightdash', ...base };",
    ),
  },
  'an image of another name, in an object with the label of Lightdash': {
    'd.yaml': deployment('acme.io/bi:1.2.0', '{name: bi, labels: {app: lightdash}}'),
  },
  'a parameter of a run that is called after Lightdash': {
    'run.yaml':
      'kind: PipelineRun\nmetadata: {generateName: lightdash-}\nspec: {params: [{name: rel, value: 1.2.0}]}\n',
  },
  'the chart that a patch of kustomize sets': {
    'kustomization.yaml': lines(
      ...['resources: [r.yaml]', 'patches:', '  - target: {kind: HelmRelease}', '    patch: |-'],
      '      [{"op": "replace", "path": "/spec/chart/spec/version", "value": "1.2.0"}]',
    ),
    'r.yaml': release('bi', 'chart: {spec: {chart: lightdash}}'),
  },
  'an argument of a function of another script': {
    'lib.sh': 'deploy_bi() { helm upgrade bi lightdash/lightdash --set image.tag="$1"; }\n',
    'prod.sh': lines('. ./lib.sh', 'deploy_bi 1.2.0'),
  },
  'what a role of Ansible is given by another one': {
    'meta/main.yml': lines('dependencies:', '  - role: lightdash', '    vars: {rel: 1.2.0}'),
  },
  'a variable of Lightdash in an address that is called': {
    'hook.sh': lines('curl -X POST "https://portainer.acme.io/api/stacks/1?LIGHTDASH_TAG=1.2.0"'),
  },
  'a table of names and releases': {
    'web.yaml': deployment('lightdash/lightdash:@BI@'),
    'pins.txt': lines('BI 1.2.0', 'CACHE 7.0.0'),
  },
  'an artifact of a stage of Spinnaker': {
    'pipeline.json': json({
      name: 'Deploy to production',
      stages: [
        {
          type: 'deployManifest',
          name: 'Deploy',
          moniker: { app: 'lightdash' },
          artifacts: [{ type: 'docker/image', name: 'acme/bi', version: '1.2.0' }],
        },
      ],
    }),
  },
  'the artifact that a pipeline of Spinnaker expects': {
    'pipeline.json': json({
      name: 'Deploy to production',
      expectedArtifacts: [
        { displayName: 'bi', defaultArtifact: { type: 'docker/image', reference: 'acme/bi:1.2.0' } },
      ],
      stages: [{ type: 'deployManifest', moniker: { app: 'lightdash' } }],
    }),
  },
  'the tag of an artifact of Spinnaker': {
    'pipeline.yml': lines(
      'stages:',
      '  - type: deploy',
      '    moniker:',
      '      app: lightdash',
      '    artifact:',
      '      reference: acme/bi',
      '      tag: 1.2.0',
    ),
  },
  'a chart of another name, of a release that is called Lightdash': {
    'release.yaml': release('lightdash', 'chart: {spec: {chart: bi-app, version: 1.2.0}}'),
  },
  'the same of Argo CD': {
    'app.yaml': lines(
      'kind: Application',
      'metadata: {name: lightdash}',
      'spec:',
      '  source: {chart: bi-app, repoURL: "https://charts.acme.io", targetRevision: 1.2.0}',
    ),
  },
  'a chart by OCI, and one of its two releases writes a tag': {
    'source.yaml': source(chart, '{tag: 1.2.0}'),
    'a.yaml': release('lightdash', ofSource, tagged),
    'b.yaml': release('bi', ofSource),
  },
  'the default of a template, as the whole value': {
    'helmfile.yaml': 'releases:\n  - {name: bi, chart: lightdash/lightdash, values: [v.yaml.gotmpl]}\n',
    'v.yaml.gotmpl': 'image:\n  tag: {{ env "X" | default "1.2.0" }}\n',
  },
  'a patch of what is called Lightdash': {
    'kustomization.yaml': lines(
      'resources: [../base]',
      'patches:',
      '  - target: {kind: Deployment, name: lightdash}',
      '    patch: |-',
      '      - op: replace',
      '        path: /spec/template/spec/containers/0/image',
      '        value: acme/bi:1.2.0',
    ),
  },
  'a release by the name of Lightdash in a program': {
    'main.go': 'package main\n\nvar images = map[string]string{\n\t"lightdash": "1.2.0",\n}\n',
  },
  'the tag of an image whose name is put together in a chart': {
    'charts/bi/Chart.yaml': 'name: bi\nversion: 0.1.0\n',
    'charts/bi/templates/d.yaml':
      'kind: Deployment\nspec:\n  containers:\n    - image: "{{ .Values.repo }}/lightdash:{{ .Values.rel }}"\n',
    'charts/bi/values.yaml': 'repo: acme\nrel: 1.2.0\n',
  },
  'an anchor that an argument of a build is an alias of': {
    'compose.yaml': lines(
      'x-versions:',
      '  bi: &v 1.2.0',
      'services:',
      '  bi:',
      '    build:',
      '      context: .',
      '      args: {REL: *v}',
    ),
    Dockerfile: 'ARG REL\nFROM lightdash/lightdash:$REL\n',
  },
  'a parameter of a pipeline that is called after Lightdash': {
    'run.yaml': lines(
      'kind: PipelineRun',
      'spec:',
      '  pipelineRef: {name: deploy-lightdash}',
      '  params: [{name: tag, value: 1.2.0}]',
    ),
  },
  'the image of an ImageStream': {
    'is.yaml': lines(
      'kind: ImageStream',
      'metadata: {name: lightdash}',
      'spec: {tags: [{name: prod, from: {kind: DockerImage, name: "quay.io/acme/bi:1.2.0"}}]}',
    ),
  },
  'a trigger of a DeploymentConfig': {
    'dc.yaml': lines(
      'kind: DeploymentConfig',
      'metadata: {name: lightdash}',
      'spec:',
      '  triggers:',
      '    - type: ImageChange',
      '      imageChangeParams: {from: {kind: ImageStreamTag, name: "bi:1.2.0"}}',
    ),
  },
  'a setting of Pulumi that a program asks for': {
    'index.ts': lines(
      "const tag = new pulumi.Config().require('biTag');",
      "new k8s.helm.v3.Release('bi', { chart: 'lightdash', values: { image: { tag } } });",
    ),
    'Pulumi.prod.yaml': 'config:\n  infra:biTag: 1.2.0\n',
  },
  'a dictionary of Python, spread': {
    'base.py': "BASE = {'tag': '1.2.0'}\n",
    'app.py': "from base import BASE\nspec = {'image': 'lightdash/lightdash', **BASE}\n",
  },
  'a tag for all parts of a chart': {
    'values.yaml': 'global:\n  imageTag: 1.2.0\nlightdash: {enabled: true}\n',
  },
  'a range of a chart by OCI without a release': { 'source.yaml': source(chart, '{semver: "1.2.0"}') },
};

const moved = (files: Files): readonly [Files, Files] => [
  files,
  JSON.parse(JSON.stringify(files).replaceAll('1.2.0', '1.156.0')),
];

/** A kustomization with patches, beside a file that may be one. */
const patched = (...patches: readonly string[]): Files => ({
  'kustomization.yaml': `resources: [d.yaml]\npatches: [${patches.join(', ')}]\n`,
  'd.yaml': deployment('lightdash/lightdash:1.2.0'),
  'next.yaml': deployment('acme.io/bi:1.156.0'),
});
const ofImage = (name: string) =>
  `{target: {name: ${name}}, patch: '[{"op": "replace", "path": "/spec/template/spec/containers/0/image", "value": "acme.io/bi:1.1.0"}]'}`;
/** A chart that depends on another one, whose values its own have. */
const dependent = (version: string, values: string): Files => ({
  'Chart.yaml': lines(
    ...['name: platform', 'dependencies:'],
    `  - {name: portal, version: ${version}, repository: "https://charts.acme.io"}`,
  ),
  'values.yaml': `portal: ${values}\n`,
});
const deploying = (...more: readonly string[]) =>
  lines('up:', '\thelm upgrade bi lightdash/lightdash --set image.tag=1.2.0', ...more);
const umbrella = (version: string, from = 'https://charts.acme.io'): Files => ({
  'Chart.yaml': lines(
    ...[
      'name: platform',
      'dependencies:',
      '  - {name: lightdash, version: 1.9.0, repository: "https://a.io"}',
    ],
    `  - {name: portal, version: ${version}, repository: "${from}"}`,
  ),
});
const valued = (tag: string, more = '', from?: string): Files => ({
  ...umbrella('4.1.0', from),
  'values.yaml': lines(
    'lightdash: {image: {tag: 1.100.0}}',
    'portal:',
    `  image: {tag: ${tag}}`,
    `  ${more}`,
  ),
});
const besideImage = (file: string, write: (image: string) => string, version: string): Files => ({
  [file]: lines(write('lightdash/lightdash:1.2.0'), write(`acme.io/portal:${version}`)),
});
const ofBesides = (file: string, write: (image: string) => string): readonly [Files, Files] => [
  besideImage(file, write, '4.1.0'),
  besideImage(file, write, '4.2.0'),
];

export const movesTakenOver: Readonly<Record<string, readonly [before: Files, after: Files]>> = {
  'a patch that kustomize begins to take': [patched(), patched('{path: next.yaml}')],
  'a patch of an image that comes with the change': [
    { ...patched(), 'next.yaml': '' },
    patched('{path: next.yaml}'),
  ],
  'what a patch of an image is for': [patched(ofImage('cache')), patched(ofImage('bi'))],
  'the tag of a chart of the repository itself, on which a chart depends': [
    valued('1.2.0', '', 'file://../bi'),
    valued('1.156.0', '', 'file://../bi'),
  ],
  'the tag of another chart whose values speak of Lightdash': [
    valued('1.2.0', 'lightdashBackend: {replicas: 2}'),
    valued('1.156.0', 'lightdashBackend: {replicas: 2}'),
  ],
  'another chart that has that of Lightdash in it': [
    dependent('0.9.0', '{lightdash: {}}'),
    dependent('1.0.0', '{lightdash: {}}'),
  ],
  'the tag beside a chart by OCI is left out, and the chart moves': [
    { 'source.yaml': source(chart, '{tag: 1.2.0}'), 'a.yaml': release('lightdash', ofSource, tagged) },
    { 'source.yaml': source(chart, '{tag: 1.156.0}'), 'a.yaml': release('lightdash', ofSource) },
  ],
  'an override comes to a service whose map is written in one line': [
    { 'compose.yaml': 'services: {bi: {image: "lightdash/lightdash:1.2.0"}}\n' },
    {
      'compose.yaml': 'services: {bi: {image: "lightdash/lightdash:1.2.0"}}\n',
      'compose.override.yaml': 'services: {bi: {image: "acme/x:3"}}\n',
    },
  ],
  'another address of a chart by OCI': [
    { 'source.yaml': source(chart, '{tag: 1.2.0}'), 'a.yaml': release('lightdash', ofSource, tagged) },
    {
      'source.yaml': source('oci://ghcr.io/other/lightdash', '{tag: 1.2.0}'),
      'a.yaml': release('lightdash', ofSource, tagged),
    },
  ],
};

export const harmlessTakenOver: Readonly<Record<string, readonly [before: Files, after: Files]>> = {
  'a chart by OCI, beside a tag': moved({
    'source.yaml': source(chart, '{tag: 1.2.0}'),
    'release.yaml': release('lightdash', ofSource, tagged),
  }),
  'a range of a chart by OCI, beside a tag in the same file': moved({
    'all.yaml': `${source(chart, '{semver: "1.2.0"}')}---\n${release('lightdash', ofSource, tagged)}`,
  }),
  'a HelmChart of Flux, beside a tag': moved({
    'chart.yaml': 'kind: HelmChart\nmetadata: {name: bi}\nspec: {chart: lightdash, version: 1.2.0}\n',
    'release.yaml': release('lightdash', 'chartRef: {kind: HelmChart, name: bi}', tagged),
  }),
  'a chart of another name, beside a tag': moved({
    'release.yaml': release('lightdash', 'chart: {spec: {chart: bi-app, version: 1.2.0}}', tagged),
  }),
  'a chart of another program, of a release that is called after Lightdash': moved({
    'release.yaml': release('lightdash-cache', 'chart: {spec: {chart: redis, version: 1.2.0}}'),
  }),
  'a check of manifests that is added beside a deployment': [
    { Makefile: deploying() },
    { Makefile: deploying('\tkubeconform -strict -kubernetes-version 1.31.0 manifests') },
  ],
  'which folders have which label on a forge': [
    { '.github/labeler.yml': 'lightdash: ["apps/lightdash/**"]\n' },
    { '.github/labeler.yml': 'lightdash: ["apps/lightdash/**", "charts/lightdash/**"]\n' },
  ],
  'a patch of what is no image, in a kustomization': [
    patched(),
    patched(`{target: {name: bi}, patch: '[{"op": "replace", "path": "/spec/replicas", "value": 3}]'}`),
  ],
  'a patch of replicas that comes with the change': [
    patched(),
    {
      ...patched('{path: more.yaml}'),
      'more.yaml': 'kind: Deployment\nmetadata: {name: bi}\nspec: {replicas: 3}\n',
    },
  ],
  'another chart on which a chart depends beside that of Lightdash': [umbrella('4.1.0'), umbrella('4.2.0')],
  'the tag of another chart on which a chart depends': [valued('4.1.0'), valued('4.2.0')],
  'another image in a list': ofBesides('images.txt', (image) => image),
  'another image in a program': ofBesides('index.ts', (image) => `new Deployment({ image: '${image}' });`),
  'another image in a definition of containers': ofBesides('ecs.tf', (image) =>
    lines(
      `resource "aws_ecs_task_definition" "${image.slice(0, 4)}" {`,
      `  container_definitions = jsonencode([{ name = "web", image = "${image}" }])`,
      '}',
    ),
  ),
  'an artifact of another program in a pipeline of Lightdash': moved({
    'pipeline.json': json({
      stages: [
        { moniker: { app: 'lightdash' }, artifacts: [{ name: 'acme/redis', version: '1.2.0' }] },
        { moniker: { app: 'billing' }, artifacts: [{ name: 'acme/billing', version: '1.2.0' }] },
      ],
    }),
  }),
  'a package of Python beside the image': [
    { Makefile: 'up:\n\tdocker run lightdash/lightdash:1.2.0\nlint:\n\tuvx ruff==0.1.0\n' },
    { Makefile: 'up:\n\tdocker run lightdash/lightdash:1.2.0\nlint:\n\tuvx ruff==0.2.0\n' },
  ],
  'a module of Go that is required': moved({
    'go.mod': 'module acme/lightdash-ops\nrequire github.com/x/y v1.2.0\n',
  }),
  'a module that is spread elsewhere': moved({
    'theme.js': "module.exports = { v: '1.2.0' };\n",
    'app.js': lines(
      "const theme = require('./theme');",
      'const page = { ...theme };',
      ...Array.from({ length: 5 }, (_, i) => `use(${i});`),
      "run('lightdash/lightdash:1.100.0', page);",
    ),
  }),
  'a size in a module that is spread': [
    {
      'base.js': "module.exports = { replicas: 2, v: '1.2.0' };\n",
      'app.js': "module.exports = { image: 'lightdash/lightdash', ...require('./base') };\n",
    },
    {
      'base.js': "module.exports = { replicas: 4, v: '1.2.0' };\n",
      'app.js': "module.exports = { image: 'lightdash/lightdash', ...require('./base') };\n",
    },
  ],
};
