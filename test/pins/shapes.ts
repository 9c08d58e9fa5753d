import { lines } from '../support/lines.js';
import type { Files } from './moves.js';

type Changes = Readonly<Record<string, readonly [before: Files, after: Files]>>;

const edit = (files: Files, from: string, to: string): readonly [Files, Files] => {
  const after = Object.fromEntries(
    Object.entries(files).map(([name, text]) => [name, text.replaceAll(from, to)]),
  );
  if (JSON.stringify(after) === JSON.stringify(files)) throw new Error(`nothing to edit: ${from}`);
  return [files, after];
};
const editIn = (files: Files, file: string, from: string, to: string): readonly [Files, Files] => [
  files,
  { ...files, [file]: String(files[file]).replaceAll(from, to) },
];
const renamed = (files: Files, from: string, to: string): readonly [Files, Files] => {
  const { [from]: text = '', ...others } = files;
  return [files, { ...others, [to]: text }];
};
const removed = (files: Files, file: string): readonly [Files, Files] => {
  const { [file]: _, ...others } = files;
  return [files, others];
};

/** Odd but real shapes: of tools that few use, from one release to one that can hardly be another program's. */
const oddShapes = (): { readonly moves: Changes; readonly harmless: Changes } => {
  const [O, N] = ['0.2711.0', '0.2750.0'];
  const nix: Files = {
    'hosts/bi.nix': lines(
      '{ config, ... }: {',
      '  virtualisation.oci-containers.containers.lightdash = {',
      `    image = "lightdash/lightdash:${O}";`,
      '    ports = [ "8080:8080" ];',
      '    environment.PGHOST = "db";',
      '  };',
      '  virtualisation.oci-containers.containers.redis.image = "redis:7.2.0";',
      '}',
    ),
  };
  const bzl: Files = {
    'images.bzl': lines(
      'def images():',
      '    container_pull(',
      '        name = "lightdash",',
      '        registry = "index.docker.io",',
      '        repository = "lightdash/lightdash",',
      `        tag = "${O}",`,
      '    )',
      '    container_pull(',
      '        name = "grafana",',
      '        repository = "grafana/grafana",',
      '        tag = "10.1.0",',
      '    )',
    ),
  };
  const appset: Files = {
    'appset.yaml': lines(
      'apiVersion: argoproj.io/v1alpha1',
      'kind: ApplicationSet',
      'metadata: {name: lightdash}',
      'spec:',
      '  generators:',
      '    - list:',
      '        elements:',
      '          - cluster: prod',
      '            chartVersion: 2.10.0',
      `            tag: ${O}`,
      '          - cluster: test',
      '            chartVersion: 2.10.0',
      `            tag: ${O}`,
      '  template:',
      '    spec:',
      '      source:',
      '        chart: lightdash',
      '        repoURL: https://lightdash.github.io/helm-charts',
      "        targetRevision: '{{chartVersion}}'",
      '        helm:',
      '          parameters:',
      '            - name: image.tag',
      "              value: '{{tag}}'",
    ),
  };
  const cloudrun: Files = {
    'service.yaml': lines(
      'apiVersion: serving.knative.dev/v1',
      'kind: Service',
      'metadata: {name: bi}',
      'spec:',
      '  template:',
      '    spec:',
      '      containerConcurrency: 80',
      '      containers:',
      `        - image: europe-docker.pkg.dev/acme/mirror/lightdash:${O}`,
      '          resources: {limits: {memory: 2Gi}}',
    ),
  };
  const cloudbuild: Files = {
    'cloudbuild.yaml': lines(
      'substitutions:',
      `  _LIGHTDASH_VERSION: ${O}`,
      '  _REGION: europe-west1',
      'steps:',
      '  - name: gcr.io/cloud-builders/gcloud:450.0.0',
      '    args: [run, deploy, lightdash, --image, "lightdash/lightdash:${_LIGHTDASH_VERSION}", --region, $_REGION, --memory, 2Gi]',
    ),
  };
  const fly: Files = {
    'fly.toml': lines(
      'app = "acme-bi"',
      'primary_region = "fra"',
      '[build]',
      `  image = "lightdash/lightdash:${O}"`,
      '[env]',
      '  PORT = "8080"',
      '[[vm]]',
      '  memory = "2gb"',
    ),
  };
  const render: Files = {
    'render.yaml': lines(
      'services:',
      '  - type: web',
      '    name: lightdash',
      '    image:',
      `      url: docker.io/lightdash/lightdash:${O}`,
      '    plan: standard',
      '  - type: web',
      '    name: metabase',
      '    image:',
      '      url: docker.io/metabase/metabase:v0.50.0',
    ),
  };
  const doapp: Files = {
    '.do/app-spec.yaml': lines(
      'name: bi',
      'services:',
      '  - name: web',
      '    image:',
      '      registry_type: DOCKER_HUB',
      '      registry: lightdash',
      '      repository: lightdash',
      `      tag: ${O}`,
      '    instance_count: 1',
    ),
  };
  const cfn: Files = {
    'stack.yaml': lines(
      'Parameters:',
      '  LightdashTag:',
      '    Type: String',
      `    Default: '${O}'`,
      '  InstanceType: {Type: String, Default: t3.large}',
      'Resources:',
      '  Task:',
      '    Type: AWS::ECS::TaskDefinition',
      '    Properties:',
      '      ContainerDefinitions:',
      '        - Name: bi',
      '          Image: !Sub "lightdash/lightdash:${LightdashTag}"',
      '          Cpu: 512',
    ),
  };
  const bicep: Files = {
    'main.bicep': lines(
      `param lightdashTag string = '${O}'`,
      "param location string = 'westeurope'",
      "resource app 'Microsoft.App/containerApps@2023-05-01' = {",
      "  properties: { template: { containers: [ { name: 'bi', image: 'lightdash/lightdash:${lightdashTag}' } ] } }",
      '}',
    ),
  };
  const quad: Files = {
    'lightdash.container': lines(
      '[Unit]',
      'Description=Lightdash',
      '[Container]',
      `Image=docker.io/lightdash/lightdash:${O}`,
      'PublishPort=8080:8080',
      'Environment=PGHOST=db',
      '[Service]',
      'Restart=always',
    ),
  };
  const unit: Files = {
    'bi.service': lines(
      '[Service]',
      `Environment=TAG=${O}`,
      'ExecStart=/usr/bin/docker run --rm -p 8080:8080 lightdash/lightdash:${TAG}',
      'Restart=always',
      'TimeoutStartSec=600',
    ),
  };
  const zarf: Files = {
    'zarf.yaml': lines(
      'kind: ZarfPackageConfig',
      'metadata: {name: bi, version: 0.3.0}',
      'components:',
      '  - name: lightdash',
      '    charts:',
      '      - name: lightdash',
      '        url: https://lightdash.github.io/helm-charts',
      '        version: 2.10.0',
      '        valuesFiles: [values.yaml]',
      '    images:',
      `      - lightdash/lightdash:${O}`,
      '      - postgres:16.1',
    ),
    'values.yaml': lines('image:', `  tag: ${O}`),
  };
  const mirror: Files = {
    'mirror/images.txt': lines(
      'docker.io/library/redis:7.2.4',
      `docker.io/lightdash/lightdash:${O}`,
      'quay.io/keycloak/keycloak:24.0.1',
    ),
  };
  const skopeo: Files = {
    'sync.yml': lines(
      'docker.io:',
      '  images:',
      '    lightdash/lightdash:',
      `      - '${O}'`,
      '    grafana/grafana:',
      "      - '10.1.0'",
    ),
  };
  const tanka: Files = {
    'environments/prod/main.jsonnet': lines(
      "local bi = import 'bi/bi.libsonnet';",
      'bi {',
      `  _config+:: { lightdash+: { image: "lightdash/lightdash:${O}", replicas: 2 } },`,
      '}',
    ),
  };
  const dataclass: Files = {
    'infra/settings.py': lines(
      'from dataclasses import dataclass',
      '@dataclass',
      'class Lightdash:',
      '    image: str = "lightdash/lightdash"',
      `    version: str = "${O}"`,
      '    replicas: int = 2',
      '@dataclass',
      'class Billing:',
      '    version: str = "3.4.1"',
    ),
  };
  const gostruct: Files = {
    'deploy/main.go': lines(
      'package main',
      'var apps = []App{',
      `\t{Name: "lightdash", Tag: "${O}", Replicas: 2},`,
      '\t{Name: "billing", Tag: "3.4.1", Replicas: 1},',
      '}',
    ),
  };
  const tfvars: Files = {
    'envs/test.tfvars': lines(
      'lightdash = {',
      `  tag      = "${O}"`,
      '  replicas = 2',
      '}',
      'grafana = { tag = "10.1.0" }',
    ),
    'main.tf': lines(
      'variable "lightdash" { type = object({ tag = string, replicas = number }) }',
      'resource "kubernetes_deployment" "lightdash" {',
      '  spec { template { spec { container {',
      '    name  = "lightdash"',
      '    image = "lightdash/lightdash:${var.lightdash.tag}"',
      '  } } } }',
      '}',
    ),
  };
  const ebext: Files = {
    'Dockerrun.aws.json':
      '{\n  "AWSEBDockerrunVersion": "1",\n  "Image": {"Name": "lightdash/lightdash:' +
      O +
      '", "Update": "true"},\n  "Ports": [{"ContainerPort": 8080}]\n}\n',
  };
  const swarm: Files = {
    'stacks/bi.yml': lines(
      'version: "3.8"',
      'services:',
      '  app:',
      `    image: lightdash/lightdash:\${TAG:-${O}}`,
      '    deploy: {replicas: 2}',
      '  worker:',
      `    image: lightdash/lightdash:\${TAG:-${O}}`,
    ),
  };
  const justf: Files = {
    justfile: lines(
      `tag := "${O}"`,
      'up:',
      '    docker run -d -e TZ=UTC lightdash/lightdash:{{tag}}',
      'logs:',
      '    docker logs -f --tail 50 lightdash',
    ),
  };
  const jenk: Files = {
    Jenkinsfile: lines(
      'pipeline {',
      '  environment {',
      `    LIGHTDASH_IMAGE_TAG = '${O}'`,
      "    HELM_VERSION = '3.14.0'",
      '  }',
      "  stages { stage('d') { steps {",
      "    sh 'helm upgrade --install lightdash lightdash/lightdash --version 2.10.0 --set image.tag=$LIGHTDASH_IMAGE_TAG --timeout 10m --wait'",
      '  } } }',
      '}',
    ),
  };
  const azure: Files = {
    'azure-pipelines.yml': lines(
      'variables:',
      '  - name: lightdashTag',
      `    value: ${O}`,
      '  - name: nodeVersion',
      '    value: 20.11.0',
      'steps:',
      '  - task: HelmDeploy@0',
      '    inputs:',
      '      command: upgrade',
      '      chartName: lightdash/lightdash',
      '      chartVersion: 2.10.0',
      '      overrideValues: image.tag=$(lightdashTag)',
    ),
  };
  const fluxos: Files = {
    'apps/bi/repo.yaml': lines(
      'apiVersion: source.toolkit.fluxcd.io/v1',
      'kind: OCIRepository',
      'metadata: {name: lightdash}',
      'spec:',
      '  url: oci://ghcr.io/acme/charts/lightdash',
      '  ref: {tag: 2.10.0}',
    ),
    'apps/bi/release.yaml': lines(
      'apiVersion: helm.toolkit.fluxcd.io/v2',
      'kind: HelmRelease',
      'metadata: {name: lightdash}',
      'spec:',
      '  chartRef: {kind: OCIRepository, name: lightdash}',
      '  values:',
      `    image: {tag: ${O}}`,
    ),
  };
  const versionsJson: Files = {
    'versions.json': `{\n  "billing": "3.4.1",\n  "lightdash": "${O}",\n  "api": "1.30.2"\n}\n`,
    'deploy.sh': lines('TAG=$(jq -r .lightdash versions.json)', 'docker run lightdash/lightdash:$TAG'),
  };
  const kustHelm: Files = {
    'kustomization.yaml': lines(
      'helmCharts:',
      '  - name: lightdash',
      '    repo: https://lightdash.github.io/helm-charts',
      '    version: 2.10.0',
      '    valuesInline:',
      `      image: {tag: ${O}}`,
      '      replicaCount: 2',
    ),
  };
  const renovateTool: Files = {
    '.tool-versions': lines('nodejs 20.11.0', 'terraform 1.9.0', 'helm 3.14.0'),
    'deploy.sh': lines(`helm upgrade lightdash lightdash/lightdash --set image.tag=${O}`),
  };
  const eso: Files = {
    'secret.yaml': lines(
      'apiVersion: bitnami.com/v1alpha1',
      'kind: SealedSecret',
      'metadata: {name: lightdash}',
      'spec:',
      '  encryptedData:',
      '    LIGHTDASH_SECRET: AgBy3i4OJSWK+PiTySYZZA9rO43cGDEq1.2.3',
      '  template: {metadata: {name: lightdash}}',
    ),
  };
  const cli: Files = {
    '.github/workflows/dbt.yml': lines(
      'jobs:',
      '  deploy:',
      '    env:',
      '      LIGHTDASH_URL: https://bi.acme.io',
      `      LIGHTDASH_CLI_VERSION: ${O}`,
      '    steps:',
      `      - run: npm install -g "@lightdash/cli@${O}"`,
      '      - run: lightdash deploy --target prod',
      '      - uses: actions/setup-python@v5.1.0',
      '        with: {python-version: 3.11.4}',
    ),
  };
  const moves: Changes = {
    nix: edit(nix, O, N),
    bazel: edit(bzl, O, N),
    appset: edit(appset, `tag: ${O}`, `tag: ${N}`),
    cloudrun: edit(cloudrun, O, N),
    cloudbuild: edit(cloudbuild, O, N),
    fly: edit(fly, O, N),
    render: edit(render, O, N),
    do: edit(doapp, O, N),
    cfn: edit(cfn, O, N),
    bicep: edit(bicep, O, N),
    quadlet: edit(quad, O, N),
    unit: edit(unit, O, N),
    zarf: edit(zarf, O, N),
    mirror: edit(mirror, O, N),
    skopeo: edit(skopeo, O, N),
    tanka: edit(tanka, O, N),
    dataclass: edit(dataclass, O, N),
    go: edit(gostruct, O, N),
    tfvars: edit(tfvars, O, N),
    beanstalk: edit(ebext, O, N),
    swarm: edit(swarm, O, N),
    just: edit(justf, O, N),
    jenkins: edit(jenk, O, N),
    azure: edit(azure, O, N),
    flux: edit(fluxos, O, N),
    versions: edit(versionsJson, O, N),
    kusthelm: edit(kustHelm, O, N),
    toollatest: edit(renovateTool, O, 'latest'),
    channel: edit(
      {
        'v.tf': lines(
          'variable "lightdash_channel" { default = "stable" }',
          'locals { tags = { stable = "0.2711.0", edge = "0.2750.0" } }',
          'locals { image = "lightdash/lightdash:${local.tags[var.lightdash_channel]}" }',
        ),
      },
      'default = "stable"',
      'default = "edge"',
    ),
    mvQuadlet: renamed(quad, 'lightdash.container', 'lightdash.container.off'),
    mvTpl: renamed(
      {
        'c/Chart.yaml': 'name: lightdash\nversion: 1.0.0\nappVersion: 0.2711.0\n',
        'c/templates/_image.tpl': '{{ define "lightdash.image" }}lightdash/lightdash:0.2711.0{{ end }}\n',
        'c/templates/d.yaml': 'image: {{ include "lightdash.image" . }}\n',
      },
      'c/templates/_image.tpl',
      'c/templates/_image.tpl.old',
    ),
    rmValuesFile: edit(
      {
        'up.sh': 'helm upgrade lightdash lightdash/lightdash -f base.yaml -f prod.yaml\n',
        'base.yaml': 'image: {tag: 0.2711.0}\n',
        'prod.yaml': 'image: {tag: 0.2750.0}\n',
      },
      ' -f prod.yaml',
      '',
    ),
    profile: edit(
      {
        'compose.yaml': lines(
          'services:',
          '  a: {image: "lightdash/lightdash:0.2711.0", profiles: [blue]}',
          '  b: {image: "lightdash/lightdash:0.2750.0", profiles: [green]}',
        ),
        Makefile: 'up:\n\tdocker compose --profile blue up -d\n',
      },
      '--profile blue',
      '--profile green',
    ),
    setAdded: [
      {
        'd.sh': 'helm upgrade lightdash lightdash/lightdash -f values.yaml\n',
        'values.yaml': 'image: {tag: 0.2711.0}\n',
      },
      {
        'd.sh': 'helm upgrade lightdash lightdash/lightdash -f values.yaml --set image.tag=0.2750.0\n',
        'values.yaml': 'image: {tag: 0.2711.0}\n',
      },
    ],
    helmignore: [
      {
        'c/Chart.yaml':
          'name: x\ndependencies: [{name: lightdash, version: 2.10.0, repository: "https://x"}]\n',
        'c/values.yaml': 'lightdash: {image: {tag: 0.2711.0}}\n',
        'c/.helmignore': '*.bak\n',
      },
      {
        'c/Chart.yaml':
          'name: x\ndependencies: [{name: lightdash, version: 2.10.0, repository: "https://x"}]\n',
        'c/values.yaml': 'lightdash: {image: {tag: 0.2711.0}}\n',
        'c/.helmignore': '*.bak\nvalues.yaml\n',
      },
    ],
  };
  const harmless: Changes = {
    nixEnv: edit(nix, 'PGHOST = "db"', 'PGHOST = "db2"'),
    nixRedis: edit(nix, 'redis:7.2.0', 'redis:7.4.0'),
    bazelOther: edit(bzl, '10.1.0', '10.2.0'),
    appsetChart: edit(appset, 'chartVersion: 2.10.0', 'chartVersion: 2.16.0'),
    cloudrunMem: edit(cloudrun, '2Gi', '4Gi'),
    cloudrunConc: edit(cloudrun, 'containerConcurrency: 80', 'containerConcurrency: 100'),
    cloudbuildBuilder: edit(cloudbuild, 'gcloud:450.0.0', 'gcloud:460.0.0'),
    cloudbuildMem: edit(cloudbuild, '--memory, 2Gi', '--memory, 4Gi'),
    cloudbuildRegion: edit(cloudbuild, 'europe-west1', 'europe-west4'),
    flyMem: edit(fly, '2gb', '4gb'),
    flyRegion: edit(fly, '"fra"', '"ams"'),
    renderPlan: edit(render, 'plan: standard', 'plan: pro'),
    renderOther: edit(render, 'v0.50.0', 'v0.50.3'),
    doCount: edit(doapp, 'instance_count: 1', 'instance_count: 2'),
    cfnType: edit(cfn, 't3.large', 't3.xlarge'),
    cfnCpu: edit(cfn, 'Cpu: 512', 'Cpu: 1024'),
    bicepLoc: edit(bicep, 'westeurope', 'northeurope'),
    bicepApi: edit(bicep, '2023-05-01', '2024-03-01'),
    quadPort: edit(quad, '8080:8080', '9090:8080'),
    quadEnv: edit(quad, 'PGHOST=db', 'PGHOST=db2'),
    unitTimeout: edit(unit, '=600', '=900'),
    zarfChart: edit(zarf, 'version: 2.10.0', 'version: 2.16.0'),
    zarfMeta: edit(zarf, '0.3.0', '0.4.0'),
    zarfPg: edit(zarf, 'postgres:16.1', 'postgres:16.2'),
    mirrorOther: edit(mirror, 'redis:7.2.4', 'redis:7.4.1'),
    skopeoOther: edit(skopeo, '10.1.0', '10.2.0'),
    tankaReplicas: edit(tanka, 'replicas: 2', 'replicas: 3'),
    dataclassReplicas: edit(dataclass, 'int = 2', 'int = 3'),
    dataclassOther: edit(dataclass, '3.4.1', '3.5.0'),
    goOther: edit(gostruct, '3.4.1', '3.5.0'),
    goReplicas: edit(gostruct, 'Replicas: 2', 'Replicas: 3'),
    tfvarsOther: edit(tfvars, '10.1.0', '10.2.0'),
    tfvarsReplicas: edit(tfvars, 'replicas = 2', 'replicas = 3'),
    ebPort: edit(ebext, '8080', '8081'),
    swarmReplicas: edit(swarm, 'replicas: 2', 'replicas: 3'),
    justTz: edit(justf, 'TZ=UTC', 'TZ=Europe/Berlin'),
    justLogs: edit(justf, '--tail 50', '--tail 100'),
    jenkHelm: edit(jenk, '3.14.0', '3.15.0'),
    jenkTimeout: edit(jenk, '10m', '15m'),
    jenkChart: edit(jenk, '--version 2.10.0', '--version 2.16.0'),
    azureNode: edit(azure, '20.11.0', '20.12.0'),
    azureChart: edit(azure, 'chartVersion: 2.10.0', 'chartVersion: 2.16.0'),
    fluxChart: edit(fluxos, 'tag: 2.10.0', 'tag: 2.16.0'),
    versionsOther: edit(versionsJson, '3.4.1', '3.5.0'),
    versionsApi: edit(versionsJson, '1.30.2', '1.31.0'),
    kustChart: edit(kustHelm, 'version: 2.10.0', 'version: 2.16.0'),
    toolTf: edit(renovateTool, 'terraform 1.9.0', 'terraform 1.9.5'),
    sealed: edit(eso, 'ZZA9rO43cGDEq1.2.3', 'QQA8xx43cGDEq2.3.4'),
    cliVersion: edit(cli, O, N),
    cliPython: edit(cli, '3.11.4', '3.12.1'),
    cliUrl: edit(cli, 'bi.acme.io', 'bi.acme.com'),
    mcp: edit(
      {
        'mcp.json':
          '{"mcpServers": {"lightdash": {"command": "npx", "args": ["-y", "lightdash-mcp-server@0.0.11"]}}}\n',
        ...quad,
      },
      '0.0.11',
      '0.0.12',
    ),
    provider: edit(
      {
        'versions.tf': lines(
          'terraform {',
          '  required_providers {',
          '    lightdash = { source = "ubie-oss/lightdash", version = "1.9.0" }',
          '  }',
          '}',
        ),
        ...tfvars,
      },
      '"1.9.0"',
      '"1.10.0"',
    ),
    sha: edit(
      {
        'tf.tf': lines(
          'resource "x" "lightdash" {',
          '  password_sha256_hex = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"',
          '}',
        ),
        ...tfvars,
      },
      'a'.repeat(64),
      'b'.repeat(64),
    ),
    templatefile: edit(
      {
        'u.tf': lines(
          'locals {',
          '  user_data = templatefile("run.sh.tpl", { tag = var.lightdash_tag, host = "db-1" })',
          '}',
          'variable "lightdash_tag" { default = "0.2711.0" }',
        ),
        'run.sh.tpl': 'docker run -e PGHOST=${host} lightdash/lightdash:${tag}\n',
      },
      '"db-1"',
      '"db-2"',
    ),
    registryBilling: edit(
      {
        'compose.yaml': lines(
          'services:',
          '  bi: {image: "${REGISTRY}/lightdash:${LIGHTDASH_VERSION}"}',
          '  billing: {image: "${REGISTRY}/billing:${BILLING_VERSION}"}',
        ),
        '.env': lines('REGISTRY=ghcr.io/acme', 'LIGHTDASH_VERSION=0.2711.0', 'BILLING_VERSION=1.30.0'),
      },
      'BILLING_VERSION=1.30.0',
      'BILLING_VERSION=1.31.0',
    ),
    baseArg: edit(
      {
        'docker-bake.hcl': lines(
          'target "portal" {',
          '  args = { BASE_IMAGE = "node:20.11.0" }',
          '}',
          'target "bi" { args = { BASE_IMAGE = "lightdash/lightdash:0.2711.0" } }',
        ),
      },
      'node:20.11.0',
      'node:20.12.0',
    ),
    mvDoc: renamed(
      { ...quad, 'docs/lightdash.txt': 'lightdash/lightdash:0.2711.0\n' },
      'docs/lightdash.txt',
      'docs/bi.txt',
    ),
    mvManifest: renamed(cloudrun, 'service.yaml', 'bi.yaml'),
  };

  return { moves, harmless };
};

/** Well-known shapes, between releases that another program may have too. */
const plainShapes = (): { readonly moves: Changes; readonly harmless: Changes } => {
  const [O, N] = ['2.30.0', '2.45.1'];
  const umb: Files = {
    'Chart.yaml': lines(
      'name: platform',
      'version: 1.4.0',
      'dependencies:',
      '  - {name: lightdash, version: 2.10.0, repository: "https://lightdash.github.io/helm-charts", alias: bi}',
      '  - {name: grafana, version: 8.0.0, repository: "https://grafana.github.io/helm-charts"}',
    ),
    'values-prod.yaml': lines(
      'bi:',
      '  image:',
      `    tag: ${O}`,
      '  replicaCount: 2',
      'grafana:',
      '  image:',
      '    tag: 11.0.0',
      '  replicas: 2',
    ),
    'values-test.yaml': lines('bi:', '  image:', `    tag: ${O}`),
  };
  const comp: Files = {
    'docker-compose.test.yml': lines(
      'services:',
      '  lightdash:',
      `    image: lightdash/lightdash:${O}`,
      '    environment: [PGHOST=db]',
      '  db: {image: "postgres:16.1"}',
      '  minio: {image: "minio/minio:RELEASE.2024-01-01T00-00-00Z"}',
      '  n8n: {image: "n8nio/n8n:1.64.0"}',
    ),
  };
  const tg: Files = {
    'live/prod/bi/terragrunt.hcl': lines(
      'terraform {',
      '  source = "git::https://git.acme.io/modules.git//lightdash?ref=v0.3.0"',
      '}',
      'inputs = {',
      `  lightdash_version       = "${O}"`,
      '  lightdash_chart_version = "2.10.0"',
      '  db_engine_version       = "16.3"',
      '  instance_class          = "db.t3.medium"',
      '}',
    ),
  };
  const ans: Files = {
    'roles/lightdash/defaults/main.yml': lines(
      'lightdash_image: lightdash/lightdash',
      `lightdash_version: ${O}`,
      'lightdash_port: 8080',
      'lightdash_postgres_version: 16.1',
    ),
    'roles/lightdash/templates/compose.yml.j2': lines(
      'services:',
      '  lightdash:',
      '    image: {{ lightdash_image }}:{{ lightdash_version }}',
      '    ports: ["{{ lightdash_port }}:8080"]',
      '  db:',
      '    image: postgres:{{ lightdash_postgres_version }}',
    ),
    'host_vars/bi-test.yml': lines('lightdash_version: 2.44.0'),
  };
  const gh: Files = {
    '.github/workflows/deploy.yaml': lines(
      `on: {workflow_dispatch: {inputs: {tag: {default: ${O}}}}}`,
      'jobs:',
      '  d:',
      '    runs-on: ubuntu-22.04',
      '    steps:',
      '      - uses: actions/checkout@v4',
      '      - run: kubectl set image deployment/lightdash lightdash=lightdash/lightdash:${{ inputs.tag }}',
      '      - run: kubectl rollout status deployment/lightdash --timeout 300s',
    ),
  };
  const helmf: Files = {
    'helmfile.yaml.gotmpl': lines(
      'environments:',
      '  prod: {values: [envs/prod.yaml]}',
      '  test: {values: [envs/test.yaml]}',
      '---',
      'releases:',
      '  - name: lightdash',
      '    chart: lightdash/lightdash',
      '    version: 2.10.0',
      '    set:',
      '      - name: image.tag',
      '        value: {{ .Values.lightdash.tag }}',
      '  - name: redis',
      '    chart: bitnami/redis',
      '    version: 19.0.0',
      '    set:',
      '      - name: image.tag',
      '        value: 7.2.4',
    ),
    'envs/prod.yaml': lines(`lightdash: {tag: ${O}}`, 'domain: acme.io'),
    'envs/test.yaml': lines(`lightdash: {tag: ${O}}`),
  };
  const ecs: Files = {
    'ecs/task-def.json': `${JSON.stringify(
      {
        family: 'lightdash',
        cpu: '1024',
        containerDefinitions: [
          {
            name: 'app',
            image: `acme.dkr.ecr.eu-west-1.amazonaws.com/lightdash:${O}`,
            environment: [{ name: 'PGHOST', value: 'db' }],
          },
          { name: 'otel', image: 'otel/collector:0.96.0' },
        ],
      },
      null,
      2,
    )}\n`,
  };
  const kust: Files = {
    'apps/lightdash/base/deploy.yaml': lines(
      'apiVersion: apps/v1',
      'kind: Deployment',
      'metadata: {name: lightdash}',
      'spec:',
      '  replicas: 2',
      '  template: {spec: {containers: [{name: app, image: lightdash}, {name: proxy, image: nginx}]}}',
    ),
    'apps/lightdash/base/kustomization.yaml': lines(
      'resources: [deploy.yaml]',
      'images:',
      `  - {name: lightdash, newName: ghcr.io/acme/lightdash, newTag: "${O}"}`,
      '  - {name: nginx, newTag: 1.27.0}',
    ),
    'apps/lightdash/overlays/prod/kustomization.yaml': lines(
      'resources: [../../base]',
      'replicas: [{name: lightdash, count: 3}]',
    ),
  };
  const argoImg: Files = {
    'app.yaml': lines(
      'apiVersion: argoproj.io/v1alpha1',
      'kind: Application',
      'metadata: {name: bi}',
      'spec:',
      '  source:',
      '    repoURL: https://git.acme.io/x.git',
      '    path: apps/bi',
      '    targetRevision: main',
      `    kustomize: {images: ["lightdash/lightdash:${O}"]}`,
      '  syncPolicy: {automated: {prune: true}}',
    ),
  };
  const sh: Files = {
    'bin/deploy': lines(
      '#!/bin/sh',
      `: "\${LIGHTDASH_VERSION:=${O}}"`,
      'NAMESPACE=bi',
      'helm upgrade -i lightdash lightdash/lightdash -n "$NAMESPACE" --set image.tag="$LIGHTDASH_VERSION" --atomic',
    ),
    'bin/backup': lines(
      '#!/bin/sh',
      'pg_dump -h db lightdash | gzip > /backups/lightdash.sql.gz',
      'aws s3 cp /backups/lightdash.sql.gz s3://acme-lightdash/',
    ),
  };
  const pulPy: Files = {
    '__main__.py': lines(
      'import pulumi',
      'cfg = pulumi.Config()',
      `TAGS = {"lightdash": "${O}", "billing": "3.4.1"}`,
      'deploy("lightdash", image=f"lightdash/lightdash:{TAGS[\'lightdash\']}", replicas=cfg.get_int("replicas"))',
    ),
    'Pulumi.prod.yaml': lines('config:', '  bi:replicas: 2', '  aws:region: eu-west-1'),
  };
  const cdkj: Files = {
    'cdk.json':
      '{"app": "npx ts-node bin/app.ts", "context": {"lightdash": {"tag": "' +
      O +
      '", "cpu": 512}, "@aws-cdk/core:x": true}}\n',
    'bin/app.ts': lines(
      "const cfg = app.node.tryGetContext('lightdash');",
      'image(`lightdash/lightdash:${cfg.tag}`);',
    ),
  };
  const gitl: Files = {
    '.gitlab-ci.yml': lines(
      'include: [{project: acme/ci, ref: v3.2.0, file: /deploy.yml}]',
      `variables: {LIGHTDASH_TAG: "${O}"}`,
      'deploy:prod:',
      '  image: alpine/k8s:1.29.2',
      '  script: ["kubectl set image deploy/lightdash app=lightdash/lightdash:$LIGHTDASH_TAG"]',
      '  environment: {name: prod, url: "https://bi.acme.io"}',
    ),
  };
  const deps: Files = {
    'package.json':
      '{"name": "infra", "version": "1.30.0", "dependencies": {"aws-cdk-lib": "2.130.0", "posthog-js": "1.150.0"}}\n',
    'lib/a.ts': `image('lightdash/lightdash:${O}');\n`,
  };
  const env: Files = {
    '.env': lines(
      'COMPOSE_PROJECT_NAME=bi',
      `LIGHTDASH_IMAGE=lightdash/lightdash:${O}`,
      'POSTGRES_VERSION=16.1',
      'SITE_URL=https://bi.acme.io',
      'SCHEDULER_CONCURRENCY=3',
    ),
    'compose.yaml': lines(
      'services:',
      '  app: {image: "${LIGHTDASH_IMAGE}"}',
      '  db: {image: "postgres:${POSTGRES_VERSION}"}',
    ),
  };
  const moves: Changes = {
    umbProd: editIn(umb, 'values-prod.yaml', O, N),
    umbTest: editIn(umb, 'values-test.yaml', O, N),
    comp: edit(comp, O, N),
    tg: edit(tg, O, N),
    tgRef: edit(tg, 'ref=v0.3.0', 'ref=v0.4.0'),
    ans: edit(ans, O, N),
    ansHost: edit(ans, '2.44.0', N),
    ansHostRm: removed(ans, 'host_vars/bi-test.yml'),
    gh: edit(gh, O, N),
    helmf: edit(helmf, O, N),
    ecs: edit(ecs, O, N),
    kust: edit(kust, O, N),
    kustName: edit(kust, 'newName: ghcr.io/acme/lightdash', 'newName: ghcr.io/other/lightdash'),
    argo: edit(argoImg, O, N),
    argoBranch: edit(argoImg, 'targetRevision: main', 'targetRevision: next'),
    sh: edit(sh, O, N),
    shLatest: edit(sh, O, 'latest'),
    pulPy: edit(pulPy, O, N),
    cdkj: edit(cdkj, O, N),
    gitl: edit(gitl, O, N),
    code: edit(deps, O, N),
    env: edit(env, O, N),
    envDigest: edit(env, `:${O}`, `@sha256:${'a'.repeat(64)}`),
    mvKust: renamed(
      kust,
      'apps/lightdash/base/kustomization.yaml',
      'apps/lightdash/base/kustomization.yaml.disabled',
    ),
    mvEnv: renamed(env, '.env', '.env.old'),
    aliasRm: edit(umb, ', alias: bi', ''),
    lineGone: edit(kust, `  - {name: lightdash, newName: ghcr.io/acme/lightdash, newTag: "${O}"}\n`, ''),
    resource: edit(kust, 'resources: [../../base]', 'resources: [../../base-next]'),
  };
  const harmless: Changes = {
    umbGraf: edit(umb, 'tag: 11.0.0', 'tag: 11.1.0'),
    umbGrafChart: edit(umb, 'version: 8.0.0', 'version: 8.1.0'),
    umbChart: edit(umb, 'version: 2.10.0', 'version: 2.16.0'),
    umbVersion: edit(umb, 'version: 1.4.0', 'version: 1.5.0'),
    umbRep: edit(umb, 'replicaCount: 2', 'replicaCount: 4'),
    compPg: edit(comp, 'postgres:16.1', 'postgres:16.2'),
    compMinio: edit(comp, '2024-01-01', '2024-02-02'),
    compN8n: edit(comp, 'n8n:1.64.0', 'n8n:1.65.0'),
    compHost: edit(comp, 'PGHOST=db', 'PGHOST=db2'),
    tgChart: edit(tg, '"2.10.0"', '"2.16.0"'),
    tgEngine: edit(tg, '"16.3"', '"16.4"'),
    tgClass: edit(tg, 't3.medium', 't3.large'),
    ansPort: edit(ans, 'lightdash_port: 8080', 'lightdash_port: 9090'),
    ansPg: edit(ans, '16.1', '16.2'),
    ghRunner: edit(gh, 'ubuntu-22.04', 'ubuntu-24.04'),
    ghCheckout: edit(gh, 'checkout@v4', 'checkout@v5'),
    ghTimeout: edit(gh, '300s', '600s'),
    helmfRedis: edit(helmf, '7.2.4', '7.4.0'),
    helmfRedisChart: edit(helmf, '19.0.0', '19.5.0'),
    helmfChart: edit(helmf, 'version: 2.10.0', 'version: 2.16.0'),
    helmfDomain: edit(helmf, 'domain: acme.io', 'domain: acme.com'),
    ecsCpu: edit(ecs, '"1024"', '"2048"'),
    ecsOtel: edit(ecs, '0.96.0', '0.97.0'),
    ecsHost: edit(ecs, '"db"', '"db2"'),
    kustNginx: edit(kust, '1.27.0', '1.27.2'),
    kustRep: edit(kust, 'count: 3', 'count: 4'),
    kustRep2: edit(kust, 'replicas: 2', 'replicas: 3'),
    argoPrune: edit(argoImg, 'prune: true', 'prune: false'),
    shNs: edit(sh, 'NAMESPACE=bi', 'NAMESPACE=analytics'),
    shAtomic: edit(sh, '--atomic', '--atomic --wait --timeout 10m'),
    shBackup: edit(sh, 's3://acme-lightdash/', 's3://acme-lightdash-eu/'),
    pulReplicas: edit(pulPy, 'bi:replicas: 2', 'bi:replicas: 3'),
    pulRegion: edit(pulPy, 'eu-west-1', 'eu-central-1'),
    pulOther: edit(pulPy, '3.4.1', '3.5.0'),
    cdkCpu: edit(cdkj, '"cpu": 512', '"cpu": 1024'),
    gitlInclude: edit(gitl, 'ref: v3.2.0', 'ref: v3.3.0'),
    gitlImage: edit(gitl, 'k8s:1.29.2', 'k8s:1.30.1'),
    gitlUrl: edit(gitl, 'https://bi.acme.io', 'https://bi.acme.com'),
    depCdk: edit(deps, '2.130.0', '2.134.0'),
    depPosthog: edit(deps, '1.150.0', '1.156.0'),
    depOwn: edit(deps, '"version": "1.30.0"', '"version": "1.31.0"'),
    envPg: edit(env, 'POSTGRES_VERSION=16.1', 'POSTGRES_VERSION=16.3'),
    envUrl: edit(env, 'bi.acme.io', 'bi.acme.com'),
    envConc: edit(env, 'CONCURRENCY=3', 'CONCURRENCY=5'),
    envProject: edit(env, 'PROJECT_NAME=bi', 'PROJECT_NAME=analytics'),
    label: edit(
      {
        'ns.yaml': lines(
          'apiVersion: v1',
          'kind: Namespace',
          'metadata: {name: lightdash, labels: {pod-security.kubernetes.io/enforce-version: v1.29.0}}',
        ),
        ...kust,
      },
      'v1.29.0',
      'v1.30.0',
    ),
    ingress: edit(
      {
        'ing.yaml': lines(
          'apiVersion: networking.k8s.io/v1',
          'kind: Ingress',
          'metadata: {name: lightdash, annotations: {cert-manager.io/cluster-issuer: le}}',
          'spec: {rules: [{host: bi.acme.io}]}',
        ),
        ...kust,
      },
      'host: bi.acme.io',
      'host: bi.acme.com',
    ),
    dashboard: edit(
      {
        'models/lightdash.yml': lines(
          'models:',
          '  - name: orders',
          '    meta: {lightdash: {version: 1.30.0}}',
        ),
        ...kust,
      },
      '    meta',
      '    description: x\n    meta',
    ),
    codeowners: edit({ CODEOWNERS: 'apps/lightdash @bi\n', ...kust }, '@bi', '@data'),
  };

  return { moves, harmless };
};

export const shapes = { odd: oddShapes(), plain: plainShapes() };
