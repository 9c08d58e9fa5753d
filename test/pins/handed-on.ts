import { lines } from '../support/lines.js';
import type { Files } from './moves.js';

const run = (tag: string) => `docker run lightdash/lightdash:${tag}\n`;
const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;
const from = (remote: string, version: string) => ({ source: { git: { remote } }, version });
const libraries = (ours: string, theirs: string): Files => ({
  'jsonnetfile.json': json({
    dependencies: [
      from('https://git.acme.io/lightdash-libsonnet', 'main'),
      from('https://git.acme.io/k8s', 'main'),
    ],
  }),
  'jsonnetfile.lock.json': json({
    dependencies: [
      from('https://git.acme.io/lightdash-libsonnet', ours),
      from('https://git.acme.io/k8s', theirs),
    ],
  }),
});
const inputs = (theirs: string) =>
  json({
    nodes: {
      'lightdash-nix': { locked: { owner: 'acme', repo: 'lightdash-nix', rev: 'a'.repeat(40) } },
      nixpkgs: { locked: { owner: 'NixOS', repo: 'nixpkgs', rev: theirs } },
    },
  });
const vendored = (sha: string): Files => ({
  'vendir.yml': lines(
    'kind: Config',
    'directories:',
    '  - path: vendor',
    '    contents: [{path: bi, git: {url: "https://git.acme.io/lightdash-deploy", ref: origin/main}}]',
  ),
  'vendir.lock.yml': lines(
    'kind: LockConfig',
    'directories:',
    '  - path: vendor',
    `    contents: [{path: bi, git: {sha: ${sha}}}]`,
  ),
});
const workflow = (ref: string): Files => ({
  '.github/workflows/deploy.yml': `jobs: {prod: {uses: acme/lightdash-deploy/.github/workflows/deploy.yml@${ref}}}\n`,
});
const updater = (range: string): Files => ({
  'app.yaml': lines(
    'kind: Application',
    'metadata:',
    '  name: bi',
    `  annotations: {argocd-image-updater.argoproj.io/image-list: "bi=lightdash/lightdash:${range}"}`,
  ),
});
const policy = (range: string): Files => ({
  'policy.yaml': lines(
    'kind: ImagePolicy',
    'metadata: {name: lightdash}',
    `spec: {imageRepositoryRef: {name: lightdash}, policy: {semver: {range: ${range}}}}`,
  ),
});
const canary = (isOn: boolean): Files => ({
  'charts/bi/Chart.yaml': 'name: bi\nversion: 0.1.0\n',
  'charts/bi/values.yaml': `canary: ${isOn}\n`,
  'charts/bi/templates/d.yaml':
    'image: lightdash/lightdash:{{ if .Values.canary }}1.156.0{{ else }}1.2.0{{ end }}\n',
});
const tags = (crm: string): Files => ({
  'main.tf': lines(
    `resource "docker_container" "bi" { image = "lightdash/lightdash:\${local.tags.bi}" }`,
    'resource "docker_container" "crm" {',
    '  name  = "crm"',
    `  image = "acme/crm:\${local.tags.crm}"`,
    '}',
  ),
  'tags.tf': `locals {\n  tags = {\n    bi  = "1.2.0"\n    crm = "${crm}"\n  }\n}\n`,
});
const siblings = (crm: string): Files => ({
  'platform/Chart.yaml':
    'name: platform\ndependencies: [{name: bi, repository: "file://../bi"}, {name: crm, repository: "file://../crm"}]\n',
  'bi/Chart.yaml': 'name: bi\n',
  'bi/values.yaml': 'image: {repository: lightdash/lightdash, tag: 1.2.0}\n',
  'crm/Chart.yaml': 'name: crm\n',
  'crm/values.yaml': `tag: ${crm}\n`,
});
const pipeline = (tag: string, more = ''): Files => ({
  '.gitlab-ci.yml': `build:
  variables: {CRM_TAG: ${tag}}
  script: [docker build -t acme/crm:$CRM_TAG .]
deploy:
  script:
    - helm upgrade bi lightdash/lightdash --version 1.9.0 --set image.tag=1.2.0
${more}`,
});
const skaffold = (script: string): Files => ({
  'skaffold.yaml': lines(
    'kind: Config',
    'metadata: {name: lightdash}',
    `build: {artifacts: [{image: acme/lightdash, custom: {buildCommand: ./${script}.sh}}]}`,
  ),
});
const jenkins = (tag: string): Files => ({
  Jenkinsfile: lines(
    `def crmTag = '${tag}'`,
    "def biTag = params.same ? crmTag : '1.0.0'",
    `sh "docker run lightdash/lightdash:\${biTag}"`,
    `sh "docker run acme/crm:\${crmTag}"`,
  ),
});
const replacement = (field: string) =>
  lines(
    `source: {kind: ConfigMap, name: c, fieldPath: "${field}"}`,
    'targets: [{select: {kind: Deployment}, fieldPaths: [spec.template.spec.containers.0.image], options: {delimiter: ":", index: 1}}]',
  );
const replaced = (key: string, field: string, tag = '1.2.0'): Files => ({
  'deployment.yaml':
    'kind: Deployment\nspec: {template: {spec: {containers: [{name: a, image: "lightdash/lightdash:x"}]}}}\n',
  'kustomization.yaml': lines(
    'resources: [deployment.yaml]',
    `configMapGenerator: [{name: c, literals: [${key}=${tag}]}]`,
    'replacements:',
    `  - ${replacement(field).trim().replace('\n', '\n    ')}`,
  ),
});
const fetched = (ref: string, more: string, of = 'bi-deploy'): Files => ({
  'kustomization.yaml': `resources: ["https://git.acme.io/acme/${of}//base?ref=${ref}"]\n${more}\n`,
});
const linted = (command = 'echo linted'): Files => ({
  'deploy/bi/deployment.yaml': 'image: lightdash/lightdash:1.2.0\n',
  '.github/workflows/deploy.yml': `jobs: {deploy: {steps: [{run: kubectl apply -k deploy/bi}, {run: ${command}}]}}\n`,
});
const [one, other] = ['c'.repeat(40), 'd'.repeat(40)];

/** What a script, a pipeline or a tool hands on to what refers to Lightdash: 1.2.0 becomes 1.156.0. */
export const versionsHandedOn: Readonly<Record<string, Files>> = {
  'variables of compose that a script names': {
    'stack/compose.yaml': lines('services:', '  bi:', `    image: lightdash/lightdash:\${TAG}`),
    'deploy.sh': 'docker compose --env-file config/prod.env -f stack/compose.yaml up -d\n',
    'config/prod.env': 'TAG=1.2.0\n',
  },
  'values of a chart that a script names': {
    'ci/deploy.sh': 'helm upgrade --install bi ./charts/bi -f config/prod.yaml\n',
    'config/prod.yaml': 'tag: 1.2.0\n',
    'charts/bi/Chart.yaml': 'name: bi\nversion: 0.1.0\n',
    'charts/bi/templates/d.yaml': 'image: lightdash/lightdash:{{ .Values.tag }}\n',
  },
  'variables of Terraform that a script names': {
    'ci/deploy.sh': 'terraform -chdir=infra/bi apply -var-file=../../config/prod.tfvars\n',
    'config/prod.tfvars': 'tag = "1.2.0"\n',
    'infra/bi/main.tf': lines(
      'variable "tag" {}',
      `resource "docker_image" "bi" { name = "lightdash/lightdash:\${var.tag}" }`,
    ),
  },
  'variables of Ansible that a script names': {
    'ci/deploy.sh': 'ansible-playbook -e @config/prod.yml playbooks/bi.yml\n',
    'config/prod.yml': 'tag: 1.2.0\n',
    'playbooks/bi.yml': lines(
      '- hosts: bi',
      '  tasks:',
      '    - docker_container: {name: bi, image: "lightdash/lightdash:{{ tag }}"}',
    ),
  },
  'variables that a script reads before it runs make': {
    'ci/deploy.sh': lines('. config/prod.env', 'export TAG', 'make -C deploy up'),
    'config/prod.env': 'TAG=1.2.0\n',
    'deploy/Makefile': `up:\n\t${run('$(TAG)')}`,
  },
  'variables that a pipeline reads before it runs a script': {
    'ci/deploy.yml': lines(
      'steps:',
      '  - run: |',
      '      source envs/prod.env',
      '      cd deploy && ./run.sh',
    ),
    'envs/prod.env': 'TAG=1.2.0\n',
    'deploy/run.sh': run('$TAG'),
  },
  'the environment of a pipeline that runs a script': {
    '.buildkite/pipeline.yml': lines('env:', '  REL: 1.2.0', 'steps:', '  - command: ./scripts/deploy.sh'),
    'scripts/deploy.sh': run('$REL'),
  },
  'a definition of CUE in another file': {
    'bi.cue': 'package bi\nimage: "lightdash/lightdash:\\(#tag)"\n',
    'versions.cue': 'package bi\n#tag: "1.2.0"\n',
  },
  'a parameter of a class of Puppet': {
    'data/common.yaml': 'profile::bi::tag: 1.2.0\n',
    'manifests/bi.pp': lines(
      'class profile::bi (String $tag) {',
      `  docker::run { 'bi': image => "lightdash/lightdash:\${tag}" }`,
      '}',
    ),
  },
  'an attribute of Chef': {
    'cookbooks/bi/attributes/default.rb': "default['bi']['tag'] = '1.2.0'\n",
    'cookbooks/bi/recipes/default.rb': lines(
      "docker_container 'bi' do",
      "  repo 'lightdash/lightdash'",
      "  tag node['bi']['tag']",
      'end',
    ),
  },
  'a field of a claim of Crossplane': {
    'composition.yaml': lines(
      'kind: Composition',
      'spec:',
      '  resources:',
      '    - base: {kind: Release, spec: {forProvider: {chart: {name: lightdash}}}}',
      '      patches:',
      '        - fromFieldPath: spec.appVersion',
      '          toFieldPath: spec.forProvider.values.image.tag',
    ),
    'claims/prod.yaml': 'kind: Bi\nmetadata: {name: prod}\nspec: {appVersion: 1.2.0}\n',
  },
  'the image by which kustomize knows that of a container called Lightdash': {
    'prod/kustomization.yaml': 'resources: [../base]\nimages: [{name: app, newTag: 1.2.0}]\n',
    'base/kustomization.yaml': 'resources: [d.yaml]\n',
    'base/d.yaml': lines(
      'kind: Deployment',
      'metadata: {name: bi}',
      'spec: {template: {spec: {containers: [{name: lightdash, image: app}]}}}',
    ),
  },
  'what a module gives to another, and that one to a third': {
    'prod/main.tf': 'module "bi" {\n  source = "../stacks/bi"\n  rel    = "1.2.0"\n}\n',
    'stacks/bi/main.tf':
      'variable "rel" {}\nmodule "web" {\n  source = "../../modules/web"\n  t      = var.rel\n}\n',
    'modules/web/main.tf': lines(
      'variable "t" {}',
      `resource "docker_container" "web" { image = "lightdash/lightdash:\${var.t}" }`,
    ),
  },
  'a parameter in a store': {
    'ssm/main.tf': 'resource "aws_ssm_parameter" "p" {\n  name  = "/bi/tag"\n  value = "1.2.0"\n}\n',
    'app/main.tf': lines(
      'data "aws_ssm_parameter" "t" { name = "/bi/tag" }',
      `resource "docker_container" "bi" { image = "lightdash/lightdash:\${data.aws_ssm_parameter.t.value}" }`,
    ),
  },
  'a key of Consul': {
    'bi.nomad': lines(
      'template { data = "TAG={{ key \\"bi/tag\\" }}" }',
      `config { image = "lightdash/lightdash:\${TAG}" }`,
    ),
    'consul/kv.json': '{"bi/tag": "1.2.0"}\n',
  },
  'the template of a chart on which that of Lightdash depends': {
    'charts/common/Chart.yaml': 'name: common\nversion: 0.1.0\n',
    'charts/common/templates/_image.tpl':
      '{{ define "image" }}{{ .Values.image.repository }}:{{ .Values.image.tag | default "1.2.0" }}{{ end }}\n',
    'charts/bi/Chart.yaml':
      'name: bi\nversion: 0.1.0\ndependencies: [{name: common, version: 0.1.0, repository: "file://../common"}]\n',
    'charts/bi/values.yaml': 'image: {repository: lightdash/lightdash}\n',
    'charts/bi/templates/d.yaml': 'image: {{ include "image" . }}\n',
  },
  'a file that a template reads': {
    'charts/bi/Chart.yaml': 'name: bi\nversion: 0.1.0\n',
    'charts/bi/files/tag.txt': '1.2.0\n',
    'charts/bi/templates/d.yaml': 'image: lightdash/lightdash:{{ .Files.Get "files/tag.txt" }}\n',
  },
  'the environment of a plugin of Argo CD': {
    'app.yaml': lines(
      'kind: Application',
      'metadata: {name: bi}',
      'spec: {source: {path: bi, plugin: {env: [{name: BI_RELEASE, value: 1.2.0}]}}}',
    ),
    'bi/d.yaml': `image: lightdash/lightdash:\${ARGOCD_ENV_BI_RELEASE}\n`,
  },
  'what a role of Ansible gives to another': {
    'roles/stack/meta/main.yml': 'dependencies: [{role: bi, vars: {rel: 1.2.0}}]\n',
    'roles/bi/tasks/main.yml': '- docker_container: {image: "lightdash/lightdash:{{ rel }}"}\n',
  },
  'what Jinja takes where a name has no value': {
    'roles/bi/tasks/main.yml':
      '- docker_container: {image: "lightdash/lightdash:{{ bi_tag | default(crm_tag) }}"}\n',
    'group_vars/all.yml': 'crm_tag: 1.2.0\n',
  },
  'what Jinja takes by a condition': {
    'roles/bi/tasks/main.yml':
      '- docker_container: {image: "lightdash/lightdash:{{ bi_tag if own else crm_tag }}"}\n',
    'group_vars/all.yml': 'crm_tag: 1.2.0\n',
  },
  'what Jinja takes of two': {
    'roles/bi/tasks/main.yml':
      '- docker_container: {image: "lightdash/lightdash:{{ own | ternary(bi_tag, crm_tag) }}"}\n',
    'group_vars/all.yml': 'crm_tag: 1.2.0\n',
  },
  'what kustomize takes by a name with a hyphen': replaced('bi-rel', 'data.bi-rel'),
  'what kustomize takes by a name with a dot': replaced('bi.rel', 'data.[bi.rel]'),
  'what kustomize takes as a file says': {
    ...replaced('rel', 'data.rel'),
    'kustomization.yaml': lines(
      'resources: [deployment.yaml]',
      'configMapGenerator: [{name: c, literals: [rel=1.2.0]}]',
      'replacements: [{path: replacement.yaml}]',
    ),
    'replacement.yaml': replacement('data.rel'),
  },
  'what a component of kustomize takes from an overlay': {
    'base/deployment.yaml': replaced('', '')['deployment.yaml'] ?? '',
    'base/kustomization.yaml': 'resources: [deployment.yaml]\n',
    'tag/kustomization.yaml': `kind: Component\nreplacements:\n  - ${replacement('data.rel').trim().replace('\n', '\n    ')}\n`,
    'prod/kustomization.yaml': lines(
      'resources: [../base]',
      'components: [../tag]',
      'configMapGenerator: [{name: c, literals: [rel=1.2.0]}]',
    ),
  },
  'a Helmfile from a repository': {
    'helmfile.yaml':
      'helmfiles:\n  - path: git::https://git.acme.io/deploy.git@lightdash/helmfile.yaml?ref=v1.2.0\n',
  },
  'a patch on the command line': {
    'patch.sh': `kubectl patch deploy lightdash --type json -p '[{"op":"replace","path":"/image","value":"acme.io/bi:1.2.0"}]'\n`,
  },
};

export const movesHandedOn: Readonly<Record<string, readonly [Files, Files]>> = {
  'a workflow from a repository': [workflow('v1'), workflow('v2')],
  'a range of Argo CD Image Updater': [updater('~1.2'), updater('~1.156')],
  'a range of a policy of Flux': [policy('1.2.x'), policy('1.156.x')],
  "the tag of what another job builds, which is Lightdash's too": [
    pipeline('1.0.0', `    - docker run lightdash/lightdash:\${CRM_TAG:-latest}\n`),
    pipeline('1.1.0', `    - docker run lightdash/lightdash:\${CRM_TAG:-latest}\n`),
  ],
  'which of two releases a template takes': [canary(false), canary(true)],
  'a base from a repository whose image has another name': [
    fetched('v1', 'images: [{name: lightdash/lightdash, newName: acme/bi}]'),
    fetched('v2', 'images: [{name: lightdash/lightdash, newName: acme/bi}]'),
  ],
  'a base from a repository that is patched': [
    fetched('v1', 'replicas: [{name: lightdash, count: 2}]'),
    fetched('v2', 'replicas: [{name: lightdash, count: 2}]'),
  ],
  'what builds Lightdash for Skaffold': [skaffold('stable'), skaffold('next')],
  'a tag of another image that a condition takes': [jenkins('1.0.0'), jenkins('1.1.0')],
  'a word that kustomize takes by a name with a hyphen': [
    replaced('bi-rel', 'data.bi-rel', 'stable'),
    replaced('bi-rel', 'data.bi-rel', 'canary'),
  ],
  'a lock of Jsonnet': [libraries(one, one), libraries(other, one)],
  'what looks, and then runs another release': [
    linted(),
    linted('"yamllint deploy/bi; docker run lightdash/lightdash:1.3.0"'),
  ],
  'a lock that does not have the word': [vendored(one), vendored(other)],
};

export const harmlessHandedOn: Readonly<Record<string, readonly [Files, Files]>> = {
  'another library in a lock': [libraries(one, one), libraries(one, other)],
  'another input in a lock without the ending of JSON': [
    { 'flake.lock': inputs(one) },
    { 'flake.lock': inputs(other) },
  ],
  'the tag of another image in a map': [tags('1.0.0'), tags('1.1.0')],
  'the tag of what another job builds': [pipeline('1.0.0'), pipeline('1.1.0')],
  'a base from a repository whose image has its tag here': [
    fetched('v1', 'images: [{name: lightdash/lightdash, newTag: 1.2.0}]'),
    fetched('v2', 'images: [{name: lightdash/lightdash, newTag: 1.2.0}]'),
  ],
  'another program from a repository, in the namespace of Lightdash': [
    fetched('v1', 'namespace: lightdash', 'redis'),
    fetched('v2', 'namespace: lightdash', 'redis'),
  ],
  'what looks at the files of Lightdash': [linted(), linted('yamllint -s deploy/bi')],
  'what waits for Lightdash': [linted(), linted('kubectl -n bi rollout status deploy/bi')],
  'what shows the logs of Lightdash': [
    {
      Makefile: 'up:\n\tdocker compose -f a.yaml up\n',
      'a.yaml': 'services: {bi: {image: "lightdash/lightdash:1.2.0"}}\n',
    },
    {
      Makefile: 'up:\n\tdocker compose -f a.yaml up\nlogs:\n\t@docker compose -f a.yaml logs -f\n',
      'a.yaml': 'services: {bi: {image: "lightdash/lightdash:1.2.0"}}\n',
    },
  ],
  'values of a chart that one depends on as on that of Lightdash': [siblings('1.0.0'), siblings('1.1.0')],
  'a port in another form': [
    { 'compose.yaml': 'services: {bi: {image: "lightdash/lightdash:1.2.0", ports: ["8080:8080"]}}\n' },
    { 'compose.yaml': 'services: {bi: {image: "lightdash/lightdash:1.2.0", ports: [{target: 8080}]}}\n' },
  ],
  'for which files a workflow runs': [
    { 'a.sh': run('1.2.0'), '.github/workflows/lint.yml': 'on: {push: {paths: [lightdash/]}}\n' },
    { 'a.sh': run('1.2.0'), '.github/workflows/lint.yml': 'on: {push: {paths: [lightdash/, a.sh]}}\n' },
  ],
  'for which files a job of GitLab runs': [
    { 'a.sh': run('1.2.0'), '.gitlab-ci.yml': 'lint: {rules: [{changes: [lightdash/]}]}\n' },
    { 'a.sh': run('1.2.0'), '.gitlab-ci.yml': 'lint: {rules: [{changes: [lightdash/, a.sh]}]}\n' },
  ],
  'another variable in a file that a script names': [
    { 'a.sh': '. b.env\n./c.sh\n', 'b.env': 'TAG=1.2.0\nOTHER=1.0.0\n', 'c.sh': run('$TAG') },
    { 'a.sh': '. b.env\n./c.sh\n', 'b.env': 'TAG=1.2.0\nOTHER=2.0.0\n', 'c.sh': run('$TAG') },
  ],
};
