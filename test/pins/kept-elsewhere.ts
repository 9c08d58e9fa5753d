import { lines } from '../support/lines.js';
import type { Files } from './moves.js';

const of = (file: string, before: string, after: string): readonly [Files, Files] => [
  { [file]: before },
  { [file]: after },
];

/** Where else teams keep a version: 1.2.0 becomes 1.156.0. */
export const versionsElsewhere: Readonly<Record<string, Files>> = {
  'tag of a GitRepository in other folders': {
    'infra/sources/deploys.yaml': lines(
      'apiVersion: source.toolkit.fluxcd.io/v1',
      'kind: GitRepository',
      'metadata:',
      '  name: deploys',
      'spec:',
      '  url: https://git.acme.io/platform/deploys',
      '  ref:',
      '    tag: 1.2.0',
    ),
    'apps/bi/release.yaml': lines(
      'apiVersion: helm.toolkit.fluxcd.io/v2',
      'kind: HelmRelease',
      'metadata:',
      '  name: bi',
      'spec:',
      '  chart:',
      '    spec:',
      '      chart: ./charts/lightdash',
      '      sourceRef:',
      '        kind: GitRepository',
      '        name: deploys',
    ),
  },
  fromEcrRepository: {
    'lib/stack.ts': lines(
      "const lightdashRepo = Repository.fromRepositoryName(this, 'R', 'bi');",
      "const image = ContainerImage.fromEcrRepository(lightdashRepo, '1.2.0');",
    ),
  },
  'fromEcrRepository const': {
    'lib/stack.ts': lines(
      "const repo = Repository.fromRepositoryName(this, 'R', 'bi');",
      'const lightdashImage = ContainerImage.fromEcrRepository(',
      '  repo,',
      "  '1.2.0',",
      ');',
    ),
  },
  'jenkins shared library step': { Jenkinsfile: lines("@Library('acme') _", "deployLightdash('1.2.0')") },
  'jenkins argument': { Jenkinsfile: lines("@Library('acme') _", "deployApp('lightdash', '1.2.0')") },
  'jenkins named argument': {
    Jenkinsfile: lines(
      "@Library('acme') _",
      'deployHelm(',
      "  app: 'lightdash',",
      "  to: 'prod',",
      "  release: '1.2.0'",
      ')',
    ),
  },
  'chain of two modules': {
    'deploy/bi.ts': lines("import { tag } from './tags';", 'run(`lightdash/lightdash:${tag}`);'),
    'deploy/tags.ts': lines("export { current as tag } from './current';"),
    'deploy/current.ts': lines("export const current = '1.2.0';"),
  },
  'pulumi config': { 'Pulumi.prod.yaml': lines('config:', '  bi:lightdashVersion: 1.2.0') },
  'pulumi yaml': {
    'Pulumi.yaml': lines(
      'name: bi',
      'runtime: yaml',
      'resources:',
      '  lightdash:',
      '    type: kubernetes:helm.sh/v3:Release',
      '    properties:',
      '      chart: lightdash',
      '      values:',
      '        image:',
      '          tag: 1.2.0',
    ),
  },
  nomad: {
    'bi.nomad.hcl': lines(
      'job "bi" {',
      '  group "web" {',
      '    task "lightdash" {',
      '      driver = "docker"',
      '      config {',
      '        image = "registry.acme.io/bi:1.2.0"',
      '      }',
      '    }',
      '  }',
      '}',
    ),
  },
  'nomad var': {
    'bi.nomad': lines(
      'variable "tag" {',
      '  default = "1.2.0"',
      '}',
      'job "lightdash" {',
      '  group "g" {',
      '    task "t" {',
      '      config { image = "acme/bi:${var.tag}" }',
      '    }',
      '  }',
      '}',
    ),
  },
  'ansible inventory ini': { 'inventory/hosts.ini': lines('[lightdash]', 'bi1.acme.io app_version=1.2.0') },
  'ansible inventory yaml': {
    'inventory/hosts.yml': lines(
      'all:',
      '  children:',
      '    lightdash:',
      '      hosts: {bi1: {}}',
      '      vars:',
      '        app_version: 1.2.0',
    ),
  },
  'ansible module': {
    'site.yml': lines(
      '- hosts: bi',
      '  tasks:',
      '    - community.docker.docker_container:',
      '        name: lightdash',
      '        image: "registry.acme.io/bi:1.2.0"',
    ),
  },
  'ApplicationSet list': {
    'appset.yaml': lines(
      'apiVersion: argoproj.io/v1alpha1',
      'kind: ApplicationSet',
      'metadata: {name: lightdash}',
      'spec:',
      '  generators:',
      '    - list:',
      '        elements:',
      '          - cluster: prod',
      '            tag: 1.2.0',
      '  template:',
      '    spec:',
      '      source:',
      '        chart: lightdash',
      '        helm:',
      '          parameters: [{name: image.tag, value: "{{tag}}"}]',
    ),
  },
  'ApplicationSet git generator file': {
    'appset.yaml': lines(
      'apiVersion: argoproj.io/v1alpha1',
      'kind: ApplicationSet',
      'metadata: {name: bi}',
      'spec:',
      '  generators:',
      '    - git:',
      '        files: [{path: "clusters/*/config.json"}]',
      '  template:',
      '    spec:',
      '      source:',
      '        chart: lightdash',
      '        helm:',
      '          parameters: [{name: image.tag, value: "{{bi.tag}}"}]',
    ),
    'clusters/prod/config.json': '{"bi": {"tag": "1.2.0"}}\n',
  },
  'kargo stage': {
    'stage.yaml': lines(
      'apiVersion: kargo.akuity.io/v1alpha1',
      'kind: Stage',
      'metadata: {name: prod}',
      'spec:',
      '  promotionTemplate:',
      '    spec:',
      '      steps:',
      '        - uses: kustomize-set-image',
      '          config:',
      '            images: [{image: registry.acme.io/lightdash, tag: 1.2.0}]',
    ),
  },
  'kargo warehouse': {
    'wh.yaml': lines(
      'apiVersion: kargo.akuity.io/v1alpha1',
      'kind: Warehouse',
      'metadata: {name: bi}',
      'spec:',
      '  subscriptions:',
      '    - image:',
      '        repoURL: lightdash/lightdash',
      '        semverConstraint: 1.2.0',
    ),
  },
  skaffold: {
    'skaffold.yaml': lines(
      'apiVersion: skaffold/v4beta6',
      'kind: Config',
      'deploy:',
      '  helm:',
      '    releases:',
      '      - name: lightdash',
      '        remoteChart: acme/bi',
      '        setValues:',
      '          image.tag: 1.2.0',
    ),
  },
  earthfile: { Earthfile: lines('VERSION 0.8', 'bi:', '  FROM lightdash/lightdash:1.2.0') },
  'earthfile arg': {
    Earthfile: lines('VERSION 0.8', 'ARG --global LD=1.2.0', 'bi:', '  FROM lightdash/lightdash:$LD'),
  },
  'bazel oci_pull': {
    'MODULE.bazel': lines(
      'oci.pull(',
      '    name = "lightdash",',
      '    image = "index.docker.io/lightdash/lightdash",',
      '    tag = "1.2.0",',
      ')',
    ),
  },
  'bazel container_pull': {
    WORKSPACE: lines(
      'container_pull(',
      '    name = "lightdash_image",',
      '    registry = "acme.io",',
      '    repository = "bi",',
      '    tag = "1.2.0",',
      ')',
    ),
  },
  devcontainer: {
    '.devcontainer/devcontainer.json': lines('{', '  "image": "lightdash/lightdash:1.2.0"', '}'),
  },
  quadlet: { 'quadlet/lightdash.container': lines('[Container]', 'Image=registry.acme.io/bi:1.2.0') },
  'quadlet in env': {
    'bi.container': lines(
      '[Container]',
      'Image=docker.io/lightdash/lightdash:${TAG}',
      'EnvironmentFile=bi.conf',
    ),
    'bi.conf': 'TAG=1.2.0\n',
  },
  systemd: {
    'lightdash.service': lines(
      '[Service]',
      'Environment=TAG=1.2.0',
      'ExecStart=/usr/bin/podman run acme/bi:${TAG}',
    ),
  },
  'actions env': {
    '.github/workflows/deploy.yml': lines(
      'env:',
      '  TAG: 1.2.0',
      'jobs:',
      '  d:',
      '    steps:',
      '      - run: helm upgrade lightdash acme/bi --set image.tag=$TAG',
    ),
  },
  'actions matrix': {
    '.github/workflows/deploy.yml': lines(
      'jobs:',
      '  d:',
      '    strategy:',
      '      matrix:',
      '        include:',
      '          - app: lightdash',
      '            release: 1.2.0',
      '    steps:',
      '      - run: ./deploy.sh ${{ matrix.app }} ${{ matrix.release }}',
    ),
  },
  'actions reusable': {
    '.github/workflows/deploy.yml': lines(
      'jobs:',
      '  lightdash:',
      '    uses: acme/ci/.github/workflows/deploy.yml@main',
      '    with:',
      '      app_version: 1.2.0',
    ),
  },
  'gitlab include': {
    '.gitlab-ci.yml': lines('include:', '  - component: gitlab.acme.io/ci/deploy-lightdash@1.2.0'),
  },
  'gitlab include inputs': {
    '.gitlab-ci.yml': lines(
      'include:',
      '  - project: ci/templates',
      '    file: deploy.yml',
      '    inputs:',
      '      service: lightdash',
      '      release: 1.2.0',
    ),
  },
  'gitlab variables file': {
    '.gitlab-ci.yml': lines(
      'include: [ci/vars.yml]',
      'deploy:',
      '  script:',
      '    - docker run lightdash/lightdash:$BI_TAG',
    ),
    'ci/vars.yml': lines('variables:', '  BI_TAG: 1.2.0'),
  },
  jsonnet: {
    'bi.jsonnet': lines(
      "local bi = import 'bi.libsonnet';",
      "bi { _config+:: { lightdash+: { tag: '1.2.0' } } }",
    ),
  },
  'tanka images': {
    'environments/prod/main.jsonnet': lines(
      '{',
      '  _images+:: {',
      "    lightdash: 'acme/bi:1.2.0',",
      '  },',
      '}',
    ),
  },
  cue: {
    'bi.cue': lines(
      'package bi',
      'lightdash: {',
      '\timage: {',
      '\t\trepo: "acme/bi"',
      '\t\ttag:  "1.2.0"',
      '\t}',
      '}',
    ),
  },
  nix: {
    'bi.nix': lines(
      '{',
      '  virtualisation.oci-containers.containers.lightdash = {',
      '    image = "acme/bi:1.2.0";',
      '  };',
      '}',
    ),
  },
  'nix pullImage': {
    'image.nix': lines(
      'dockerTools.pullImage {',
      '  imageName = "lightdash/lightdash";',
      '  finalImageTag = "1.2.0";',
      '}',
    ),
  },
  tilt: { Tiltfile: lines("helm_resource('lightdash', 'acme/bi', flags=['--set=image.tag=1.2.0'])") },
  'tilt yaml': { Tiltfile: lines("k8s_yaml(helm('charts/lightdash', set=['image.tag=1.2.0']))") },
  makefile: { Makefile: lines('TAG ?= 1.2.0', 'up:', '\tdocker run acme/lightdash:$(TAG)') },
  taskfile: {
    'Taskfile.yml': lines(
      'version: "3"',
      'vars:',
      '  TAG: 1.2.0',
      'tasks:',
      '  up:',
      '    cmds:',
      '      - docker run acme/lightdash:{{.TAG}}',
    ),
  },
  justfile: { justfile: lines('tag := "1.2.0"', 'up:', '  docker run acme/lightdash:{{tag}}') },
  packer: { 'bi.pkr.hcl': lines('source "docker" "lightdash" {', '  image = "acme/bi:1.2.0"', '}') },
  'ecs task': {
    'task-definition.json': lines(
      '{',
      '  "family": "lightdash",',
      '  "containerDefinitions": [',
      '    {"name": "app", "image": "123.dkr.ecr.eu-west-1.amazonaws.com/bi:1.2.0"}',
      '  ]',
      '}',
    ),
  },
  'ecs params': {
    'deploy/lightdash-prod.json': lines(
      '[',
      '  {"ParameterKey": "AppRelease", "ParameterValue": "1.2.0"}',
      ']',
    ),
  },
  'cfn parameters': {
    'params/prod.json': lines('[', '  {"ParameterKey": "LightdashTag", "ParameterValue": "1.2.0"}', ']'),
  },
  'cfn default': {
    'bi.yaml': lines(
      'Parameters:',
      '  Tag: {Type: String, Default: 1.2.0}',
      'Resources:',
      '  Task:',
      '    Type: AWS::ECS::TaskDefinition',
      '    Properties:',
      '      ContainerDefinitions:',
      '        - Name: lightdash',
      '          Image: !Sub "acme/bi:${Tag}"',
    ),
  },
  'portainer stack env': {
    'stacks/bi/docker-compose.yml': lines('services:', '  bi: {image: "lightdash/lightdash:${LD}"}'),
    'stacks/bi/stack.env': 'LD=1.2.0\n',
  },
  'portainer template': {
    'templates.json': lines('{"templates": [{"title": "Lightdash", "image": "acme/bi:1.2.0"}]}'),
  },
  caprover: { 'captain-definition': lines('{"schemaVersion": 2, "imageName": "lightdash/lightdash:1.2.0"}') },
  'caprover one click': {
    'lightdash.yml': lines(
      'captainVersion: 4',
      'services:',
      '  $$cap_appname: {image: "acme/bi:$$cap_version"}',
      'caproverOneClickApp:',
      '  variables:',
      '    - {id: $$cap_version, defaultValue: 1.2.0}',
    ),
  },
  dokku: { 'deploy/dokku.sh': lines('dokku git:from-image lightdash acme/bi:1.2.0') },
  kamal: {
    'config/deploy.yml': lines('service: bi', 'accessories:', '  lightdash:', '    image: acme/bi:1.2.0'),
  },
  railway: {
    'railway.json': lines(
      '{"deploy": {"startCommand": "node dist"}, "source": {"image": "lightdash/lightdash:1.2.0"}}',
    ),
  },
  fly: { 'fly.toml': lines("app = 'lightdash-prod'", '[build]', "  image = 'acme/bi:1.2.0'") },
  render: {
    'render.yaml': lines(
      'services:',
      '  - type: web',
      '    name: lightdash',
      '    runtime: image',
      '    image: {url: docker.io/acme/bi:1.2.0}',
    ),
  },
  coolify: {
    'coolify.json': lines(
      '{"name": "lightdash", "docker_registry_image_name": "acme/bi", "docker_registry_image_tag": "1.2.0"}',
    ),
  },
  heroku: {
    'heroku.yml': lines('build:', '  docker:', '    web: lightdash.Dockerfile'),
    'lightdash.Dockerfile': lines('FROM acme/bi:1.2.0'),
  },
  'azure container app bicep': { 'bi.bicep': lines("param lightdashTag string = '1.2.0'") },
  'bicep params': {
    'bi.bicepparam': lines("using 'lightdash.bicep'", "param tag = '1.2.0'"),
    'lightdash.bicep': lines(
      'param tag string',
      "resource x 'Microsoft.App/containerApps@2023-05-01' = {",
      "  properties: { template: { containers: [ { image: 'acme/lightdash:${tag}' } ] } }",
      '}',
    ),
  },
  'cloud run': {
    'service.yaml': lines(
      'apiVersion: serving.knative.dev/v1',
      'kind: Service',
      'metadata: {name: lightdash}',
      'spec: {template: {spec: {containers: [{image: "eu.gcr.io/acme/bi:1.2.0"}]}}}',
    ),
  },
  'cloudbuild substitutions': {
    'cloudbuild.yaml': lines(
      'substitutions:',
      '  _TAG: 1.2.0',
      'steps:',
      '  - name: gcr.io/cloud-builders/gcloud',
      '    args: [run, deploy, lightdash, "--image=acme/bi:$_TAG"]',
    ),
  },
  'chef attributes': { 'attributes/default.rb': lines("default['lightdash']['release'] = '1.2.0'") },
  'puppet hiera': { 'data/common.yaml': lines('profile::lightdash::version: 1.2.0') },
  'salt pillar': { 'pillar/bi.sls': lines('lightdash:', '  image: acme/bi', '  tag: 1.2.0') },
  octopus: {
    'deploy.ocl': lines(
      'step "lightdash" {',
      '  action {',
      '    packages "bi" {',
      '      version = "1.2.0"',
      '    }',
      '  }',
      '}',
    ),
  },
  garden: {
    'garden.yml': lines(
      'kind: Deploy',
      'type: helm',
      'name: lightdash',
      'spec:',
      '  chart: {name: bi, version: 1.2.0}',
    ),
  },
  porter: { 'porter.yaml': lines('images:', '  bi:', '    repository: acme/lightdash', '    tag: 1.2.0') },
  score: {
    'score.yaml': lines('metadata: {name: lightdash}', 'containers:', '  app: {image: "acme/bi:1.2.0"}'),
  },
  werf: {
    'werf.yaml': lines('project: bi', 'configVersion: 1', '---', 'image: lightdash', 'from: acme/bi:1.2.0'),
  },
  'mise tasks': { 'mise.toml': lines('[env]', 'LIGHTDASH_TAG = "1.2.0"') },
  dagger: {
    'ci/main.py': lines('def bi(dag):', '    return dag.container().from_("lightdash/lightdash:1.2.0")'),
  },
  concourse: {
    'pipeline.yml': lines(
      'resources:',
      '  - name: lightdash',
      '    type: registry-image',
      '    source: {repository: acme/bi, tag: 1.2.0}',
    ),
  },
  carvel: {
    'vendir.yml': lines(
      'directories:',
      '  - path: vendor',
      '    contents:',
      '      - path: lightdash',
      '        helmChart: {name: bi, version: 1.2.0, repository: {url: "https://x.io"}}',
    ),
  },
  timoni: {
    'bundle.cue': lines(
      'bundle: {',
      '  instances: {',
      '    lightdash: {',
      '      module: {url: "oci://acme.io/modules/bi", version: "1.2.0"}',
      '    }',
      '  }',
      '}',
    ),
  },
};

export const movesElsewhere: Readonly<Record<string, readonly [before: Files, after: Files]>> = {
  'branch of a cluster-wide GitRepository': [
    {
      'src.yaml': lines(
        'apiVersion: source.toolkit.fluxcd.io/v1',
        'kind: GitRepository',
        'metadata: {name: deploys, namespace: flux-system}',
        'spec:',
        '  url: https://git.acme.io/platform/deploys',
        '  ref: {branch: v1.2.0}',
      ),
      'ks.yaml': lines(
        'apiVersion: kustomize.toolkit.fluxcd.io/v1',
        'kind: Kustomization',
        'metadata: {name: lightdash, namespace: flux-system}',
        'spec:',
        '  path: ./lightdash',
        '  sourceRef: {kind: GitRepository, name: deploys}',
      ),
    },
    {
      'src.yaml': lines(
        'apiVersion: source.toolkit.fluxcd.io/v1',
        'kind: GitRepository',
        'metadata: {name: deploys, namespace: flux-system}',
        'spec:',
        '  url: https://git.acme.io/platform/deploys',
        '  ref: {branch: next}',
      ),
      'ks.yaml': lines(
        'apiVersion: kustomize.toolkit.fluxcd.io/v1',
        'kind: Kustomization',
        'metadata: {name: lightdash, namespace: flux-system}',
        'spec:',
        '  path: ./lightdash',
        '  sourceRef: {kind: GitRepository, name: deploys}',
      ),
    },
  ],
};

/** What changes there, and moves nothing. */
export const harmlessElsewhere: Readonly<Record<string, readonly [before: Files, after: Files]>> = {
  'cpu in a one-line map': of(
    'bi.nomad.hcl',
    'lightdash = { image = "acme/bi:1.2.0", cpu = 1 }\n',
    'lightdash = { image = "acme/bi:1.2.0", cpu = 2 }\n',
  ),
  'cpu in a flow call': of(
    'stack.ts',
    "task.addContainer('lightdash', { image: fromRegistry('lightdash/lightdash:1.2.0'), cpu: 1 });\n",
    "task.addContainer('lightdash', { image: fromRegistry('lightdash/lightdash:1.2.0'), cpu: 2 });\n",
  ),
  'flow map jsonnet': of(
    'bi.jsonnet',
    "{ lightdash: { image: 'lightdash/lightdash:1.2.0', replicas: 1 } }\n",
    "{ lightdash: { image: 'lightdash/lightdash:1.2.0', replicas: 3 } }\n",
  ),
  'python call': of(
    'deploy.py',
    "run(image='lightdash/lightdash:1.2.0', cpu=1)\n",
    "run(image='lightdash/lightdash:1.2.0', cpu=2)\n",
  ),
  'pulumi replicas': of(
    'Pulumi.prod.yaml',
    'config:\n  bi:lightdashVersion: 1.2.0\n  bi:replicas: 1\n',
    'config:\n  bi:lightdashVersion: 1.2.0\n  bi:replicas: 2\n',
  ),
  'nomad count': of(
    'bi.nomad.hcl',
    'job "bi" {\n  group "web" {\n    count = 1\n    task "lightdash" { config { image = "lightdash/lightdash:1.2.0" } }\n  }\n}\n',
    'job "bi" {\n  group "web" {\n    count = 3\n    task "lightdash" { config { image = "lightdash/lightdash:1.2.0" } }\n  }\n}\n',
  ),
  'quadlet port': of(
    'lightdash.container',
    '[Container]\nImage=lightdash/lightdash:1.2.0\nPublishPort=8080:8080\n',
    '[Container]\nImage=lightdash/lightdash:1.2.0\nPublishPort=8081:8080\n',
  ),
  'actions checkout': of(
    '.github/workflows/d.yml',
    'jobs:\n  d:\n    steps:\n      - uses: actions/checkout@v4\n      - run: docker run lightdash/lightdash:1.2.0\n',
    'jobs:\n  d:\n    steps:\n      - uses: actions/checkout@v5\n      - run: docker run lightdash/lightdash:1.2.0\n',
  ),
  'node version beside': of(
    '.github/workflows/d.yml',
    'jobs:\n  d:\n    steps:\n      - uses: actions/setup-node@v4\n        with: {node-version: 20.1.0}\n      - run: docker run lightdash/lightdash:1.2.0\n',
    'jobs:\n  d:\n    steps:\n      - uses: actions/setup-node@v4\n        with: {node-version: 22.1.0}\n      - run: docker run lightdash/lightdash:1.2.0\n',
  ),
  'ecs cpu': of(
    'task.json',
    '{"family": "lightdash", "cpu": "1024", "containerDefinitions": [{"name": "app", "image": "acme/lightdash:1.2.0"}]}\n',
    '{"family": "lightdash", "cpu": "2048", "containerDefinitions": [{"name": "app", "image": "acme/lightdash:1.2.0"}]}\n',
  ),
  'ecs sidecar': of(
    'task.json',
    '{"family": "lightdash", "containerDefinitions": [{"name": "app", "image": "acme/lightdash:1.2.0"}, {"name": "otel", "image": "otel/collector:0.9.0"}]}\n',
    '{"family": "lightdash", "containerDefinitions": [{"name": "app", "image": "acme/lightdash:1.2.0"}, {"name": "otel", "image": "otel/collector:0.10.0"}]}\n',
  ),
  'makefile target': of(
    'Makefile',
    'TAG ?= 1.2.0\nup:\n\tdocker run acme/lightdash:$(TAG)\n',
    'TAG ?= 1.2.0\nup:\n\tdocker run acme/lightdash:$(TAG)\ndown:\n\tdocker stop bi\n',
  ),
  'kamal other accessory': of(
    'config/deploy.yml',
    'service: bi\naccessories:\n  lightdash: {image: "acme/bi:1.2.0"}\n  redis: {image: "redis:7.0.0"}\n',
    'service: bi\naccessories:\n  lightdash: {image: "acme/bi:1.2.0"}\n  redis: {image: "redis:7.2.0"}\n',
  ),
  'fly region': of(
    'fly.toml',
    "app = 'lightdash-prod'\nprimary_region = 'fra'\n[build]\n  image = 'acme/bi:1.2.0'\n",
    "app = 'lightdash-prod'\nprimary_region = 'ams'\n[build]\n  image = 'acme/bi:1.2.0'\n",
  ),
  'fly memory': of(
    'fly.toml',
    "app = 'lightdash-prod'\n[build]\n  image = 'acme/bi:1.2.0'\n[[vm]]\n  memory = '1gb'\n",
    "app = 'lightdash-prod'\n[build]\n  image = 'acme/bi:1.2.0'\n[[vm]]\n  memory = '2gb'\n",
  ),
  'terraform provider': of(
    'main.tf',
    'terraform {\n  required_providers {\n    aws = { source = "hashicorp/aws", version = "5.1.0" }\n  }\n}\nresource "x" "lightdash" { image = "lightdash/lightdash:1.2.0" }\n',
    'terraform {\n  required_providers {\n    aws = { source = "hashicorp/aws", version = "5.2.0" }\n  }\n}\nresource "x" "lightdash" { image = "lightdash/lightdash:1.2.0" }\n',
  ),
  'appset cluster': of(
    'appset.yaml',
    'kind: ApplicationSet\nmetadata: {name: lightdash}\nspec:\n  generators: [{list: {elements: [{cluster: prod, tag: 1.2.0}]}}]\n',
    'kind: ApplicationSet\nmetadata: {name: lightdash}\nspec:\n  generators: [{list: {elements: [{cluster: production, tag: 1.2.0}]}}]\n',
  ),
  'ansible port': of(
    'site.yml',
    '- hosts: bi\n  tasks:\n    - community.docker.docker_container:\n        name: lightdash\n        image: "acme/bi:1.2.0"\n        ports: ["80:8080"]\n',
    '- hosts: bi\n  tasks:\n    - community.docker.docker_container:\n        name: lightdash\n        image: "acme/bi:1.2.0"\n        ports: ["81:8080"]\n',
  ),
  'jenkins agent': of(
    'Jenkinsfile',
    "pipeline {\n  agent { docker { image 'node:20.1.0' } }\n  stages { stage('d') { steps { sh 'docker run lightdash/lightdash:1.2.0' } } }\n}\n",
    "pipeline {\n  agent { docker { image 'node:22.1.0' } }\n  stages { stage('d') { steps { sh 'docker run lightdash/lightdash:1.2.0' } } }\n}\n",
  ),
  'nix other': of(
    'bi.nix',
    '{\n  containers.lightdash = { image = "acme/bi:1.2.0"; };\n  containers.redis = { image = "redis:7.0.0"; };\n}\n',
    '{\n  containers.lightdash = { image = "acme/bi:1.2.0"; };\n  containers.redis = { image = "redis:7.2.0"; };\n}\n',
  ),
  'flux interval': of(
    'hr.yaml',
    'kind: HelmRelease\nmetadata: {name: lightdash}\nspec: {interval: 5m, chart: {spec: {chart: lightdash, version: 1.0.0}}, values: {image: {tag: 1.2.0}}}\n',
    'kind: HelmRelease\nmetadata: {name: lightdash}\nspec: {interval: 10m, chart: {spec: {chart: lightdash, version: 1.0.0}}, values: {image: {tag: 1.2.0}}}\n',
  ),
  'git source of another': [
    {
      'src.yaml': lines(
        'kind: GitRepository',
        'metadata: {name: other}',
        'spec: {url: "https://g.io/other", ref: {branch: main}}',
      ),
      'ks.yaml': lines(
        'kind: Kustomization',
        'metadata: {name: lightdash}',
        'spec: {path: ./x, sourceRef: {kind: GitRepository, name: deploys}}',
      ),
    },
    {
      'src.yaml': lines(
        'kind: GitRepository',
        'metadata: {name: other}',
        'spec: {url: "https://g.io/other", ref: {branch: next}}',
      ),
      'ks.yaml': lines(
        'kind: Kustomization',
        'metadata: {name: lightdash}',
        'spec: {path: ./x, sourceRef: {kind: GitRepository, name: deploys}}',
      ),
    },
  ],
  'npm script': of(
    'package.json',
    '{"version": "1.0.0", "scripts": {"bi": "docker run lightdash/lightdash:1.2.0", "lint": "eslint ."}}\n',
    '{"version": "1.0.1", "scripts": {"bi": "docker run lightdash/lightdash:1.2.0", "lint": "eslint src"}}\n',
  ),
  'cdk memory': of(
    'stack.ts',
    "const lightdashRepo = Repository.fromRepositoryName(this, 'R', 'bi');\nnew Task({\n  image: ContainerImage.fromEcrRepository(lightdashRepo, '1.2.0'),\n  memory: 1024,\n});\n",
    "const lightdashRepo = Repository.fromRepositoryName(this, 'R', 'bi');\nnew Task({\n  image: ContainerImage.fromEcrRepository(lightdashRepo, '1.2.0'),\n  memory: 2048,\n});\n",
  ),
  'cdk of another': of(
    'stack.ts',
    "const lightdashRepo = Repository.fromRepositoryName(this, 'R', 'bi');\nconst redisRepo = Repository.fromRepositoryName(this, 'Q', 'redis');\nuse(ContainerImage.fromEcrRepository(redisRepo, '7.0.0'));\n",
    "const lightdashRepo = Repository.fromRepositoryName(this, 'R', 'bi');\nconst redisRepo = Repository.fromRepositoryName(this, 'Q', 'redis');\nuse(ContainerImage.fromEcrRepository(redisRepo, '7.2.0'));\n",
  ),
  'jenkins other step': of(
    'Jenkinsfile',
    "@Library('acme') _\ndeployLightdash('1.2.0')\ndeployGrafana('10.0.0')\n",
    "@Library('acme') _\ndeployLightdash('1.2.0')\ndeployGrafana('10.1.0')\n",
  ),
  'taskfile version': of(
    'Taskfile.yml',
    'version: "3"\nvars: {TAG: 1.2.0}\ntasks: {up: {cmds: ["docker run acme/lightdash:{{.TAG}}"]}}\n',
    'version: "3.1"\nvars: {TAG: 1.2.0}\ntasks: {up: {cmds: ["docker run acme/lightdash:{{.TAG}}"]}}\n',
  ),
  'module of another program': [
    {
      'a.ts': "import { f } from './b';\nrun('lightdash/lightdash:1.2.0', f);\n",
      'b.ts': "import { g } from './c';\nexport const f = g;\n",
      'c.ts': "export const g = 'hello';\n",
    },
    {
      'a.ts': "import { f } from './b';\nrun('lightdash/lightdash:1.2.0', f);\n",
      'b.ts': "import { g } from './c';\nexport const f = g;\n",
      'c.ts': "export const g = 'hello world';\n",
    },
  ],
  'cloud run annotations': of(
    'service.yaml',
    'kind: Service\nmetadata: {name: lightdash}\nspec: {template: {metadata: {annotations: {maxScale: "5"}}, spec: {containers: [{image: "gcr.io/acme/lightdash:1.2.0"}]}}}\n',
    'kind: Service\nmetadata: {name: lightdash}\nspec: {template: {metadata: {annotations: {maxScale: "9"}}, spec: {containers: [{image: "gcr.io/acme/lightdash:1.2.0"}]}}}\n',
  ),
};
