import { describe, expect, it } from 'vitest';
import { comparePin } from '../../src/core/pins.js';
import { lookAtChange } from '../../src/pins/change.js';
import { pairPins } from '../../src/pins/compare/pairs.js';
import { type PinTree, type TreeFile, treeOfTexts } from '../../src/pins/pin-tree.js';

type Files = Readonly<Record<string, string>>;

/** What a change does to the pins of Lightdash, one line each, and what of it is not judged. */
async function changeOf(
  before: Files,
  after: Files,
  { renamed = {}, kinds = {} }: { renamed?: Files; kinds?: Readonly<Record<string, TreeFile['kind']>> } = {},
) {
  const treeOf = (files: Files): PinTree => {
    const tree = treeOfTexts(files);
    const entries = [...tree.files].map(
      ([name, file]) => [name, { ...file, kind: kinds[name] ?? file.kind }] as const,
    );
    return { ...tree, files: new Map(entries) };
  };
  const names = new Map(Object.entries(renamed));
  const found = await lookAtChange(treeOf(before), treeOf(after), { tagSuffix: undefined, renamed: names });
  const pins = pairPins(found.before, found.after, names, found.patterns).map((pair) => {
    const { kind, ...more } = comparePin(pair.before, pair.after, pair.facts);
    const step = 'from' in more ? ` ${more.from} ${more.to}` : '';
    return `${pair.place.file}#${pair.place.path.join('.')} ${kind}${step}`;
  });
  const notJudged = found.unexplained.map(({ file, line, why }) =>
    ['not judged', file, ...(line === undefined ? [] : [line]), why].join(' '),
  );
  return [...pins.toSorted(), ...notJudged];
}

const values = (tag: string) => `image:\n  repository: lightdash/lightdash\n  tag: ${tag}\n`;
const compose = (tag: string, more = '') =>
  `services:\n  lightdash: {image: "lightdash/lightdash:${tag}"}\n  db: {image: "postgres:16.1"}\n${more}`;
const deployment = (name: string, image: string) =>
  `apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: ${name}}\nspec: {template: {spec: {containers: [{name: ${name}, image: "${image}"}]}}}\n`;
const release = (version: string, of = 'lightdash', more = '') =>
  `apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nspec:\n  chart: {spec: {chart: ${of}, version: ${version}}}\n${more}`;
const application = (helm: string, version = '2.0.0') =>
  `apiVersion: argoproj.io/v1alpha1\nkind: Application\nspec:\n  source:\n    chart: lightdash\n    targetRevision: ${version}\n    ${helm}\n`;
const template =
  'kind: Deployment\nspec:\n  image: "{{ .Values.image.repository }}:{{ .Values.image.tag }}"\n  {{- if .x }}\n';

/** Files, and the same with a later release. */
const moved = (files: Files): [before: Files, after: Files] => [
  files,
  JSON.parse(JSON.stringify(files).replaceAll('1.2.3', '1.3.0')),
];

/** One file, before and after. */
const of = (name: string, before: string, after: string): [before: Files, after: Files] => [
  { [name]: before },
  { [name]: after },
];

const images = (...tags: readonly string[]) =>
  tags.map((tag, i) => `image_${i} = "lightdash/lightdash:${tag}"\n`).join('');

const moduleOf = (line = '') => `module "lightdash" {\n${line}  a = 1\n}\n`;
const built = (line = '') => `services:\n  lightdash:\n${line}    environment: {A: b}\n`;

const ownChart = { 'Chart.yaml': 'name: lightdash\nappVersion: 1.2.3' };
const dependsOn = (version: string) =>
  `name: bi\ndependencies: [{name: lightdash, version: ${version}, repository: "https://x.io/charts"}]`;

describe('the pins of Lightdash in what a change touches', () => {
  it.each<[what: string, before: Files, after: Files]>([
    ['values', ...moved({ 'v/values.yaml': values('1.2.3') })],
    ['another service', ...of('compose.yaml', compose('1.2.3'), compose('1.2.3', '  x: {image: y}\n'))],
    [
      'the .env next to a compose file',
      ...moved({ 'a/compose.yaml': compose('$TAG'), 'a/.env': 'TAG=1.2.3\n' }),
    ],
    [
      'variables of a compose file under another name',
      { 'compose.yaml': compose('$TAG'), 'envs/prod.env': 'TAG=1.2.3\nA=1\n' },
      { 'compose.yaml': compose('$TAG'), 'envs/prod.env': 'TAG=1.3.0\nA=2\n' },
    ],
    ['a variable of Terraform', ...moved({ 'prod.auto.tfvars.json': '{"lightdash_tag": "1.2.3"}' })],
    ['the language of Terraform', ...moved({ 'main.tf': 'lightdash_version = "1.2.3"' })],
    ['images that change places', ...of('main.tf', images('1.2.3', '1.3.0'), images('1.3.0', '1.2.3'))],
    ['values of helmfile', ...of('values.yaml.gotmpl', values('1.2.3'), values('{{ .x }}'))],
    [
      'a patch beside a pin',
      ...of(
        'kustomization.yaml',
        'images: [{name: lightdash/lightdash, newTag: 1.2.3}]\npatches: [{value: "lightdash/lightdash:1.2.3"}]',
        'images: [{name: lightdash/lightdash, newTag: 1.2.3}]\npatches: [{value: "lightdash/lightdash:1.3.0"}]',
      ),
    ],
    [
      'values in a ConfigMap',
      ...moved({
        'c.yaml': 'apiVersion: v1\nkind: ConfigMap\ndata:\n  values.yaml: |\n    image:\n      tag: 1.2.3\n',
      }),
    ],
    ['a .env alone', ...moved({ '.env': 'LIGHTDASH_VERSION=1.2.3\nPGUSER=x\n' })],
    [
      'kustomize, in another order',
      ...of(
        'kustomization.yaml',
        'images: [{name: lightdash/lightdash, newTag: 1.2.3}, {name: nginx, newTag: 1.0.0}]',
        'images: [{name: nginx, newTag: 1.1.0}, {name: lightdash/lightdash, newTag: 1.3.0}]',
      ),
    ],
    [
      'a HelmRelease',
      ...of(
        'hr.yaml',
        release('2.0.0', 'lightdash', '  values: {image: {tag: 1.2.3}}'),
        release('2.1.0', 'lightdash', '  values: {image: {tag: 1.3.0}}'),
      ),
    ],
    ['the chart of a HelmRelease alone', { 'hr.yaml': release('2.0.0') }, { 'hr.yaml': release('2.1.0') }],
    [
      'another value of such a HelmRelease',
      ...of('hr.yaml', release('2.0.0'), release('2.0.0', 'lightdash', '  values: {a: 1}')),
    ],
    ['an Application', ...moved({ 'app.yaml': application('helm: {valuesObject: {image: {tag: 1.2.3}}}') })],
    [
      'an Application with parameters',
      ...moved({ 'app.yaml': application('helm: {parameters: [{name: image.tag, value: 1.2.3}]}') }),
    ],
    [
      'an Application with values in a text',
      ...moved({ 'app.yaml': application('helm:\n      values: |\n        image:\n          tag: 1.2.3') }),
    ],
    [
      'the chart of an Application alone',
      ...of('app.yaml', application('path: x'), application('path: x', '2.1.0')),
    ],
    [
      'manifests of several objects',
      ...of(
        'all.yaml',
        `${deployment('nginx', 'nginx:1.0.0')}---\n${deployment('web', 'lightdash/lightdash:1.2.3')}---\n${deployment('worker', 'lightdash/lightdash:1.2.3')}`,
        `${deployment('nginx', 'nginx:1.1.0')}---\n${deployment('worker', 'lightdash/lightdash:1.3.0')}---\n${deployment('web', 'lightdash/lightdash:1.3.0')}`,
      ),
    ],
    ['a mirror under another name', ...moved({ 'd.yaml': deployment('lightdash', 'q.io/corp/bi:1.2.3') })],
    [
      'another image in its place',
      ...of('compose.yaml', compose('1.2.3'), 'services: {lightdash: {image: "q.io/x:1.2.3"}}'),
    ],
    ['the file gone', { 'values.yaml': values('1.2.3') }, {}],
    ['a new file', {}, { 'values.yaml': values('1.2.3') }],
    ['the tag gone', ...of('values.yaml', values('1.2.3'), 'image: {repository: lightdash/lightdash}')],
    ['values that could never be read', { 'values.yaml': 'image: [' }, { 'values.yaml': 'image: [ ' }],
    ['a broken manifest of Lightdash', ...of('d.yaml', 'a: [', 'image: lightdash/lightdash:1.2.3 [\n  x: ]')],
    [
      'a tag that is left to the chart, which has another name',
      ...moved({
        'values.yaml': 'image: {repository: lightdash/lightdash}',
        'Chart.yaml': 'name: x\nappVersion: 1.2.3',
      }),
    ],
    [
      'the chart of Lightdash',
      ...moved({
        'charts/bi/values.yaml': 'image: {repository: lightdash/lightdash, tag: ""}',
        'charts/bi/Chart.yaml': 'name: lightdash\nappVersion: 1.2.3',
      }),
    ],
    [
      'other values of the chart of Lightdash',
      { ...ownChart, 'values.yaml': 'a: 1' },
      { ...ownChart, 'values.yaml': 'a: 2' },
    ],
    [
      'a tag that is no longer written in the chart of Lightdash',
      { ...ownChart, 'values.yaml': values('1.2.3') },
      { ...ownChart, 'values.yaml': values('""') },
    ],
    [
      'a dependency whose tag is not written',
      { 'values.yaml': 'a: 1', 'Chart.yaml': dependsOn('2.0.0') },
      { 'values.yaml': 'a: 1', 'Chart.yaml': dependsOn('2.1.0') },
    ],
    [
      'other values of a chart with such a dependency',
      { 'values.yaml': 'a: 1', 'requirements.yaml': dependsOn('2.0.0'), 'Chart.yaml': '' },
      { 'values.yaml': 'a: 2', 'requirements.yaml': dependsOn('2.0.0'), 'Chart.yaml': '' },
    ],
    [
      'a dependency that is unpacked',
      { 'c/Chart.yaml': dependsOn('2.6.1'), 'c/charts/lightdash-2.6.1.tgz': 'a' },
      { 'c/Chart.yaml': dependsOn('2.6.1'), 'c/charts/lightdash-2.6.1.tgz': 'b' },
    ],
    [
      'the chart of a dependency whose tag is written',
      { 'values.yaml': 'lightdash: {image: {tag: 1.2.3}}', 'Chart.yaml': dependsOn('2.0.0') },
      { 'values.yaml': 'lightdash: {image: {tag: 1.2.3}}', 'Chart.yaml': dependsOn('2.1.0') },
    ],
    [
      'a dependency under another name, whose tag is written',
      ...moved({
        'values.yaml': 'bi: {image: {tag: 1.2.3}}',
        'Chart.yaml': 'name: x\ndependencies: [{name: lightdash, alias: bi, version: 2.0.0}]',
      }),
    ],
    ['a dependency without values', ...of('Chart.yaml', dependsOn('2.0.0'), dependsOn('2.1.0'))],
    [
      'values with an empty tag, of a chart elsewhere',
      ...of(
        'values.yaml',
        'image: {repository: lightdash/lightdash, tag: ""}\na: 1',
        'image: {repository: lightdash/lightdash, tag: ""}\na: 2',
      ),
    ],
    [
      'values without a tag, of a chart elsewhere',
      ...of(
        'values.yaml',
        'image: {repository: lightdash/lightdash}\na: 1',
        'image: {repository: lightdash/lightdash}\na: 2',
      ),
    ],
    ['a Dockerfile', ...moved({ Dockerfile: 'FROM lightdash/lightdash:1.2.3\n' })],
    ['an argument of a container', ...moved({ 'd.yaml': 'args: ["--image=lightdash/lightdash:1.2.3"]' })],
    [
      'a template that writes the image',
      ...moved({ 'c/templates/d.yaml': `${template}x: lightdash/lightdash:1.2.3` }),
    ],
  ])('%s', async (_, before, after) => {
    expect(await changeOf(before, after)).toMatchSnapshot();
  });

  it.each<[what: string, before: Files, after: Files]>([
    ['a text', { 'README.md': 'a' }, { 'README.md': 'lightdash/lightdash:1.2.3' }],
    [
      'a package',
      ...of(
        'package.json',
        '{"dependencies": {"@lightdash/sdk": "0.1.0"}}',
        '{"dependencies": {"@lightdash/sdk": "0.2.0"}}',
      ),
    ],
    [
      'a pipeline',
      ...of(
        '.gitlab-ci.yml',
        'image: node:20\nservices: [postgres:15]',
        'image: node:22\nservices: [postgres:16]',
      ),
    ],
    ['a ConfigMap', {}, { 'c.yaml': 'apiVersion: v1\nkind: ConfigMap\ndata: {a: b}' }],
    ['nothing', { 'values.yaml': values('1.2.3') }, { 'values.yaml': values('1.2.3') }],
    ['a comment', ...of('x.yaml', 'a: 1 # lightdash/lightdash:1.2.3', 'a: 1 # lightdash/lightdash:1.3.0')],
  ])('finds none, and no file that can pin one: %s', async (_, before, after) => {
    expect(await changeOf(before, after)).toEqual([]);
  });

  it.each<[what: string, before: Files, after: Files]>([
    [
      'values of another program',
      ...of(
        'values.yaml',
        'image: {repository: nginx, tag: 1.0.0}',
        'image: {repository: nginx, tag: 1.1.0}',
      ),
    ],
    ['compose', { 'values.yaml': 'a: 1' }, { 'values.yaml': 'a: 2' }],
    ['a new manifest', {}, { 'values.yaml': deployment('nginx', 'nginx:1.0.0') }],
    [
      'a HelmRelease of another chart',
      ...of('values.yaml', release('1.0.0', 'redis'), release('1.1.0', 'redis')),
    ],
  ])('finds none in a file that can pin one: %s', async (_, before, after) => {
    expect(await changeOf(before, after)).toEqual([]);
  });

  it('says of a template that it is not read', async () => {
    const before = { 'c/templates/d.yaml': template, 'c/values.yaml': values('1.2.3') };
    const after = { 'c/templates/d.yaml': `${template}# x`, 'c/values.yaml': values('1.3.0') };
    expect(await changeOf(before, after)).toEqual(['c/values.yaml#image.tag moved 1.2.3 1.3.0']);
  });

  it.each([
    ['to where the pin is', values('1.3.0'), 'b/values.yaml#image.tag moved 1.2.3 1.3.0'],
    ['to a file without pins', 'a: 1', 'a/values.yaml#image.tag renamed-away'],
  ])('follows a rename %s', async (_, text, pin) => {
    const renamed = { 'a/values.yaml': 'b/values.yaml' };
    const before = { 'a/values.yaml': values('1.2.3') };
    expect(await changeOf(before, { 'b/values.yaml': text }, { renamed })).toEqual([pin]);
  });

  it.each<[string, TreeFile['kind'], string[]]>([
    ['values.yaml', 'link', ['not judged values.yaml link']],
    ['envs', 'link', []],
    ['lightdash', 'link', ['not judged lightdash link']],
    ['envs', 'submodule', ['not judged envs submodule']],
    ['docs/theme', 'submodule', ['not judged docs/theme submodule']],
    ['values.yaml', 'unmerged', ['not judged values.yaml no-text']],
    ['AGENTS.md', 'link', []],
  ])('does not see behind %s, a %s', async (name, kind, pins) => {
    const outcome = await changeOf({ [name]: 'a' }, { [name]: 'b' }, { kinds: { [name]: kind } });
    expect(outcome).toEqual(pins);
  });

  it.each<[what: string, old: string, now: string, before: string, after: string]>([
    [
      'which a tool reads by itself',
      'bi.tf',
      'bi_override.tf',
      moduleOf('  source = "git::https://x.io/lightdash//m?ref=1.2.0"\n'),
      moduleOf(),
    ],
    [
      'which no tool reads by itself',
      'compose.override.yaml',
      'bi.yaml',
      built(),
      built('    build: https://github.com/lightdash/lightdash.git#1.2.0\n'),
    ],
  ])('looks at what differs in a file with another name, %s', async (_, old, now, before, after) => {
    const outcome = await changeOf({ [old]: before }, { [now]: after }, { renamed: { [old]: now } });
    expect(outcome).toEqual([expect.stringContaining(`not judged ${now}`)]);
  });

  it.each<[string, Record<string, string>, string[]]>([
    ['docs/theme', {}, []],
    ['envs', { 'README.md': 'See envs.' }, []],
    ['envs', { 'deploy.sh': 'kubectl apply -k envs/prod\n' }, ['not judged envs submodule']],
    ['vendor/lightdash', {}, ['not judged vendor/lightdash submodule']],
  ])('sees whether the submodule %s is deployed beside Lightdash: %#', async (name, beside, pins) => {
    const files = { 'compose.yaml': compose('1.2.3'), ...beside };
    const options = { kinds: { [name]: 'submodule' as const } };
    expect(await changeOf({ ...files, [name]: 'a' }, { ...files, [name]: 'b' }, options)).toEqual(pins);
  });

  it('does not see behind a submodule of others in which a chart of Lightdash is named', async () => {
    const app = 'kind: Application\nspec: {source: {path: vendor/charts/stable/lightdash}}\n';
    const before = { 'app.yaml': app, 'vendor/charts': 'a' };
    const options = { kinds: { 'vendor/charts': 'submodule' as const } };
    const outcome = await changeOf(before, { ...before, 'vendor/charts': 'b' }, options);
    expect(outcome).toEqual(['not judged vendor/charts submodule']);
  });
});
