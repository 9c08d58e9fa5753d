import type { Files } from './moves.js';

const lines = (...all: readonly string[]) => `${all.join('\n')}\n`;
const container = (image: string) =>
  lines(
    'kind: Deployment',
    'metadata: {name: bi}',
    'spec:',
    '  template:',
    '    spec:',
    '      containers:',
    '        - name: bi',
    `          image: ${image}`,
  );
const releases = (...more: readonly string[]) =>
  lines('releases:', '  - name: bi', '    chart: lightdash/lightdash', ...more);

/** What a reference in one file is filled in from in another: 1.2.0 becomes 1.156.0. */
export const versionsFilledIn: Readonly<Record<string, Files>> = {
  'the values of an environment, by a template that Helmfile names': {
    'helmfile.yaml': releases('    values: [values.yaml.gotmpl]'),
    'values.yaml.gotmpl': lines('image:', '  tag: {{ .Values.biTag | quote }}'),
    'env/prod.yaml': lines('biTag: 1.2.0', 'domain: acme.io'),
  },
  'a variable of the environment that a template of Helmfile requires': {
    'helmfile.yaml.gotmpl': releases('    values:', '      - image: {tag: {{ requiredEnv "BI_TAG" }}}'),
    'ci/env.sh': lines('export BI_TAG=1.2.0', 'export REGION=eu'),
  },
  'data values of ytt in another folder': {
    'config/deploy.yml': lines(
      '#@ load("@ytt:data", "data")',
      container('#@ "lightdash/lightdash:" + data.values.tag'),
    ),
    'values/prod.yml': lines('#@data/values', '---', 'tag: 1.2.0'),
  },
  'a package of CUE': {
    'bi/bi.cue': lines(
      'import "acme.io/infra/versions"',
      'container: image: "lightdash/lightdash:\\(versions.bi)"',
    ),
    'versions/v.cue': lines('package versions', 'bi: "1.2.0"'),
  },
  'a record of Dhall in one line': {
    'bi.dhall': lines('let v = ./versions.dhall', 'in { image = "lightdash/lightdash:" ++ v.bi }'),
    'versions.dhall': lines('{ bi = "1.2.0", redis = "7.0.0" }'),
  },
  'parameters of an ARM template': {
    'main.json': `{"resources": [{"containers": [{"image": "[concat('lightdash/lightdash:', parameters('biTag'))]"}]}]}`,
    'main.parameters.prod.json': '{"parameters": {"biTag": {"value": "1.2.0"}}}',
  },
  'variables of a folder, by a path of keys': {
    'bi/d.yaml': container('"lightdash/lightdash:{{ bi.tag }}"'),
    'vars/prod.yaml': lines('bi:', '  tag: 1.2.0', '  replicas: 2'),
  },
  'the base of a target of a bake file': {
    'docker-bake.hcl': lines(
      'variable "BI" {',
      '  default = "1.2.0"',
      '}',
      'target "bi" {',
      `  contexts = { base = "docker-image://lightdash/lightdash:\${BI}" }`,
      '}',
    ),
  },
  'a table that a script reads': {
    'versions.csv': lines('app,version', 'lightdash,1.2.0', 'redis,7.0.0'),
    'deploy.sh': lines(
      'while IFS=, read -r app v; do helm upgrade $app --set image.tag=$v; done <versions.csv',
    ),
  },
};

const merged = (order: string): Files => ({
  'compose.yaml': lines(
    'x-a: &a {image: "lightdash/lightdash:1.2.0"}',
    'x-b: &b {image: "lightdash/lightdash:1.156.0"}',
    'services:',
    '  bi:',
    `    <<: [${order}]`,
  ),
});
const umbrella = (isOn: boolean): Files => ({
  'Chart.yaml': lines(
    'name: platform',
    'version: 0.1.0',
    'dependencies:',
    '  - {name: lightdash, version: 1.9.0, repository: x, condition: lightdash.enabled}',
  ),
  'values.yaml': lines('lightdash:', `  enabled: ${isOn}`, '  image: {tag: 1.156.0}'),
});

export const movesFilledIn: Readonly<Record<string, readonly [Files, Files]>> = {
  'the order of what is merged': [merged('*a, *b'), merged('*b, *a')],
  'a chart of Lightdash that is switched on': [umbrella(false), umbrella(true)],
};

const inHelmfile = (version: string): Files => ({
  'helmfile.yaml.gotmpl': releases(
    '    values: [{image: {tag: {{ .Values.biTag }}}}]',
    '  - name: billing',
    '    chart: acme/billing',
    '    values: [{image: {tag: {{ .Values.billingTag }}}}]',
  ),
  'env/prod.yaml': lines('biTag: 1.2.0', `billingTag: ${version}`),
});

export const harmlessFilledIn: Readonly<Record<string, readonly [Files, Files]>> = {
  'what is filled in for another release of Helmfile': [inHelmfile('1.0.0'), inHelmfile('1.1.0')],
  'rows that dbt loads': [
    { 'seeds/tools.csv': 'tool,version\nlightdash,1.2.0\n' },
    { 'seeds/tools.csv': 'tool,version\nlightdash,1.156.0\n' },
  ],
};
