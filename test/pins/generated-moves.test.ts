import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lines } from '../support/lines.js';
import { propertyRuns } from '../support/property-runs.js';
import { stops } from './stops.js';

interface Written {
  readonly image: string;
  readonly tag: string;
  /** A name for a variable, a service, a container. */
  readonly name: string;
  readonly quote: string;
}

const upper = (name: string) => name.toUpperCase().replaceAll('-', '_');

/** Files in which people keep the version of Lightdash. `#` begins a comment in most, `//` in some. */
const formats: Readonly<Record<string, (written: Written) => string>> = {
  'compose.yaml': ({ image, tag, name, quote: q }) =>
    lines('services:', `  ${name}:`, `    image: ${q}${image}:${tag}${q}`, '    restart: always'),
  'stack/docker-compose.prod.yml': ({ image, tag, name }) =>
    lines('services:', `  ${name}:`, `    image: ${image}:\${${upper(name)}:-${tag}}`),
  'values.yaml': ({ image, tag, quote: q }) =>
    lines('image:', `  repository: ${image}`, `  tag: ${q}${tag}${q}`, 'replicaCount: 2'),
  'envs/prod.yaml': ({ image, tag }) => `{image: {repository: ${image}, tag: "${tag}"}, replicas: 2}\n`,
  'kustomization.yaml': ({ image, tag, quote: q }) =>
    lines('images:', `  - name: ${image}`, `    newTag: ${q}${tag}${q}`, '  - {name: nginx, newTag: 1.27.0}'),
  'k8s/deployment.yaml': ({ image, tag, name }) =>
    lines(
      ...['apiVersion: apps/v1', 'kind: Deployment', `metadata: {name: ${name}}`, 'spec:', '  template:'],
      ...['    spec:', '      containers:', `        - name: ${name}`, `          image: ${image}:${tag}`],
    ),
  'task.json': ({ image, tag, name }) =>
    JSON.stringify({ containerDefinitions: [{ name, cpu: 256, image: `${image}:${tag}` }] }, null, 2),
  'helmfile.yaml': ({ tag, name }) =>
    lines(
      ...['releases:', `  - name: ${name}`, '    chart: lightdash/lightdash', '    set:'],
      ...['      - name: image.tag', `        value: ${tag}`],
    ),
  'main.tf': ({ tag, name }) =>
    lines(
      ...[
        `resource "helm_release" "${name}" {`,
        '  chart = "lightdash"',
        '  set {',
        '    name = "image.tag"',
      ],
      ...[`    value = "${tag}"`, '  }', '}'],
    ),
  'container.tf': ({ image, tag, name }) =>
    lines(
      `variable "${name}" {`,
      `  default = "${tag}"`,
      '}',
      `locals { image = "${image}:\${var.${name}}" }`,
    ),
  Dockerfile: ({ image, tag }) => lines('FROM node:22 AS build', 'RUN true', `FROM ${image}:${tag}`),
  'bi.dockerfile': ({ image, tag, name }) =>
    lines(`ARG ${upper(name)}=${tag}`, `FROM ${image}:\${${upper(name)}}`, 'USER node'),
  'deploy.sh': ({ image, tag, name }) =>
    lines('set -eu', `${upper(name)}=${tag}`, 'sleep 1', `docker run -d "${image}:$${upper(name)}"`),
  'up.sh': ({ image, tag }) => lines('set -eu', `docker run -d --restart always ${image}:${tag}`),
  'upgrade.sh': ({ tag, name }) =>
    lines(`helm upgrade ${name} lightdash/lightdash \\`, `  --set image.tag=${tag} \\`, '  --wait'),
  Makefile: ({ image, tag, name }) =>
    lines(`${upper(name)} := ${tag}`, 'up:', `\tdocker run ${image}:$(${upper(name)})`),
  justfile: ({ image, tag, name }) =>
    lines(`${name} := "${tag}"`, 'up:', `  docker run ${image}:{{${name}}}`),
  '.env': ({ tag, quote: q }) => lines('SITE_URL=https://bi.example.com', `LIGHTDASH_VERSION=${q}${tag}${q}`),
  'apps.toml': ({ tag }) => lines('[grafana]', 'version = "11.0.0"', '[lightdash]', `version = "${tag}"`),
  'bi.container': ({ image, tag }) => lines('[Container]', `Image=${image}:${tag}`, 'AutoUpdate=registry'),
  'bi.nomad': ({ image, tag, name }) =>
    lines(`job "${name}" { group "a" { task "x" {`, `  config { image = "${image}:${tag}" }`, '} } }'),
  '.gitlab-ci.yml': ({ image, tag, name }) =>
    lines(
      'variables:',
      `  ${upper(name)}: "${tag}"`,
      'up:',
      `  script: docker pull ${image}:$${upper(name)}`,
    ),
  '.github/workflows/up.yml': ({ image, tag, name }) =>
    lines(
      ...[
        'env:',
        `  ${upper(name)}: ${tag}`,
        'jobs:',
        '  up:',
        '    steps:',
        '      - uses: actions/checkout@v4',
      ],
      `      - run: docker pull ${image}:\${{ env.${upper(name)} }}`,
    ),
  Jenkinsfile: ({ image, tag, name }) =>
    lines(`def ${name} = '${tag}'`, "node('x') {", `  sh "docker run ${image}:\${${name}}"`, '}'),
  'infra/stack.ts': ({ image, tag, name }) =>
    lines(`const ${name} = '${tag}';`, `deploy({ image: \`${image}:\${${name}}\`, cpu: 2 });`),
  'infra/stack.py': ({ image, tag, name }) =>
    lines(`${upper(name)} = "${tag}"`, 'cpu = 2', `deploy(image=f"${image}:{${upper(name)}}")`),
  'bi.jsonnet': ({ image, tag, name }) =>
    lines(`local ${name} = '${tag}';`, `{ image: '${image}:%s' % ${name} }`),
  'release.yaml': ({ tag, name }) =>
    lines(
      ...['apiVersion: helm.toolkit.fluxcd.io/v2', 'kind: HelmRelease', `metadata: {name: ${name}}`, 'spec:'],
      ...['  chart: {spec: {chart: lightdash, version: 2.0.0}}', `  values: {image: {tag: ${tag}}}`],
    ),
  'app.yaml': ({ tag, name }) =>
    lines(
      ...['apiVersion: argoproj.io/v1alpha1', 'kind: Application', `metadata: {name: ${name}}`, 'spec:'],
      ...[
        '  source:',
        '    chart: lightdash',
        '    helm:',
        '      values: |',
        `        image: {tag: ${tag}}`,
      ],
    ),
};

const version = fc.tuple(fc.nat(3), fc.nat(3000), fc.nat(20)).map((parts) => parts.join('.'));
const written = fc.record({
  image: fc.constantFrom(
    'lightdash/lightdash',
    'ghcr.io/acme/lightdash',
    'registry.acme.io:5000/mirror/lightdash-commercial',
    'acme/lightdash-custom',
  ),
  name: fc.constantFrom('bi', 'web', 'app', 'lightdash', 'analytics', 'reports'),
  quote: fc.constantFrom('', '"', "'"),
});
const decoration = fc.record({
  before: fc.constantFrom('', 'v'),
  after: fc.constantFrom('', '-commercial', '-rc.1', `@sha256:${'a'.repeat(64)}`),
});
const name = fc.constantFrom(...Object.keys(formats));

describe('a version that is edited anywhere in a generated file never passes', () => {
  it('whatever the format, the image, the names, the quotes and what is around it', async () => {
    const around = fc.record({
      blank: fc.nat(3),
      comment: fc.constantFrom('', '# 1.2.3\n', '# renovate: x\n'),
      ending: fc.constantFrom('\n', '\r\n'),
      folder: fc.constantFrom('', 'deploy/', 'apps/bi/', 'lightdash/'),
    });
    await fc.assert(
      fc.asyncProperty(
        ...([name, written, decoration, around, version, version] as const),
        async (file, places, { before, after }, { blank, comment, ending, folder }, from, to) => {
          fc.pre(from !== to);
          const isData = file.endsWith('.json') || /\.(?:ts|jsonnet)$|Jenkinsfile$/.test(file);
          const of = (one: string) => {
            const text = formats[file]?.({ ...places, tag: `${before}${one}${after}` }) ?? '';
            const whole = `${isData ? '' : comment}${'\n'.repeat(blank)}${text}`;
            return {
              [`${file.includes('/') || file.startsWith('.') ? '' : folder}${file}`]: whole.replaceAll(
                '\n',
                ending,
              ),
            };
          };
          expect(await stops(of(from), of(to))).not.toEqual([]);
        },
      ),
      { numRuns: propertyRuns(600) },
    );
  });

  it('where two of them stand in one change, and only one is edited', async () => {
    await fc.assert(
      fc.asyncProperty(name, name, written, version, version, async (file, beside, places, from, to) => {
        fc.pre(from !== to && file !== beside);
        const other = { [beside]: formats[beside]?.({ ...places, tag: from }) ?? '' };
        const of = (tag: string) => ({ ...other, [file]: formats[file]?.({ ...places, tag }) ?? '' });
        expect(await stops(of(from), of(to))).not.toEqual([]);
      }),
      { numRuns: propertyRuns(200) },
    );
  });
});
