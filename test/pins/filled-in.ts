import { lines } from '../support/lines.js';
import type { Files } from './moves.js';

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

const renovated = (version: string, other: string) =>
  lines(
    '# renovate: datasource=docker depName=lightdash/lightdash',
    `REPORTS=${version}`,
    '# renovate: datasource=docker depName=acme/billing',
    `BILLING=${other}`,
  );

const inBlock = (image: string, ...more: readonly string[]) =>
  lines(`resource "docker_container" "${/[a-z]+(?=:)/.exec(image)}" {`, `  image = "${image}"`, ...more, '}');
const ofVariable = lines(
  'variable "rel" {}',
  `resource "docker_image" "bi" { name = "lightdash/lightdash:\${var.rel}" }`,
);

const inContainer = (name: string, image: string) =>
  lines(
    'services:',
    '  web: {image: "lightdash/lightdash:1.1.0"}',
    `  other: {container_name: ${name}, image: "${image}"}`,
  );

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
  'an image of another name, in the container that is called Lightdash': {
    'compose.yaml': inContainer('lightdash', 'acme.io/bi:1.2.0'),
  },
  'a map of a program, whose keys are in brackets': {
    'versions.yaml': 'rel: 1.2.0\n',
    'deploy.py': lines('tag = config["rel"]', 'run(f"docker run lightdash/lightdash:{tag}")'),
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
  'a variable of Terraform from the environment of a pipeline': {
    'main.tf': ofVariable,
    '.gitlab-ci.yml': lines('apply:', '  variables: {TF_VAR_rel: 1.2.0}', '  script: [terraform apply]'),
  },
  'a variable of Terraform from a file of the shell': {
    'infra/main.tf': ofVariable,
    '.envrc': lines('export TF_VAR_rel=1.2.0'),
  },
  'a map by the workspace of Terraform': {
    'main.tf': lines(
      'locals {',
      '  rel = terraform.workspace == "prod" ? "1.2.0" : "1.100.0"',
      '}',
      `resource "docker_image" "bi" { name = "lightdash/lightdash:\${local.rel}" }`,
    ),
  },
  'the setting of a stack, by a command': {
    'index.ts': `const rel = new Config().require("rel");\nrun(\`lightdash/lightdash:\${rel}\`);\n`,
    'deploy.sh': lines('pulumi config set --path rel 1.2.0', 'pulumi up'),
  },
  'a variable before a command of another program': {
    'compose.yaml': `services: {bi: {image: "lightdash/lightdash:\${REL}"}}\n`,
    'deploy.sh': lines('STAGE=prod REL=1.2.0 npm run deploy'),
  },
  'a variable that a container of another program is given': {
    'compose.yaml': `services: {bi: {image: "lightdash/lightdash:\${REL}"}}\n`,
    'deploy.sh': lines('docker run -e REL=1.2.0 hashicorp/terraform:1.9.0 apply'),
  },
  'a name of Lightdash before a command of another program': {
    'deploy.sh': lines('LIGHTDASH_TAG=1.2.0 node deploy.js'),
  },
  'a dictionary of another module of Python': {
    'ops/main.py': `from ops.pins import PINS\nrun(f"lightdash/lightdash:{PINS['bi']}")\n`,
    'ops/pins.py': lines('PINS = {', '    "bi": "1.2.0",', '    "cache": "7.0.0",', '}'),
  },
  'the default of a role, by a name that many have': {
    'roles/bi/defaults/main.yml': 'app_tag: 1.2.0\n',
    'roles/bi/templates/compose.yml.j2': 'services:\n  bi:\n    image: lightdash/lightdash:{{ app_tag }}\n',
  },
  'a variable of a group, by a name that many have': {
    'group_vars/bi/main.yml': 'rel: 1.2.0\n',
    'roles/bi/templates/bi.service.j2': 'ExecStart=docker run lightdash/lightdash:{{ rel }}\n',
  },
  'an argument of a script that another program runs': {
    'ops/deploy.py': 'import sys\nrun(f"lightdash/lightdash:{sys.argv[1]}")\n',
    Makefile: lines('prod:', '\tpython ops/deploy.py 1.2.0'),
  },
  'an option of a script that another program runs': {
    'deploy.ts': `const { values } = parseArgs(options);\nrun(\`lightdash/lightdash:\${values.rel}\`);\n`,
    '.github/workflows/d.yml': 'jobs: {d: {steps: [{run: npx tsx deploy.ts --rel 1.2.0}]}}\n',
  },
  'an argument of a task whose file has a name of its own': {
    justfile: lines('deploy rel:', '  docker run lightdash/lightdash:{{rel}}'),
    'release.sh': lines('just deploy 1.2.0'),
  },
  'a pillar of Salt': {
    'salt/bi/init.sls': lines(
      'web:',
      '  docker_container.running:',
      "    - image: lightdash/lightdash:{{ pillar['bi']['rel'] }}",
    ),
    'pillar/bi.sls': lines('bi:', '  rel: 1.2.0'),
  },
  'a table that a script reads': {
    'versions.csv': lines('app,version', 'lightdash,1.2.0', 'redis,7.0.0'),
    'deploy.sh': lines(
      'while IFS=, read -r app v; do helm upgrade $app --set image.tag=$v; done <versions.csv',
    ),
  },
};

const charts = 'https://lightdash.github.io/helm-charts';
const fluxRelease = lines(
  'kind: HelmRelease',
  'metadata: {name: bi}',
  'spec:',
  '  chart: {spec: {chart: lightdash}}',
  '  values:',
  '    image: {repository: acme.io/bi, tag: 1.2.0}',
);

const inHelmfileOf = (bi: string, other: string, version: string) =>
  lines(
    'repositories: [{name: lightdash, url: a}, {name: acme, url: b}]',
    ...['releases:', '  - name: bi', '    chart: lightdash/lightdash'],
    `    set: [{name: image.tag, value: ${bi}}]`,
    ...[`  - name: ${other}`, '    chart: acme/web'],
    `    set: [{name: image.tag, value: ${version}}]`,
  );
const releasesOfFlux = (bi: string, portal: string, more = '') =>
  ['lightdash', 'portal']
    .map((name, i) =>
      lines(
        ...['kind: HelmRelease', `metadata: {name: ${name}}`, 'spec:', `  chart: {spec: {chart: ${name}}}`],
        `  values: {image: {tag: ${i === 0 ? bi : portal}}${i === 0 ? '' : more}}`,
      ),
    )
    .join('---\n');

/** What is said of a chart, of an object or of a tool beside it: 1.2.0 becomes 1.156.0. */
export const versionsBeside: Readonly<Record<string, Files>> = {
  'what an ApplicationSet hands to a parameter of the chart': {
    'all.yaml': lines(
      ...['kind: ApplicationSet', 'metadata: {name: bi}', 'spec:', '  generators:', '    - list:'],
      '        elements:',
      '          - cluster: eu',
      '            current: 1.2.0',
      '  template:',
      '    spec:',
      '      source:',
      '        chart: lightdash',
      '        helm:',
      '          parameters:',
      '            - name: image.tag',
      '              value: "{{current}}"',
    ),
  },
  'the values of an environment that one of several releases of Helmfile takes': {
    'helmfile.yaml': lines(
      'releases:',
      '  - name: lightdash',
      '    chart: lightdash/lightdash',
      '    values: [{image: {tag: "{{ .Values.biRelease }}"}}]',
      '  - {name: loki, chart: grafana/loki, version: "{{ .Values.lokiRelease }}"}',
    ),
    'env/prod.yaml': lines('biRelease: 1.2.0', 'lokiRelease: 6.1.0'),
  },
  'a variable that one of several releases of Terraform takes': {
    'main.tf': lines(
      'resource "helm_release" "bi" {',
      '  chart  = "lightdash"',
      '  values = [yamlencode({ image = { tag = var.app_version } })]',
      '}',
      'resource "helm_release" "proxy" {',
      '  chart   = "traefik"',
      '  version = var.proxy_version',
      '}',
    ),
    'prod.tfvars': lines('app_version = "1.2.0"', 'proxy_version = "30.1.0"'),
  },
  'a value that a variable of one of several releases of Terraform sets': {
    'main.tf': lines(
      'resource "helm_release" "bi" {',
      '  chart = "lightdash"',
      '  set {',
      '    name  = "image.tag"',
      '    value = var.bi',
      '  }',
      '}',
      'resource "helm_release" "proxy" { chart = "traefik" }',
    ),
    'prod.tfvars': lines('bi = "1.2.0"'),
  },
  'the image of the chart from another registry, in a HelmRelease': { 'release.yaml': fluxRelease },
  'the same in Helmfile': {
    'helmfile.yaml': releases('    values: [{image: {repository: acme.io/bi, tag: 1.2.0}}]'),
  },
  'the same in an Application, as a text': {
    'bi.yaml': lines(
      'kind: Application',
      'metadata: {name: bi}',
      'spec:',
      '  source:',
      `    repoURL: ${charts}`,
      '    chart: lightdash',
      '    helm: {values: "image: {repository: acme.io/bi, tag: 1.2.0}"}',
    ),
  },
  'the same in Terraform': {
    'bi.tf': lines(
      'resource "helm_release" "bi" {',
      '  chart  = "lightdash"',
      '  values = [<<-EOT',
      '    image:',
      '      repository: acme.io/bi',
      '      tag: 1.2.0',
      '  EOT',
      '  ]',
      '}',
    ),
  },
  'a variable of a stack in Terraform': {
    'bi.tf': lines(
      'resource "portainer_stack" "lightdash" {',
      '  env {',
      '    name  = "TAG"',
      '    value = "1.2.0"',
      '  }',
      '}',
    ),
  },
  'a variable of a step whose image is a tool': {
    '.drone.yml': lines(
      'steps:',
      '  - name: deploy',
      '    image: alpine/helm',
      '    environment: {REL: 1.2.0}',
      '    commands: ["helm upgrade bi lightdash/lightdash --set image.tag=$REL"]',
    ),
  },
  'a setting of Pulumi that a program in Go requires': {
    'main.go': lines('tag := conf.Require("biTag")', 'img := fmt.Sprintf("lightdash/lightdash:%s", tag)'),
    'Pulumi.prod.yaml': lines('config:', '  infra:biTag: 1.2.0'),
  },
  'a parameter in Terraform, whose name stands before its type': {
    'ssm.tf': lines(
      'resource "aws_ssm_parameter" "rel" {',
      '  name  = "/bi/lightdash/tag"',
      '  type  = "String"',
      '  value = "1.2.0"',
      '}',
    ),
  },
  'an input of a workflow of another repository': {
    '.github/workflows/d.yml':
      'jobs: {d: {uses: acme/lightdash-deploy/.github/workflows/d.yml@v1, with: {to: 1.2.0, rel: 1.2.0}}}\n',
  },
  'the chart of a Lightdash of another name, in one file with Lightdash': {
    'helmfile.yaml': inHelmfileOf('1.100.0', 'lightdash-staging', '1.2.0'),
  },
  'an image of another name that the chart is given, beside the chart': {
    Makefile: lines(
      'IMAGE := acme/bi:1.2.0',
      ...['up:', '\thelm upgrade bi lightdash/lightdash --set image=$(IMAGE)'],
    ),
  },
  'a chart of the repository, beside that of Lightdash in a script': {
    'up.sh': lines('helm upgrade a lightdash/lightdash', 'helm upgrade bi charts/bi --set image.tag=1.2.0'),
    'charts/bi/templates/d.yaml': 'image: "lightdash/lightdash:{{ .Values.image.tag }}"\n',
  },
  'a chart of another name in a release of Lightdash, in a script': {
    'up.sh': lines(
      'helm upgrade a lightdash/lightdash',
      'helm upgrade lightdash-b acme/b --set image.tag=1.2.0',
    ),
  },
  'an image of another name with the settings of Lightdash, beside Lightdash': {
    'main.tf': `${inBlock('lightdash/lightdash:1.100.0')}${inBlock('acme/bi:1.2.0', '  env = ["LIGHTDASH_SECRET=a"]')}`,
  },
  'the image that Flux writes by a policy for Lightdash': {
    'bi.yaml': container('ghcr.io/acme/bi:1.2.0 # {"$imagepolicy": "flux-system:lightdash"}'),
  },
  'the image that kpt writes by a setter for Lightdash': {
    'bi.yaml': container(`ghcr.io/acme/bi:1.2.0 # kpt-set: \${lightdash-image}`),
  },
  'a value of YAML that a comment for Renovate is about': {
    'group_vars/all.yml': renovated('1.2.0', '1.0.0').replaceAll('=', ': '),
  },
  'a constant of a program that a comment for Renovate is about': {
    'pins.go': lines('// renovate: datasource=docker depName=lightdash/lightdash', 'const REPORTS = "1.2.0"'),
  },
  'a line below the name alone': {
    'versions.env': lines('# Lightdash', 'BI=1.2.0', '# Redis', 'CACHE=7.0.0'),
  },
  'a release beside the name, whatever its key': {
    'services.yml': 'services:\n  - {name: lightdash, repo: acme.io/bi, rel: 1.2.0}\n',
  },
  'a release below the name, whatever its key': { 'apps.toml': lines('[lightdash]', 'rel = "1.2.0"') },
  'a base from a repository at a tag': {
    'kustomization.yaml': 'resources: ["https://git.acme.io/ops//lightdash?ref=v1.2.0"]\n',
  },
  'a line that a comment for Renovate is about': { 'versions.env': renovated('1.2.0', '1.0.0') },
  'a string of Nushell': { 'up.nu': lines('let t = "1.2.0"', 'docker run $"lightdash/lightdash:($t)"') },
  'an image of another name in a folder of Lightdash': {
    'apps/lightdash/compose.yaml': lines('services:', '  web:', '    image: acme/reports:1.2.0'),
  },
  'an object of the kind Lightdash': {
    'bi.yaml': lines(
      'apiVersion: acme.io/v1',
      'kind: Lightdash',
      'metadata: {name: bi}',
      'spec: {version: 1.2.0}',
    ),
  },
  'an object of an operator of Lightdash': {
    'bi.yaml': lines(
      'apiVersion: lightdash.acme.io/v1',
      'kind: Bi',
      'metadata: {name: a}',
      'spec: {tag: 1.2.0}',
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

const installed = (isOn: boolean): Files => ({
  'helmfile.yaml': releases(`    installed: ${isOn}`, '    values: [{image: {tag: 1.156.0}}]'),
});
const valued = (order: string): Files => ({
  'helmfile.yaml': releases(`    values: [${order}]`),
  'a.yaml': 'image: {tag: 1.2.0}\n',
  'b.yaml': 'image: {tag: 1.156.0}\n',
});

const cluster = (version: string, release: string) =>
  lines(
    'module "ecs" {',
    '  source       = "terraform-aws-modules/ecs/aws"',
    `  version      = "${version}"`,
    '  cluster_name = "lightdash"',
    `  container_definitions = { bi = { image = "lightdash/lightdash:${release}" } }`,
    '}',
  );

/** Two services of compose, each with a variable for its tag. */
const services = (web: string, billing: string) =>
  lines(
    'services:',
    `  web: {image: "${web}"}`,
    '  db:',
    '    image: postgres:15.4.0',
    '  billing:',
    `    image: ${billing}`,
  );
const variables = (bi: string, billing: string) => lines(`BI_TAG=${bi}`, `BILLING_TAG=${billing}`);
const inCompose = (bi: string, billing: string, compose: string) => ({
  '.env': variables(bi, billing),
  'compose.yaml': compose,
});
const [ofBi, ofBilling] = [`lightdash/lightdash:\${BI_TAG}`, `acme/billing:\${BILLING_TAG}`] as const;
/** Both sides of a change of that variable. */
const ofBillingTag = (compose: string) =>
  [inCompose('1.2.0', '1.2.0', compose), inCompose('1.2.0', '1.156.0', compose)] as const;
const twoServices = services(ofBi, ofBilling);
const release = (name: string, chart: string, tag: string) =>
  lines(
    `resource "helm_release" "${name}" {`,
    `  chart = "${chart}"`,
    '  set {',
    '    name  = "image.tag"',
    `    value = ${tag}`,
    '  }',
    '}',
  );
const inTerraform = (bi: string, billing: string, ofBi = 'var.bi_tag') => ({
  'main.tf': release('bi', 'lightdash', ofBi) + release('billing', 'acme-billing', 'var.billing_tag'),
  'variables.tf': lines(
    'variable "bi_tag" {',
    `  default = "${bi}"`,
    '}',
    'variable "billing_tag" {',
    `  default = "${billing}"`,
    '}',
  ),
});
const inPlay = (bi: string, billing: string) => ({
  'group_vars/all.yml': lines(`lightdash_version: ${bi}`, `billing_version: ${billing}`),
  'play.yml': lines(
    '- docker_container:',
    '    image: "lightdash/lightdash:{{ lightdash_version }}"',
    '- docker_container:',
    '    image: "acme/billing:{{ billing_version }}"',
  ),
});

const encoded = (version: string): Files => ({
  'release.yaml': `${fluxRelease}  valuesFrom: [{kind: Secret, name: bi}]\n`,
  'secret.yaml': lines(
    ...['kind: Secret', 'metadata: {name: bi}', 'data:'],
    `  values.yaml: ${Buffer.from(`image: {tag: ${version}}`).toString('base64')}`,
  ),
});
const budget = 'kind: PodDisruptionBudget\nmetadata: {name: lightdash}\nspec: {minAvailable: 1}\n';
/** A kustomization of Lightdash with more files, and what else it lists. */
const listed = (files: Files, ...more: readonly string[]): Files => ({
  'kustomization.yaml': lines(
    `resources: ${JSON.stringify(['d.yaml', ...Object.keys(files), ...more])}`,
    'images: [{name: lightdash/lightdash, newTag: 1.2.0}]',
  ),
  'd.yaml': container('lightdash/lightdash:1.2.0'),
  ...files,
});

const builtBy = (folder: string): Files => ({
  'compose.yaml': lines(
    'services:',
    '  web: {image: "lightdash/lightdash:1.2.0"}',
    '  worker: {build: "$BI", environment: {LIGHTDASH_MODE: worker}}',
  ),
  '.env': `BI=${folder}\n`,
});

export const movesFilledIn: Readonly<Record<string, readonly [Files, Files]>> = {
  'what a variable beside compose says to build, where only the variables change': [
    builtBy('bi-1'),
    builtBy('bi-2'),
  ],
  'a variable of Terraform beside that of another chart': [
    inTerraform('1.2.0', '4.1.0'),
    inTerraform('1.156.0', '4.1.0'),
  ],
  'a variable of Terraform by the name of another chart': [
    inTerraform('1.2.0', '1.2.0', 'var.billing_tag'),
    inTerraform('1.2.0', '1.156.0', 'var.billing_tag'),
  ],
  'the tag of Lightdash beside that of another service': [
    inCompose('1.2.0', '4.1.0', twoServices),
    inCompose('1.156.0', '4.1.0', twoServices),
  ],
  'a tag by the name of another service that Lightdash takes too': ofBillingTag(
    services(`lightdash/lightdash:\${BI_TAG:-\${BILLING_TAG}}`, ofBilling),
  ),
  'a tag by the name of another service, whose variable gives that of Lightdash': ofBillingTag(
    `${twoServices}    environment: {RELEASE: $BILLING_TAG}\n`,
  ),
  'a tag of a service that may be Lightdash under another name': ofBillingTag(
    lines(
      'services:',
      '  billing:',
      `    image: ${ofBilling}`,
      '    environment:',
      '      LIGHTDASH_SECRET: a',
    ),
  ),
  'the image that a public module is given': [
    { 'main.tf': cluster('5.0.0', '1.2.0') },
    { 'main.tf': cluster('5.0.0', '1.156.0') },
  ],
  'the order of what is merged': [merged('*a, *b'), merged('*b, *a')],
  'values in a Secret, in base64': [encoded('1.2.0'), encoded('1.156.0')],
  'a file of variables that Terraform reads by its new name': [
    { 'main.tf': ofVariable, 'next.tfvars': 'rel = "1.156.0"\n' },
    { 'main.tf': ofVariable, 'next.auto.tfvars': 'rel = "1.156.0"\n' },
  ],
  'a chart of another name that speaks of Lightdash, beside its own': [
    { 'all.yaml': releasesOfFlux('1.2.0', '1.2.0', ', lightdashBackend: {}') },
    { 'all.yaml': releasesOfFlux('1.2.0', '1.156.0', ', lightdashBackend: {}') },
  ],
  'a chart of the repository itself, beside that of Lightdash': [
    { 'helmfile.yaml': inHelmfileOf('1.2.0', 'bi', '1.2.0').replace('acme/web', './web') },
    { 'helmfile.yaml': inHelmfileOf('1.2.0', 'bi', '1.156.0').replace('acme/web', './web') },
  ],
  'a base from a repository that is added': [listed({}), listed({}, 'https://git.acme.io/lightdash//base')],
  'a resource that is added, and runs an image': [
    listed({}),
    listed({ 'web.yaml': container('acme.io/bi:1.156.0') }),
  ],
  'a resource that is added, and is there already': [
    { ...listed({}), 'worker.yaml': container('lightdash/lightdash:1.3.0') },
    { ...listed({}, 'worker.yaml'), 'worker.yaml': container('lightdash/lightdash:1.3.0') },
  ],
  'a chart of Lightdash that is switched on': [umbrella(false), umbrella(true)],
  'a release of Helmfile that is installed': [installed(false), installed(true)],
  'the order of values in Helmfile': [valued('a.yaml, b.yaml'), valued('b.yaml, a.yaml')],
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

const explained = (text: string) =>
  lines('const kind = "lightdash/lightdash:1.0.0";', 'const meaning =', `  '${text} names the release';`);
const job = (version: string) =>
  `kind: CronJob\nmetadata: {name: copy}\nspec: {containers: [{name: copy, image: "acme/copy:${version}"}]}\n`;
const network = (version: string) =>
  lines(
    'module "vpc" {',
    '  source  = "terraform-aws-modules/vpc/aws"',
    `  version = "${version}"`,
    '  tags = {',
    '    app = "lightdash"',
    '  }',
    '}',
  );

const inScript = (version: string): Files => ({
  'up.sh': lines(
    'docker run -d lightdash/lightdash:1.2.0',
    `docker run -d --name portal acme/portal:${version}`,
    'helm upgrade bi lightdash/lightdash --set image.tag=1.2.0',
    `helm upgrade portal acme/portal --set image.tag=${version}`,
  ),
});
const inOneLine = lines(
  'services:',
  `  lightdash: {image: "lightdash/lightdash:\${BI_TAG}"}`,
  `  billing: {image: "${ofBilling}"}`,
);
const ofSources = (version: string): Files => ({
  'app.yaml': lines(
    ...['kind: Application', 'metadata: {name: tools}', 'spec:', '  sources:'],
    `    - {chart: lightdash, repoURL: ${charts}, helm: {valuesObject: {image: {tag: 1.2.0}}}}`,
    `    - {chart: portal, repoURL: "https://acme.io", helm: {valuesObject: {image: {tag: ${version}}}}}`,
  ),
});
const downloading = (tini: string): Files => ({
  Dockerfile: lines(
    'FROM lightdash/lightdash:1.2.0',
    `ARG TINI_VERSION=${tini}`,
    `ADD https://github.com/krallin/tini/releases/download/v\${TINI_VERSION}/tini /tini`,
  ),
});
const inRoles = (grafana: string): Files => ({
  'roles/grafana/defaults/main.yml': `image_tag: ${grafana}\n`,
  'roles/bi/defaults/main.yml': 'image_tag: 1.2.0\n',
  'roles/bi/templates/unit.j2': 'ExecStart=docker run lightdash/lightdash:{{ image_tag }}\n',
});
const policed = (proxy: string): Files => ({
  'bi.yaml': `${container('lightdash/lightdash:1.2.0 # {"$imagepolicy": "a:lightdash"}')}${lines(
    '        - name: proxy',
    `          image: nginx:${proxy} # {"$imagepolicy": "a:nginx"}`,
  )}`,
});

const oneVariable = inCompose('1.2.0', '4.1.0', twoServices);

export const harmlessFilledIn: Readonly<Record<string, readonly [Files, Files]>> = {
  'the image of a container that is called after Lightdash': [
    { 'compose.yaml': inContainer('lightdash-mail', 'axllent/mailpit:1.25.0') },
    { 'compose.yaml': inContainer('lightdash-mail', 'axllent/mailpit:1.26.0') },
  ],
  'the variable of another service comes to those beside compose': [
    { ...oneVariable, '.env': String(oneVariable['.env']).replace(/^BILLING.*\n/m, '') },
    oneVariable,
  ],
  'the variable of another chart in Terraform': [
    inTerraform('1.2.0', '4.1.0'),
    inTerraform('1.2.0', '4.2.0'),
  ],
  'the tag of another service in the variables of compose': [
    inCompose('1.2.0', '4.1.0', twoServices),
    inCompose('1.2.0', '4.2.0', twoServices),
  ],
  'the release of another container beside that of Lightdash': [
    inPlay('1.2.0', '4.1.0'),
    inPlay('1.2.0', '4.2.0'),
  ],
  'what is filled in for another release of Helmfile': [inHelmfile('1.0.0'), inHelmfile('1.1.0')],
  'the release of a public module that is tagged': [
    { 'main.tf': network('5.0.0') },
    { 'main.tf': network('5.1.0') },
  ],
  'the release of a public module that has the name, and the image, of Lightdash': [
    { 'main.tf': cluster('5.0.0', '1.2.0') },
    { 'main.tf': cluster('5.1.0', '1.2.0') },
  ],
  'the image of a sidecar in the values of the chart': [
    { 'release.yaml': `${fluxRelease}    proxy: {image: {repository: acme.io/proxy, tag: 1.0.0}}\n` },
    { 'release.yaml': `${fluxRelease}    proxy: {image: {repository: acme.io/proxy, tag: 1.1.0}}\n` },
  ],
  'a part of a text in a program, which has a release in it': [
    { 'images.ts': explained('The image') },
    { 'images.ts': explained("of it. An exact tag (1.2.3) ' +\n  'of one") },
  ],
  'the database beside an image of another name, in a folder of Lightdash': [
    {
      'apps/lightdash/compose.yaml':
        'services: {web: {image: acme/reports:1.2.0}, db: {image: "postgres:15.4.0"}}',
    },
    {
      'apps/lightdash/compose.yaml':
        'services: {web: {image: acme/reports:1.2.0}, db: {image: "postgres:15.5.0"}}',
    },
  ],
  'a job beside Lightdash, in its folder': [
    {
      'apps/lightdash/d.yaml': container('lightdash/lightdash:1.2.0'),
      'apps/lightdash/job.yaml': job('1.0.0'),
    },
    {
      'apps/lightdash/d.yaml': container('lightdash/lightdash:1.2.0'),
      'apps/lightdash/job.yaml': job('1.1.0'),
    },
  ],
  'a line beside one that a comment for Renovate is about': [
    { 'versions.env': renovated('1.2.0', '1.0.0') },
    { 'versions.env': renovated('1.2.0', '1.1.0') },
  ],
  'a budget for disruptions that kustomize deploys too': [listed({}), listed({ 'pdb.yaml': budget })],
  'a budget for disruptions that goes': [listed({ 'pdb.yaml': budget }), listed({})],
  'the release of another chart in one file with that of Lightdash': [
    { 'all.yaml': releasesOfFlux('1.2.0', '4.1.0') },
    { 'all.yaml': releasesOfFlux('1.2.0', '4.2.0') },
  ],
  'the tag of another chart from a repository, in Helmfile': [
    { 'helmfile.yaml': inHelmfileOf('1.2.0', 'portal', '4.1.0') },
    { 'helmfile.yaml': inHelmfileOf('1.2.0', 'portal', '4.2.0') },
  ],
  'the tag of another source of an Application': [ofSources('4.1.0'), ofSources('4.2.0')],
  'the tag of another service, in maps of one line': [
    inCompose('1.2.0', '4.1.0', inOneLine),
    inCompose('1.2.0', '4.2.0', inOneLine),
  ],
  'what an image downloads beside Lightdash': [downloading('0.18.0'), downloading('0.19.0')],
  'the release of a tool in a Makefile': [
    { Makefile: `HELM_VERSION := 3.14.0\nup:\n\thelm upgrade bi lightdash/lightdash --version 1.9.0\n` },
    { Makefile: `HELM_VERSION := 3.17.0\nup:\n\thelm upgrade bi lightdash/lightdash --version 1.9.0\n` },
  ],
  'a tool of mise beside the name of Lightdash': [
    { 'mise.toml': lines('[tools]', 'helm = "3.14.0"', '[env]', 'LIGHTDASH_VERSION = "1.2.0"') },
    { 'mise.toml': lines('[tools]', 'helm = "3.17.0"', '[env]', 'LIGHTDASH_VERSION = "1.2.0"') },
  ],
  'the tag of another chart in Terraform': [
    { 'main.tf': release('bi', 'lightdash', '"1.2.0"') + release('portal', 'portal', '"4.1.0"') },
    { 'main.tf': release('bi', 'lightdash', '"1.2.0"') + release('portal', 'portal', '"4.2.0"') },
  ],
  'another image in Terraform, beside that of Lightdash': [
    { 'main.tf': `${inBlock('lightdash/lightdash:1.2.0')}${inBlock('acme/portal:4.1.0')}` },
    { 'main.tf': `${inBlock('lightdash/lightdash:1.2.0')}${inBlock('acme/portal:4.2.0')}` },
  ],
  'another image, and another chart, in a script with those of Lightdash': [
    inScript('4.1.0'),
    inScript('4.2.0'),
  ],
  'the default of a role of another program': [inRoles('10.0.0'), inRoles('11.0.0')],
  'the policy of another image': [policed('1.0.0'), policed('1.1.0')],
  'the client, by a comment for Renovate': [
    { 'ci.env': lines('# renovate: depName=@lightdash/cli', 'CLI=1.2.0') },
    { 'ci.env': lines('# renovate: depName=@lightdash/cli', 'CLI=1.156.0') },
  ],
  'another image, with a remark about Lightdash': [
    { 'compose.yaml': 'services:\n  cache:\n    image: redis:7.0.0 # lightdash asks for it\n' },
    { 'compose.yaml': 'services:\n  cache:\n    image: redis:7.1.0 # lightdash asks for it\n' },
  ],
  'an address with what led to it': [
    { 'site.yml': 'url: https://docs.acme.io\n' },
    { 'site.yml': 'url: https://docs.acme.io\nlink: https://www.lightdash.com/?ref=acme\n' },
  ],
  'rows that dbt loads': [
    { 'seeds/tools.csv': 'tool,version\nlightdash,1.2.0\n' },
    { 'seeds/tools.csv': 'tool,version\nlightdash,1.156.0\n' },
  ],
};
