import { describe, expect, it } from 'vitest';
import { LightspanError } from '../../../src/core/lightspan-error.js';
import { parsePinLocation, readPin } from '../../../src/pins/yaml/pinned-version.js';

const values = (tag: string) => `image:\n  tag: ${tag}\n`;
const read = (text: string, path = 'image.tag', suffix?: string) =>
  readPin(text, parsePinLocation(`values.yaml#${path}`), { tagSuffix: suffix });

const digest = `sha256:${'0123456789abcdef'.repeat(4)}`;
const compose = (...services: readonly string[]) =>
  `services:\n${services.map((service) => `  ${service}\n`).join('')}`;
const atService = 'services.lightdash.image';
const besides = (worker: string) =>
  compose('lightdash: {image: "lightdash/lightdash:1.214.0"}', `lightdash-scheduler: {${worker}}`);
/** What is said of a pin that is refused, and what to do. */
const saidOf = (text: string, path?: string, suffix?: string) => {
  try {
    return JSON.stringify(read(text, path, suffix));
  } catch (error) {
    return error instanceof LightspanError ? `${error.summary}\n${error.hint}` : String(error);
  }
};

it.each([
  ['V1.214.0+x', /--tag-suffix/],
  ['main-1.214.0', /--from/],
])('of the tag %s, what else to name is said', (tag, hint) => {
  expect(saidOf(`image: {tag: ${tag}}`).split('\n')[1]).toMatch(hint);
});

describe('the image that a pin belongs to', () => {
  it.each<[string, string, string, string?]>([
    ['a tag alone', 'tag: v1.214.0', 'tag'],
    [
      'Helm values',
      'image: {registry: ghcr.io, repository: acme/lightdash, tag: 1.214.0-x, digest: ""}',
      'image.tag',
      '-x',
    ],
    ['a registry in the repository', 'image: {repository: q.io:5000/a/lightdash, tag: 1.214.0}', 'image.tag'],
    ['a compose file', compose('lightdash: {image: "registry:5000/lightdash/lightdash:1.214.0"}'), atService],
    ['a tag with a digest', `image: {repository: a/lightdash, tag: 1.214.0-x@${digest}}`, 'image.tag', '-x'],
    ['an image with both', compose(`lightdash: {image: "a/lightdash:1.214.0@${digest}"}`), atService],
    [
      'an anchor of a compose file',
      `x: &x {image: lightdash/lightdash:1.214.0}\n${compose('db: {image: postgres}', 'web: {<<: *x}')}`,
      'x.image',
    ],
    [
      'kustomize',
      'images: [{name: lightdash/lightdash, newName: ghcr.io/acme/lightdash, newTag: 1.214.0}]',
      'images.0.newTag',
    ],
    ['image and imageTag', 'image: lightdash/lightdash\nimageTag: 1.214.0', 'imageTag'],
    [
      'what a merge key brings',
      'x: &x {registry: ghcr.io, repository: a/b}\nimage: {<<: *x, tag: 1.214.0}',
      'image.tag',
    ],
  ])('%s', (_, text, path, suffix) => {
    const { scalars: _scalars, ...pin } = read(text, path, suffix);
    expect(pin).toMatchSnapshot();
  });
});

describe('what else the file says of the image', () => {
  const values = (more: string) => `image:\n  repository: lightdash/lightdash\n  tag: 1.214.0\n${more}`;

  it.each<[string, string, string?]>([
    [
      'another service with the same tag',
      compose(
        'lightdash: {image: "lightdash/lightdash:1.214.0"}',
        'lightdash-scheduler: {image: "ghcr.io/lightdash/lightdash:1.214.0"}',
        'db: {image: "pgvector/pgvector:pg16"}',
        'headless-browser: {image: ghcr.io/browserless/chromium}',
      ),
      atService,
    ],
    [
      'aliases',
      `x-image: &image lightdash/lightdash:1.214.0\n${compose('a: {image: *image}', 'b: {image: *image}')}`,
      'x-image',
    ],
    [
      'a merge key',
      `x-ld: &ld\n  image: lightdash/lightdash:1.214.0\n${compose('a: {<<: *ld}', 'b: {<<: [*ld], restart: always}')}`,
      'x-ld.image',
    ],
    ['a part with the same tag', values('migrationJob: {image: {tag: 1.214.0}}'), 'image.tag'],
    [
      'parts without a tag of their own',
      values('scheduler: {image: {repository: "", tag: "", digest: null}}'),
    ],
    [
      "the chart's other programs",
      values(
        'postgresql: {image: {tag: pg16}}\nbrowserless-chrome: {image: {tag: v2.49.0}}\nmigrationJob: {scaleDownWorkloads: {image: {repository: registry.k8s.io/kubectl, tag: v1.33.4}}}',
      ),
    ],
    ...['postgresql', 'browserless-chrome', 'nats', 'minio', 'redis'].map((part): [string, string] => [
      `the part ${part} of the chart, whose tag stands alone`,
      values(`${part}: {image: {tag: 1.2.3}}`),
    ]),
    ['what the job scales down with', values('migrationJob: {scaleDownWorkloads: {image: {tag: 1.33.4}}}')],
    [
      'another part of an umbrella chart',
      'lightdash: {image: {tag: 1.214.0}}\noauth2-proxy: {image: {tag: v7.6.0}}',
      'lightdash.image.tag',
    ],
    [
      'the chart that a chart is made of',
      'appVersion: 1.214.0\ndependencies: [{name: lightdash, version: 2.16.284, repository: oci://ghcr.io/charts/lightdash}]',
      'appVersion',
    ],
    [
      'a version beside a repository',
      'image: {repository: lightdash/lightdash, version: 1.214.0}',
      'image.version',
    ],
  ])('may be: %s', (_, text, path = 'image.tag') => {
    const { version, otherPlaces } = read(text, path);
    expect([version, ...otherPlaces]).toMatchSnapshot();
  });

  it.each<[string, string, string?]>([
    ['a digest beside the tag', values(`  digest: ${digest}`)],
    ['a digest that a merge key brings', `x: &x {digest: ${digest}}\nimage: {<<: *x, tag: 1.214.0}`],
    ...['imageDigest', 'sha', 'sha256'].map((key): [string, string] => [
      `a digest under another name, ${key}`,
      values(`  ${key}: ${digest}`),
    ]),
    ['a digest beside a tag with a digest', `image: {tag: 1.214.0@${digest}, digest: ${digest}}`],
    ['a repository with a tag', 'image: {repository: lightdash/lightdash:1.213.0, tag: 1.214.0}'],
    ['a repository with a digest', `image: {repository: lightdash/lightdash@${digest}, tag: 1.214.0}`],
    [
      'the version of a chart',
      'dependencies: [{name: lightdash, repository: https://lightdash.github.io/helm-charts, version: 2.16.284}]',
      'dependencies.0.version',
    ],
    [
      'the version of a chart that Argo CD deploys',
      'spec: {source: {chart: lightdash, repoURL: "https://charts.example.com", targetRevision: 2.16.0}}',
      'spec.source.targetRevision',
    ],
    [
      'the version of a chart that Flux, helmfile or Terraform deploys',
      'spec: {chart: {spec: {chart: lightdash, version: 2.16.0}}}',
      'spec.chart.spec.version',
    ],
    [
      'the version of a chart that Flux fetches as an image',
      'spec: {url: "oci://charts.example.com/lightdash", ref: {tag: 2.16.0}}',
      'spec.ref.tag',
    ],
    ['another tag beside the image', 'image: lightdash/lightdash:1.214.0\nimageTag: 1.213.0', 'image'],
    ['another service, older', besides('image: "lightdash/lightdash:1.213.0"'), atService],
    ['another service without a tag', besides('image: lightdash/lightdash'), atService],
    ['another service, filled in', besides('image: "lightdash/lightdash:$' + '{TAG}"'), atService],
    ['another service with a digest', besides(`image: "lightdash/lightdash:1.214.0@${digest}"`), atService],
    [
      'another service that is an alias',
      `x: &x {image: "lightdash/lightdash:1.213.0"}\n${compose('lightdash: {image: "lightdash/lightdash:1.214.0"}', 'w: *x')}`,
      atService,
    ],
    [
      'a merge key that is overridden',
      `x: &x {image: "lightdash/lightdash:1.213.0"}\n${compose('lightdash: {<<: *x, image: "lightdash/lightdash:1.214.0"}', 'w: {<<: *x}')}`,
      atService,
    ],
    [
      'a merge key above the tag',
      'x: &x {image: {tag: 1.213.0}}\nlightdash: {image: {tag: 1.214.0}, <<: *x}',
      'lightdash.image.tag',
    ],
    [
      'a registry that a merge key brings too',
      'x: &x {registry: ghcr.io}\nimage: {tag: 1.214.0, registry: quay.io, <<: *x}',
    ],
    [
      'another part whose tag a merge key brings too',
      'x: &x {tag: 1.213.0}\nimage: {tag: 1.214.0}\nscheduler: {image: {tag: 1.214.0, <<: *x}}',
    ],
    ['a migration job, newer', values('migrationJob: {image: {tag: 1.215.0}}')],
    ['a migration job, as one text', values('migrationJob: {image: "lightdash/lightdash:1.215.0"}')],
    ['an image by another key', values('schedulerImage: lightdash/lightdash:1.213.0')],
    [
      'parts side by side',
      'backend: {image: {tag: 1.214.0}}\nworker: {image: {tag: 1.213.0}}',
      'backend.image.tag',
    ],
    ['an alias of a map', 'x: &x {tag: 1.213.0}\nimage: {tag: 1.214.0}\nscheduler: {image: *x}'],
    [
      'another document',
      `kind: A\n${values('')}---\nkind: Deployment\nspec: {containers: [{image: "lightdash/lightdash:1.213.0"}]}`,
    ],
    [
      'a part that leaves its tag to the chart',
      values('scheduler: {image: {repository: lightdash/lightdash, tag: ""}}'),
    ],
    [
      'a part that has a version in place of a tag',
      values('scheduler: {image: {repository: lightdash/lightdash, version: 1.213.0}}'),
    ],
    ['a digest that is filled in elsewhere', 'image:\n  tag: 1.214.0\n  digest: {{ .Values.digest }}\n'],
    [
      'an image of that name, where none stands beside the tag',
      'image: {tag: 1.214.0}\nextra: {image: "corp/lightdash:1.213.0"}',
    ],
    ['what stands under a tag of no part', 'tag: 1.214.0\nextra: {imageTag: 1.213.0}', 'tag'],
    [
      'an image that kustomize names twice',
      'images:\n- {name: lightdash/lightdash, newTag: 1.214.0}\n- {name: a/lightdash, newTag: 1.213.0}\n',
      'images.0.newTag',
    ],
    [
      'what stands in the same part, whatever it is called',
      'bi: {image: {tag: 1.214.0}, extra: {image: {tag: 1.213.0}}}',
      'bi.image.tag',
    ],
    [
      'a key of kustomize in other capitals',
      'images:\n- name: lightdash/lightdash\n  newTag: 1.214.0\n  newtag: 1.213.0\n',
      'images.0.newTag',
    ],
    [
      'what compose takes away',
      'services:\n  bi: {image: !reset "lightdash/lightdash:1.213.0"}\n',
      'services.bi.image',
    ],
    ['a tag that is a number', values('scheduler: {image: {tag: 1.10}}')],
    [
      'a tag that looks like an image',
      values('scheduler: {image: {repository: lightdash/lightdash, tag: "12:00"}}'),
    ],
  ])('refuses %s', (_, text, path = 'image.tag') => {
    expect(() => read(text, path)).toThrow(expect.objectContaining({ code: 'invalid-pin' }));
    expect(saidOf(text, path)).toMatchSnapshot();
  });
});

describe('readPin', () => {
  it.each<[string, string, string?, string?]>([
    ['a plain tag', values('1.214.0')],
    ['the second document', `kind: A\n---\nkind: B\n${values('1.214.0')}`],
    ['the only document that is not empty, and the first', `# a\n---\n${values('1.214.0')}---\n# b\n`],
    ['an image of a registry with a port', values('localhost:5000/a/lightdash:1.214.0-x'), 'image.tag', '-x'],
    ['a key that is a number', 'images:\n  1: 1.214.0\n', 'images.1'],
    ['a tag beside another image', 'image: {tag: 1.214.0}\nextra: {image: "corp/other:1.213.0"}'],
    ['a tag with a long digest', `image: {tag: "1.214.0@sha512:${'0a'.repeat(64)}"}`],
    [
      'brackets in a text, closed or not',
      `a: "${'['.repeat(400)}"\nb: |\n  ${'{'.repeat(400)}\n${values('1.214.0')}`,
    ],
  ])('%s', (_, text, path, suffix) => {
    const pin = read(text, path, suffix);
    expect(pin.version).toBe('1.214.0');
    expect(pin.tag.replace(/^v/, '')).toBe(`1.214.0${suffix ?? ''}`);
    expect(pin.scalars).toHaveLength(1);
    const [from = 0, to = 0] = pin.scalars[0]?.range ?? [];
    expect(text.slice(from, to)).toContain('1.214.0');
  });

  it.each<[string, string, string?, string?]>([
    ['a path that is not there', values('1.214.0'), 'image.version'],
    ['a path through a value', values('1.214.0'), 'image.tag.x'],
    [
      'what a merge key brings',
      'x: &x {image: a/lightdash:1.2.3}\nservices: {web: {<<: *x}}',
      'services.web.image',
    ],
    ['an empty file', ''],
    ['an empty value', values('')],
    ['a number', values('1.10')],
    ['an alias', `v: &v 1.214.0\n${values('*v')}`],
    ['a path through an alias', 'a: &a {tag: 1.2.3}\nimage: *a\n'],
    ['a template', values('{{ .Values.tag }}')],
    ['a template in quotes', values('"{{ .Values.tag }}"')],
    ['a file that is a template', `{{- if .x }}\n${values('1.214.0')}{{- end }}\n`],
    ['a variable', values('"$' + '{LIGHTDASH_VERSION:-1.2.3}"')],
    ['a digest', values('lightdash/lightdash@sha256:0123')],
    ['a tag and half a digest', values('lightdash/lightdash:1.214.0@sha256:0123')],
    ['a tag and two digests', values(`1.214.0@${digest}@${digest}`)],
    ['a digest behind nothing', values(`"@${digest}"`)],
    ['latest', values('latest')],
    ['an image without a tag', values('lightdash/lightdash')],
    ['a collection', values('{a: 1}')],
    ['a suffix that was not named', values('1.214.0-custom')],
    ['blanks in the tag, which no image has', values('"1.214.0 "')],
    ['quotes in the tag, which no image has', values(`'"1.214.0"'`)],
    ['two documents that have it', `kind: A\n${values('1.2.3')}---\nkind: A\n${values('1.2.4')}`],
    ['values in two documents, as Helm 3 and 4 read them', `${values('1.2.3')}---\n${values('1.2.4')}`],
    ['values before another document', `${values('1.2.3')}---\na: 1\n`],
    ['values behind a document, if an empty one', `---\n---\n${values('1.2.3')}`],
    ['null in place of a tag', values('null')],
    ['a key of kustomize in other capitals', `Resources: [a]\nimages:\n- newTag: 1.2.3\n`, 'images.0.newTag'],
    ['one that Go takes for it', `image\u017f: []\nimages:\n- newTag: 1.2.3\n`, 'images.0.newTag'],
    ['the list itself in other capitals', `Images:\n- newTag: 1.2.3\n`, 'Images.0.newTag'],
    ['a key that stands twice', `${values('1.2.3')}${values('1.2.4')}`],
    ['broken YAML', 'image: ['],
  ])('refuses %s', (_, text, path, suffix) => {
    expect(() => read(text, path, suffix)).toThrow(expect.objectContaining({ code: 'invalid-pin' }));
    expect(saidOf(text, path, suffix)).toMatchSnapshot();
  });
});

describe('parsePinLocation', () => {
  it('splits at the last #', () => {
    expect(parsePinLocation('a#b/values.yaml#image.tag')).toEqual({
      file: 'a#b/values.yaml',
      path: ['image', 'tag'],
    });
  });

  it.each(['values.yaml', '#image.tag', 'values.yaml#', 'values.yaml#image..tag', ''])(
    'refuses %j',
    (text) => {
      expect(() => parsePinLocation(text)).toThrow(expect.objectContaining({ code: 'usage' }));
    },
  );
});
