import { expect, it } from 'vitest';
import { comparePin } from '../../src/core/pins.js';
import { lookAtChange } from '../../src/pins/change.js';
import { pairPins } from '../../src/pins/compare/pairs.js';
import { findRenames, treeOfCommit } from '../../src/pins/git/git.js';
import { treeOfTexts } from '../../src/pins/pin-tree.js';
import { lines } from '../support/lines.js';
import { gitEnv, Repository } from '../support/repository.js';
import type { Files } from './moves.js';

const workload = (name: string, command: string) =>
  lines(
    'apiVersion: apps/v1',
    'kind: Deployment',
    'metadata:',
    `  name: {{ include "lightdash.fullname" . }}${name}`,
    '  labels:',
    '    {{- include "lightdash.labels" . | nindent 4 }}',
    'spec:',
    '  replicas: {{ .Values.replicaCount }}',
    '  template:',
    '    metadata:',
    '      annotations:',
    '        checksum/config: {{ include (print $.Template.BasePath "/configmap.yaml") . | sha256sum }}',
    '    spec:',
    '      containers:',
    '        - name: {{ .Chart.Name }}',
    '          image: "{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}"',
    '          imagePullPolicy: {{ .Values.image.pullPolicy }}',
    `          command: ["${command}"]`,
    '          envFrom:',
    '            - configMapRef:',
    '                name: {{ include "lightdash.fullname" . }}',
  );

/** A chart like the publisher's, in the folder of a repository of charts. */
const chart: Files = {
  'charts/lightdash/Chart.yaml': lines(
    'apiVersion: v2',
    'name: lightdash',
    'description: A Helm chart to deploy lightdash on kubernetes',
    'type: application',
    'version: 2.10.0',
    'appVersion: 2.120.0',
    'dependencies:',
    '  - name: postgresql',
    '    version: 11.9.6',
    '    repository: https://charts.bitnami.com/bitnami',
    '    condition: postgresql.enabled',
    '  - name: browserless-chrome',
    '    version: 0.0.5',
    '    repository: https://charts.sagikazarmark.dev',
  ),
  'charts/lightdash/Chart.lock': lines(
    'dependencies:',
    '- name: postgresql',
    '  repository: https://charts.bitnami.com/bitnami',
    '  version: 11.9.6',
    '- name: browserless-chrome',
    '  repository: https://charts.sagikazarmark.dev',
    '  version: 0.0.5',
    `digest: sha256:${'a1'.repeat(32)}`,
    'generated: "2026-01-05T10:00:00.000000Z"',
  ),
  'charts/lightdash/values.yaml': lines(
    'replicaCount: 1',
    'image:',
    '  repository: lightdash/lightdash',
    '  pullPolicy: IfNotPresent',
    '  # Overrides the image tag whose default is the chart appVersion.',
    '  tag: ""',
    'configMap:',
    '  PORT: "8080"',
    '  SECURE_COOKIES: "false"',
    'postgresql:',
    '  enabled: true',
    '  image:',
    '    tag: 14.5.0',
    'browserless-chrome:',
    '  replicaCount: 1',
    '  image:',
    '    repository: browserless/chrome',
    '    tag: 1.61.1-chrome-stable',
  ),
  'charts/lightdash/templates/_helpers.tpl': lines(
    '{{- define "lightdash.fullname" -}}',
    '{{- .Release.Name | trunc 63 | trimSuffix "-" }}',
    '{{- end }}',
    '{{- define "lightdash.chart" -}}',
    '{{- printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" | trunc 63 | trimSuffix "-" }}',
    '{{- end }}',
    '{{- define "lightdash.labels" -}}',
    'helm.sh/chart: {{ include "lightdash.chart" . }}',
    '{{- if .Chart.AppVersion }}',
    'app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}',
    '{{- end }}',
    '{{- end }}',
  ),
  'charts/lightdash/templates/configmap.yaml': lines(
    'apiVersion: v1',
    'kind: ConfigMap',
    'metadata:',
    '  name: {{ include "lightdash.fullname" . }}',
    'data:',
    '  LIGHTDASH_HELM_CHART_VERSION: {{ .Chart.Version | quote }}',
    '  {{- range $key, $val := .Values.configMap }}',
    '  {{ $key }}: {{ $val | quote }}',
    '  {{- end }}',
  ),
  'charts/lightdash/templates/deployment.yaml': workload('', 'yarn'),
  'charts/lightdash/README.md': '# lightdash\n\n![Version: 2.10.0](x) ![AppVersion: 2.120.0](y)\n',
  '.github/workflows/release.yml': lines(
    'on: {push: {branches: [main]}}',
    'jobs:',
    '  release:',
    '    runs-on: ubuntu-latest',
    '    steps:',
    '      - uses: actions/checkout@v4.1.0',
    '      - uses: azure/setup-helm@v4.2.0',
    '        with: {version: v3.15.0}',
    '      - run: helm repo add lightdash https://lightdash.github.io/helm-charts',
    '      - uses: helm/chart-releaser-action@v1.6.0',
  ),
};

const folder = 'charts/lightdash';
const edited = (edits: Readonly<Record<string, readonly (readonly [string, string])[]>>): Files => {
  const after: Record<string, string> = { ...chart };
  for (const [file, pairs] of Object.entries(edits)) {
    for (const [from, to] of pairs) {
      const text = after[file] ?? '';
      if (!text.includes(from)) throw new Error(`${file} does not have ${from}`);
      after[file] = text.replaceAll(from, to);
    }
  }
  return after;
};
const bumped = { [`${folder}/Chart.yaml`]: [['version: 2.10.0', 'version: 2.10.1']] } as const;
const withFile = (name: string, text: string): Files => ({ ...edited(bumped), [`${folder}/${name}`]: text });

/** What such commits do, and what becomes of the pin in each: nobody has to judge one by hand. */
it.each<[what: string, after: Files, answers: readonly string[]]>([
  ['a version of the chart', edited(bumped), []],
  [
    'a release, with a version of the chart',
    edited({
      [`${folder}/Chart.yaml`]: [
        ['version: 2.10.0', 'version: 2.11.0'],
        ['appVersion: 2.120.0', 'appVersion: 2.134.2'],
      ],
      [`${folder}/README.md`]: [['2.120.0', '2.134.2']],
    }),
    ['moved'],
  ],
  [
    'a dependency, with its lock',
    edited({
      [`${folder}/Chart.yaml`]: [['version: 11.9.6', 'version: 12.1.2']],
      [`${folder}/Chart.lock`]: [
        ['version: 11.9.6', 'version: 12.1.2'],
        ['a1a1', 'b2b2'],
        ['2026-01-05', '2026-02-06'],
      ],
    }),
    [],
  ],
  ['another worker', withFile('templates/worker.yaml', workload('-worker', 'node dist/scheduler.js')), []],
  [
    'values that come',
    edited({
      ...bumped,
      [`${folder}/values.yaml`]: [['PORT: "8080"', 'PORT: "8080"\n  LIGHTDASH_LOG_LEVEL: info']],
    }),
    [],
  ],
  [
    'the image of the browser',
    edited({ ...bumped, [`${folder}/values.yaml`]: [['1.61.1-chrome', '1.62.0-chrome']] }),
    [],
  ],
  [
    'the tag of PostgreSQL',
    edited({ ...bumped, [`${folder}/values.yaml`]: [['tag: 14.5.0', 'tag: 15.2.0']] }),
    [],
  ],
  [
    'another command',
    edited({ ...bumped, [`${folder}/templates/deployment.yaml`]: [['"yarn"', '"node", "dist/index.js"']] }),
    [],
  ],
  [
    'a probe',
    edited({
      ...bumped,
      [`${folder}/templates/deployment.yaml`]: [
        [
          '          envFrom:',
          '          livenessProbe: {httpGet: {path: /api/v1/livez, port: http}}\n          envFrom:',
        ],
      ],
    }),
    [],
  ],
  [
    'another name',
    edited({
      ...bumped,
      [`${folder}/templates/_helpers.tpl`]: [
        [
          'trunc 63 | trimSuffix "-" }}\n{{- end }}\n{{- define "lightdash.chart"',
          'trunc 53 | trimSuffix "-" }}\n{{- end }}\n{{- define "lightdash.chart"',
        ],
      ],
    }),
    [],
  ],
  [
    'a service account',
    withFile(
      'templates/serviceaccount.yaml',
      'apiVersion: v1\nkind: ServiceAccount\nmetadata:\n  name: {{ include "lightdash.fullname" . }}\n  labels: {{- include "lightdash.labels" . | nindent 4 }}\n',
    ),
    [],
  ],
  [
    'a test of the chart',
    withFile(
      'templates/tests/test-connection.yaml',
      'apiVersion: v1\nkind: Pod\nmetadata:\n  name: "{{ include "lightdash.fullname" . }}-test"\nspec:\n  containers:\n    - name: wget\n      image: busybox\n      args: ["{{ include "lightdash.fullname" . }}:8080"]\n',
    ),
    [],
  ],
  [
    'a tool of the pipeline',
    edited({
      '.github/workflows/release.yml': [
        ['v3.15.0', 'v3.16.2'],
        ['checkout@v4.1.0', 'checkout@v4.2.0'],
        ['action@v1.6.0', 'action@v1.7.0'],
      ],
    }),
    [],
  ],
  ['the pull policy', edited({ ...bumped, [`${folder}/values.yaml`]: [['IfNotPresent', 'Always']] }), []],
  [
    'the description',
    edited({
      [`${folder}/Chart.yaml`]: [['to deploy lightdash on kubernetes', 'for Lightdash 2.x on Kubernetes']],
    }),
    [],
  ],
])('a chart like the publisher’s: %s', async (_, after, answers) => {
  const look = await lookAtChange(treeOfTexts(chart), treeOfTexts(after), { tagSuffix: undefined });
  const kinds = pairPins(look.before, look.after, new Map(), look.patterns).map((pair) =>
    comparePin(pair.before, pair.after, pair.facts),
  );
  expect(
    look.unexplained.map(({ file, line, before, after: now }) => `${file}:${line} ${before} -> ${now}`),
  ).toEqual([]);
  expect(
    kinds.map(({ kind }) => kind).filter((kind) => kind !== 'unchanged' && kind !== 'untouched'),
  ).toEqual(answers);
});

/** What commits of that chart did besides its version, by what is known of its history, in that order. */
const done: readonly (readonly [file: string, from: string, to: string])[] = [
  ['templates/migration-job.yaml', '', workload('-migration', 'pnpm -F backend migrate-production up')],
  ['values.yaml', 'postgresql:\n', 'migrationJob:\n  enabled: false\n  backoffLimit: 0\npostgresql:\n'],
  ['templates/migration-job.yaml', 'apps/v1\nkind: Deployment', 'batch/v1\nkind: Job'],
  [
    'templates/migration-job.yaml',
    'metadata:\n  name',
    'metadata:\n  annotations: {helm.sh/hook: "pre-install,pre-upgrade"}\n  name',
  ],
  ['templates/app-build-worker.yaml', '', workload('-app-build-worker', 'node dist/appBuildWorker.js')],
  [
    'templates/configmap.yaml',
    '  {{- range',
    '  NATS_URL: {{ printf "nats://%s-nats:4222" .Release.Name | quote }}\n  {{- range',
  ],
  [
    'values.yaml',
    'replicaCount: 1\nimage',
    'replicaCount: 2\nreadinessProbe:\n  path: /api/v1/health\nimage',
  ],
  [
    'templates/pdb.yaml',
    '',
    'apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata:\n  name: {{ include "lightdash.fullname" . }}\nspec:\n  maxUnavailable: 1\n',
  ],
  [
    'templates/deployment.yaml',
    '          envFrom:',
    '          lifecycle: {preStop: {exec: {command: ["sleep", "15"]}}}\n          envFrom:',
  ],
  [
    'templates/deployment.yaml',
    'spec:\n  replicas',
    'spec:\n  strategy: {{- toYaml .Values.strategy | nindent 4 }}\n  replicas',
  ],
  ['values.yaml', 'configMap:\n', 'strategy:\n  type: RollingUpdate\nconfigMap:\n'],
  ['values.yaml', 'tag: 14.5.0', 'tag: 16.2.0'],
  ['Chart.yaml', 'version: 11.9.6', 'version: 11.9.13'],
  [
    'templates/app-build-worker.yaml',
    '          envFrom:',
    '          env: {{- toYaml .Values.inheritGlobalEnv | nindent 12 }}\n          envFrom:',
  ],
  [
    'templates/_helpers.tpl',
    'helm.sh/chart:',
    'app.kubernetes.io/component: {{ .component | default "backend" }}\nhelm.sh/chart:',
  ],
  [
    'templates/configmap.yaml',
    '  {{- range',
    '  S3_ENDPOINT: {{ required "s3.endpoint" .Values.s3.endpoint | quote }}\n  {{- range',
  ],
  ['values.yaml', 'postgresql:\n  enabled', 's3:\n  endpoint: ""\n  bucket: ""\npostgresql:\n  enabled'],
  [
    'templates/_helpers.tpl',
    '{{- define "lightdash.labels" -}}',
    '{{- define "lightdash.readinessPath" -}}\n{{- $tag := .Values.image.tag | default .Chart.AppVersion | trimPrefix "v" -}}\n{{- if semverCompare ">=1.169.1" $tag }}/api/v1/readyz{{ else }}/api/v1/health{{ end }}\n{{- end }}\n{{- define "lightdash.labels" -}}',
  ],
  ['values.yaml', 'path: /api/v1/health', 'path: ""'],
  [
    'templates/deployment.yaml',
    '          envFrom:',
    '          readinessProbe: {httpGet: {path: {{ include "lightdash.readinessPath" . }}, port: http}}\n          envFrom:',
  ],
  [
    'values.yaml',
    'migrationJob:\n  enabled: false',
    'upgrade:\n  mode: ""\nmigrationJob:\n  scaleDownWorkloads:\n    image: {repository: registry.k8s.io/kubectl, tag: v1.33.4}\n  enabled: false',
  ],
  [
    'templates/scale-down.yaml',
    '',
    'apiVersion: batch/v1\nkind: Job\nmetadata:\n  name: {{ include "lightdash.fullname" . }}-scale-down\nspec:\n  template:\n    spec:\n      containers:\n        - name: kubectl\n          image: "{{ .Values.migrationJob.scaleDownWorkloads.image.repository }}:{{ .Values.migrationJob.scaleDownWorkloads.image.tag }}"\n',
  ],
  ['values.yaml', 'tag: v1.33.4', 'tag: v1.34.1'],
  [
    'templates/hpa.yaml',
    '',
    'apiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata:\n  name: {{ include "lightdash.fullname" . }}\nspec:\n  maxReplicas: 4\n',
  ],
  [
    'templates/networkpolicy.yaml',
    '',
    'apiVersion: networking.k8s.io/v1\nkind: NetworkPolicy\nmetadata:\n  name: {{ include "lightdash.fullname" . }}\n',
  ],
  ['values.yaml', '1.61.1-chrome-stable', '1.62.0-chrome-stable'],
  [
    'templates/tests/test.yaml',
    '',
    'apiVersion: v1\nkind: Pod\nmetadata: {name: test}\nspec: {containers: [{name: wget, image: busybox}]}\n',
  ],
  [
    'templates/deployment.yaml',
    'replicas: {{ .Values.replicaCount }}',
    'replicas: {{ .Values.replicaCount | default 1 }}',
  ],
  ['values.yaml', 'pullPolicy: IfNotPresent', 'pullPolicy: Always'],
  [
    'ci/minimal-values.yaml',
    '',
    'secrets:\n  LIGHTDASH_SECRET: not a secret\npostgresql:\n  enabled: true\n',
  ],
];

it('the last 60 commits of such a chart are judged, each of them', { timeout: 240_000 }, async () => {
  const repository = new Repository().commit(chart);
  const opened = { folder: repository.folder, env: gitEnv };
  let files = chart;
  const told: string[] = [];
  for (let i = 0; i < 60; i += 1) {
    const after: Record<string, string> = { ...files };
    const edit = (file: string, from: string | RegExp, to: string) => {
      const name = `${folder}/${file}`;
      const now = from === '' ? to : (after[name] ?? '').replace(from, () => to);
      if (now === after[name]) throw new Error(`${i}: ${file} does not have ${from}`);
      after[name] = now;
    };
    edit('Chart.yaml', /\nversion: [\d.]+/, `\nversion: 2.16.${i}`);
    // One patch of the chart for each release of Lightdash, and what people change between them.
    if (i % 2 === 0) edit('Chart.yaml', /appVersion: [\d.]+/, `appVersion: 2.${130 + i}.0`);
    else edit(...(done[(i - 1) / 2] ?? ['', '', '']));
    repository.commit(after);
    files = after;
    const [from, to] = ['HEAD~1', 'HEAD'].map((one) => repository.git('rev-parse', one));
    const [was, is] = [await treeOfCommit(opened, from ?? ''), await treeOfCommit(opened, to ?? '')];
    const renamed = await findRenames(opened, { from: from ?? '', to });
    const look = await lookAtChange(was, is, { tagSuffix: undefined, renamed });
    const kinds = pairPins(look.before, look.after, renamed, look.patterns).map(
      (pair) => comparePin(pair.before, pair.after, pair.facts).kind,
    );
    const moved = kinds.filter((kind) => kind !== 'unchanged' && kind !== 'untouched');
    const what = done[(i - 1) / 2]?.slice(0, 2).join(' ');
    if (i % 2 === 0) expect({ i, moved }).toEqual({ i, moved: ['moved'] });
    told.push(
      ...[...moved.slice(i % 2 === 0 ? 1 : 0), ...look.unexplained].map(
        (one) => `${what}: ${JSON.stringify(one)}`,
      ),
    );
  }
  expect(told).toEqual([]);
});
