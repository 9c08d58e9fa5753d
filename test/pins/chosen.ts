import { lines } from '../support/lines.js';
import type { Files } from './moves.js';

const of = (file: string, write: (what: string) => string, was: string, is: string, beside: Files = {}) =>
  [
    { ...beside, [file]: write(was) },
    { ...beside, [file]: write(is) },
  ] as const;
const run = (tag: string) => `docker run lightdash/lightdash:${tag}\n`;

const told = (file: string, command: string, beside: Files) =>
  of(file, (minor) => `${command.replace('#', minor)}\n`, '120', '156', beside);
const script = { 'deploy.sh': run('1.$2.0') };

const ruled = (rules: string) => `  rules: [${rules}]\n`;
const byRules = (write: (rule: string) => string) =>
  of(
    '.gitlab-ci.yml',
    (rule) => `deploy:\n  script: ["docker run lightdash/lightdash:$TAG"]\n${write(rule)}`,
    'next/**',
    '**/*',
  );
const github = (environment: string, step: string, more = '') =>
  `jobs:\n  roll:\n    environment: ${environment}\n${more}    steps: [{run: "docker run lightdash/lightdash:${step}"}]\n`;
const inGithub = (environment: string, step: string, more = '') =>
  of(
    '.github/workflows/deploy.yml',
    (name) => github(environment.replace('#', name), step, more),
    'staging',
    'prod',
  );
const kept = '$' + '{{ vars.LIGHTDASH_TAG }}';
const anchored = (label: string, use: string) =>
  of('app.yaml', (version) => `labels: {${label}: &v ${version}}\n${use}`, '1.2.0', '1.3.0');

/** What chooses one of several releases, or tells a script which: it moves Lightdash. */
export const movesChosen: Readonly<Record<string, readonly [Files, Files]>> = {
  'a part of a version that a script is given by -p': told('Makefile', 'up:\n\t./deploy.sh -p #', script),
  'a part of a version that a script is given by --memory': told('ci.sh', './deploy.sh --memory #', script),
  'a part of a version for a recipe of just': told('ci.sh', 'just deploy #', {
    justfile: `deploy minor:\n    ${run('1.{{minor}}.0')}`,
  }),
  'a part of a version for a function of a shell': told('ci.sh', 'deploy_bi #', {
    'lib.sh': `deploy_bi() {\n  ${run('1.$1.0')}}\n`,
  }),
  'what a task is given behind two hyphens': told('ci.sh', 'task deploy -- 1.#.0', {
    'Taskfile.yml': 'tasks: {deploy: {cmds: ["docker run lightdash/lightdash:{{.CLI_ARGS}}"]}}\n',
  }),
  'for which files a rule of GitLab sets the tag': byRules((files) =>
    ruled(`{changes: ["${files}"], variables: {TAG: 1.3.0}}, {variables: {TAG: 1.2.0}}`),
  ),
  'for which files a rule of GitLab leaves the tag as it is': byRules((files) =>
    ruled(`{changes: {paths: ["${files}"]}}, {variables: {TAG: 1.2.0}}`),
  ),
  'when a rule of GitLab sets the tag': byRules((branch) =>
    ruled(`{if: "$CI_COMMIT_BRANCH == '${branch}'", variables: {TAG: 1.3.0}}, {variables: {TAG: 1.2.0}}`),
  ),
  'in which order rules of GitLab set the tag': byRules((files) =>
    ruled(
      (files === 'next/**' ? ['A', 'B'] : ['B', 'A'])
        .map((name) => `{if: $${name}, variables: {TAG: ${name === 'A' ? '1.2.0' : '1.3.0'}}}`)
        .join(', '),
    ),
  ),
  'the environment of a job of GitHub': inGithub('#', kept),
  'the name of the environment of a job of GitHub': inGithub(
    '{name: #}',
    '$TAG',
    `    env: {TAG: "${kept}"}\n`,
  ),
  'the environment that a matrix has': of(
    '.github/workflows/deploy.yml',
    (name) => github('$' + '{{ matrix.stage }}', kept, `    strategy: {matrix: {stage: [${name}]}}\n`),
    'staging',
    'prod',
  ),
  'the environment that a workflow is given': of(
    '.github/workflows/prod.yml',
    (name) => `jobs: {prod: {uses: ./.github/workflows/deploy.yml, with: {environment: ${name}}}}\n`,
    'staging',
    'prod',
    { '.github/workflows/deploy.yml': github('$' + '{{ inputs.environment }}', kept) },
  ),
  'the environment of a job of GitLab': of(
    '.gitlab-ci.yml',
    (name) => `deploy: {environment: ${name}, script: ["docker run lightdash/lightdash:$LIGHTDASH_TAG"]}\n`,
    'staging',
    'prod',
  ),
  'the context of a job of CircleCI': of(
    '.circleci/config.yml',
    (name) =>
      lines(
        'jobs: {roll: {steps: [{run: "docker run lightdash/lightdash:$LIGHTDASH_TAG"}]}}',
        ...Array.from({ length: 12 }, () => '# far away'),
        `workflows: {all: {jobs: [{roll: {context: ${name}}}]}}`,
      ),
    'staging',
    'prod',
  ),
  'the group of variables of a pipeline of Azure': of(
    'azure-pipelines.yml',
    (name) =>
      lines(
        `variables: [{group: ${name}}]`,
        'steps: [{script: "docker run lightdash/lightdash:$(LIGHTDASH_TAG)"}]',
      ),
    'staging',
    'prod',
  ),
  'a label whose anchor gives a name its release': anchored('version', 'lightdash_release: *v\n'),
  'a label whose anchor a parameter of Helm has': anchored(
    'version',
    'helm: {parameters: [{name: lightdash.image.tag, value: *v}]}\n',
  ),
};

export const harmlessChosen: Readonly<Record<string, readonly [Files, Files]>> = {
  'the port of another computer': of(
    'up.sh',
    (port) => `ssh -p ${port} bi.acme.io ${run('1.2.0')}`,
    '22',
    '2222',
  ),
  'in which quotes a script is told what to do': of(
    'ci.sh',
    (version) => `./deploy.sh -p ${version}\n`,
    '156',
    '"156"',
    script,
  ),
  'rules of GitLab that set something else': of(
    '.gitlab-ci.yml',
    (files) =>
      lines(
        `lint: {rules: [{changes: ["${files}"], variables: {FAST: "1"}}]}`,
        'deploy: {script: ["docker run lightdash/lightdash:1.2.0"]}',
      ),
    'a/**',
    'b/**',
  ),
  'the address of an environment': inGithub('{name: prod, url: "https://#.acme.io"}', kept),
  'the environment of a job that names its tag': inGithub('#', '$TAG', '    env: {TAG: 1.2.0}\n'),
  'the environment of a job that is given its tag': inGithub('#', '$' + '{{ inputs.tag }}'),
  'the environment of a job that takes a password': inGithub(
    '#',
    '1.2.0',
    '    env: {DB: "$' + '{{ secrets.DB }}"}\n',
  ),
  'the environment of another job': of(
    '.github/workflows/deploy.yml',
    (name) =>
      `${github('prod', kept)}  billing:\n    environment: ${name}\n    steps: [{run: ./billing.sh}]\n`,
    'staging',
    'prod',
  ),
  'the environment of a module that is given its tag': of(
    'main.tf',
    (name) =>
      lines(
        'module "bi" {',
        `  environment = "${name}"`,
        '  image = "lightdash/lightdash:$' + '{var.tag}"',
        '}',
      ),
    'staging',
    'prod',
  ),
  'a label whose anchor another label has': anchored(
    'chart',
    'image: {repository: lightdash/lightdash, tag: 1.2.0}\nweb: {labels: {chart: *v}}\n',
  ),
};
