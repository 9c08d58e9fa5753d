import type { Files } from './moves.js';

const image = 'lightdash/lightdash:1.2.0';
const values = 'image:\n  repository: lightdash/lightdash\n  tag: 1.2.0\nreplicaCount: 2\n';
const compose = (bi: string, more = '') => `services:\n  bi:\n    image: ${image}\n${bi}${more}`;
const policies = (range: string): Files => ({
  'policies.yaml': ['lightdash', 'dbt-runner']
    .map(
      (name) =>
        `kind: ImagePolicy\nmetadata: {name: ${name}}\nspec: {imageRepositoryRef: {name: ${name}}, policy: {semver: {range: ${name === 'lightdash' ? '1.2.x' : range}}}}\n`,
    )
    .join('---\n'),
});
const release = (chart: string, version: string) =>
  `apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: ${chart}}\nspec:\n  chart: {spec: {chart: ${chart}, version: ${version}}}\n`;
const script = (line: string) => `set -e\n${line}\ndocker run -d ${image}\n`;
const of = (name: string, before: string, after: string): readonly [Files, Files] => [
  { [name]: before },
  { [name]: after },
];

const copyOf = (copied: string, asked = copied): Files => ({
  'Chart.yaml': `name: x\ndependencies: [{name: lightdash, alias: bi, version: ${asked}}]\n`,
  'values.yaml': `bi: {image: {repository: lightdash/lightdash, tag: 1.2.0}}\n`,
  'charts/lightdash/Chart.yaml': `name: lightdash\nversion: ${copied}\n`,
});

/** A repository for Flux, in which Lightdash is one of several programs. */
const fleet: Files = {
  'prod/kustomization.yaml': 'resources:\n  - ../base/lightdash\n  - ../base/grafana\n  - ../base/api\n',
  'base/lightdash/kustomization.yaml':
    'resources: [release.yaml]\nconfigMapGenerator: [{name: d, files: [bi.json]}]\n',
  'base/lightdash/bi.json': '{"title":"BI","pluginVersion":"10.0.0"}\n',
  'base/lightdash/release.yaml':
    'kind: HelmRelease\nmetadata: {name: lightdash}\nspec:\n  chart: {spec: {chart: lightdash, version: 1.0.0}}\n  values:\n    image: {tag: 1.2.0}\n    extraContainers: [{name: x, image: "gcr.io/sidecar:2.8.0"}]\n',
  'base/grafana/release.yaml':
    'kind: HelmRelease\nmetadata: {name: grafana}\nspec:\n  chart: {spec: {chart: grafana, version: 7.0.0}}\n  values: {image: {tag: 10.0.0}}\n',
  'base/api/deployment.yaml':
    'kind: Deployment\nmetadata: {name: api}\nspec: {template: {spec: {containers: [{name: api, image: "acme/api:3.0.0", env: [{name: VERSION, value: 3.0.0}]}]}}}\n',
  'sources.yaml':
    'kind: HelmRepository\nmetadata: {name: lightdash}\nspec: {url: "https://lightdash.github.io/helm-charts"}\n---\nkind: OCIRepository\nmetadata: {name: podinfo}\nspec: {url: "oci://ghcr.io/acme/podinfo", ref: {semver: 6.5.0}}\n',
  '.github/workflows/check.yml':
    'jobs:\n  v:\n    steps:\n      - run: kubeconform -kubernetes-version 1.28.0 base/lightdash\n',
};
const inFleet = (file: string, from: string, to: string): readonly [Files, Files] => [
  fleet,
  { ...fleet, [file]: String(fleet[file]).replaceAll(from, to) },
];

const platform = () => `apiVersion: v2
name: platform
version: 0.1.0
dependencies:
  - {name: lightdash, version: 1.9.0, repository: "https://lightdash.github.io/helm-charts"}
  - {name: grafana, version: 8.0.0, repository: "https://grafana.github.io/helm-charts"}
`;
const lockOf = (grafana: string) => `dependencies:
  - {name: lightdash, version: 1.9.0, repository: "https://lightdash.github.io/helm-charts"}
  - {name: grafana, version: ${grafana}, repository: "https://grafana.github.io/helm-charts"}
digest: sha256:${grafana.replaceAll('.', 'a').repeat(13).slice(0, 64)}
generated: "2026-01-0${grafana[2]}T00:00:00Z"
`;
const workflow = `jobs:
  deploy:
    steps:
      - uses: azure/setup-helm@v4.2.0
        with: {version: v3.15.0}
      - run: helm upgrade lightdash lightdash/lightdash --version 1.9.0 --set image.tag=1.2.0
`;
const terraform = `resource "aws_db_instance" "lightdash" {
  engine = "postgres"
}
module "vpc" {
  source  = "terraform-aws-modules/vpc/aws"
  version = "5.1.0"
}
`;

/** Changes that move nothing, in files that refer to Lightdash, or beside them. */
export const harmless: Readonly<Record<string, readonly [before: Files, after: Files]>> = {
  'the version of a module of Terraform that is called after Lightdash': [
    { 'bi.tf': 'module "lightdash" {\n  source  = "acme/lightdash/aws"\n  version = "3.1.0"\n}\n' },
    { 'bi.tf': 'module "lightdash" {\n  source  = "acme/lightdash/aws"\n  version = "3.2.0"\n}\n' },
  ],
  'an image of Docker Hub with such numbers as Lightdash has, in a service of its own': [
    { 'compose.yaml': compose('', '  n8n:\n    image: n8nio/n8n:1.121.0\n') },
    { 'compose.yaml': compose('', '  n8n:\n    image: n8nio/n8n:1.122.3\n') },
  ],
  'a program that no longer writes the name of the image, without a tag, itself': of(
    'src/options.ts',
    "import { image } from './image.js';\noption({\n  default: 'lightdash/lightdash',\n});\n",
    "import { image } from './image.js';\noption({\n  default: image,\n});\n",
  ),
  'which images of another program Flux takes, in a file with those of Lightdash': [
    policies('0.4.x'),
    policies('0.5.x'),
  ],
  'a chart with an alias, and its copy': [copyOf('1.0.0'), copyOf('2.0.0')],
  'the values of a chart whose copy has lost its alias': [
    { ...copyOf('1.0.0', '2.0.0'), 'values.yaml': `bi:\n  ${values.replaceAll('\n', '\n  ')}` },
    {
      ...copyOf('1.0.0', '2.0.0'),
      'values.yaml': `bi:\n  ${values.replace('Count: 2', 'Count: 3').replaceAll('\n', '\n  ')}`,
    },
  ],
  'a release in a sentence of a program': [
    {
      'src/images.ts': `const image = '${image}';\nconst remedy =\n  'Take the image of another program, of 0.2114.1 or newer.';\n`,
    },
    {
      'src/images.ts': `const image = '${image}';\nconst remedy =\n  'Use the image of another program, of 0.2115.1 or newer.';\n`,
    },
  ],
  'another dependency of a chart, with its lock': [
    { 'Chart.yaml': platform(), 'Chart.lock': lockOf('8.0.0') },
    { 'Chart.yaml': platform().replace('8.0.0', '8.1.0'), 'Chart.lock': lockOf('8.1.0') },
  ],
  'the version of a chart around': [
    { 'Chart.yaml': platform() },
    { 'Chart.yaml': platform().replace('0.1.0', '0.2.0') },
  ],
  'the tool that a workflow sets up': [
    { '.github/workflows/deploy.yml': workflow },
    { '.github/workflows/deploy.yml': workflow.replace('v3.15.0', 'v3.16.0') },
  ],
  'a module of Terraform beside Lightdash': [
    { 'main.tf': terraform },
    { 'main.tf': terraform.replace('5.1.0', '5.2.0') },
  ],
  'kustomize, images of another program by an expression': [
    {
      'd.yaml': `kind: Deployment\nspec: {template: {spec: {containers: [{name: a, image: "${image}"}]}}}\n`,
      'kustomization.yaml': 'resources: [d.yaml]\nimages:\n  - {name: ".*/grafana", newTag: 1.2.0}\n',
    },
    {
      'd.yaml': `kind: Deployment\nspec: {template: {spec: {containers: [{name: a, image: "${image}"}]}}}\n`,
      'kustomization.yaml': 'resources: [d.yaml]\nimages:\n  - {name: ".*/grafana", newTag: 1.3.0}\n',
    },
  ],
  'a page of the manual': of('man/bi.1', '.TH BI 1\nlightdash\\-1.2.0\n', '.TH BI 1\nlightdash\\-1.3.0\n'),
  'the version from which a program begins': of(
    'scripts/bundle.js',
    "const questions = [\n  of('lightdash', '--from', '1.2.0', '--fail-on', 'minor'),\n];\n",
    "const questions = [\n  of('lightdash', '--from', '1.3.0', '--fail-on', 'minor'),\n];\n",
  ),
  'the provider of Terraform for Lightdash': of(
    'versions.tf',
    'terraform {\n  required_providers {\n    lightdash = {\n      version = "0.3.0"\n    }\n  }\n}\n',
    'terraform {\n  required_providers {\n    lightdash = {\n      version = "0.4.0"\n    }\n  }\n}\n',
  ),
  'the version of a tool for Lightdash': of(
    'pyproject.toml',
    '[project]\nname = "lightdash-sync"\nversion = "1.2.0"\n',
    '[project]\nname = "lightdash-sync"\nversion = "1.3.0"\n',
  ),
  'a library for Lightdash': of(
    'requirements.txt',
    'dagster-lightdash==0.1.0\n',
    'dagster-lightdash==0.2.0\n',
  ),
  'the tag of another HelmRelease of the fleet': inFleet('base/grafana/release.yaml', '10.0.0', '10.1.0'),
  'the version of another program of the fleet': inFleet('base/api/deployment.yaml', '3.0.0', '3.1.0'),
  'another chart by OCI of the fleet': inFleet('sources.yaml', '6.5.0', '6.6.0'),
  'another container of the release of the fleet': inFleet('base/lightdash/release.yaml', '2.8.0', '2.9.0'),
  'a board of Grafana': inFleet('base/lightdash/bi.json', '10.0.0', '10.1.0'),
  'a check of the fleet': inFleet('.github/workflows/check.yml', '1.28.0', '1.29.0'),
  'the release of the database in Terraform': of(
    'rds.tf',
    'resource "aws_db_instance" "lightdash" {\n  engine_version = "15.4"\n}\nimage = "lightdash/lightdash:1.2.0"\n',
    'resource "aws_db_instance" "lightdash" {\n  engine_version = "16.1"\n}\nimage = "lightdash/lightdash:1.2.0"\n',
  ),
  'memory in a script': [
    { 'deploy.sh': 'docker run -m 1g lightdash/lightdash:1.2.0\n' },
    { 'deploy.sh': 'docker run -m 2g lightdash/lightdash:1.2.0\n' },
  ],
  'a sidecar of an object of Lightdash': [
    {
      'd.yaml':
        'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: lightdash}\nspec: {template: {spec: {containers: [{name: bi, image: "lightdash/lightdash:1.2.0"}, {name: proxy, image: "cloudsql-proxy:2.1.0"}]}}}\n',
    },
    {
      'd.yaml':
        'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: lightdash}\nspec: {template: {spec: {containers: [{name: bi, image: "lightdash/lightdash:1.2.0"}, {name: proxy, image: "cloudsql-proxy:2.2.0"}]}}}\n',
    },
  ],
  'another module of Terraform': [
    {
      'main.tf': 'module "lightdash" {\n  source = "./modules/lightdash"\n  image_tag = var.tag\n}\n',
      'variables.tf': 'variable "tag" { default = "1.2.0" }\n',
      'modules/lightdash/main.tf':
        'variable "image_tag" {}\nresource "docker_image" "x" { name = "lightdash/lightdash:${var.image_tag}" }\n',
      'eks.tf': 'module "eks" {\n  source = "terraform-aws-modules/eks/aws"\n  version = "19.0.0"\n}\n',
    },
    {
      'main.tf': 'module "lightdash" {\n  source = "./modules/lightdash"\n  image_tag = var.tag\n}\n',
      'variables.tf': 'variable "tag" { default = "1.2.0" }\n',
      'modules/lightdash/main.tf':
        'variable "image_tag" {}\nresource "docker_image" "x" { name = "lightdash/lightdash:${var.image_tag}" }\n',
      'eks.tf': 'module "eks" {\n  source = "terraform-aws-modules/eks/aws"\n  version = "20.0.0"\n}\n',
    },
  ],
  'the interval of a repository of charts': [
    {
      'apps/lightdash/helmrelease.yaml':
        'kind: HelmRelease\napiVersion: helm.toolkit.fluxcd.io/v2\nmetadata: {name: lightdash}\nspec: {chart: {spec: {chart: lightdash, version: 1.0.0, sourceRef: {kind: HelmRepository, name: lightdash}}}, values: {image: {tag: 1.2.0}}, valuesFrom: [{kind: ConfigMap, name: common}]}\n',
      'apps/lightdash/kustomization.yaml': 'resources: [helmrelease.yaml]\n',
      'apps/kustomization.yaml': 'resources: [lightdash, foo, grafana]\n',
      'repo.yaml':
        'kind: HelmRepository\nmetadata: {name: lightdash}\nspec: {url: "https://lightdash.github.io/helm-charts", interval: 1h}\n',
    },
    {
      'apps/lightdash/helmrelease.yaml':
        'kind: HelmRelease\napiVersion: helm.toolkit.fluxcd.io/v2\nmetadata: {name: lightdash}\nspec: {chart: {spec: {chart: lightdash, version: 1.0.0, sourceRef: {kind: HelmRepository, name: lightdash}}}, values: {image: {tag: 1.2.0}}, valuesFrom: [{kind: ConfigMap, name: common}]}\n',
      'apps/lightdash/kustomization.yaml': 'resources: [helmrelease.yaml]\n',
      'apps/kustomization.yaml': 'resources: [lightdash, foo, grafana]\n',
      'repo.yaml':
        'kind: HelmRepository\nmetadata: {name: lightdash}\nspec: {url: "https://lightdash.github.io/helm-charts", interval: 2h}\n',
    },
  ],
  'a label with a version of another program': [
    {
      'apps/lightdash/helmrelease.yaml':
        'kind: HelmRelease\napiVersion: helm.toolkit.fluxcd.io/v2\nmetadata: {name: lightdash}\nspec: {chart: {spec: {chart: lightdash, version: 1.0.0, sourceRef: {kind: HelmRepository, name: lightdash}}}, values: {image: {tag: 1.2.0}}, valuesFrom: [{kind: ConfigMap, name: common}]}\n',
      'apps/lightdash/kustomization.yaml': 'resources: [helmrelease.yaml]\n',
      'apps/kustomization.yaml': 'resources: [lightdash, foo, grafana]\n',
      'apps/foo/deployment.yaml':
        'kind: Deployment\nmetadata: {name: foo, labels: {app.kubernetes.io/version: 2.0.0}}\nspec: {template: {spec: {containers: [{name: foo, image: acme/foo:2.0.0}]}}}\n',
    },
    {
      'apps/lightdash/helmrelease.yaml':
        'kind: HelmRelease\napiVersion: helm.toolkit.fluxcd.io/v2\nmetadata: {name: lightdash}\nspec: {chart: {spec: {chart: lightdash, version: 1.0.0, sourceRef: {kind: HelmRepository, name: lightdash}}}, values: {image: {tag: 1.2.0}}, valuesFrom: [{kind: ConfigMap, name: common}]}\n',
      'apps/lightdash/kustomization.yaml': 'resources: [helmrelease.yaml]\n',
      'apps/kustomization.yaml': 'resources: [lightdash, foo, grafana]\n',
      'apps/foo/deployment.yaml':
        'kind: Deployment\nmetadata: {name: foo, labels: {app.kubernetes.io/version: 2.1.0}}\nspec: {template: {spec: {containers: [{name: foo, image: acme/foo:2.1.0}]}}}\n',
    },
  ],
  'another value of a ConfigMap that Lightdash takes': [
    {
      'apps/lightdash/helmrelease.yaml':
        'kind: HelmRelease\napiVersion: helm.toolkit.fluxcd.io/v2\nmetadata: {name: lightdash}\nspec: {chart: {spec: {chart: lightdash, version: 1.0.0, sourceRef: {kind: HelmRepository, name: lightdash}}}, values: {image: {tag: 1.2.0}}, valuesFrom: [{kind: ConfigMap, name: common}]}\n',
      'apps/lightdash/kustomization.yaml': 'resources: [helmrelease.yaml]\n',
      'apps/kustomization.yaml': 'resources: [lightdash, foo, grafana]\n',
      'common.yaml': 'kind: ConfigMap\nmetadata: {name: common}\ndata: {values.yaml: "ingress: {host: a}"}\n',
    },
    {
      'apps/lightdash/helmrelease.yaml':
        'kind: HelmRelease\napiVersion: helm.toolkit.fluxcd.io/v2\nmetadata: {name: lightdash}\nspec: {chart: {spec: {chart: lightdash, version: 1.0.0, sourceRef: {kind: HelmRepository, name: lightdash}}}, values: {image: {tag: 1.2.0}}, valuesFrom: [{kind: ConfigMap, name: common}]}\n',
      'apps/lightdash/kustomization.yaml': 'resources: [helmrelease.yaml]\n',
      'apps/kustomization.yaml': 'resources: [lightdash, foo, grafana]\n',
      'common.yaml': 'kind: ConfigMap\nmetadata: {name: common}\ndata: {values.yaml: "ingress: {host: b}"}\n',
    },
  ],
  'the version of a secret': [
    {
      'es.yaml':
        'kind: ExternalSecret\nmetadata: {name: lightdash}\nspec: {refreshInterval: 1h, data: [{secretKey: A, remoteRef: {key: lightdash, version: "3"}}]}\n',
    },
    {
      'es.yaml':
        'kind: ExternalSecret\nmetadata: {name: lightdash}\nspec: {refreshInterval: 2h, data: [{secretKey: A, remoteRef: {key: lightdash, version: "4"}}]}\n',
    },
  ],
  'the database of Lightdash': [
    {
      'db.yaml':
        'kind: Cluster\napiVersion: postgresql.cnpg.io/v1\nmetadata: {name: lightdash-db}\nspec: {imageName: "ghcr.io/cloudnative-pg/postgresql:15.4"}\n',
    },
    {
      'db.yaml':
        'kind: Cluster\napiVersion: postgresql.cnpg.io/v1\nmetadata: {name: lightdash-db}\nspec: {imageName: "ghcr.io/cloudnative-pg/postgresql:16.1"}\n',
    },
  ],
  'values of a program beside Lightdash': [
    {
      'apps/lightdash/helmrelease.yaml':
        'kind: HelmRelease\napiVersion: helm.toolkit.fluxcd.io/v2\nmetadata: {name: lightdash}\nspec: {chart: {spec: {chart: lightdash, version: 1.0.0, sourceRef: {kind: HelmRepository, name: lightdash}}}, values: {image: {tag: 1.2.0}}, valuesFrom: [{kind: ConfigMap, name: common}]}\n',
      'apps/lightdash/kustomization.yaml': 'resources: [helmrelease.yaml]\n',
      'apps/kustomization.yaml': 'resources: [lightdash, foo, grafana]\n',
      'apps/foo/values.yaml': 'image: {tag: 2.0.0}\n',
    },
    {
      'apps/lightdash/helmrelease.yaml':
        'kind: HelmRelease\napiVersion: helm.toolkit.fluxcd.io/v2\nmetadata: {name: lightdash}\nspec: {chart: {spec: {chart: lightdash, version: 1.0.0, sourceRef: {kind: HelmRepository, name: lightdash}}}, values: {image: {tag: 1.2.0}}, valuesFrom: [{kind: ConfigMap, name: common}]}\n',
      'apps/lightdash/kustomization.yaml': 'resources: [helmrelease.yaml]\n',
      'apps/kustomization.yaml': 'resources: [lightdash, foo, grafana]\n',
      'apps/foo/values.yaml': 'image: {tag: 2.1.0}\n',
    },
  ],
  'what a program does with the name of an image': [
    { 'a.ts': "const other = pick(pin.image ?? 'lightdash/lightdash', 1);\n" },
    { 'a.ts': "const other = choose(pin.image ?? 'lightdash/lightdash', 2);\n" },
  ],
  'a program that learns the name of an image': [
    { 'a.ts': 'x\n' },
    { 'a.ts': "x\nconst repo = 'lightdash/lightdash';\n" },
  ],
  'another version of a program that names an image': [
    { 'a.ts': `img('lightdash/lightdash:1.2.0');\n${'\n'.repeat(30)}const args = ['--from', '1.2.0'];\n` },
    { 'a.ts': `img('lightdash/lightdash:1.2.0');\n${'\n'.repeat(30)}const args = ['--from', '1.3.0'];\n` },
  ],
  'a JSON Schema': [
    { 'schemas/x.json': '{"enum":["lightdash/lightdash:1.2.0"]}' },
    { 'schemas/x.json': '{"enum":["lightdash/lightdash:1.3.0"]}' },
  ],
  'a sentence of a README': of(
    'README.md',
    'Lightdash runs here.\n',
    'Lightdash runs here, on 1.156.0: docker run lightdash/lightdash:1.156.0\n',
  ),
  'a page of docs': of('docs/upgrade.md', 'We run lightdash 1.2.0\n', 'We run lightdash 1.156.0\n'),
  'a changelog': of(
    'CHANGELOG.md',
    '- lightdash/lightdash:1.2.0\n',
    '- lightdash/lightdash:1.2.0\n- lightdash/lightdash:1.156.0\n',
  ),
  'source code of another program': [
    { 'compose.yaml': compose(''), 'src/a.ts': 'export const a = 1;\n' },
    { 'compose.yaml': compose(''), 'src/a.ts': 'export const a = 2;\n' },
  ],
  'a version of another package': [
    { 'compose.yaml': compose(''), 'package.json': '{"version": "1.0.0"}\n' },
    { 'compose.yaml': compose(''), 'package.json': '{"version": "1.1.0"}\n' },
  ],
  'the client as a variable': of(
    '.github/workflows/dbt.yml',
    'env:\n  LIGHTDASH_CLI_VERSION: 0.1200.0\n  LIGHTDASH_URL: https://bi.acme.io\n',
    'env:\n  LIGHTDASH_CLI_VERSION: 0.1300.1\n  LIGHTDASH_URL: https://bi.acme.io\n',
  ),
  'the client in a package': of(
    'package.json',
    '{"devDependencies": {"@lightdash/cli": "^0.1200.0"}}\n',
    '{"devDependencies": {"@lightdash/cli": "^0.1300.0"}}\n',
  ),
  'the client beside a release': of(
    'ci.yml',
    'variables:\n  LIGHTDASH_VERSION: 1.2.0\n  LIGHTDASH_CLI_VERSION: 0.1200.0\n',
    'variables:\n  LIGHTDASH_VERSION: 1.2.0\n  LIGHTDASH_CLI_VERSION: 0.1300.0\n',
  ),
  'the client in an image': of(
    'Dockerfile',
    'FROM node:20\nRUN npm i -g @lightdash/cli@0.1200.0\n',
    'FROM node:20\nRUN npm i -g @lightdash/cli@0.1300.0\n',
  ),
  'the client in a variable of .env': of(
    '.env',
    'LIGHTDASH_CLI_VERSION=0.1200.0\n',
    'LIGHTDASH_CLI_VERSION=0.1300.0\n',
  ),
  'a step that deploys content': of(
    '.github/workflows/dbt.yml',
    'jobs:\n  d:\n    steps:\n      - run: lightdash deploy --project 1\n',
    'jobs:\n  d:\n    steps:\n      - run: lightdash deploy --project 2 --verbose\n',
  ),
  'the SDK': of(
    'package.json',
    '{"dependencies": {"@lightdash/sdk": "0.1.0"}}\n',
    '{"dependencies": {"@lightdash/sdk": "0.2.0"}}\n',
  ),
  'a host': of(
    'ingress.yaml',
    'apiVersion: networking.k8s.io/v1\nkind: Ingress\nspec: {rules: [{host: lightdash.acme.io}]}\n',
    'apiVersion: networking.k8s.io/v1\nkind: Ingress\nspec: {rules: [{host: lightdash.acme.com}]}\n',
  ),
  'the address of the site': of(
    'compose.yaml',
    compose('    environment:\n      SITE_URL: https://lightdash.acme.io\n'),
    compose('    environment:\n      SITE_URL: https://bi.acme.io\n'),
  ),
  'an upstream of nginx': of(
    'nginx.conf',
    'upstream lightdash { server lightdash:8080; }\n',
    'upstream lightdash { server lightdash:8081; }\n',
  ),
  'a record of DNS': of(
    'dns.tf',
    'resource "cloudflare_record" "lightdash" {\n  name = "lightdash"\n  ttl  = 300\n}\n',
    'resource "cloudflare_record" "lightdash" {\n  name = "lightdash"\n  ttl  = 600\n}\n',
  ),
  'the id of a project': of('.env', 'LIGHTDASH_PROJECT=3675b69e\n', 'LIGHTDASH_PROJECT=bdca059f\n'),
  'a dashboard as code': of(
    'lightdash/dashboards/sales.yml',
    'name: Sales\nversion: 1\nslug: sales\nupdatedAt: 2026-01-02T10:00:00.000Z\n',
    'name: Sales 2\nversion: 1\nslug: sales\nupdatedAt: 2026-03-02T10:00:00.000Z\n',
  ),
  'a chart as code': of(
    'lightdash/charts/a.yml',
    'name: A\nversion: 1\ntableName: orders\nmetricQuery: {limit: 500}\n',
    'name: A\nversion: 1\ntableName: orders\nmetricQuery: {limit: 5000}\n',
  ),
  'a new chart as code': [{}, { 'lightdash/charts/b.yml': 'name: B\nversion: 1\ntableName: orders\n' }],
  'a model of dbt': of(
    'models/orders.yml',
    'version: 2\nmodels:\n  - name: orders\n    meta: {label: "Lightdash orders"}\n',
    'version: 2\nmodels:\n  - name: orders\n    meta: {label: "Lightdash orders", order_by: index}\n',
  ),
  'a package of dbt': of(
    'packages.yml',
    'packages:\n  - package: dbt-labs/dbt_utils\n    version: 1.1.1\n',
    'packages:\n  - package: dbt-labs/dbt_utils\n    version: 1.2.0\n',
  ),
  'a project of dbt': of(
    'dbt_project.yml',
    "name: lightdash_demo\nversion: '1.0.0'\n",
    "name: lightdash_demo\nversion: '1.1.0'\n",
  ),
  replicas: of('values.yaml', values, values.replace('replicaCount: 2', 'replicaCount: 3')),
  resources: of(
    'values.yaml',
    `${values}resources:\n  limits: {memory: 2Gi, cpu: 1.5}\n`,
    `${values}resources:\n  limits: {memory: 4Gi, cpu: 2.5}\n`,
  ),
  'a variable of the environment': of(
    'values.yaml',
    `${values}configMap:\n  LIGHTDASH_LOG_LEVEL: info\n`,
    `${values}configMap:\n  LIGHTDASH_LOG_LEVEL: debug\n  PORT: "8081"\n`,
  ),
  'a probe': of(
    'values.yaml',
    `${values}readinessProbe: {path: /api/v1/health, periodSeconds: 10}\n`,
    `${values}readinessProbe: {path: /api/v1/livez, periodSeconds: 20}\n`,
  ),
  'the policy of pulling': of(
    'values.yaml',
    values.replace('  tag', '  pullPolicy: IfNotPresent\n  tag'),
    values.replace('  tag', '  pullPolicy: Always\n  tag'),
  ),
  'a secret to pull by': of(
    'values.yaml',
    `${values}imagePullSecrets: [{name: a}]\n`,
    `${values}imagePullSecrets: [{name: b}]\n`,
  ),
  'an annotation': of(
    'values.yaml',
    `${values}podAnnotations: {team: data}\n`,
    `${values}podAnnotations: {team: bi}\n`,
  ),
  'memory of a service': of('compose.yaml', compose('    mem_limit: 2g\n'), compose('    mem_limit: 4g\n')),
  'a port of a service': of(
    'compose.yaml',
    compose('    ports: ["8080:8080"]\n'),
    compose('    ports: ["9090:8080"]\n'),
  ),
  'a volume of a service': of(
    'compose.yaml',
    compose('    volumes: ["./dbt:/usr/app/dbt"]\n'),
    compose('    volumes: ["./dbt2:/usr/app/dbt"]\n'),
  ),
  'a check of health': of(
    'compose.yaml',
    compose(''),
    compose('    healthcheck: {test: "curl -f http://localhost:8080/api/v1/health"}\n'),
  ),
  'the tag of a database': of(
    'compose.yaml',
    compose('', '  db:\n    image: postgres:15.4\n'),
    compose('', '  db:\n    image: postgres:16.1\n'),
  ),
  'the tag of an unknown program': of(
    'compose.yaml',
    compose('', '  x:\n    image: acme/orders:1.2.0\n'),
    compose('', '  x:\n    image: acme/orders:1.156.0\n'),
  ),
  'the tag of Grafana in values': of(
    'values.yaml',
    'lightdash:\n  image: {tag: 1.2.0}\ngrafana:\n  image: {tag: 10.0.1}\n',
    'lightdash:\n  image: {tag: 1.2.0}\ngrafana:\n  image: {tag: 10.4.2}\n',
  ),
  'the tag of Redis beside its repository': of(
    'values.yaml',
    `${values}cache:\n  image: {repository: redis, tag: 7.0.1}\n`,
    `${values}cache:\n  image: {repository: redis, tag: 7.2.4}\n`,
  ),
  'the values of Grafana alone': of(
    'apps/grafana/values.yaml',
    'image:\n  tag: 10.0.1\n',
    'image:\n  tag: 10.4.2\n',
  ),
  'the values of another folder': [
    { 'apps/lightdash/values.yaml': values, 'apps/orders/values.yaml': 'image:\n  tag: 3.0.1\n' },
    { 'apps/lightdash/values.yaml': values, 'apps/orders/values.yaml': 'image:\n  tag: 3.1.0\n' },
  ],
  'values with another repository': of(
    'values.yaml',
    'image: {repository: nginx, tag: 1.25.0}\n',
    'image: {repository: nginx, tag: 1.25.1}\n',
  ),
  'another image of a kustomization': of(
    'kustomization.yaml',
    'images:\n  - {name: lightdash/lightdash, newTag: 1.2.0}\n  - {name: nginx, newTag: 1.25.0}\n',
    'images:\n  - {name: lightdash/lightdash, newTag: 1.2.0}\n  - {name: nginx, newTag: 1.25.3}\n',
  ),
  'images in another order': of(
    'kustomization.yaml',
    'images:\n  - {name: lightdash/lightdash, newTag: 1.2.0}\n  - {name: nginx, newTag: 1.25.0}\n',
    'images:\n  - {name: nginx, newTag: 1.25.0}\n  - {name: lightdash/lightdash, newTag: 1.2.0}\n',
  ),
  'a HelmRelease of another chart': of('redis.yaml', release('redis', '18.0.1'), release('redis', '18.1.0')),
  'a HelmRelease of an unknown chart': of(
    'orders.yaml',
    release('orders', '1.0.1'),
    release('orders', '1.1.0'),
  ),
  'a HelmRelease of another chart in one file': of(
    'all.yaml',
    `${release('lightdash', '2.6.1')}---\n${release('orders', '1.0.1')}`,
    `${release('lightdash', '2.6.1')}---\n${release('orders', '1.1.0')}`,
  ),
  'an Application of another chart': of(
    'app.yaml',
    'kind: Application\napiVersion: argoproj.io/v1alpha1\nspec: {source: {chart: orders, targetRevision: 1.0.0}}\n',
    'kind: Application\napiVersion: argoproj.io/v1alpha1\nspec: {source: {chart: orders, targetRevision: 1.1.0}}\n',
  ),
  'a manifest of another program': of(
    'nginx.yaml',
    'apiVersion: apps/v1\nkind: Deployment\nspec: {template: {spec: {containers: [{name: web, image: "nginx:1.25.0"}]}}}\n',
    'apiVersion: apps/v1\nkind: Deployment\nspec: {template: {spec: {containers: [{name: web, image: "nginx:1.25.1"}]}}}\n',
  ),
  'a sidecar': of(
    'd.yaml',
    `apiVersion: apps/v1\nkind: Deployment\nspec: {template: {spec: {containers: [{name: bi, image: "${image}"}, {name: proxy, image: "gcr.io/cloudsql/proxy:2.1.0"}]}}}\n`,
    `apiVersion: apps/v1\nkind: Deployment\nspec: {template: {spec: {containers: [{name: bi, image: "${image}"}, {name: proxy, image: "gcr.io/cloudsql/proxy:2.8.1"}]}}}\n`,
  ),
  'values that move to another folder': [{ 'old/values.yaml': values }, { 'envs/prod/values.yaml': values }],
  'a compose file of another name': [{ 'docker-compose.yml': compose('') }, { 'compose.yaml': compose('') }],
  'a script of another name': [{ 'deploy.sh': script('') }, { 'bin/deploy.sh': script('') }],
  'a comment': of('values.yaml', values, `# 1.156.0 is next: lightdash/lightdash:1.156.0\n${values}`),
  'a comment at the end of a line': of(
    'values.yaml',
    values,
    values.replace('1.2.0', '1.2.0 # not 1.156.0 yet'),
  ),
  'the form of YAML': of(
    'values.yaml',
    values,
    'replicaCount: 2\nimage: {tag: "1.2.0", repository: "lightdash/lightdash"}\n',
  ),
  spaces: of('compose.yaml', compose(''), `${compose('')}\n\n`),
  'a comment of a script': of('deploy.sh', script('# first'), script('# then lightdash/lightdash:1.156.0')),
  'a line of a script': of('deploy.sh', script('echo start'), script('echo "start the deploy"')),
  'a line of a Makefile': of(
    'Makefile',
    `up:\n\tdocker run ${image}\n`,
    `up:\n\tdocker run ${image}\nlint:\n\tyamllint .\n`,
  ),
  'a comment of a Dockerfile': of('Dockerfile', `FROM ${image}\n`, `# ours\nFROM ${image}\n`),
  'a package of a Dockerfile': of(
    'Dockerfile',
    `FROM ${image}\nRUN apt-get install -y curl\n`,
    `FROM ${image}\nRUN apt-get install -y curl jq\n`,
  ),
  'an action of a workflow': of(
    '.github/workflows/deploy.yml',
    `env:\n  LIGHTDASH_VERSION: 1.2.0\njobs: {d: {steps: [{uses: actions/checkout@v4.1.0}]}}\n`,
    `env:\n  LIGHTDASH_VERSION: 1.2.0\njobs: {d: {steps: [{uses: actions/checkout@v4.2.0}]}}\n`,
  ),
  'Node in a workflow': of(
    '.github/workflows/deploy.yml',
    `env:\n  LIGHTDASH_VERSION: 1.2.0\n  NODE_VERSION: 20.1.0\n`,
    `env:\n  LIGHTDASH_VERSION: 1.2.0\n  NODE_VERSION: 22.1.0\n`,
  ),
  'a provider of Terraform': of(
    'main.tf',
    `terraform {\n  required_providers {\n    helm = {\n      source  = "hashicorp/helm"\n      version = "2.12.1"\n    }\n  }\n}\nlocals {\n  image = "${image}"\n}\n`,
    `terraform {\n  required_providers {\n    helm = {\n      source  = "hashicorp/helm"\n      version = "2.13.0"\n    }\n  }\n}\nlocals {\n  image = "${image}"\n}\n`,
  ),
  'another helm_release': of(
    'main.tf',
    `resource "helm_release" "bi" {\n  chart   = "lightdash"\n  version = "2.6.1"\n}\nresource "helm_release" "redis" {\n  chart   = "redis"\n  version = "18.0.1"\n}\n`,
    `resource "helm_release" "bi" {\n  chart   = "lightdash"\n  version = "2.6.1"\n}\nresource "helm_release" "redis" {\n  chart   = "redis"\n  version = "18.1.0"\n}\n`,
  ),
  'the size of a disk': of(
    'rds.tf',
    'resource "aws_db_instance" "lightdash" {\n  allocated_storage = 20\n}\n',
    'resource "aws_db_instance" "lightdash" {\n  allocated_storage = 50\n}\n',
  ),
  'a password': of('.env', 'LIGHTDASH_SECRET=a\nPGPASSWORD=b\n', 'LIGHTDASH_SECRET=c\nPGPASSWORD=d\n'),
  'variables beside a tag': [
    {
      'compose.yaml': 'services:\n  bi:\n    image: lightdash/lightdash:${TAG}\n    env_file: .env\n',
      '.env': 'TAG=1.2.0\nPGHOST=db\n',
    },
    {
      'compose.yaml': 'services:\n  bi:\n    image: lightdash/lightdash:${TAG}\n    env_file: .env\n',
      '.env': 'TAG=1.2.0\nPGHOST=db2\nPORT=8081\n',
    },
  ],
  'an alert': of(
    'alerts.yaml',
    'groups:\n  - name: lightdash\n    rules: [{alert: Down, expr: "up{job=\\"lightdash\\"} == 0", for: 5m}]\n',
    'groups:\n  - name: lightdash\n    rules: [{alert: Down, expr: "up{job=\\"lightdash\\"} == 0", for: 10m}]\n',
  ),
  'a policy of the network': of(
    'np.yaml',
    'kind: NetworkPolicy\nmetadata: {name: lightdash}\nspec: {podSelector: {matchLabels: {app: lightdash}}}\n',
    'kind: NetworkPolicy\nmetadata: {name: lightdash}\nspec: {podSelector: {matchLabels: {app: lightdash}}, policyTypes: [Ingress]}\n',
  ),
  'an autoscaler': of(
    'hpa.yaml',
    'kind: HorizontalPodAutoscaler\napiVersion: autoscaling/v2\nmetadata: {name: lightdash}\nspec: {maxReplicas: 3}\n',
    'kind: HorizontalPodAutoscaler\napiVersion: autoscaling/v2\nmetadata: {name: lightdash}\nspec: {maxReplicas: 5}\n',
  ),
  owners: [
    { 'compose.yaml': compose(''), CODEOWNERS: '/lightdash @a\n' },
    { 'compose.yaml': compose(''), CODEOWNERS: '/lightdash @b\n/compose.yaml @b\n' },
  ],
  'what Renovate looks at': of(
    'renovate.json',
    '{"packageRules": [{"matchPackageNames": ["lightdash/lightdash"], "allowedVersions": "<1.156.0"}]}\n',
    '{"packageRules": [{"matchPackageNames": ["lightdash/lightdash"], "allowedVersions": "<1.160.0"}]}\n',
  ),
  'a database script': of(
    'grants.sql',
    'GRANT SELECT ON ALL TABLES IN SCHEMA public TO lightdash;\n',
    'GRANT SELECT ON ALL TABLES IN SCHEMA analytics TO lightdash;\n',
  ),
  'a test': of(
    'test/deploy.test.ts',
    `expect(image).toBe('${image}');\n`,
    `expect(image).toBe('lightdash/lightdash:1.156.0');\n`,
  ),
  'a lock of packages': of(
    'package-lock.json',
    '{"packages": {"node_modules/@lightdash/cli": {"version": "0.1.0"}}}\n',
    '{"packages": {"node_modules/@lightdash/cli": {"version": "0.2.0"}}}\n',
  ),
  'a release that is not exact, beside another value': of(
    'compose.yaml',
    'services:\n  bi:\n    image: lightdash/lightdash:latest\n    mem_limit: 2g\n',
    'services:\n  bi:\n    image: lightdash/lightdash:latest\n    mem_limit: 4g\n',
  ),
};
