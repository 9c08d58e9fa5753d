import { lines } from '../support/lines.js';
export type Files = Readonly<Record<string, string>>;

const image = 'lightdash/lightdash';
const deployment = (image: string, more = '') =>
  lines(
    'apiVersion: apps/v1',
    'kind: Deployment',
    'metadata: {name: bi}',
    'spec:',
    '  template:',
    '    spec:',
    '      containers:',
    '        - name: bi',
    `          image: ${image}`,
    more,
  );
const composeOf = (image: string, ...more: readonly string[]) =>
  lines('services:', '  bi:', `    image: ${image}`, ...more);

const aliased = (version: string) => ({
  'Chart.yaml': `name: x\ndependencies: [{name: lightdash, alias: bi, version: ${version}}]\n`,
  'values.yaml': `bi: {image: {repository: ${image}, tag: 1.2.0}}\n`,
});
const run = '. ./.env\ndocker run "$LIGHTDASH_IMAGE"\n';
const deployedByKustomize = {
  'base/kustomization.yaml': 'resources: [d.yaml]\n',
  'base/d.yaml': `kind: Deployment\nspec: {template: {spec: {containers: [{name: a, image: "${image}"}]}}}\n`,
};
const pathOfImage = '/spec/template/spec/containers/0/image';
const replacements = `replacements:
  - source: {kind: ConfigMap, name: pins, fieldPath: data.bi}
    targets: [{select: {kind: Deployment}, fieldPaths: [spec.template.spec.containers.0.image], options: {delimiter: ":", index: 1}}]
`;

/** Where 1.2.0 stands, it becomes 1.156.0: that moves Lightdash, in whatever form it is kept. */
export const versions: Readonly<Record<string, Files>> = {
  'images of another module': {
    'index.ts': "import * as cfg from './cfg';\nrun({ image: cfg.images.lightdash });\n",
    'cfg.ts': "export const images = {\n  lightdash: 'registry.acme.io/bi:1.2.0',\n};\n",
  },
  'the argument of an imported function': {
    'lib/bi.ts': 'export const bi = (tag: string) => image(`lightdash/lightdash:${tag}`);\n',
    'app.ts': "import { bi } from './lib/bi';\nbi('1.2.0');\n",
  },
  'what a construct is given': {
    'lib/stack.ts':
      'export class Bi { constructor(p: Props) { image(`lightdash/lightdash:${p.version}`); } }\n',
    'bin/app.ts': "import { Bi } from '../lib/stack';\nnew Bi({\n  version: '1.2.0',\n});\n",
  },
  'a container of a program, whose image has another name': {
    'stack.ts': "task.addContainer('lightdash', {\n  image: fromRegistry('acme.io/bi:1.2.0'),\n});\n",
  },
  'a chart by OCI under another name': {
    'release.yaml':
      'apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: lightdash, namespace: bi}\nspec:\n  chartRef: {kind: OCIRepository, name: bi, namespace: flux-system}\n',
    'sources/bi.yaml':
      'apiVersion: source.toolkit.fluxcd.io/v1\nkind: OCIRepository\nmetadata: {name: bi, namespace: flux-system}\nspec:\n  url: oci://registry.acme.io/mirror/charts/bi-app\n  ref: {tag: 1.2.0}\n',
  },
  'a range of a chart by OCI': {
    'release.yaml':
      'apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata:\n  name: lightdash\nspec:\n  chartRef:\n    kind: OCIRepository\n    name: bi\n',
    'sources/bi.yaml':
      'apiVersion: source.toolkit.fluxcd.io/v1\nkind: OCIRepository\nmetadata:\n  name: bi\nspec:\n  url: oci://registry.acme.io/mirror/charts/bi-app\n  ref:\n    semver: "1.2.0"\n',
  },
  'a chart by OCI, whose values name Lightdash': {
    'release.yaml':
      'apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: bi}\nspec:\n  chartRef: {kind: OCIRepository, name: bi-oci}\n  values:\n    lightdashBackend: {replicas: 2}\n    image: {repository: acme/lightdash}\n',
    'repo.yaml':
      'apiVersion: source.toolkit.fluxcd.io/v1\nkind: OCIRepository\nmetadata: {name: bi-oci}\nspec:\n  url: oci://ghcr.io/acme/charts/bi\n  ref: {tag: 1.2.0}\n',
  },
  'a HelmChart of Flux that chartRef names': {
    'release.yaml':
      'apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: lightdash}\nspec:\n  chartRef: {kind: HelmChart, name: bi-chart}\n',
    'hc.yaml':
      'apiVersion: source.toolkit.fluxcd.io/v1\nkind: HelmChart\nmetadata: {name: bi-chart}\nspec:\n  chart: analytics\n  version: 1.2.0\n  sourceRef: {kind: HelmRepository, name: internal}\n',
  },
  'a GitRepository that a HelmRelease takes its chart from': {
    'release.yaml':
      'apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: lightdash}\nspec:\n  chart: {spec: {chart: ./charts/bi, sourceRef: {kind: GitRepository, name: deploys}}}\n',
    'source.yaml':
      'apiVersion: source.toolkit.fluxcd.io/v1\nkind: GitRepository\nmetadata: {name: deploys}\nspec:\n  url: https://git.acme.io/x\n  ref: {tag: v1.2.0}\n',
  },
  'a module of a program': {
    'infra/index.ts': `import * as v from '../common/pins';\nconst image = 'lightdash/lightdash:' + v.bi;\n`,
    'common/pins.ts': `export const bi = '1.2.0';\n`,
  },
  'a module of Ruby': {
    'deploy.rb': `require_relative 'pins'\nsystem "docker run lightdash/lightdash:#{BI}"\n`,
    'pins.rb': `BI = '1.2.0'\n`,
  },
  'another file of a package of CUE': {
    'bi.cue': 'package bi\nimage: "lightdash/lightdash:\\(_tag)"\n',
    'tag.cue': 'package bi\n_tag: "1.2.0"\n',
  },
  'the variables of a role, with a template': {
    'roles/bi/templates/compose.yml.j2': 'services:\n  bi:\n    image: lightdash/lightdash:{{ v }}\n',
    'roles/bi/vars/main.yml': 'v: 1.2.0\n',
  },
  'vars_files of a play': {
    'play.yml': '- hosts: all\n  vars_files: [vars/x.yml]\n  roles: [lightdash]\n',
    'vars/x.yml': 'tag: 1.2.0\n',
  },
  'a service that another file has': {
    'compose.yaml': 'services:\n  lightdash:\n    extends: {file: common.yaml, service: app}\n',
    'common.yaml': 'services:\n  app:\n    image: acme/bi:1.2.0\n',
  },
  'an override of the image of a service': {
    'docker-compose.yml': 'services:\n  bi:\n    image: lightdash/lightdash:1.0.0\n',
    'docker-compose.override.yml': 'services:\n  bi:\n    image: registry/x:1.2.0\n',
  },
  'a module of another name, at a tag': {
    'main.tf': 'module "lightdash" {\n  source = "git::https://git.acme.io/modules.git//bi?ref=v1.2.0"\n}\n',
  },
  'what Argo CD writes beside an Application': {
    'apps/lightdash/.argocd-source-bi.yaml': 'helm:\n  parameters: [{name: image.tag, value: 1.2.0}]\n',
  },
  'an object of an operator': {
    'bi.yaml': 'apiVersion: acme.io/v1\nkind: WebApp\nmetadata: {name: lightdash}\nspec: {version: 1.2.0}\n',
  },
  'a Release of Crossplane': {
    'r.yaml':
      'apiVersion: helm.crossplane.io/v1beta1\nkind: Release\nspec: {forProvider: {chart: {name: lightdash}, set: [{name: image.tag, value: 1.2.0}]}}\n',
  },
  'the input of an action': {
    '.github/workflows/d.yml':
      'jobs:\n  d:\n    steps:\n      - uses: ./.github/actions/rollout\n        with: {v: 1.2.0}\n',
    '.github/actions/rollout/action.yml':
      'inputs: {v: {}}\nruns:\n  using: composite\n  steps:\n    - run: docker pull lightdash/lightdash:${{ inputs.v }}\n',
  },
  'a replacement of kustomize': {
    'kustomization.yaml':
      'resources: [cm.yaml, d.yaml]\nreplacements:\n  - source: {kind: ConfigMap, name: v, fieldPath: data.tag}\n    targets: [{select: {kind: Deployment}, fieldPaths: [spec.template.spec.containers.0.image], options: {delimiter: ":", index: 1}}]\n',
    'cm.yaml': 'kind: ConfigMap\napiVersion: v1\nmetadata: {name: v}\ndata: {tag: 1.2.0}\n',
    'd.yaml':
      'kind: Deployment\napiVersion: apps/v1\nspec: {template: {spec: {containers: [{name: bi, image: "lightdash/lightdash:x"}]}}}\n',
  },
  'variables of a kustomization': {
    'kustomization.yaml':
      'resources: [d.yaml]\nconfigMapGenerator: [{name: v, envs: [v.properties]}]\nreplacements: [{source: {kind: ConfigMap, name: v, fieldPath: data.TAG}, targets: []}]\n',
    'v.properties': 'TAG=1.2.0\n',
    'd.yaml':
      'kind: Deployment\napiVersion: apps/v1\nspec: {template: {spec: {containers: [{name: lightdash, image: "lightdash/lightdash:x"}]}}}\n',
  },
  'a JSON patch of kustomize': {
    'kustomization.yaml':
      'resources: [d.yaml]\npatches: [{path: p.json, target: {kind: Deployment, name: lightdash}}]\n',
    'p.json':
      '[{"op": "replace", "path": "/spec/template/spec/containers/0/image", "value": "acme/bi:1.2.0"}]\n',
    'd.yaml':
      'kind: Deployment\napiVersion: apps/v1\nmetadata: {name: lightdash}\nspec: {template: {spec: {containers: [{name: bi, image: "lightdash/lightdash:1.0.0"}]}}}\n',
  },
  'an addition to a quadlet': {
    'bi.container': '[Container]\nImage=lightdash/lightdash:1.0.0\n',
    'bi.container.d/10.conf': '[Container]\nImage=acme/bi:1.2.0\n',
  },
  'a definition of containers in another file': {
    'ecs.tf':
      'resource "aws_ecs_task_definition" "lightdash" {\n  container_definitions = file("task.json")\n}\n',
    'task.json': '[{"name": "web", "image": "1234.dkr.ecr.eu-west-1.amazonaws.com/bi:1.2.0"}]\n',
  },
  'a dictionary of a package of Python': {
    'infra/__main__.py':
      'from config.images import IMAGES\nk8s.Deployment("bi", image="lightdash/lightdash:" + IMAGES["bi"])\n',
    'infra/config/images.py': 'IMAGES = {\n    "bi": "1.2.0",\n    "db": "15.4",\n}\n',
  },
  'a package of the same repository': {
    'apps/infra/src/bi.ts':
      "import { versions } from '@acme/pins';\nconst image = `lightdash/lightdash:${versions.bi}`;\n",
    'packages/pins/src/index.ts': `export const versions = {\n  bi: '1.2.0',\n};\n`,
  },
  'a service of Knative, whose image has another name': {
    'service.yaml':
      'apiVersion: serving.knative.dev/v1\nkind: Service\nmetadata: {name: lightdash}\nspec: {template: {spec: {containers: [{image: europe-docker.pkg.dev/acme/bi/app:1.2.0}]}}}\n',
  },
  'an attribute of Chef called Lightdash': {
    'attributes/default.rb': `default['lightdash']['version'] = '1.2.0'\n`,
  },
  'an ImagePolicy': {
    'policy.yaml':
      'kind: ImagePolicy\napiVersion: image.toolkit.fluxcd.io/v1\nmetadata: {name: lightdash}\nspec: {policy: {semver: {range: 1.2.0}}}\n',
  },
  'a line that Flux marks': {
    'd.yaml': 'spec:\n  bi: 1.2.0 # {"$imagepolicy": "flux-system:lightdash:tag"}\n',
  },
  'the argument of a script': {
    'up.sh': 'docker run lightdash/lightdash:$1\n',
    '.github/workflows/d.yml': 'jobs:\n  d:\n    steps:\n      - run: ./up.sh 1.2.0\n',
  },
  'the configuration of Tanka': {
    'environments/prod/main.jsonnet': `(import 'lightdash/lightdash.libsonnet') + {\n  _config+:: { version: '1.2.0' },\n}\n`,
  },
  'a parameter of Tekton': {
    'run.yaml':
      'kind: PipelineRun\napiVersion: tekton.dev/v1\nmetadata: {name: deploy-lightdash}\nspec: {params: [{name: version, value: 1.2.0}]}\n',
  },
  'a patch of a container with another image': {
    'base/d.yaml':
      'kind: Deployment\nmetadata: {name: bi}\nspec: {template: {spec: {containers: [{name: bi, image: "lightdash/lightdash:1.0.0"}]}}}\n',
    'overlays/p/kustomization.yaml': 'resources: [../../base]\npatches: [{path: patch.yaml}]\n',
    'overlays/p/patch.yaml':
      'kind: Deployment\nmetadata: {name: bi}\nspec: {template: {spec: {containers: [{name: bi, image: "acme/bi:1.2.0"}]}}}\n',
  },
  'parameters of CloudFormation': {
    'bi.yaml':
      'Parameters: {Tag: {Type: String}}\nResources:\n  T:\n    Properties:\n      Image: !Sub "lightdash/lightdash:${Tag}"\n',
    'params/prod.json': '[{"ParameterKey":"Tag","ParameterValue":"1.2.0"}]',
  },
  'a file that a program reads': {
    'deploy.py': "v = open('release.txt').read()\nrun(f'docker pull lightdash/lightdash:{v}')\n",
    'release.txt': '1.2.0\n',
  },
  'JSON that a program loads': {
    'deploy.js': "const { bi } = require('./pins.json');\nrun(`docker pull lightdash/lightdash:${bi}`);\n",
    'pins.json': '{"bi": "1.2.0"}\n',
  },
  'a list in a program': { 'app.py': "APPS = [\n  ('lightdash', '1.2.0'),\n]\n" },
  'the context of CDK': {
    'cdk.json': '{"app":"node x","context":{"biTag":"1.2.0"}}',
    'lib/x.ts': "const t = this.node.tryGetContext('biTag');\nimage(`lightdash/lightdash:${t}`);\n",
  },
  'arguments of a function': { 'infra/stack.ts': "deploy('lightdash/lightdash', '1.2.0');\n" },
  'outputs of a step': {
    '.github/workflows/d.yml':
      'jobs:\n  d:\n    steps:\n      - id: t\n        run: echo "tag=1.2.0" >> $GITHUB_OUTPUT\n      - run: docker pull lightdash/lightdash:${{ steps.t.outputs.tag }}\n',
  },
  'the configuration of a HelmChart': {
    'hcc.yaml':
      'apiVersion: helm.cattle.io/v1\nkind: HelmChartConfig\nmetadata: {name: lightdash}\nspec:\n  valuesContent: |-\n    image:\n      tag: 1.2.0\n',
  },
  // Values, compose, kustomize, manifests, Flux and Argo CD
  'values of the chart': { 'values.yaml': 'image:\n  tag: 1.2.0\n' },
  'values with a repository': { 'deploy/prod.yaml': `image:\n  repository: ${image}\n  tag: 1.2.0\n` },
  'values of an umbrella': {
    'values.yaml': 'lightdash:\n  image:\n    tag: 1.2.0\nredis: {image: {tag: 7.0.1}}\n',
  },
  'values of the chart beside a folder of Lightdash': {
    'values.yaml': 'image:\n  tag: 1.2.0\n',
    'lightdash/notes.txt': 'who to ask',
  },
  'values in one line': { 'values.yaml': '{lightdash: {image: {tag: "1.2.0"}}}\n' },
  'values of a folder of Lightdash': {
    'apps/lightdash/prod.yaml': 'image: {tag: 1.2.0}\n',
    'apps/foo/values.yaml': 'image: {tag: 9.1.0}\n',
  },
  'values that an Application names': {
    'app.yaml':
      'apiVersion: argoproj.io/v1alpha1\nkind: Application\nspec:\n  sources:\n    - chart: lightdash\n      helm: {valueFiles: [$v/envs/bi.yaml]}\n',
    'envs/bi.yaml': 'image: {tag: 1.2.0}\n',
  },
  'values that a script names': {
    'deploy.sh': 'helm upgrade bi lightdash/lightdash -f conf/bi.yaml\n',
    'conf/bi.yaml': 'image:\n  tag: 1.2.0\n',
  },
  'a version beside another name': { 'values.yaml': 'lightdash:\n  version: 1.2.0\n' },
  compose: { 'compose.yaml': composeOf(`${image}:1.2.0`) },
  'compose of a mirror': { 'docker-compose.yml': composeOf('registry.acme.io:5000/mirror/lightdash:1.2.0') },
  'compose with a suffix': { 'docker-compose.yml': composeOf('lightdash/lightdash-commercial:1.2.0') },
  'compose with a default': { 'compose.yaml': composeOf(`${image}:\${TAG:-1.2.0}`) },
  'compose with .env': { 'compose.yaml': composeOf(`${image}:\${TAG}`), '.env': 'TAG=1.2.0\n' },
  'compose with a whole image in .env': {
    'compose.yaml': composeOf('${IMG}'),
    '.env': `IMG=${image}:1.2.0\n`,
  },
  'compose with an --env-file': { 'compose.yaml': composeOf(`${image}:\${TAG}`), 'prod.env': 'TAG=1.2.0\n' },
  'compose with variables elsewhere': {
    'compose.yaml': composeOf(`${image}:\${BI_TAG}`),
    'conf/vars.properties': 'BI_TAG=1.2.0\n',
  },
  'compose with two variables': {
    'compose.yaml': composeOf(`${image}:\${TAG}`),
    '.env': 'TAG=${V}\nV=1.2.0\n',
  },
  'an override of compose': {
    'compose.yaml': composeOf(`${image}:1.1.0`),
    'compose.override.yaml': 'services:\n  bi:\n    image: lightdash/lightdash:1.2.0\n',
  },
  'a compose file that is included': {
    'compose.yaml': 'include:\n  - bi/service.yaml\n',
    'bi/service.yaml': composeOf(`${image}:1.2.0`),
  },
  'an anchor of compose': {
    'compose.yaml': lines(
      'x-bi: &bi',
      `  image: ${image}:1.2.0`,
      'services:',
      '  a: {<<: *bi}',
      '  b: {<<: *bi}',
    ),
  },
  'a build with an argument': {
    'compose.yaml': lines(
      'services:',
      '  bi:',
      '    build:',
      '      context: .',
      '      args:',
      '        LIGHTDASH_VERSION: 1.2.0',
    ),
  },
  'a build with an inline Dockerfile': {
    'compose.yaml': lines(
      'services:',
      '  bi:',
      '    build:',
      '      dockerfile_inline: |',
      `        FROM ${image}:1.2.0`,
      '        RUN true',
    ),
  },
  kustomize: { 'kustomization.yaml': `images:\n  - name: ${image}\n    newTag: 1.2.0\n` },
  'Helm, values of an alias elsewhere': {
    'chart/Chart.yaml':
      'apiVersion: v2\nname: platform\nversion: 0.1.0\ndependencies:\n  - {name: lightdash, version: 1.0.0, alias: bi, repository: "https://lightdash.github.io/helm-charts"}\n',
    'envs/prod.yaml': 'bi:\n  image:\n    tag: 1.2.0\n',
  },
  'Terragrunt, inputs of a module': {
    'modules/bi/main.tf':
      'variable "tag" {}\nresource "helm_release" "bi" {\n  chart = "lightdash"\n  set {\n    name  = "image.tag"\n    value = var.tag\n  }\n}\n',
    'live/prod/terragrunt.hcl':
      'terraform {\n  source = "../../modules/bi"\n}\ninputs = {\n  tag = "1.2.0"\n}\n',
  },
  'Flux, a policy for images': {
    'images.yaml':
      'apiVersion: image.toolkit.fluxcd.io/v1beta2\nkind: ImageRepository\nmetadata: {name: bi}\nspec: {image: lightdash/lightdash}\n',
    'policy.yaml':
      'apiVersion: image.toolkit.fluxcd.io/v1beta2\nkind: ImagePolicy\nmetadata: {name: newest}\nspec: {imageRepositoryRef: {name: bi}, policy: {semver: {range: 1.2.0}}}\n',
  },
  'kustomize, any image of a component': {
    ...deployedByKustomize,
    'pins/kustomization.yaml': 'kind: Component\nimages: [{name: .+, newTag: 1.2.0}]\n',
    'kustomization.yaml': 'resources: [base]\ncomponents: [pins]\n',
  },
  'kustomize, a patch of JSON in a file': {
    ...deployedByKustomize,
    'kustomization.yaml': 'resources: [base]\npatches: [{path: patch.yaml, target: {kind: Deployment}}]\n',
    'patch.yaml': `- op: replace\n  path: ${pathOfImage}\n  value: registry.acme.io/bi:1.2.0\n`,
  },
  'kustomize, a patch of JSON': {
    ...deployedByKustomize,
    'kustomization.yaml': `resources: [base]\npatches:\n  - target: {kind: Deployment}\n    patch: |-\n      - op: replace\n        path: ${pathOfImage}\n        value: registry.acme.io/bi:1.2.0\n`,
  },
  'kustomize, a literal that replaces a tag': {
    ...deployedByKustomize,
    'kustomization.yaml': `resources: [base]\nconfigMapGenerator: [{name: pins, literals: [bi=1.2.0]}]\n${replacements}`,
  },
  'kustomize, a variable': {
    ...deployedByKustomize,
    'pins.yaml': 'kind: ConfigMap\nmetadata: {name: pins}\ndata: {bi: 1.2.0}\n',
    'kustomization.yaml':
      'resources: [base, pins.yaml]\nvars: [{name: BI, objref: {kind: ConfigMap, name: pins, apiVersion: v1}, fieldref: {fieldpath: data.bi}}]\n',
    'base/d.yaml': `kind: Deployment\nspec: {template: {spec: {containers: [{name: a, image: "${image}:$(BI)"}]}}}\n`,
  },
  'kustomize, any image': {
    ...deployedByKustomize,
    'kustomization.yaml': 'resources: [base]\nimages:\n  - name: .*\n    newTag: 1.2.0\n',
  },
  'kustomize, images by an expression': {
    ...deployedByKustomize,
    'kustomization.yaml': 'resources: [base]\nimages:\n  - {name: "[a-z]+/l.+", newTag: 1.2.0}\n',
  },
  'kustomize with another name': {
    'kustomization.yaml': 'images:\n  - name: bi\n    newName: quay.io/acme/lightdash\n    newTag: 1.2.0\n',
  },
  'a patch of kustomize': {
    'kustomization.yaml': lines(
      'patches:',
      '  - patch: |-',
      '      - op: replace',
      '        path: /spec/template/spec/containers/0/image',
      `        value: ${image}:1.2.0`,
      '    target: {kind: Deployment}',
    ),
  },
  'a literal of kustomize': {
    'kustomization.yaml': lines(
      'configMapGenerator:',
      '  - name: bi',
      '    literals:',
      '      - LIGHTDASH_TAG=1.2.0',
    ),
  },
  'a chart in a kustomization': {
    'kustomization.yaml': lines('helmCharts:', '  - name: lightdash', '    version: 1.2.0'),
  },
  'a Deployment': { 'bi.yaml': deployment(`${image}:1.2.0`) },
  'a CronJob': {
    'cron.yaml': lines(
      'apiVersion: batch/v1',
      'kind: CronJob',
      'spec: {jobTemplate: {spec: {template: {spec: {containers: [{name: x, image: "ghcr.io/acme/lightdash:1.2.0"}]}}}}}',
    ),
  },
  'a Deployment with a variable': {
    'bi.yaml': deployment(`${image}:$(BI_TAG)`),
    'params.env': 'BI_TAG=1.2.0\n',
  },
  'a List': {
    'list.json': JSON.stringify(
      { kind: 'List', items: [{ spec: { containers: [{ image: `${image}:1.2.0` }] } }] },
      null,
      2,
    ),
  },
  'a HelmRelease': {
    'hr.yaml': lines(
      'apiVersion: helm.toolkit.fluxcd.io/v2',
      'kind: HelmRelease',
      'spec:',
      '  chart: {spec: {chart: lightdash, version: 2.6.1}}',
      '  values: {image: {tag: 1.2.0}}',
    ),
  },
  'the chart of a HelmRelease': {
    'hr.yaml': lines(
      'apiVersion: helm.toolkit.fluxcd.io/v2',
      'kind: HelmRelease',
      'spec:',
      '  chart: {spec: {chart: lightdash, version: 1.2.0}}',
    ),
  },
  'valuesFrom of a HelmRelease': {
    'hr.yaml': lines(
      'apiVersion: helm.toolkit.fluxcd.io/v2',
      'kind: HelmRelease',
      'spec:',
      '  chart: {spec: {chart: lightdash}}',
      '  valuesFrom: [{kind: ConfigMap, name: bi-values}]',
    ),
    'cm.yaml': lines(
      'apiVersion: v1',
      'kind: ConfigMap',
      'metadata: {name: bi-values}',
      'data:',
      '  values.yaml: |',
      '    image:',
      '      tag: 1.2.0',
    ),
  },
  'a patch after the render of a HelmRelease': {
    'hr.yaml': lines(
      'kind: HelmRelease',
      'apiVersion: helm.toolkit.fluxcd.io/v2',
      'spec:',
      '  chart: {spec: {chart: lightdash}}',
      '  postRenderers:',
      '    - kustomize:',
      '        images:',
      `          - {name: ${image}, newTag: 1.2.0}`,
    ),
  },
  'an OCIRepository': {
    'repo.yaml': lines(
      'apiVersion: source.toolkit.fluxcd.io/v1',
      'kind: OCIRepository',
      'metadata: {name: bi}',
      'spec:',
      '  url: oci://ghcr.io/lightdash/helm-charts/lightdash',
      '  ref: {tag: 1.2.0}',
    ),
  },
  'a chart that chartRef names': {
    'hr.yaml': lines(
      'kind: HelmRelease',
      'apiVersion: helm.toolkit.fluxcd.io/v2',
      'metadata: {name: lightdash}',
      'spec:',
      '  chartRef: {kind: OCIRepository, name: bi-chart}',
    ),
    'oci.yaml': lines(
      'kind: OCIRepository',
      'apiVersion: source.toolkit.fluxcd.io/v1',
      'metadata: {name: bi-chart}',
      'spec:',
      '  url: oci://registry.acme.io/charts/lightdash',
      '  ref:',
      '    tag: 1.2.0',
    ),
  },
  'a GitRepository of Lightdash': {
    'git.yaml': lines(
      'kind: GitRepository',
      'apiVersion: source.toolkit.fluxcd.io/v1',
      'metadata: {name: lightdash}',
      'spec:',
      '  url: https://github.com/lightdash/helm-charts',
      '  ref: {tag: lightdash-1.2.0}',
    ),
  },
  'an Application': {
    'app.yaml': lines(
      'apiVersion: argoproj.io/v1alpha1',
      'kind: Application',
      'spec:',
      '  source:',
      '    chart: lightdash',
      '    targetRevision: 2.0.0',
      '    helm:',
      '      valuesObject: {image: {tag: 1.2.0}}',
    ),
  },
  'an Application with a text': {
    'app.yaml': lines(
      'apiVersion: argoproj.io/v1alpha1',
      'kind: Application',
      'spec:',
      '  source:',
      '    chart: lightdash',
      '    helm:',
      '      values: |',
      '        image:',
      '          tag: 1.2.0',
    ),
  },
  'an Application with parameters': {
    'app.yaml': lines(
      'apiVersion: argoproj.io/v1alpha1',
      'kind: Application',
      'spec:',
      '  source:',
      '    chart: lightdash',
      '    helm: {parameters: [{name: image.tag, value: 1.2.0}]}',
    ),
  },
  'images of an Application': {
    'app.yaml': lines(
      'apiVersion: argoproj.io/v1alpha1',
      'kind: Application',
      'spec:',
      '  source:',
      '    path: bi',
      '    kustomize:',
      '      images:',
      `        - ${image}:1.2.0`,
    ),
  },
  'an ApplicationSet': {
    'set.yaml': lines(
      'apiVersion: argoproj.io/v1alpha1',
      'kind: ApplicationSet',
      'spec:',
      '  generators:',
      '    - list:',
      '        elements:',
      '          - {cluster: a, tag: 1.2.0}',
      '  template:',
      '    spec:',
      '      source:',
      '        chart: lightdash',
      '        helm:',
      '          parameters:',
      '            - {name: image.tag, value: "{{tag}}"}',
    ),
  },
  'a file of an ApplicationSet': {
    'set.yaml': lines(
      'apiVersion: argoproj.io/v1alpha1',
      'kind: ApplicationSet',
      'spec:',
      '  generators:',
      '    - git:',
      '        files:',
      '          - path: clusters/prod.json',
      '  template: {spec: {source: {chart: lightdash, helm: {parameters: [{name: image.tag, value: "{{bi.tag}}"}]}}}}',
    ),
    'clusters/prod.json': '{"bi": {"tag": "1.2.0"}}\n',
  },
  'a HelmChart of k3s': {
    'k3s.yaml': lines(
      'apiVersion: helm.cattle.io/v1',
      'kind: HelmChart',
      'spec:',
      '  chart: lightdash',
      '  valuesContent: |-',
      '    image:',
      '      tag: 1.2.0',
    ),
  },
  'set of a HelmChart': {
    'k3s.yaml': lines(
      'apiVersion: helm.cattle.io/v1',
      'kind: HelmChart',
      'spec:',
      '  chart: lightdash',
      '  set:',
      '    image.tag: 1.2.0',
    ),
  },
  'a chart of Lightdash': {
    'Chart.yaml': 'apiVersion: v2\nname: lightdash\nversion: 0.1.0\nappVersion: 1.2.0\n',
  },
  'a dependency': {
    'Chart.yaml':
      'apiVersion: v2\nname: bi\nversion: 0.1.0\ndependencies:\n  - name: lightdash\n    version: 1.2.0\n    repository: https://lightdash.github.io/helm-charts\n',
  },
  'a lock of dependencies': {
    'Chart.yaml':
      'apiVersion: v2\nname: bi\nversion: 0.1.0\ndependencies:\n  - name: lightdash\n    version: ^1.0.0\n    repository: https://lightdash.github.io/helm-charts\n',
    'Chart.lock': 'dependencies:\n- name: lightdash\n  version: 1.2.0\n',
  },
  'a template of a chart': {
    'chart/Chart.yaml': 'name: bi\n',
    'chart/templates/d.yaml': lines('spec:', '  {{- if .x }}', `  image: "${image}:1.2.0"`, '  {{- end }}'),
  },
  'values of a template': {
    'chart/Chart.yaml': 'name: bi\n',
    'chart/templates/d.yaml': lines(
      'spec:',
      '  {{- if .x }}',
      `  image: "${image}:{{ .Values.bi.tag }}"`,
      '  {{- end }}',
    ),
    'chart/values.yaml': 'bi:\n  tag: 1.2.0\n',
  },
  // Helmfile, Terraform and its relatives
  helmfile: {
    'helmfile.yaml': lines(
      'releases:',
      '  - name: bi',
      '    chart: lightdash/lightdash',
      '    version: 2.6.1',
      '    set:',
      '      - name: image.tag',
      '        value: 1.2.0',
    ),
  },
  'the chart of helmfile': {
    'helmfile.yaml': lines(
      'releases:',
      '  - name: bi',
      '    chart: lightdash/lightdash',
      '    version: 1.2.0',
    ),
  },
  'helmfile with a template': {
    'helmfile.yaml': lines(
      'releases:',
      '{{ if eq .Environment.Name "prod" }}',
      '  - name: bi',
      '    chart: lightdash/lightdash',
      '    values:',
      '      - image: {tag: 1.2.0}',
      '{{ end }}',
    ),
  },
  'an environment of helmfile': {
    'helmfile.yaml': lines(
      'environments:',
      '  prod:',
      '    values:',
      '      - biTag: 1.2.0',
      '---',
      'releases:',
      '  - name: bi',
      '    chart: lightdash/lightdash',
      '    set: [{name: image.tag, value: "{{ .Values.biTag }}"}]',
    ),
  },
  'values of helmfile': {
    'helmfile.yaml': lines(
      'releases:',
      '  - name: bi',
      '    chart: lightdash/lightdash',
      '    values: [conf/bi.yaml.gotmpl]',
    ),
    'conf/bi.yaml.gotmpl': 'image:\n  tag: 1.2.0\n',
  },
  'a helm_release with set': {
    'main.tf': lines(
      'resource "helm_release" "bi" {',
      '  chart = "lightdash"',
      '  set {',
      '    name  = "image.tag"',
      '    value = "1.2.0"',
      '  }',
      '}',
    ),
  },
  'a helm_release with a list': {
    'main.tf': lines(
      'resource "helm_release" "bi" {',
      '  chart = "lightdash"',
      '  set = [{ name = "image.tag", value = "1.2.0" }]',
      '}',
    ),
  },
  'a helm_release with a heredoc': {
    'main.tf': lines(
      'resource "helm_release" "bi" {',
      '  chart = "lightdash"',
      '  values = [<<-EOT',
      '    image:',
      '      tag: 1.2.0',
      '  EOT',
      '  ]',
      '}',
    ),
  },
  'the chart of a helm_release': {
    'main.tf': lines(
      'resource "helm_release" "bi" {',
      '  repository = "https://lightdash.github.io/helm-charts"',
      '  chart      = "lightdash"',
      '  version    = "1.2.0"',
      '}',
    ),
  },
  'a variable of Terraform': {
    'main.tf': `locals {\n  image = "${image}:\${var.bi_version}"\n}\n`,
    'vars.tf': lines('variable "bi_version" {', '  default = "1.2.0"', '}'),
  },
  'a tfvars': {
    'main.tf': `locals {\n  image = "${image}:\${var.bi_version}"\n}\n`,
    'prod.tfvars': 'bi_version = "1.2.0"\n',
  },
  'a tfvars of another folder': {
    'modules/bi/main.tf': `locals {\n  image = "${image}:\${var.bi_version}"\n}\n`,
    'envs/prod/terraform.tfvars': 'bi_version = "1.2.0"\n',
  },
  'a variable named after Lightdash': { 'terraform.tfvars': 'lightdash_version = "1.2.0"\n' },
  'a module': {
    'main.tf': lines('module "lightdash" {', '  source  = "./modules/bi"', '  release = "1.2.0"', '}'),
  },
  'a module from git': {
    'main.tf': lines(
      'module "bi" {',
      '  source = "git::https://github.com/acme/terraform-lightdash.git?ref=v1.2.0"',
      '}',
    ),
  },
  'a container definition': {
    'ecs.tf': lines(
      'resource "aws_ecs_task_definition" "bi" {',
      '  container_definitions = jsonencode([{',
      `    image = "${image}:1.2.0"`,
      '  }])',
      '}',
    ),
  },
  'a container definition with its own name': {
    'task.json': JSON.stringify(
      {
        family: 'lightdash',
        containerDefinitions: [{ name: 'lightdash', image: '1234.dkr.ecr.eu-west-1.amazonaws.com/bi:1.2.0' }],
      },
      null,
      2,
    ),
  },
  terragrunt: { 'terragrunt.hcl': lines('inputs = {', '  lightdash_image_tag = "1.2.0"', '}') },
  'a kubernetes_deployment': {
    'k.tf': lines(
      'resource "kubernetes_deployment" "lightdash" {',
      '  spec {',
      '    template {',
      '      spec {',
      '        container {',
      `          image = "${image}:1.2.0"`,
      '        }',
      '      }',
      '    }',
      '  }',
      '}',
    ),
  },
  'CDK for Terraform': {
    'cdk.tf.json': JSON.stringify(
      { resource: { helm_release: { bi: { chart: 'lightdash', version: '1.2.0' } } } },
      null,
      2,
    ),
  },
  Nomad: {
    'bi.nomad': lines(
      'job "lightdash" {',
      '  group "web" {',
      '    task "server" {',
      '      driver = "docker"',
      '      config {',
      `        image = "${image}:1.2.0"`,
      '      }',
      '    }',
      '  }',
      '}',
    ),
  },
  'Nomad with another image': {
    'bi.nomad.hcl': lines(
      'job "lightdash" {',
      '  group "web" {',
      '    task "server" {',
      '      config {',
      '        image = "registry.acme.io/bi:1.2.0"',
      '      }',
      '    }',
      '  }',
      '}',
    ),
  },
  'a bake file': { 'docker-bake.hcl': lines('variable "LIGHTDASH_VERSION" {', '  default = "1.2.0"', '}') },
  'a target of a bake file': {
    'docker-bake.hcl': lines('target "bi" {', '  args = {', `    BASE = "${image}:1.2.0"`, '  }', '}'),
  },
  Packer: { 'bi.pkr.hcl': lines('source "docker" "bi" {', `  image = "${image}:1.2.0"`, '}') },
  // Images that are built
  'a Dockerfile': { Dockerfile: `FROM ${image}:1.2.0\nRUN true\n` },
  'a Containerfile': { 'bi/Containerfile': `FROM docker.io/${image}:1.2.0 AS base\nFROM base\n` },
  'an ARG of a Dockerfile': { Dockerfile: `ARG TAG=1.2.0\nFROM ${image}:\${TAG}\n` },
  'an ARG with the image': { 'Dockerfile.prod': `ARG BASE=${image}:1.2.0\nFROM \${BASE}\n` },
  'a stage to copy from': { Dockerfile: `FROM node:20\nCOPY --from=${image}:1.2.0 /usr/app /usr/app\n` },
  'an argument of a pipeline': {
    Dockerfile: `ARG BI\nFROM ${image}:\${BI}\n`,
    '.github/workflows/build.yml': lines(
      'jobs:',
      '  build:',
      '    steps:',
      '      - run: docker build --build-arg BI=1.2.0 .',
    ),
  },
  // Scripts and pipelines
  'a shell script': { 'deploy.sh': `docker run -d ${image}:1.2.0\n` },
  'a variable of a shell script': {
    'deploy.sh': `set -e\nTAG=1.2.0\necho go\ndocker run -d "${image}:$TAG"\n`,
  },
  'a variable far from its use': {
    'deploy.sh': `V=1.2.0\n${'echo x\n'.repeat(40)}docker run -d "${image}:$V"\n`,
  },
  'a helm command': { 'deploy.sh': 'helm upgrade --install bi lightdash/lightdash --set image.tag=1.2.0\n' },
  'a helm command over several lines': {
    'deploy.sh':
      'helm upgrade --install bi \\\n  lightdash/lightdash \\\n  --version 2.6.1 \\\n  --set image.tag=1.2.0\n',
  },
  'the chart of a helm command': { 'deploy.sh': 'helm upgrade bi lightdash/lightdash --version 1.2.0\n' },
  'a chart by OCI': { 'deploy.sh': 'helm upgrade bi oci://ghcr.io/acme/charts/lightdash --version 1.2.0\n' },
  'kubectl set image': { 'deploy.sh': `kubectl set image deploy/bi bi=${image}:1.2.0\n` },
  'kubectl set image with a variable': {
    'bin/deploy': `#!/bin/bash\nVERSION="\${1:-1.2.0}"\nkubectl set image deploy/bi bi=${image}:$VERSION\n`,
  },
  PowerShell: { 'deploy.ps1': `$tag = "1.2.0"\ndocker run "${image}:$tag"\n` },
  'a batch file': { 'deploy.bat': `set TAG=1.2.0\r\ndocker run ${image}:%TAG%\r\n` },
  'a Makefile': { Makefile: `LIGHTDASH_TAG := 1.2.0\nup:\n\tdocker run ${image}:$(LIGHTDASH_TAG)\n` },
  'a plain variable of a Makefile': { Makefile: `V ?= 1.2.0\nup:\n\tdocker run ${image}:$(V)\n` },
  'a file that a Makefile includes': {
    Makefile: `include versions.mk\nup:\n\tdocker run ${image}:$(BI)\n`,
    'versions.mk': 'BI = 1.2.0\n',
  },
  'a justfile': { justfile: `tag := "1.2.0"\nup:\n  docker run ${image}:{{tag}}\n` },
  'a Taskfile': {
    'Taskfile.yml': lines(
      'vars:',
      '  TAG: 1.2.0',
      'tasks:',
      '  up:',
      `    cmd: docker run ${image}:{{.TAG}}`,
    ),
  },
  'a file with the version alone': {
    'deploy.sh': `docker run ${image}:$(cat VERSION)\n`,
    VERSION: '1.2.0\n',
  },
  'a file named after Lightdash': { 'deploy/lightdash.version': '1.2.0\n' },
  'a version in a folder of Lightdash': { 'lightdash/VERSION': '1.2.0\n' },
  'a list of tools': { '.tool-versions': 'nodejs 20.1.0\nlightdash 1.2.0\n' },
  'a workflow': { '.github/workflows/deploy.yml': lines('env:', '  LIGHTDASH_VERSION: 1.2.0', 'jobs: {}') },
  'a service of a workflow': {
    '.github/workflows/ci.yml': lines(
      'jobs:',
      '  test:',
      '    services:',
      '      bi:',
      `        image: ${image}:1.2.0`,
    ),
  },
  'a step of a workflow': {
    '.github/workflows/deploy.yml': lines(
      'jobs:',
      '  deploy:',
      '    steps:',
      '      - uses: actions/checkout@v4',
      '      - run: |',
      '          helm upgrade bi lightdash/lightdash \\',
      '            --set image.tag=1.2.0',
    ),
  },
  'an input of a workflow': {
    '.github/workflows/deploy.yml': lines(
      'on:',
      '  workflow_dispatch:',
      '    inputs:',
      '      tag: {default: 1.2.0}',
      'jobs:',
      '  d:',
      '    steps:',
      `      - run: docker run ${image}:\${{ inputs.tag }}`,
    ),
  },
  'a matrix of a workflow': {
    '.github/workflows/deploy.yml': lines(
      'jobs:',
      '  d:',
      '    strategy:',
      '      matrix: {bi: [1.2.0]}',
      '    steps:',
      `      - run: docker run ${image}:\${{ matrix.bi }}`,
    ),
  },
  'GitLab CI': {
    '.gitlab-ci.yml': lines('variables:', '  LIGHTDASH_TAG: "1.2.0"', 'deploy:', '  script: [./deploy.sh]'),
  },
  'a script of GitLab CI': {
    '.gitlab-ci.yml': lines(
      'variables:',
      '  TAG: "1.2.0"',
      'deploy:',
      '  script:',
      `    - docker run ${image}:$TAG`,
    ),
  },
  'a Jenkinsfile': {
    Jenkinsfile: lines('pipeline {', '  environment {', "    LIGHTDASH_TAG = '1.2.0'", '  }', '}'),
  },
  Groovy: { Jenkinsfile: lines("def tag = '1.2.0'", `sh "docker run ${image}:\${tag}"`) },
  'Azure Pipelines': {
    'azure-pipelines.yml': lines('variables:', '  - name: lightdashTag', '    value: 1.2.0'),
  },
  CircleCI: {
    '.circleci/config.yml': lines('parameters:', '  lightdash-tag: {type: string, default: 1.2.0}'),
  },
  Bitbucket: {
    'bitbucket-pipelines.yml': lines(
      'pipelines:',
      '  default:',
      '    - step:',
      '        script:',
      `          - docker run ${image}:1.2.0`,
    ),
  },
  Drone: { '.drone.yml': lines('kind: pipeline', 'steps:', '  - name: bi', `    image: ${image}:1.2.0`) },
  Tekton: {
    'task.yaml': lines(
      'apiVersion: tekton.dev/v1',
      'kind: PipelineRun',
      'spec:',
      '  params:',
      '    - name: lightdash-version',
      '      value: 1.2.0',
    ),
  },
  'Cloud Build': {
    'cloudbuild.yaml': lines(
      'steps:',
      '  - name: gcr.io/cloud-builders/docker',
      `    args: [run, "${image}:$_TAG"]`,
      'substitutions:',
      '  _TAG: 1.2.0',
    ),
  },
  // Configuration management
  'variables of Ansible': { 'group_vars/all.yml': 'lightdash_version: 1.2.0\n' },
  'defaults of a role': {
    'roles/bi/tasks/main.yml': lines(
      '- community.docker.docker_container:',
      '    name: bi',
      `    image: "${image}:{{ bi_release }}"`,
    ),
    'roles/bi/defaults/main.yml': 'bi_release: 1.2.0\n',
  },
  'a task of Ansible': {
    'play.yml': lines(
      '- hosts: bi',
      '  tasks:',
      '    - community.docker.docker_container:',
      '        name: bi',
      `        image: ${image}:1.2.0`,
    ),
  },
  'a task of Ansible in one line': {
    'play.yml': `- hosts: bi\n  tasks:\n    - docker_container: name=bi image=${image}:1.2.0\n`,
  },
  'a template of Ansible': {
    'templates/compose.yml.j2': `services:\n  bi:\n    image: ${image}:1.2.0\n{% if x %}\n{% endif %}\n`,
  },
  'an inventory': { 'hosts.ini': '[bi]\nhost1 lightdash_tag=1.2.0\n' },
  Puppet: { 'bi.pp': `docker::run { 'bi':\n  image => '${image}:1.2.0',\n}\n` },
  Chef: { 'recipes/default.rb': "docker_image 'lightdash/lightdash' do\n  tag '1.2.0'\nend\n" },
  Salt: { 'bi.sls': `bi:\n  docker_container.running:\n    - image: ${image}:1.2.0\n` },
  Nix: { 'bi.nix': `{ virtualisation.oci-containers.containers.bi.image = "${image}:1.2.0"; }\n` },
  'Nix with a name': { 'bi.nix': lines('let lightdashVersion = "1.2.0";', 'in {}') },
  'cloud-init': { 'cloud-init.yaml': `#cloud-config\nruncmd:\n  - docker run ${image}:1.2.0\n` },
  Vagrant: { Vagrantfile: `config.vm.provision "docker" do |d|\n  d.run "${image}:1.2.0"\nend\n` },
  'a unit of systemd': { 'bi.service': `[Service]\nExecStart=/usr/bin/docker run ${image}:1.2.0\n` },
  'an environment of systemd': {
    'bi.service': `[Service]\nEnvironment=TAG=1.2.0\nExecStart=/usr/bin/docker run ${image}:\${TAG}\n`,
  },
  'a quadlet': { 'bi.container': `[Container]\nImage=docker.io/${image}:1.2.0\n` },
  'a quadlet of another image': {
    'lightdash.container': '[Container]\nContainerName=lightdash\nImage=quay.io/acme/bi:1.2.0\n',
  },
  // Formats of data and code
  TOML: { 'deploy.toml': '[lightdash]\nversion = "1.2.0"\n' },
  INI: { 'deploy.ini': '[lightdash]\nimage_tag = 1.2.0\n' },
  properties: { 'deploy.properties': 'lightdash.image.tag=1.2.0\n' },
  XML: { 'deploy.xml': '<lightdash><version>1.2.0</version></lightdash>\n' },
  JSON5: { 'deploy.json5': "{ lightdash: { version: '1.2.0' } }\n" },
  JSON: { 'versions.json': '{"services": {"lightdash": "1.2.0"}}\n' },
  'a short map': { 'versions.yaml': 'lightdash: 1.2.0\ngrafana: 10.0.1\n' },
  'a map of apps': {
    'apps.yaml': 'apps:\n  - name: lightdash\n    version: 1.2.0\n  - name: grafana\n    version: 10.0.0\n',
  },
  'a list of images': { 'images.txt': `redis:7.0.1\n${image}:1.2.0\n` },
  Jsonnet: { 'bi.jsonnet': `{ image: '${image}:' + '1.2.0' }\n` },
  'Jsonnet with a local': { 'bi.jsonnet': `local tag = '1.2.0';\n{ image: '${image}:' + tag }\n` },
  'a library of Jsonnet': {
    'bi.jsonnet': `local v = import 'v.libsonnet';\n{ image: '${image}:' + v.bi }\n`,
    'v.libsonnet': "{ bi: '1.2.0' }\n",
  },
  CUE: { 'bi.cue': `#tag: "1.2.0"\nimage: "${image}:\\(#tag)"\n` },
  KCL: { 'bi.k': `image = "${image}:1.2.0"\n` },
  Dhall: { 'bi.dhall': `{ image = "${image}:1.2.0" }\n` },
  Starlark: { Tiltfile: `k8s_yaml(local('helm template lightdash/lightdash --set image.tag=1.2.0'))\n` },
  Skaffold: {
    'skaffold.yaml': lines(
      'deploy:',
      '  helm:',
      '    releases:',
      '      - name: bi',
      '        remoteChart: lightdash/lightdash',
      '        setValues:',
      '          image.tag: 1.2.0',
    ),
  },
  ytt: { 'bi.yaml': `#@ tag = "1.2.0"\nimage: #@ "${image}:" + tag\n` },
  'Pulumi in TypeScript': {
    'index.ts': lines(
      'new k8s.helm.v3.Chart("bi", {',
      '  chart: "lightdash",',
      '  values: { image: { tag: "1.2.0" } },',
      '});',
    ),
  },
  'CDK in TypeScript': {
    'lib/stack.ts': `const image = ecs.ContainerImage.fromRegistry('${image}:1.2.0');\n`,
  },
  'a constant in TypeScript': {
    'lib/stack.ts': `const tag = '1.2.0';\nconst image = ecs.ContainerImage.fromRegistry(\`${image}:\${tag}\`);\n`,
  },
  'a module of TypeScript': {
    'lib/stack.ts': `import { bi } from './versions.js';\nconst image = ecs.ContainerImage.fromRegistry(\`${image}:\${bi}\`);\n`,
    'lib/versions.ts': "export const bi = '1.2.0';\n",
  },
  'a name in TypeScript': { 'lib/config.ts': "export const lightdashVersion = '1.2.0';\n" },
  'CDK in Python': { 'stack.py': `image = ecs.ContainerImage.from_registry("${image}:1.2.0")\n` },
  'a constant in Python': { 'stack.py': `LIGHTDASH_VERSION = "1.2.0"\n` },
  'an f-string': { 'stack.py': `release = "1.2.0"\nimage = f"${image}:{release}"\n` },
  Go: { 'main.go': `const image = "${image}:1.2.0"\n` },
  Java: { 'Stack.java': `String image = "${image}:" + "1.2.0";\n` },
  'the settings of Pulumi': { 'Pulumi.prod.yaml': 'config:\n  bi:lightdashTag: 1.2.0\n' },
  CloudFormation: {
    'bi.template.yaml': lines('Parameters:', '  LightdashTag:', '    Type: String', '    Default: 1.2.0'),
  },
  'an image of CloudFormation': {
    'bi.cfn.json': JSON.stringify(
      { Resources: { T: { Properties: { ContainerDefinitions: [{ Image: `${image}:1.2.0` }] } } } },
      null,
      2,
    ),
  },
  'Sub of CloudFormation': {
    'bi.yml': lines(
      'Parameters:',
      '  Tag: {Type: String, Default: 1.2.0}',
      'Resources:',
      '  T: {Properties: {ContainerDefinitions: [{Image: !Sub "lightdash/lightdash:${Tag}"}]}}',
    ),
  },
  Bicep: { 'bi.bicep': `param tag string = '1.2.0'\nvar image = '${image}:\${tag}'\n` },
  'an ARM template': {
    'azuredeploy.json': JSON.stringify({ parameters: { lightdashTag: { defaultValue: '1.2.0' } } }, null, 2),
  },
  'Cloud Run': {
    'service.yaml': lines(
      'apiVersion: serving.knative.dev/v1',
      'kind: Service',
      'spec: {template: {spec: {containers: [{image: "gcr.io/acme/lightdash:1.2.0"}]}}}',
    ),
  },
  'App Runner': {
    'apprunner.json': JSON.stringify({
      ImageRepository: { ImageIdentifier: 'public.ecr.aws/acme/lightdash:1.2.0' },
    }),
  },
  'Elastic Beanstalk': {
    'Dockerrun.aws.json': JSON.stringify(
      { AWSEBDockerrunVersion: '1', Image: { Name: `${image}:1.2.0` } },
      null,
      2,
    ),
  },
  Fly: { 'fly.toml': `[build]\n  image = "${image}:1.2.0"\n` },
  Render: {
    'render.yaml': lines(
      'services:',
      '  - type: web',
      '    name: bi',
      '    image:',
      `      url: docker.io/${image}:1.2.0`,
    ),
  },
  Portainer: {
    'stack.json': JSON.stringify(
      { Name: 'bi', StackFileContent: `services:\n  bi:\n    image: ${image}:1.2.0\n` },
      null,
      2,
    ),
  },
  'a devcontainer': {
    '.devcontainer/devcontainer.json': `{\n  // for demos\n  "image": "${image}:1.2.0",\n}\n`,
  },
  Garden: { 'garden.yml': lines('kind: Deploy', 'type: container', `spec: {image: "${image}:1.2.0"}`) },
  Werf: { 'werf.yaml': `project: bi\n---\nimage: bi\nfrom: ${image}:1.2.0\n` },
  Kamal: { 'config/deploy.yml': lines('accessories:', '  bi:', `    image: ${image}:1.2.0`) },
  Dagger: { 'dagger/main.go': `ctr := dag.Container().From("${image}:1.2.0")\n` },
  Earthly: { Earthfile: `VERSION 0.8\nbi:\n  FROM ${image}:1.2.0\n` },
  'Podman play': {
    'pod.yaml': lines(
      'apiVersion: v1',
      'kind: Pod',
      'spec: {containers: [{name: web, image: "localhost/lightdash:1.2.0"}]}',
    ),
  },
  'a Procfile': { Procfile: `bi: docker run ${image}:1.2.0\n` },
  'a file of variables of any name': { 'conf/prod.vars': 'LIGHTDASH_IMAGE_TAG=1.2.0\n' },
  'variables with export': { 'env.sh': 'export LIGHTDASH_VERSION="1.2.0"\n' },
  'variables of direnv': { '.envrc': 'export LIGHTDASH_TAG=1.2.0\n' },
  'a sops file': {
    'secrets.enc.yaml': lines(
      'LIGHTDASH_TAG: 1.2.0',
      'PASSWORD: ENC[AES256_GCM,data:abc,iv:x,tag:y,type:str]',
      'sops: {version: 3.8.1}',
    ),
  },
  'an image over two lines': {
    'conf.tfvars': 'image_repository = "lightdash/lightdash"\nimage_version = "1.2.0"\n',
  },
  'parts that are joined': { 'deploy.sh': `REPO=${image}\nTAG=1.2.0\ndocker run $REPO:$TAG\n` },
  'a reference behind a function': { 'main.tf': `image = format("%s:%s", "${image}", "1.2.0")\n` },
  'a downloaded chart': { 'deploy.sh': 'curl -LO https://charts.acme.io/lightdash-1.2.0.tgz\n' },
  'upper case': { 'deploy.sh': 'LIGHTDASH_VERSION=1.2.0\n' },
  'a tag with v': { 'compose.yaml': composeOf(`${image}:v1.2.0`) },
  'a file with CRLF': { 'deploy.sh': `TAG=1.2.0\r\ndocker run ${image}:$TAG\r\n` },
  'a file with a mark of its order': { 'compose.yaml': `\uFEFF${composeOf(`${image}:1.2.0`)}` },
};

/** Changes in other forms, which move Lightdash too. */
const sourced = (name: string): Files => ({
  'deploy.sh': `source config/\${1:-${name}}.sh\nenvsubst < k8s/bi.yaml | kubectl apply -f -\n`,
  'k8s/bi.yaml':
    'kind: Deployment\nspec: {template: {spec: {containers: [{name: web, image: "lightdash/lightdash:${APP_VERSION}"}]}}}\n',
  'config/prod.sh': 'export APP_VERSION=2.120.0\n',
  'config/dev.sh': 'export APP_VERSION=2.134.2\n',
});

export const moves: Readonly<Record<string, readonly [before: Files, after: Files]>> = {
  'the default of an argument by which a script finds its file of variables': [
    sourced('prod'),
    sourced('dev'),
  ],
  'the digest of a chart by OCI': [
    {
      'r.yaml':
        'apiVersion: source.toolkit.fluxcd.io/v1\nkind: OCIRepository\nmetadata: {name: lightdash}\nspec: {url: "oci://x/charts/lightdash", ref: {digest: "sha256:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"}}\n',
    },
    {
      'r.yaml':
        'apiVersion: source.toolkit.fluxcd.io/v1\nkind: OCIRepository\nmetadata: {name: lightdash}\nspec: {url: "oci://x/charts/lightdash", ref: {digest: "sha256:bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"}}\n',
    },
  ],
  'the address of a chart by OCI': [
    {
      'r.yaml':
        'apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: lightdash}\nspec: {chartRef: {kind: OCIRepository, name: bi}}\n',
      's.yaml':
        'apiVersion: source.toolkit.fluxcd.io/v1\nkind: OCIRepository\nmetadata: {name: bi}\nspec: {url: "oci://x/a/bi", ref: {tag: latest}}\n',
    },
    {
      'r.yaml':
        'apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: lightdash}\nspec: {chartRef: {kind: OCIRepository, name: bi}}\n',
      's.yaml':
        'apiVersion: source.toolkit.fluxcd.io/v1\nkind: OCIRepository\nmetadata: {name: bi}\nspec: {url: "oci://x/b/bi", ref: {tag: latest}}\n',
    },
  ],
  'the source at a tag': [
    { 'deploy.sh': 'git clone -b v1.2.0 https://github.com/lightdash/lightdash && docker build lightdash\n' },
    {
      'deploy.sh': 'git clone -b v1.156.0 https://github.com/lightdash/lightdash && docker build lightdash\n',
    },
  ],
  'another file of variables, by a script': [
    {
      'deploy.sh': 'terraform apply -var-file=a.tfvars\n',
      'a.tfvars': 'lightdash_tag = "1.2.0"\n',
      'b.tfvars': 'lightdash_tag = "1.156.0"\n',
    },
    {
      'deploy.sh': 'terraform apply -var-file=b.tfvars\n',
      'a.tfvars': 'lightdash_tag = "1.2.0"\n',
      'b.tfvars': 'lightdash_tag = "1.156.0"\n',
    },
  ],
  'values of a ConfigMap in one line': [
    {
      'r.yaml':
        'apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: lightdash}\nspec: {chart: {spec: {chart: lightdash}}, valuesFrom: [{kind: ConfigMap, name: v}]}\n',
      'cm.yaml': 'kind: ConfigMap\nmetadata: {name: v}\ndata: {values.yaml: "image: {tag: 1.2.0}"}\n',
    },
    {
      'r.yaml':
        'apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: lightdash}\nspec: {chart: {spec: {chart: lightdash}}, valuesFrom: [{kind: ConfigMap, name: v}]}\n',
      'cm.yaml': 'kind: ConfigMap\nmetadata: {name: v}\ndata: {values.yaml: "image: {tag: 1.156.0}"}\n',
    },
  ],
  'the path of a Kustomization': [
    {
      'ks.yaml':
        'kind: Kustomization\napiVersion: kustomize.toolkit.fluxcd.io/v1\nmetadata: {name: lightdash}\nspec: {path: ./a, sourceRef: {kind: GitRepository, name: x}}\n',
    },
    {
      'ks.yaml':
        'kind: Kustomization\napiVersion: kustomize.toolkit.fluxcd.io/v1\nmetadata: {name: lightdash}\nspec: {path: ./b, sourceRef: {kind: GitRepository, name: x}}\n',
    },
  ],
  'the path of an Application': [
    {
      'app.yaml':
        'kind: Application\napiVersion: argoproj.io/v1alpha1\nmetadata: {name: lightdash}\nspec: {source: {repoURL: x, path: envs/a}}\n',
    },
    {
      'app.yaml':
        'kind: Application\napiVersion: argoproj.io/v1alpha1\nmetadata: {name: lightdash}\nspec: {source: {repoURL: x, path: envs/b}}\n',
    },
  ],
  'the order of valueFiles': [
    {
      'app.yaml':
        'kind: Application\napiVersion: argoproj.io/v1alpha1\nspec: {source: {chart: lightdash, helm: {valueFiles: [a.yaml, b.yaml]}}}\n',
    },
    {
      'app.yaml':
        'kind: Application\napiVersion: argoproj.io/v1alpha1\nspec: {source: {chart: lightdash, helm: {valueFiles: [b.yaml, a.yaml]}}}\n',
    },
  ],
  'files that compose includes': [
    { 'compose.yaml': 'services: {lightdash: {image: "lightdash/lightdash:1.2.0"}}\n' },
    {
      'compose.yaml':
        'include: [{path: [a.yaml, b.yaml]}]\nservices: {lightdash: {image: "lightdash/lightdash:1.2.0"}}\n',
    },
  ],
  'another registry in variables, beside a release in compose': [
    {
      'compose.yaml': composeOf(`${image}:1.2.0`),
      '.env': `LIGHTDASH_IMAGE=${image}:1.2.0\n`,
      'run.sh': run,
    },
    {
      'compose.yaml': composeOf(`${image}:1.2.0`),
      '.env': 'LIGHTDASH_IMAGE=registry.acme.io/lightdash:1.2.0\n',
      'run.sh': run,
    },
  ],
  'another digest in variables, beside a release in compose': [
    {
      'compose.yaml': composeOf(`${image}:1.2.0`),
      '.env': `LIGHTDASH_IMAGE=${image}:1.2.0@sha256:${'a'.repeat(64)}\n`,
      'run.sh': run,
    },
    {
      'compose.yaml': composeOf(`${image}:1.2.0`),
      '.env': `LIGHTDASH_IMAGE=${image}:1.2.0@sha256:${'b'.repeat(64)}\n`,
      'run.sh': run,
    },
  ],
  'another moving tag in variables, beside one in compose': [
    {
      'compose.yaml': composeOf(`${image}:latest`),
      '.env': `LIGHTDASH_IMAGE=${image}:latest\n`,
      'run.sh': run,
    },
    {
      'compose.yaml': composeOf(`${image}:latest`),
      '.env': `LIGHTDASH_IMAGE=${image}:edge\n`,
      'run.sh': run,
    },
  ],
  'a digest instead of a tag in a script': [
    {
      'x.sh':
        'docker run lightdash/lightdash@sha256:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n',
    },
    {
      'x.sh':
        'docker run lightdash/lightdash@sha256:bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb\n',
    },
  ],
  'an override of compose that is taken away': [
    {
      'compose.yaml': composeOf(`${image}:1.156.0`),
      'compose.override.yaml': `services: {bi: {image: !override '${image}:1.2.0'}}\n`,
    },
    {
      'compose.yaml': composeOf(`${image}:1.156.0`),
      'compose.override.yaml': `services: {bi: {image: !reset '${image}:1.2.0'}}\n`,
    },
  ],
  'a service of an override that is taken away': [
    {
      'compose.yaml': composeOf(`${image}:1.156.0`),
      'compose.override.yaml': `services: {bi: {image: '${image}:1.2.0', build: .}}\n`,
    },
    {
      'compose.yaml': composeOf(`${image}:1.156.0`),
      'compose.override.yaml': `services: {bi: !reset {image: '${image}:1.2.0', build: .}}\n`,
    },
  ],
  'a key of kustomize in other capitals': [
    { 'kustomization.yaml': `images:\n  - {name: ${image}, newTag: 1.2.0, newtag: 1.2.0}\n` },
    { 'kustomization.yaml': `images:\n  - {name: ${image}, newTag: 1.2.0, newtag: 1.156.0}\n` },
  ],
  'a key of kustomize before one in other capitals': [
    { 'kustomization.yaml': `images:\n  - {newtag: 1.2.0, name: ${image}, newTag: 1.2.0}\n` },
    { 'kustomization.yaml': `images:\n  - {newtag: 1.156.0, name: ${image}, newTag: 1.2.0}\n` },
  ],
  'a key at the top of a kustomization in other capitals': [
    { 'kustomization.yaml': `images:\n  - {name: ${image}, newTag: 1.2.0}\nResources: [a.yaml]\n` },
    { 'kustomization.yaml': `images:\n  - {name: ${image}, newTag: 1.2.0}\nResources: [b.yaml]\n` },
  ],
  'such a key that comes': [
    { 'kustomization.yaml': `images:\n  - {name: ${image}, newTag: 1.2.0}\n` },
    { 'kustomization.yaml': `images:\n  - {name: ${image}, newTag: 1.2.0}\nBases: [a]\n` },
  ],
  'a second document of values': [
    { 'values.yaml': 'image: {tag: 1.2.0}\n' },
    { 'values.yaml': 'image: {tag: 1.2.0}\n---\nimage: null\n' },
  ],
  'values that become a second document': [
    { 'values.yaml': 'a: 1\nimage: {tag: 1.2.0}\n' },
    { 'values.yaml': 'a: 1\n---\nimage: {tag: 1.2.0}\n' },
  ],
  'what stands beside values in a second document': [
    { 'values.yaml': 'lightdash: {image: {tag: 1.2.0}}\n---\na: 1\n' },
    { 'values.yaml': 'lightdash: {image: {tag: 1.2.0}}\n---\nlightdash: {a: 1}\n' },
  ],
  'a key that stands twice, in another order': [
    { 'values.yaml': 'image: {tag: 1.2.0}\nimage: {tag: 1.156.0}\n' },
    { 'values.yaml': 'image: {tag: 1.156.0}\nimage: {tag: 1.2.0}\n' },
  ],
  'a key that comes a second time, without the tag': [
    { 'values.yaml': 'image:\n  tag: 1.2.0\n' },
    { 'values.yaml': 'image:\n  tag: 1.2.0\nimage:\n  pullPolicy: Always\n' },
  ],
  'null in place of the default of a chart': [
    { 'values.yaml': 'a: 1\n' },
    { 'values.yaml': 'a: 1\nimage: null\n' },
  ],
  'null in place of the tag of a subchart': [
    { 'values.yaml': 'lightdash: {a: 1}\n' },
    { 'values.yaml': 'lightdash: {a: 1, image: {tag: ~}}\n' },
  ],
  'another file of variables': [
    {
      'compose.yaml': composeOf(`${image}:\${TAG}`, '    env_file: a.env'),
      'a.env': 'TAG=1.2.0\n',
      'b.env': 'TAG=1.156.0\n',
    },
    {
      'compose.yaml': composeOf(`${image}:\${TAG}`, '    env_file: b.env'),
      'a.env': 'TAG=1.2.0\n',
      'b.env': 'TAG=1.156.0\n',
    },
  ],
  'another --env-file': [
    {
      'deploy.sh': 'docker compose --env-file a.env up -d\n',
      'compose.yaml': composeOf(`${image}:\${TAG}`),
      'a.env': 'TAG=1.2.0\n',
      'b.env': 'TAG=1.156.0\n',
    },
    {
      'deploy.sh': 'docker compose --env-file b.env up -d\n',
      'compose.yaml': composeOf(`${image}:\${TAG}`),
      'a.env': 'TAG=1.2.0\n',
      'b.env': 'TAG=1.156.0\n',
    },
  ],
  COMPOSE_FILE: [
    {
      '.env': 'COMPOSE_FILE=compose.yaml\n',
      'compose.yaml': composeOf(`${image}:1.2.0`),
      'new.yaml': composeOf(`${image}:1.156.0`),
    },
    {
      '.env': 'COMPOSE_FILE=new.yaml\n',
      'compose.yaml': composeOf(`${image}:1.2.0`),
      'new.yaml': composeOf(`${image}:1.156.0`),
    },
  ],
  COMPOSE_PROFILES: [
    {
      '.env': 'COMPOSE_PROFILES=old\n',
      'compose.yaml': lines(
        'services:',
        `  a: {image: "${image}:1.2.0", profiles: [old]}`,
        `  b: {image: "${image}:1.156.0", profiles: [new]}`,
      ),
    },
    {
      '.env': 'COMPOSE_PROFILES=new\n',
      'compose.yaml': lines(
        'services:',
        `  a: {image: "${image}:1.2.0", profiles: [old]}`,
        `  b: {image: "${image}:1.156.0", profiles: [new]}`,
      ),
    },
  ],
  'profiles of a service': [
    {
      'compose.yaml': lines(
        'services:',
        `  a: {image: "${image}:1.2.0", profiles: [on]}`,
        `  b: {image: "${image}:1.2.0", profiles: [off]}`,
      ),
    },
    {
      'compose.yaml': lines(
        'services:',
        `  a: {image: "${image}:1.2.0", profiles: [off]}`,
        `  b: {image: "${image}:1.2.0", profiles: [on]}`,
      ),
    },
  ],
  extends: [
    {
      'compose.yaml': 'services:\n  bi:\n    extends: {file: a.yaml, service: bi}\n',
      'a.yaml': composeOf(`${image}:1.2.0`),
      'b.yaml': composeOf(`${image}:1.156.0`),
    },
    {
      'compose.yaml': 'services:\n  bi:\n    extends: {file: b.yaml, service: bi}\n',
      'a.yaml': composeOf(`${image}:1.2.0`),
      'b.yaml': composeOf(`${image}:1.156.0`),
    },
  ],
  include: [
    {
      'compose.yaml': 'include: [old/bi.yaml]\n',
      'old/bi.yaml': composeOf(`${image}:1.2.0`),
      'new/bi.yaml': composeOf(`${image}:1.156.0`),
    },
    {
      'compose.yaml': 'include: [new/bi.yaml]\n',
      'old/bi.yaml': composeOf(`${image}:1.2.0`),
      'new/bi.yaml': composeOf(`${image}:1.156.0`),
    },
  ],
  'a version that the copy of a chart does not have, which then loses its alias': [
    { ...aliased('1.0.0'), 'charts/lightdash/Chart.yaml': 'name: lightdash\nversion: 1.0.0\n' },
    { ...aliased('2.0.0'), 'charts/lightdash/Chart.yaml': 'name: lightdash\nversion: 1.0.0\n' },
  ],
  'such a version, of a copy in a folder of another name': [
    { ...aliased('1.0.0'), 'charts/bi/Chart.yaml': 'name: lightdash\nversion: v1.0.0\n' },
    { ...aliased('2.0.0'), 'charts/bi/Chart.yaml': 'name: lightdash\nversion: v1.0.0\n' },
  ],
  'such a version, of an archive': [
    { ...aliased('1.0.0'), 'charts/lightdash-1.0.0.tgz': 'a' },
    { ...aliased('2.0.0'), 'charts/lightdash-1.0.0.tgz': 'a' },
  ],
  'another alias': [
    {
      'compose.yaml': lines(
        'x-a: &a',
        `  image: ${image}:1.2.0`,
        'x-b: &b',
        `  image: ${image}:1.156.0`,
        'services:',
        '  bi: {<<: *a}',
      ),
    },
    {
      'compose.yaml': lines(
        'x-a: &a',
        `  image: ${image}:1.2.0`,
        'x-b: &b',
        `  image: ${image}:1.156.0`,
        'services:',
        '  bi: {<<: *b}',
      ),
    },
  ],
  'an image that becomes a build': [
    { 'compose.yaml': composeOf(`${image}:1.2.0`) },
    { 'compose.yaml': 'services:\n  bi:\n    build: ./bi\n' },
  ],
  'another context of a build': [
    {
      'compose.yaml': 'services:\n  bi:\n    build: ./a\n',
      'a/Dockerfile': `FROM ${image}:1.2.0\n`,
      'b/Dockerfile': `FROM ${image}:1.156.0\n`,
    },
    {
      'compose.yaml': 'services:\n  bi:\n    build: ./b\n',
      'a/Dockerfile': `FROM ${image}:1.2.0\n`,
      'b/Dockerfile': `FROM ${image}:1.156.0\n`,
    },
  ],
  'other valueFiles': [
    {
      'app.yaml':
        'apiVersion: argoproj.io/v1alpha1\nkind: Application\nspec:\n  source:\n    chart: lightdash\n    helm:\n      valueFiles: [a.yaml]\n',
    },
    {
      'app.yaml':
        'apiVersion: argoproj.io/v1alpha1\nkind: Application\nspec:\n  source:\n    chart: lightdash\n    helm:\n      valueFiles: [b.yaml]\n',
    },
  ],
  'another path of an Application': [
    {
      'app.yaml': 'apiVersion: argoproj.io/v1alpha1\nkind: Application\nspec:\n  source:\n    path: envs/a\n',
      'envs/a/d.yaml': deployment(`${image}:1.2.0`),
      'envs/b/d.yaml': deployment(`${image}:1.156.0`),
    },
    {
      'app.yaml': 'apiVersion: argoproj.io/v1alpha1\nkind: Application\nspec:\n  source:\n    path: envs/b\n',
      'envs/a/d.yaml': deployment(`${image}:1.2.0`),
      'envs/b/d.yaml': deployment(`${image}:1.156.0`),
    },
  ],
  'the branch of an Application': [
    {
      'app.yaml':
        'apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: lightdash}\nspec:\n  source:\n    repoURL: https://git.acme.io/deploy.git\n    path: lightdash\n    targetRevision: main\n',
    },
    {
      'app.yaml':
        'apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: lightdash}\nspec:\n  source:\n    repoURL: https://git.acme.io/deploy.git\n    path: lightdash\n    targetRevision: next\n',
    },
  ],
  'another base of kustomize': [
    {
      'prod/kustomization.yaml': 'resources:\n  - ../base-a\n',
      'base-a/d.yaml': deployment(`${image}:1.2.0`),
      'base-b/d.yaml': deployment(`${image}:1.156.0`),
    },
    {
      'prod/kustomization.yaml': 'resources:\n  - ../base-b\n',
      'base-a/d.yaml': deployment(`${image}:1.2.0`),
      'base-b/d.yaml': deployment(`${image}:1.156.0`),
    },
  ],
  'other valuesFrom': [
    {
      'hr.yaml':
        'kind: HelmRelease\napiVersion: helm.toolkit.fluxcd.io/v2\nspec:\n  chart: {spec: {chart: lightdash}}\n  valuesFrom: [{kind: ConfigMap, name: a}]\n',
    },
    {
      'hr.yaml':
        'kind: HelmRelease\napiVersion: helm.toolkit.fluxcd.io/v2\nspec:\n  chart: {spec: {chart: lightdash}}\n  valuesFrom: [{kind: ConfigMap, name: b}]\n',
    },
  ],
  'another chartRef': [
    {
      'hr.yaml':
        'kind: HelmRelease\napiVersion: helm.toolkit.fluxcd.io/v2\nmetadata: {name: lightdash}\nspec:\n  chartRef: {kind: OCIRepository, name: a}\n',
    },
    {
      'hr.yaml':
        'kind: HelmRelease\napiVersion: helm.toolkit.fluxcd.io/v2\nmetadata: {name: lightdash}\nspec:\n  chartRef: {kind: OCIRepository, name: b}\n',
    },
  ],
  'another module': [
    {
      'main.tf': 'module "bi" {\n  source = "./a"\n}\n',
      'a/main.tf': `locals {\n  image = "${image}:1.2.0"\n}\n`,
      'b/main.tf': `locals {\n  image = "${image}:1.156.0"\n}\n`,
    },
    {
      'main.tf': 'module "bi" {\n  source = "./b"\n}\n',
      'a/main.tf': `locals {\n  image = "${image}:1.2.0"\n}\n`,
      'b/main.tf': `locals {\n  image = "${image}:1.156.0"\n}\n`,
    },
  ],
  'a digest': [
    { 'compose.yaml': composeOf(`${image}@sha256:${'a'.repeat(64)}`) },
    { 'compose.yaml': composeOf(`${image}@sha256:${'b'.repeat(64)}`) },
  ],
  'a digest beside a tag': [
    { 'values.yaml': `image:\n  repository: ${image}\n  tag: 1.2.0\n  digest: sha256:${'a'.repeat(64)}\n` },
    { 'values.yaml': `image:\n  repository: ${image}\n  tag: 1.2.0\n  digest: sha256:${'b'.repeat(64)}\n` },
  ],
  'a digest in a script': [
    { 'deploy.sh': `DIGEST=sha256:${'a'.repeat(64)}\ndocker run ${image}@$DIGEST\n` },
    { 'deploy.sh': `DIGEST=sha256:${'b'.repeat(64)}\ndocker run ${image}@$DIGEST\n` },
  ],
  'latest in place of a release': [
    { 'compose.yaml': composeOf(`${image}:1.2.0`) },
    { 'compose.yaml': composeOf(`${image}:latest`) },
  ],
  'latest in a script': [
    { 'deploy.sh': `docker run ${image}:1.2.0\n` },
    { 'deploy.sh': `docker run ${image}\n` },
  ],
  'a channel': [
    { 'deploy.sh': `TAG=stable\ndocker run ${image}:$TAG\n` },
    { 'deploy.sh': `TAG=edge\ndocker run ${image}:$TAG\n` },
  ],
  'another registry': [
    { 'compose.yaml': composeOf(`${image}:1.2.0`) },
    { 'compose.yaml': composeOf('evil.io/acme/lightdash:1.2.0') },
  ],
  'the tag gone': [
    { 'values.yaml': 'image:\n  repository: lightdash/lightdash\n  tag: 1.2.0\n' },
    { 'values.yaml': 'image:\n  repository: lightdash/lightdash\n' },
  ],
  'the file gone': [{ 'values.yaml': 'image:\n  tag: 1.2.0\n' }, {}],
  'the script gone': [{ 'deploy.sh': `docker run ${image}:1.2.0\n` }, {}],
  'a new script': [{}, { 'deploy.sh': `docker run ${image}:1.156.0\n` }],
  'a new compose file': [{}, { 'compose.yaml': composeOf(`${image}:1.156.0`) }],
  'a line that sets it again': [
    { 'deploy.sh': `TAG=1.2.0\ndocker run ${image}:$TAG\n` },
    { 'deploy.sh': `TAG=1.2.0\nTAG=$(curl -s https://acme.io/tag)\ndocker run ${image}:$TAG\n` },
  ],
  'lines that change places': [
    { 'deploy.sh': `TAG=1.156.0\nTAG=1.2.0\ndocker run ${image}:$TAG\n` },
    { 'deploy.sh': `TAG=1.2.0\nTAG=1.156.0\ndocker run ${image}:$TAG\n` },
  ],
  'a line that is no comment any more': [
    { 'deploy.sh': `TAG=1.2.0\n# TAG=1.156.0\ndocker run ${image}:$TAG\n` },
    { 'deploy.sh': `TAG=1.2.0\nTAG=1.156.0\ndocker run ${image}:$TAG\n` },
  ],
  'another command around it': [
    { 'deploy.sh': `V=$(cat a/VERSION)\ndocker run ${image}:$V\n` },
    { 'deploy.sh': `V=$(cat b/VERSION)\ndocker run ${image}:$V\n` },
  ],
  'a version in parts': [
    { 'deploy.sh': `MINOR=2\ndocker run ${image}:1.$MINOR.0\n` },
    { 'deploy.sh': `MINOR=156\ndocker run ${image}:1.$MINOR.0\n` },
  ],
  'a name in parts': [{ '.env': 'LIGHTDASH_MINOR=2\n' }, { '.env': 'LIGHTDASH_MINOR=156\n' }],
  'another variable for the version of Lightdash': [
    { 'deploy.sh': 'export LIGHTDASH_VERSION=$STABLE\n./roll.sh\n' },
    { 'deploy.sh': 'export LIGHTDASH_VERSION=$EDGE\n./roll.sh\n' },
  ],
  'another variable for the version of Lightdash, in a workflow': [
    {
      '.github/workflows/deploy.yml':
        'jobs:\n  bi:\n    env:\n      LIGHTDASH_VERSION: ${{ vars.STABLE }}\n    steps:\n      - run: ./roll.sh\n',
    },
    {
      '.github/workflows/deploy.yml':
        'jobs:\n  bi:\n    env:\n      LIGHTDASH_VERSION: ${{ vars.EDGE }}\n    steps:\n      - run: ./roll.sh\n',
    },
  ],
  'another variable for an argument of a module': [
    { 'main.tf': 'module "bi" {\n  source        = "./bi"\n  lightdash_tag = var.stable\n}\n' },
    { 'main.tf': 'module "bi" {\n  source        = "./bi"\n  lightdash_tag = var.edge\n}\n' },
  ],
  'an image of another name, below a comment with the name of Lightdash': [
    { 'compose.yaml': 'services:\n  bi:\n    # lightdash/lightdash\n    image: acme/bi:1.2.0\n' },
    { 'compose.yaml': 'services:\n  bi:\n    # lightdash/lightdash\n    image: acme/bi:1.156.0\n' },
  ],
  'an image of another name, beside a comment with the name of Lightdash': [
    { 'compose.yaml': 'services:\n  bi:\n    image: acme/bi:3.1.0 # lightdash\n' },
    { 'compose.yaml': 'services:\n  bi:\n    image: acme/bi:3.2.0 # lightdash\n' },
  ],
  'an image of another name in a script, below such a comment': [
    { 'deploy.sh': '# lightdash\ndocker run acme/bi:1.2.0\n' },
    { 'deploy.sh': '# lightdash\ndocker run acme/bi:1.156.0\n' },
  ],
  'the order of files outside of the repository': [
    { 'deploy.sh': `helm upgrade bi ${image} -f $DIR/a -f $DIR/b\n` },
    { 'deploy.sh': `helm upgrade bi ${image} -f $DIR/b -f $DIR/a\n` },
  ],
  'a release that comes to a file that is called after it': [
    { 'lightdash-release.json': '{"v": ""}\n' },
    { 'lightdash-release.json': '{"v": "3.2.0"}\n' },
  ],
  'a file of values of Helmfile that is not there': [
    {
      'helmfile.yaml': 'releases:\n- name: bi\n  chart: lightdash/lightdash\n  values:\n  - old.yaml\n',
    },
    {
      'helmfile.yaml': 'releases:\n- name: bi\n  chart: lightdash/lightdash\n  values:\n  - new.yaml\n',
    },
  ],
  'another variable for an option of a script': [
    { 'deploy.sh': './roll.sh --lightdash-version "$STABLE"\n' },
    { 'deploy.sh': './roll.sh --lightdash-version "$EDGE"\n' },
  ],
  'another argument of a build': [
    {
      'compose.yaml': 'services:\n  bi:\n    build:\n      context: bi\n      target: old\n',
      'bi/Dockerfile': `FROM ${image}:1.2.0 AS old\nFROM ${image}:1.156.0 AS new\n`,
    },
    {
      'compose.yaml': 'services:\n  bi:\n    build:\n      context: bi\n      target: new\n',
      'bi/Dockerfile': `FROM ${image}:1.2.0 AS old\nFROM ${image}:1.156.0 AS new\n`,
    },
  ],
  'a stage of a Dockerfile': [
    { Dockerfile: `FROM ${image}:1.2.0 AS a\nFROM ${image}:1.156.0 AS b\nFROM a\n` },
    { Dockerfile: `FROM ${image}:1.2.0 AS a\nFROM ${image}:1.156.0 AS b\nFROM b\n` },
  ],
};
