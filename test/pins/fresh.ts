import { lines } from '../support/lines.js';
import type { Files } from './moves.js';

type Change = readonly [before: Files, after: Files];

/** The same files with one text in place of another, in one of them or in all. */
const edit = (files: Files, from: string, to: string): Change => {
  const after = Object.fromEntries(
    Object.entries(files).map(([name, text]) => [name, text.replaceAll(from, to)]),
  );
  if (JSON.stringify(after) === JSON.stringify(files)) throw new Error(`nothing to edit: ${from}`);
  return [files, after];
};
const moved = (files: Files, from: string, to: string): Change => {
  const { [from]: text = '', ...others } = files;
  return [files, { ...others, [to]: text }];
};
const plus = (files: Files, more: Files): Change => [files, { ...files, ...more }];

const old = '2.120.0';
const next = '2.134.2';

const helmValues: Files = {
  'charts/bi/Chart.yaml': lines(
    'apiVersion: v2',
    'name: bi',
    'version: 0.4.1',
    'dependencies:',
    '  - name: lightdash',
    '    version: 2.10.0',
    '    repository: https://lightdash.github.io/helm-charts',
  ),
  'charts/bi/values.yaml': lines(
    'lightdash:',
    '  image:',
    '    repository: lightdash/lightdash',
    `    tag: ${old}`,
    '  replicaCount: 2',
  ),
};

const composeStack: Files = {
  'docker-compose.yml': lines(
    'services:',
    '  lightdash:',
    '    image: lightdash/lightdash:${LIGHTDASH_VERSION}',
    '    environment:',
    '      PGHOST: db',
    '  db:',
    '    image: pgvector/pgvector:${PG_TAG}',
    '  headless-browser:',
    '    image: ghcr.io/browserless/chromium:${BROWSER_TAG}',
    '  vault:',
    '    image: hashicorp/vault:${VAULT_VERSION}',
  ),
  '.env': lines(
    `LIGHTDASH_VERSION=${old}`,
    'PG_TAG=pg16',
    'BROWSER_TAG=v2.24.3',
    'VAULT_VERSION=1.17.0',
    'PGHOST=db',
  ),
};

const pulumi: Files = {
  'index.ts': lines(
    'import * as pulumi from "@pulumi/pulumi";',
    'import * as k8s from "@pulumi/kubernetes";',
    'const config = new pulumi.Config("lightdash");',
    'const tag = config.require("tag");',
    'new k8s.apps.v1.Deployment("lightdash", {',
    '  spec: { replicas: config.getNumber("replicas"), template: { spec: { containers: [{',
    '    name: "lightdash",',
    '    image: `lightdash/lightdash:${tag}`,',
    '  }] } } },',
    '});',
  ),
  'Pulumi.prod.yaml': lines(
    'config:',
    `  lightdash:tag: ${old}`,
    '  lightdash:domain: bi.acme.io',
    '  lightdash:replicas: "2"',
  ),
};

const helmRelease: Files = {
  'main.tf': lines(
    'variable "lightdash_chart_version" {',
    '  type    = string',
    '  default = "2.10.0"',
    '}',
    '',
    'resource "helm_release" "lightdash" {',
    '  name       = "lightdash"',
    '  repository = "https://lightdash.github.io/helm-charts"',
    '  chart      = "lightdash"',
    '  version    = var.lightdash_chart_version',
    '  set {',
    '    name  = "image.tag"',
    `    value = "${old}"`,
    '  }',
    '  timeout = 600',
    '}',
    '',
    'module "lightdash_db" {',
    '  source         = "terraform-aws-modules/rds/aws"',
    '  version        = "6.5.0"',
    '  engine_version = "16.3"',
    '  identifier     = "lightdash"',
    '}',
  ),
};

const ansible: Files = {
  'site.yml': lines(
    '- hosts: bi',
    '  tasks:',
    '    - name: run lightdash',
    '      community.docker.docker_container:',
    '        name: lightdash',
    '        image: "lightdash/lightdash:{{ lightdash_version }}"',
    '        restart_policy: "{{ restart }}"',
  ),
  'group_vars/all.yml': lines('restart: always', 'lightdash_version: 2.100.0'),
  'host_vars/bi.example.org': lines('---', `lightdash_version: ${old}`),
};

const kustomize: Files = {
  'base/kustomization.yaml': lines('resources:', '  - deployment.yaml'),
  'base/deployment.yaml': lines(
    'apiVersion: apps/v1',
    'kind: Deployment',
    'metadata:',
    '  name: lightdash',
    'spec:',
    '  replicas: 2',
    '  template:',
    '    spec:',
    '      containers:',
    '        - name: lightdash',
    '          image: lightdash/lightdash',
  ),
  'overlays/test/kustomization.yaml': lines(
    'resources:',
    '  - ../../base',
    'images:',
    '  - name: lightdash/lightdash',
    `    newTag: ${old}`,
  ),
};

const script: Files = {
  'deploy.sh': lines(
    '#!/usr/bin/env bash',
    'set -euo pipefail',
    'docker run -d --name lightdash -e PGHOST=db-1.internal -p 8080:8080 lightdash/lightdash:2.120.0',
    'kubectl logs deploy/lightdash --tail 20',
    'aws logs tail /ecs/lightdash --since 5m',
    'mc mb local/lightdash',
  ),
};

const publisherChart = (version: string, app: string): Files => ({
  'charts/lightdash/Chart.yaml': lines(
    'apiVersion: v2',
    'name: lightdash',
    `version: ${version}`,
    `appVersion: ${app}`,
  ),
  'charts/lightdash/values.yaml': lines('image:', '  repository: lightdash/lightdash', '  tag: ""'),
  'charts/lightdash/templates/_helpers.tpl': lines(
    '{{- define "lightdash.chart" -}}',
    '{{- printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" | trunc 63 | trimSuffix "-" }}',
    '{{- end }}',
    '{{- define "lightdash.labels" -}}',
    'helm.sh/chart: {{ include "lightdash.chart" . }}',
    'app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}',
    '{{- end }}',
  ),
  'charts/lightdash/templates/configmap.yaml': lines(
    'apiVersion: v1',
    'kind: ConfigMap',
    'metadata:',
    '  name: {{ .Release.Name }}',
    '  labels: {{- include "lightdash.labels" . | nindent 4 }}',
    'data:',
    '  LIGHTDASH_HELM_CHART_VERSION: {{ .Chart.Version | quote }}',
  ),
  'charts/lightdash/templates/deployment.yaml': lines(
    'apiVersion: apps/v1',
    'kind: Deployment',
    'metadata:',
    '  name: {{ .Release.Name }}',
    'spec:',
    '  template:',
    '    spec:',
    '      containers:',
    '        - name: lightdash',
    '          image: "{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}"',
  ),
});

const cdk: Files = {
  'lib/bi-stack.ts': lines(
    'import * as ecs from "aws-cdk-lib/aws-ecs";',
    'const apps = {',
    `  "lightdash": {"tag": "${old}", "cpu": 512},`,
    '  "billing": {"tag": "3.4.1", "cpu": 256},',
    '};',
    'for (const [name, app] of Object.entries(apps)) {',
    '  task.addContainer(name, { image: ecs.ContainerImage.fromRegistry(`acme/${name}:${app.tag}`), cpu: app.cpu });',
    '}',
  ),
};

const nomad: Files = {
  'bi.nomad.hcl': lines(
    'variable "tag" {',
    `  default = "${old}"`,
    '}',
    'job "lightdash" {',
    '  group "bi" {',
    '    count = 2',
    '    task "web" {',
    '      driver = "docker"',
    '      config {',
    '        image = "lightdash/lightdash:${var.tag}"',
    '      }',
    '    }',
    '  }',
    '}',
  ),
};

const gitlab: Files = {
  '.gitlab-ci.yml': lines(
    'variables:',
    `  BI_TAG: "${old}"`,
    '  KUBE_VERSION: "1.29.4"',
    'deploy:',
    '  stage: deploy',
    '  image: alpine/helm:3.15.0',
    '  script:',
    '    - helm upgrade --install lightdash lightdash/lightdash --version 2.10.0 --set image.tag=$BI_TAG --wait --timeout 10m',
  ),
};

const helmfile: Files = {
  'helmfile.yaml': lines(
    'repositories:',
    '  - name: lightdash',
    '    url: https://lightdash.github.io/helm-charts',
    'releases:',
    '  - name: lightdash',
    '    chart: lightdash/lightdash',
    '    version: 2.10.0',
    '    values:',
    '      - image:',
    `          tag: ${old}`,
    '  - name: grafana',
    '    chart: grafana/grafana',
    '    version: 8.3.0',
    '    values:',
    '      - image:',
    '          tag: 11.1.0',
    '        replicas: 1',
  ),
};

const fluxSubstitute: Files = {
  'clusters/prod/apps.yaml': lines(
    'apiVersion: kustomize.toolkit.fluxcd.io/v1',
    'kind: Kustomization',
    'metadata:',
    '  name: apps',
    'spec:',
    '  path: ./apps',
    '  postBuild:',
    '    substitute:',
    `      lightdash_tag: ${old}`,
    '      lightdash_chart_version: 2.10.0',
    '      domain: acme.io',
  ),
  'apps/lightdash.yaml': lines(
    'apiVersion: helm.toolkit.fluxcd.io/v2',
    'kind: HelmRelease',
    'metadata:',
    '  name: lightdash',
    'spec:',
    '  chart:',
    '    spec:',
    '      chart: lightdash',
    '      version: ${lightdash_chart_version}',
    '      sourceRef: {kind: HelmRepository, name: lightdash}',
    '  values:',
    '    image:',
    '      tag: ${lightdash_tag}',
  ),
};

const argo: Files = {
  'apps/lightdash.yaml': lines(
    'apiVersion: argoproj.io/v1alpha1',
    'kind: Application',
    'metadata:',
    '  name: lightdash',
    'spec:',
    '  destination: {server: https://kubernetes.default.svc, namespace: bi}',
    '  sources:',
    '    - repoURL: https://lightdash.github.io/helm-charts',
    '      chart: lightdash',
    '      targetRevision: 2.10.0',
    '      helm:',
    '        valueFiles:',
    '          - $values/envs/prod/lightdash.yaml',
    '    - repoURL: https://git.acme.io/deploys.git',
    '      targetRevision: main',
    '      ref: values',
  ),
  'envs/prod/lightdash.yaml': lines('image:', `  tag: ${old}`, 'replicaCount: 2'),
  'envs/test/lightdash.yaml': lines('image:', `  tag: ${next}`, 'replicaCount: 1'),
};

const makefile: Files = {
  Makefile: lines(
    `TAG ?= ${old}`,
    'REGISTRY := ghcr.io/acme',
    'deploy:',
    '\tdocker run --rm -d $(REGISTRY)/lightdash:$(TAG)',
    'test:',
    '\tgo test ./...',
  ),
};

const jsonnet: Files = {
  'main.jsonnet': lines(
    "local images = import 'images.libsonnet';",
    "{ kind: 'Deployment', image: images.bi }",
  ),
  'images.libsonnet': lines('{', `  bi: 'lightdash/lightdash:${old}',`, "  proxy: 'nginx:1.27.0',", '}'),
};

const dockerfile: Files = {
  Dockerfile: lines(
    'ARG BASE=lightdash/lightdash:2.120.0',
    'FROM node:20.11.0 AS build',
    'FROM ${BASE}',
    'COPY --from=build /out /usr/app/plugins',
  ),
};

const ecs: Files = {
  'task-spec.json': `${JSON.stringify(
    {
      family: 'bi',
      containerDefinitions: [
        { name: 'web', image: `123456789012.dkr.ecr.eu-west-1.amazonaws.com/lightdash:${old}`, cpu: 512 },
        { name: 'envoy', image: 'public.ecr.aws/appmesh/aws-appmesh-envoy:v1.29.4.0-prod', cpu: 64 },
      ],
    },
    null,
    2,
  )}\n`,
};

const cue: Files = {
  'bi.cue': lines(
    'package bi',
    '',
    '#tag: "2.120.0"',
    'image: "lightdash/lightdash:\\(#tag)"',
    'replicas: 2',
  ),
};

const workflow: Files = {
  '.github/workflows/deploy.yml': lines(
    'on: push',
    'env:',
    '  LIGHTDASH_CHART_VERSION: 2.10.0',
    `  LIGHTDASH_TAG: ${old}`,
    'jobs:',
    '  deploy:',
    '    runs-on: ubuntu-24.04',
    '    steps:',
    '      - uses: actions/checkout@v4.1.0',
    '      - run: |',
    '          helm upgrade lightdash lightdash/lightdash \\',
    '            --version "$LIGHTDASH_CHART_VERSION" \\',
    '            --set image.tag="$LIGHTDASH_TAG"',
  ),
};

/** Written from what teams are known to keep in git, before any rule was looked at. */
const terraformOfValues: Files = {
  'infra/bi/main.tf': lines(
    'resource "helm_release" "lightdash" {',
    '  chart = "lightdash"',
    '  values = [',
    '    templatefile("${path.module}/values.yaml.tftpl", {',
    '      host = var.host',
    '      tag  = var.lightdash_version',
    '    })',
    '  ]',
    '}',
  ),
  'infra/bi/values.yaml.tftpl': lines(
    'image:',
    '  tag: "${tag}"',
    'configMap:',
    '  SITE_URL: https://${host}',
  ),
};

const envsubst: Files = {
  'k8s/lightdash.yaml': lines(
    'kind: Deployment',
    'metadata: {name: lightdash}',
    'spec:',
    '  template: {spec: {containers: [{name: web, image: "lightdash/lightdash:${APP_VERSION}"}]}}',
  ),
  'config/prod.sh': 'export APP_VERSION=2.120.0\nexport NAMESPACE=bi\n',
  'config/dev.sh': 'export APP_VERSION=2.134.2\nexport NAMESPACE=bi-dev\n',
  'deploy.sh': lines(
    'source config/${1:-prod}.sh',
    'envsubst < k8s/lightdash.yaml | kubectl apply -n "$NAMESPACE" -f -',
    'kubectl -n "$NAMESPACE" rollout status deploy/lightdash --timeout=300s',
  ),
};

const derivedImage: Files = {
  'lightdash/Dockerfile': lines(
    'ARG LIGHTDASH_VERSION=2.120.0',
    'FROM alpine:3.20.3 AS certs',
    'RUN apk add --no-cache ca-certificates',
    'FROM lightdash/lightdash:${LIGHTDASH_VERSION}',
    'COPY --from=certs /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/',
  ),
  '.github/workflows/image.yml': lines(
    'jobs:',
    '  build:',
    '    steps:',
    '      - uses: docker/build-push-action@v6',
    '        with:',
    '          context: lightdash',
    '          tags: ghcr.io/acme/lightdash:${{ github.sha }}',
    '          platforms: linux/amd64',
  ),
};

const besideLightdash: Files = {
  'compose.yaml': lines(
    'services:',
    '  lightdash:',
    '    image: lightdash/lightdash:2.134.2',
    '  lightdash-portal:',
    '    image: registry.acme.io/portal:3.1.0',
    '  lightdash-adminer:',
    '    image: adminer:4.8.1',
    '  n8n:',
    '    image: docker.n8n.io/n8nio/n8n:1.121.0',
  ),
};

const valuesOfParts: Files = {
  'values.yaml': lines(
    'lightdash:',
    '  image:',
    '    tag: 2.134.2',
    '  browserless:',
    '    image:',
    '      tag: v2.24.3',
    '  initContainers:',
    '    - name: wait',
    '      image: busybox:1.36.1',
  ),
};

const helmfileOfTwo: Files = {
  'helmfile.yaml': lines(
    'releases:',
    '  - name: bi',
    '    chart: lightdash/lightdash',
    '    values: [acme-bi/values.yaml]',
    '  - name: shop',
    '    chart: acme/shop',
    '    values:',
    '      - shop/values.yaml',
  ),
  'acme-bi/values.yaml': 'image:\n  tag: stable\n',
  'shop/values.yaml': 'image:\n  tag: 3.1.0\n',
};

const chartOfOwn: Files = {
  'chart/Chart.yaml': lines(
    'apiVersion: v2',
    'name: analytics',
    'appVersion: "3.1.0"',
    'version: 1.3.0',
    'maintainers: [{name: bi}]',
  ),
  'chart/values.yaml': 'image:\n  repository: lightdash/lightdash\n  tag: ""\n',
  'chart/templates/_helpers.tpl': lines(
    '{{- define "analytics.chart" -}}',
    '{{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}',
    '{{- end }}',
    '{{- define "analytics.image" -}}',
    '{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}',
    '{{- end }}',
  ),
  'chart/templates/deployment.yaml': lines(
    'kind: Deployment',
    'metadata:',
    '  labels: {helm.sh/chart: {{ include "analytics.chart" . }}}',
    'spec:',
    '  template:',
    '    spec:',
    '      containers:',
    '        - name: web',
    '          image: {{ include "analytics.image" . }}',
  ),
};

export const freshMoves: Readonly<Record<string, Change>> = {
  'a version among the values of a release of Helmfile, beside a tag': edit(
    {
      'helmfile.yaml':
        'releases:\n  - name: bi\n    chart: acme/app\n    values:\n      - image: {repository: lightdash/lightdash, tag: 2.120.0}\n        migrations: {version: 2.120.0}\n',
    },
    'migrations: {version: 2.120.0}',
    'migrations: {version: 2.134.2}',
  ),
  'a manifest on the web, by a tag in its path': edit(
    {
      'kustomization.yaml': 'resources:\n  - https://raw.example.org/acme/bi-deploy/v2.120.0/k8s.yaml\n',
      'compose.yaml': 'services:\n  bi:\n    image: lightdash/lightdash:2.120.0\n',
    },
    'v2.120.0/k8s',
    'v2.134.2/k8s',
  ),
  // Releases with such numbers as any program has: the name tells.
  'a variable in another folder, which Flux substitutes': edit(
    {
      'clusters/prod/apps.yaml': lines(
        'apiVersion: kustomize.toolkit.fluxcd.io/v1',
        'kind: Kustomization',
        'metadata: {name: apps}',
        'spec:',
        '  path: ./apps',
        '  postBuild: {substitute: {bi_tag: 2.1.0, domain: example.com}}',
      ),
      'apps/bi.yaml': lines(
        'kind: Deployment',
        'metadata: {name: bi}',
        'spec:',
        '  template: {spec: {containers: [{name: bi, image: "lightdash/lightdash:${bi_tag}"}]}}',
      ),
    },
    '2.1.0',
    '2.2.0',
  ),
  'the defaults of a role of Ansible': edit(
    {
      'roles/bi/defaults/main.yml': 'bi_tag: "2.1.0"\n',
      'roles/bi/tasks/main.yml':
        '- community.docker.docker_container:\n    name: bi\n    image: "lightdash/lightdash:{{ bi_tag }}"\n',
    },
    '2.1.0',
    '2.2.0',
  ),
  'variables in another folder, which a script reads': edit(
    {
      'scripts/deploy.sh': '. config/versions.env\ndocker run -d lightdash/lightdash:$TAG\n',
      'config/versions.env': 'TAG=2.1.0\nPG=15.2.1\n',
    },
    '2.1.0',
    '2.2.0',
  ),
  'a variable of a host in an inventory': edit(
    {
      'inventory/hosts.ini': '[bi]\nbi1.example.org bi_tag=2.1.0\n',
      'play.yml':
        '- hosts: bi\n  tasks:\n    - community.docker.docker_container:\n        name: bi\n        image: lightdash/lightdash:{{ bi_tag }}\n',
    },
    '2.1.0',
    '2.2.0',
  ),
  'a parameter of a pipeline of Jenkins': edit(
    {
      Jenkinsfile: lines(
        'pipeline {',
        "  parameters { string(name: 'TAG', defaultValue: '2.1.0') }",
        '  stages { stage(\'d\') { steps { sh "helm upgrade bi lightdash/lightdash --set image.tag=${params.TAG}" } } }',
        '}',
      ),
    },
    '2.1.0',
    '2.2.0',
  ),
  'a version that a comment for Renovate gives to Lightdash': edit(
    {
      'versions.sh': lines(
        '# renovate: datasource=docker depName=lightdash/lightdash',
        'BI_VERSION=2.1.0',
        '# renovate: datasource=docker depName=postgres',
        'PG_VERSION=15.6',
      ),
    },
    '2.1.0',
    '2.2.0',
  ),
  'an element of an ApplicationSet in the folder of a tool': edit(
    {
      'argocd/sets.yaml': lines(
        'kind: ApplicationSet',
        'metadata: {name: lightdash}',
        'spec:',
        '  generators: [{list: {elements: [{env: prod, version: 2.1.0}]}}]',
        '  template:',
        '    spec:',
        '      source:',
        '        chart: lightdash',
        '        targetRevision: 2.10.0',
        '        helm: {parameters: [{name: image.tag, value: "{{version}}"}]}',
      ),
    },
    '2.1.0',
    '2.2.0',
  ),
  'the tag of a dependency': edit(helmValues, `tag: ${old}`, `tag: ${next}`),
  'values renamed to what Helm does not read': moved(
    helmValues,
    'charts/bi/values.yaml',
    'charts/bi/values.yaml.bak',
  ),
  'the variable of compose': edit(composeStack, `LIGHTDASH_VERSION=${old}`, `LIGHTDASH_VERSION=${next}`),
  'an override of compose that a name brings in': [
    {
      ...composeStack,
      'compose.bi.yml': 'services:\n  lightdash:\n    image: lightdash/lightdash:2.134.2\n',
    },
    {
      ...composeStack,
      'docker-compose.override.yml': 'services:\n  lightdash:\n    image: lightdash/lightdash:2.134.2\n',
    },
  ],
  'the configuration of a stack of Pulumi': edit(pulumi, `lightdash:tag: ${old}`, `lightdash:tag: ${next}`),
  'the tag that Terraform sets in a chart': edit(helmRelease, `value = "${old}"`, `value = "${next}"`),
  'an override of Terraform by its name': [
    { ...helmRelease, 'tags.tf.txt': 'variable "x" {}\n' },
    {
      ...helmRelease,
      'tags_override.tf': lines(
        'resource "helm_release" "lightdash" {',
        '  set {',
        '    name  = "image.tag"',
        `    value = "${next}"`,
        '  }',
        '}',
      ),
    },
  ],
  'the variables of a host whose name looks like an example': edit(
    ansible,
    `lightdash_version: ${old}`,
    `lightdash_version: ${next}`,
  ),
  'the variables of a host that go': [
    ansible,
    Object.fromEntries(Object.entries(ansible).filter(([name]) => !name.startsWith('host_vars'))),
  ],
  'an overlay called test': edit(kustomize, `newTag: ${old}`, `newTag: ${next}`),
  'an overlay whose kustomization has another name': moved(
    kustomize,
    'overlays/test/kustomization.yaml',
    'overlays/test/kustomization.yaml.off',
  ),
  'the image of docker run': edit(script, `lightdash:${old}`, `lightdash:${next}`),
  'the application of the chart of the publisher': [
    publisherChart('2.10.0', old),
    publisherChart('2.11.0', next),
  ],
  'an entry of a program on one line': edit(cdk, `"tag": "${old}"`, `"tag": "${next}"`),
  'a variable of Nomad': edit(nomad, old, next),
  'a variable of GitLab without the word': edit(gitlab, `BI_TAG: "${old}"`, `BI_TAG: "${next}"`),
  'the values of a release of Helmfile': edit(helmfile, `tag: ${old}`, `tag: ${next}`),
  'a substitute of Flux': edit(fluxSubstitute, `lightdash_tag: ${old}`, `lightdash_tag: ${next}`),
  'values of Argo CD by $values': edit(argo, `tag: ${old}`, `tag: ${next}`),
  'another environment of Argo CD': edit(argo, '$values/envs/prod/', '$values/envs/test/'),
  'a variable of make': edit(makefile, `TAG ?= ${old}`, `TAG ?= ${next}`),
  'an import of Jsonnet': edit(jsonnet, `lightdash:${old}`, `lightdash:${next}`),
  'the base of a Dockerfile in an argument': edit(dockerfile, `lightdash:${old}`, `lightdash:${next}`),
  'a task definition whose name has spec': edit(ecs, `lightdash:${old}`, `lightdash:${next}`),
  'a definition of CUE': edit(cue, old, next),
  'the env of a workflow': edit(workflow, `LIGHTDASH_TAG: ${old}`, `LIGHTDASH_TAG: ${next}`),
  'a range of a chart without a tag': edit(
    {
      'release.yaml': lines(
        'apiVersion: helm.toolkit.fluxcd.io/v2',
        'kind: HelmRelease',
        'metadata:',
        '  name: lightdash',
        'spec:',
        '  chart:',
        '    spec:',
        '      chart: lightdash',
        "      version: '>=2.10.0 <2.11.0'",
        '      sourceRef: {kind: HelmRepository, name: lightdash}',
      ),
    },
    '<2.11.0',
    '<3.0.0',
  ),
  'values of a folder called test': edit(
    { 'envs/test/values.yaml': 'image:\n  repository: lightdash/lightdash\n  tag: 2.120.0\n' },
    old,
    next,
  ),
  'an env file among the fixtures that production uses': edit(
    {
      Makefile: 'up:\n\tdocker compose --env-file fixtures/prod.env up -d\n',
      'compose.yaml': 'services:\n  bi:\n    image: lightdash/lightdash:${TAG}\n',
      'fixtures/prod.env': 'TAG=2.120.0\n',
    },
    old,
    next,
  ),
  'a call with names in Python': edit(
    { 'deploy.py': 'from infra import deploy\n\ndeploy(name="lightdash", tag="2.120.0", replicas=2)\n' },
    old,
    next,
  ),
  'a digest': edit(
    {
      'values.yaml': `image:\n  repository: lightdash/lightdash\n  tag: 2.120.0@sha256:${'a'.repeat(64)}\n`,
    },
    'a'.repeat(64),
    'b'.repeat(64),
  ),
  'a file of tags in another format': edit(
    {
      'versions.toml': '[lightdash]\nversion = "2.120.0"\n\n[billing]\nversion = "3.4.1"\n',
      'run.py': "import tomllib\nrun(f\"lightdash/lightdash:{tomllib.load(f)['lightdash']['version']}\")\n",
    },
    old,
    next,
  ),
  'what Argo CD writes beside the sources': [
    { ...kustomize },
    {
      ...kustomize,
      'base/.argocd-source-lightdash.yaml': 'kustomize:\n  images:\n    - lightdash/lightdash:2.134.2\n',
    },
  ],
  'a values file that a script gives no more': edit(
    {
      'up.sh': 'helm upgrade lightdash lightdash/lightdash -f values.yaml -f pinned.yaml\n',
      'values.yaml': 'image:\n  tag: 2.120.0\n',
      'pinned.yaml': 'image:\n  tag: 2.121.0\n',
    },
    ' -f pinned.yaml',
    '',
  ),
  'a second container of Lightdash': edit(
    kustomize,
    '          image: lightdash/lightdash',
    '          image: lightdash/lightdash:2.134.2',
  ),
  'a file of Ruby for a fleet': edit(
    {
      'fleet.rb':
        "SERVICES = {\n  lightdash: { tag: '2.120.0', cpu: 512 },\n  api: { tag: '7.1.0', cpu: 256 },\n}\n",
    },
    old,
    next,
  ),
  'a file of variables that only a Makefile names, for an image behind a registry with a default': edit(
    {
      'docker/compose.yml':
        'services:\n  bi:\n    image: ${REGISTRY:-docker.io}/lightdash/lightdash:${LD_VERSION:?set it}\n',
      'env/prod.env': 'LD_VERSION=3.1.0\nMB_VERSION=v0.50.3\n',
      Makefile: 'up:\n\tdocker compose --env-file env/$(STAGE).env -f docker/compose.yml up -d\n',
    },
    'LD_VERSION=3.1.0',
    'LD_VERSION=3.2.0',
  ),
  'a release in place of a variable, in a file of values that Terraform fills in': edit(
    terraformOfValues,
    'tag: "${tag}"',
    'tag: "3.0.0"',
  ),
  'another variable of Terraform in place of the one that is called after the release': edit(
    terraformOfValues,
    'var.lightdash_version',
    'local.next',
  ),
  'another item of a table, in the tag of an image in a program': edit(
    {
      'main.py': lines(
        'from settings import VERSIONS',
        'lightdash = docker.Container(',
        '    "lightdash",',
        '    image=f"lightdash/lightdash:{VERSIONS[\'lightdash\']}",',
        ')',
      ),
    },
    "VERSIONS['lightdash']",
    "VERSIONS['loki']",
  ),
  'a constant in the scope of the image that takes it, in a class of another name': edit(
    {
      'lib/bi-stack.ts': lines(
        'export class BiStack extends Stack {',
        '  constructor(scope: Construct, id: string) {',
        "    const version = this.node.tryGetContext('lightdashVersion');",
        "    new Service(this, 'Lightdash', {",
        '      image: ecs.ContainerImage.fromRegistry(`lightdash/lightdash:${version}`),',
        '    });',
        '  }',
        '}',
      ),
    },
    "this.node.tryGetContext('lightdashVersion')",
    "'3.2.0'",
  ),
  'a build of one’s own, in a service called after it and Lightdash': edit(
    besideLightdash,
    'portal:3.1.0',
    'portal:3.2.0',
  ),
  'a name as the tag in the values of Lightdash, in a folder of another name': edit(
    helmfileOfTwo,
    'stable',
    'latest',
  ),
  'a file of variables that a script reads, for an image behind a registry in quotes': edit(
    {
      'run.sh': 'docker run -d --name bi "$REGISTRY"/lightdash:"$BI_RELEASE"\n',
      'conf/versions': 'BI_RELEASE=3.1.0\nNGINX_RELEASE=1.27.1\n',
    },
    'BI_RELEASE=3.1.0',
    'BI_RELEASE=3.2.0',
  ),
  'another constant in place of the one that the image beside takes': edit(
    {
      'src/stack.ts': lines(
        'export class AnalyticsStack {',
        '  build() {',
        '    const tag = versions.lightdash;',
        '    this.app({ image: `lightdash/lightdash:${tag}` });',
        '  }',
        '}',
      ),
    },
    'versions.lightdash',
    'versions.next',
  ),
  'a release as the default in a template of a chart whose values name the image': edit(
    chartOfOwn,
    'default .Chart.AppVersion',
    'default "3.2.0"',
  ),
  'another template of a chart for the image': edit(
    chartOfOwn,
    'include "analytics.image" .',
    'include "analytics.next" .',
  ),
  'the clusters of an item of Fleet with files of values': edit(
    {
      'fleet.yaml': lines(
        'helm: {chart: lightdash, values: {image: {tag: 2.120.0}}}',
        'targetCustomizations:',
        '  - name: dev',
        '    clusterSelector: {matchLabels: {env: dev}}',
        '    helm: {valuesFiles: [next.yaml]}',
      ),
      'next.yaml': 'image: {tag: 2.134.2}\n',
    },
    'matchLabels: {env: dev}',
    'matchLabels: {env: prod}',
  ),
  'the environment of a job that deploys Lightdash': edit(
    {
      'job.yaml': lines(
        'kind: Job',
        'metadata: {name: deploy-lightdash}',
        'spec:',
        '  template:',
        '    spec:',
        '      containers:',
        '        - name: helm',
        '          image: alpine/helm:3.16.1',
        '          envFrom: [{configMapRef: {name: deploy-prod}}]',
        '          command: [sh, -c, "helm upgrade lightdash lightdash/lightdash --set image.tag=$TAG"]',
      ),
    },
    'deploy-prod',
    'deploy-next',
  ),
  'the version of a chart, where a template takes it for the image': edit(
    edit(chartOfOwn, '.Chart.AppVersion', '.Chart.Version')[1],
    'version: 1.3.0',
    'version: 1.4.0',
  ),
};

/** Each touches what a team touches every week, and moves no Lightdash. */
export const freshHarmless: Readonly<Record<string, Change>> = {
  'the version of a tool, in a workflow that is called Lightdash': edit(
    {
      '.github/workflows/lightdash.yml':
        'jobs:\n  deploy:\n    steps:\n      - uses: azure/setup-helm@v4.2.0\n        with: {version: v3.15.0}\n      - run: helm upgrade lightdash lightdash/lightdash --set image.tag=2.128.1\n',
    },
    '3.15.0',
    '3.16.0',
  ),
  'the image of a step of Argo Workflows that deploys Lightdash': edit(
    {
      'w.yaml':
        'kind: WorkflowTemplate\nmetadata: {name: deploy-lightdash}\nspec: {templates: [{name: deploy, container: {image: "alpine/helm:3.14.0", args: [upgrade, lightdash]}}]}\n',
    },
    '3.14.0',
    '3.15.0',
  ),
  'a library in a list that is called Lightdash': edit(
    { 'requirements-lightdash.txt': 'requests==2.31.0\n' },
    '2.31.0',
    '2.32.0',
  ),
  'another task of a job that is called Lightdash': edit(
    {
      'bi.nomad':
        'job "lightdash" {\n  task "bi" { config { image = "lightdash/lightdash:2.128.1" } }\n  task "vector" {\n    config {\n      image = "timberio/vector:1.40.0"\n    }\n  }\n}\n',
    },
    '1.40.0',
    '1.41.0',
  ),
  'a container beside Lightdash, with a release like its own': edit(
    {
      'd.yaml':
        'kind: Deployment\nmetadata: {name: lightdash}\nspec: {template: {spec: {containers: [{name: lightdash, image: "lightdash/lightdash:2.128.1"}, {name: otel, image: "otel/collector:1.40.0"}]}}}\n',
    },
    '1.40.0',
    '1.41.0',
  ),
  'another program with numbers like those of Lightdash, in a file of its own': edit(
    { ...composeStack, 'n8n/compose.yaml': 'services:\n  n8n:\n    image: n8nio/n8n:1.104.0\n' },
    'n8n:1.104.0',
    'n8n:1.111.0',
  ),
  'the version of a library in what a package says of itself': plus(helmValues, {
    'app/package.json': '{"name": "a", "preview": {"ui5": {"version": "1.145.0"}}}\n',
  }),
  'an address of a library, in a page': plus(helmValues, {
    'site/index.hbs': 'src: "https://ui5.example.org/1.140.0/resources/core.js"\n',
  }),
  'the least version of a library': edit(
    { ...helmValues, 'app/manifest.json': '{"sap.ui5": {"dependencies": {"minUI5Version": "1.115.1"}}}\n' },
    '1.115.1',
    '1.136.0',
  ),
  'an option of a program that compose has too': plus(composeStack, {
    'bin/completion.sh': 'COMPREPLY=( $(compgen -W "--add --profile --query" -- "$cur") )\n',
  }),
  'what a package leaves out': edit(
    { ...workflow, 'lib/package.json': '{"name": "a", "publishConfig": {"ignore": ["dist"]}}\n' },
    '["dist"]',
    '["dist", ".github/workflows"]',
  ),
  'a word of a sentence that a folder is called by': plus(
    { 'bi/values.yaml': 'image: {repository: lightdash/lightdash, tag: 2.120.0}\n' },
    { 'web/i18n/hr.properties': 'mail.text=Kliknite na donji URL da bi ga aktivirali:\n' },
  ),
  'replicas in values': edit(helmValues, 'replicaCount: 2', 'replicaCount: 3'),
  'the version of a chart whose tag is written': edit(helmValues, 'version: 2.10.0', 'version: 2.16.0'),
  'another program of compose': edit(composeStack, 'VAULT_VERSION=1.17.0', 'VAULT_VERSION=1.18.0'),
  'the tag of pgvector': edit(composeStack, 'PG_TAG=pg16', 'PG_TAG=pg17'),
  'the tag of the headless browser': edit(composeStack, 'BROWSER_TAG=v2.24.3', 'BROWSER_TAG=v2.25.0'),
  'the host of the database': edit(composeStack, 'PGHOST=db\n', 'PGHOST=db-2\n'),
  'the domain of Pulumi': edit(pulumi, 'bi.acme.io', 'analytics.acme.io'),
  'the replicas of Pulumi': edit(pulumi, 'lightdash:replicas: "2"', 'lightdash:replicas: "3"'),
  'the version of a chart in Terraform, with the tag set': edit(helmRelease, '"2.10.0"', '"2.16.0"'),
  'a module of the database of Lightdash': edit(helmRelease, '"6.5.0"', '"6.7.0"'),
  'the engine of the database of Lightdash': edit(helmRelease, '"16.3"', '"16.4"'),
  'how long Terraform waits': edit(helmRelease, 'timeout = 600', 'timeout = 900'),
  'how Ansible restarts': edit(ansible, 'restart: always', 'restart: unless-stopped'),
  'replicas of a manifest': edit(kustomize, 'replicas: 2', 'replicas: 4'),
  'the host of docker run': edit(script, 'db-1.internal', 'db-2.internal'),
  'more lines of a log': edit(script, '--tail 20', '--tail 100'),
  'since when logs are read': edit(script, '--since 5m', '--since 15m'),
  'a bucket named after Lightdash': edit(script, 'mc mb local/lightdash', 'mc mb local/lightdash-files'),
  'the chart of the publisher alone': [publisherChart('2.10.0', old), publisherChart('2.10.1', old)],
  'the tag of another program of CDK': edit(cdk, '"3.4.1"', '"3.5.0"'),
  'more memory in CDK': edit(cdk, '"cpu": 512', '"cpu": 1024'),
  'the count of Nomad': edit(nomad, 'count = 2', 'count = 3'),
  'the version of Kubernetes in GitLab': edit(gitlab, '1.29.4', '1.30.2'),
  'the timeout of helm': edit(gitlab, '--timeout 10m', '--timeout 15m'),
  'the chart of another release of Helmfile': edit(helmfile, 'version: 8.3.0', 'version: 8.4.0'),
  'the image of another release of Helmfile': edit(helmfile, 'tag: 11.1.0', 'tag: 11.2.0'),
  'the domain of Flux': edit(fluxSubstitute, 'domain: acme.io', 'domain: acme.com'),
  'the version of a chart from a substitute, with the tag written': edit(
    fluxSubstitute,
    'lightdash_chart_version: 2.10.0',
    'lightdash_chart_version: 2.16.0',
  ),
  'the chart of an Application with a tag in $values': edit(
    argo,
    'targetRevision: 2.10.0',
    'targetRevision: 2.16.0',
  ),
  'the registry of the proxy in Jsonnet': edit(jsonnet, 'nginx:1.27.0', 'nginx:1.27.1'),
  'the builder of a Dockerfile': edit(dockerfile, 'node:20.11.0', 'node:20.12.0'),
  'a sidecar of a task': edit(ecs, 'v1.29.4.0-prod', 'v1.29.6.0-prod'),
  'replicas of CUE': edit(cue, 'replicas: 2', 'replicas: 3'),
  'an action of a workflow': edit(workflow, 'actions/checkout@v4.1.0', 'actions/checkout@v4.2.0'),
  'the chart version of a workflow': edit(
    workflow,
    'LIGHTDASH_CHART_VERSION: 2.10.0',
    'LIGHTDASH_CHART_VERSION: 2.16.0',
  ),
  'a new page of prose': plus(composeStack, {
    'docs/upgrading.md': '# Upgrading\n\nWe went from 2.119.0 to lightdash/lightdash:2.120.0 on Monday.\n',
  }),
  'a test of a program': plus(cdk, {
    'test/bi-stack.test.ts': "it('has an image', () => expect(image).toBe('acme/lightdash:2.134.2'));\n",
  }),
  'a file that no tool finds by its name': moved(
    { ...script, 'notes/lightdash-setup.txt': 'how we set it up\n' },
    'notes/lightdash-setup.txt',
    'notes/setup.txt',
  ),
  'an order of keys': edit(
    helmValues,
    lines('    repository: lightdash/lightdash', `    tag: ${old}`),
    lines(`    tag: ${old}`, '    repository: lightdash/lightdash'),
  ),
  'a rotated secret': edit(
    {
      ...helmValues,
      'secrets/lightdash.enc.yaml':
        'LIGHTDASH_SECRET: ENC[AES256_GCM,data:9x2.120.0a,iv:abc=,tag:def=,type:str]\nsops:\n    lastmodified: "2026-01-01T10:00:00Z"\n    version: 3.8.1\n',
    },
    '3.8.1',
    '3.9.0',
  ),
  'a test target of make': edit(makefile, 'go test ./...', 'go test -race ./...'),
  'a dashboard of Grafana for Lightdash': edit(
    {
      'dashboards/lightdash.json':
        '{"title": "Lightdash", "pluginVersion": "10.4.1", "panels": [{"id": 1, "version": "2.1.0"}]}\n',
      ...kustomize,
    },
    '"10.4.1"',
    '"11.0.0"',
  ),
  'the lock of an umbrella chart whose values have the tag': edit(
    {
      ...helmValues,
      'charts/bi/Chart.lock': lines(
        'dependencies:',
        '- name: lightdash',
        '  repository: https://lightdash.github.io/helm-charts',
        '  version: 2.10.0',
        'digest: sha256:aa',
        'generated: "2026-08-01T10:00:00Z"',
      ),
    },
    'version: 2.10.0',
    'version: 2.16.0',
  ),
  'another program of the chart, in the values of an Application': edit(
    {
      'apps.yaml': lines(
        'kind: Application',
        'metadata: {name: lightdash}',
        'spec:',
        '  source:',
        '    chart: lightdash',
        '    helm:',
        '      valuesObject:',
        `        image: {tag: ${old}}`,
        '        browserless-chrome: {image: {tag: 1.61.1-chrome-stable}}',
      ),
    },
    '1.61.1',
    '1.62.0',
  ),
  'a sentence that ends like the name of a file that deploys': edit(
    {
      Makefile: lines(
        `LIGHTDASH_VERSION ?= ${old}`,
        'up:',
        '\thelm upgrade bi ./ops -f ops/values.yaml --set lightdash.image.tag=$(LIGHTDASH_VERSION)',
      ),
      'app/guide.ejs': 'The cache can be turned off by adding to the application yaml:\n',
    },
    'The cache can be turned off by adding to the application yaml:',
    'Nothing is cached',
  ),
  'a sentence of a program beside a Makefile that deploys': edit(
    { ...makefile, 'src/apply.js': "log.warn('Could not run it: make sure that it may be run');\n" },
    'Could not run it',
    'It does not run',
  ),
  'a tool of make whose name is a common word': edit(
    {
      Makefile: lines(
        `LIGHTDASH_VERSION := ${old}`,
        'KIND_VERSION := 0.22.0',
        'deploy:',
        '\tdocker run -d lightdash/lightdash:$(LIGHTDASH_VERSION)',
      ),
    },
    '0.22.0',
    '0.23.0',
  ),
  'the variable of a chart of Terraform in one line, with the tag written': edit(
    {
      'main.tf': lines(
        'variable "lightdash_chart_version" { default = "2.10.0" }',
        'resource "helm_release" "bi" {',
        '  chart   = "lightdash"',
        '  version = var.lightdash_chart_version',
        '  set {',
        '    name  = "image.tag"',
        `    value = "${old}"`,
        '  }',
        '}',
      ),
    },
    '2.10.0',
    '2.16.0',
  ),
  'a secret of the container of Lightdash': edit(
    {
      'd.yaml': lines(
        'kind: Deployment',
        'metadata: {name: lightdash}',
        'spec:',
        '  template:',
        '    spec:',
        '      containers:',
        '        - name: lightdash',
        '          image: lightdash/lightdash:2.120.0 # {"$imagepolicy": "bi:lightdash"}',
        '          envFrom:',
        '            - secretRef: {name: lightdash}',
      ),
    },
    'secretRef: {name: lightdash}',
    'secretRef: {name: lightdash-v2}',
  ),
  'the version of a program that saves a folder called after Lightdash': edit(
    {
      'etc/versions.sh': 'LIGHTDASH=2.120.0\nRESTIC=0.17.1\n',
      'bin/run': '. etc/versions.sh\ndocker run -d "lightdash/lightdash:$LIGHTDASH"\n',
      'bin/backup':
        '. etc/versions.sh\ndocker run --rm "restic/restic:$RESTIC" backup /srv/lightdash --tag lightdash\n',
    },
    'RESTIC=0.17.1',
    'RESTIC=0.17.3',
  ),
  'the version of a program that looks at the image of Lightdash': edit(
    {
      Jenkinsfile: lines(
        "TRIVY_VERSION = '0.55.2'",
        "LIGHTDASH_TAG = '2.120.0'",
        "sh 'docker run aquasec/trivy:$TRIVY_VERSION image $REGISTRY/lightdash/lightdash:$LIGHTDASH_TAG'",
      ),
    },
    '0.55.2',
    '0.57.0',
  ),
  'another value in a list that has the tag too': edit(
    {
      'azure-pipelines.yml': lines(
        'steps:',
        '  - task: HelmDeploy@0',
        '    inputs:',
        '      chartName: lightdash/lightdash',
        '      overrideValues: image.tag=${{ parameters.lightdashTag }},replicaCount=2',
      ),
    },
    'replicaCount=2',
    'replicaCount=3',
  ),
  'the base of another stage of a Dockerfile': edit(derivedImage, 'alpine:3.20.3', 'alpine:3.21.0'),
  'the platforms of a job that is called build': edit(
    derivedImage,
    'platforms: linux/amd64',
    'platforms: linux/amd64,linux/arm64',
  ),
  'a namespace, where a script names the Deployment of Lightdash': edit(envsubst, 'bi-dev', 'bi-development'),
  'the version and the owners of a chart of one’s own, whose tag is empty': edit(
    chartOfOwn,
    'version: 1.3.0\nmaintainers: [{name: bi}]',
    'version: 1.4.0\nmaintainers: [{name: data}]',
  ),
  'a tag in the values of another program of the same helmfile': edit(
    helmfileOfTwo,
    'tag: 3.1.0',
    'tag: 3.2.0',
  ),
  'a commit as the tag in the values of another program': edit(
    {
      'services/billing/values.yaml': 'image:\n  tag: 8f3c2d1\n',
      'deploy/lightdash/values.yaml': 'image:\n  tag: 2.120.0\n',
    },
    '8f3c2d1',
    '77aa001',
  ),
  'how many replicas a script sets for the Deployment of Lightdash': edit(
    {
      'deploy.yaml':
        'kind: Deployment\nmetadata: {name: lightdash}\nspec: {template: {spec: {containers: [{name: web, image: "lightdash/lightdash:2.120.0"}]}}}\n',
      'post.sh': 'kubectl apply -f deploy.yaml\n',
    },
    'deploy.yaml\n',
    'deploy.yaml\nkubectl -n bi scale deploy/lightdash --replicas=3\n',
  ),
  'an image that runs beside Lightdash, in a service called after both': edit(
    besideLightdash,
    'adminer:4.8.1',
    'adminer:4.8.4',
  ),
  'another program with numbers like those of Lightdash, from its own registry': edit(
    besideLightdash,
    'n8n:1.121.0',
    'n8n:1.122.4',
  ),
  'a container that values add to Lightdash': edit(valuesOfParts, 'busybox:1.36.1', 'busybox:1.37.0'),
  'the tag of the browser in values of Lightdash': edit(valuesOfParts, 'v2.24.3', 'v2.26.0'),
};
