import { expect, it } from 'vitest';
import { lines } from '../support/lines.js';
import type { Files } from './moves.js';
import { stops } from './stops.js';

const helmChart = (...spec: readonly string[]): Files => ({
  'k3s.yaml': lines(
    'apiVersion: helm.cattle.io/v1',
    'kind: HelmChart',
    'metadata: {name: bi}',
    'spec:',
    ...spec,
  ),
});
const helmfile = (...release: readonly string[]): Files => ({
  'helmfile.yaml': lines(
    ...[
      'environments:',
      '  prod:',
      '    values:',
      '      - bi: {tag: 1.2.0}',
      '        redisTag: 7.0.0',
      '---',
    ],
    ...['releases:', '  - name: cache', '    chart: bitnami/redis', '    set:', '      - name: image.tag'],
    ...[
      '        value: "{{ .Values.redisTag }}"',
      '  - name: bi',
      '    chart: lightdash/lightdash',
      ...release,
    ],
  ),
});

/** Where 1.2.0 becomes 1.156.0, each is a pin that is judged, and not what nobody can judge. */
it.each<[string, Files, string]>([
  [
    'set of a Release of Crossplane',
    {
      'bi.yaml': lines(
        'apiVersion: helm.crossplane.io/v1beta1',
        'kind: Release',
        'metadata: {name: bi}',
        'spec: {forProvider: {chart: {name: lightdash, version: 2.16.0}, set: [{name: image.tag, value: 1.2.0}]}}',
      ),
    },
    'spec.forProvider.set.0.value moved',
  ],
  [
    'set of Helmwave',
    {
      'helmwave.yml':
        'releases: [{name: bi, chart: {name: lightdash/lightdash, version: 2.16.0}, set: {image.tag: 1.2.0}}]\n',
    },
    'releases.0.set.image.tag moved',
  ],
  [
    'set of k3s',
    helmChart('  chart: lightdash', '  set:', '    image.tag: 1.2.0'),
    'spec.set.image.tag moved',
  ],
  [
    'set of k3s with the chart by its address, and the repository beside the tag',
    helmChart(
      '  chart: https://charts.acme.io/lightdash-1.0.0.tgz',
      '  set: {image.repository: acme/lightdash, image.tag: "1.2.0"}',
    ),
    'spec.set.image.tag moved',
  ],
  [
    'set of k3s beside a digest',
    helmChart('  chart: lightdash', `  set: {image.digest: "sha256:${'a'.repeat(64)}", image.tag: 1.2.0}`),
    'spec.set.image.tag unreadable',
  ],
  [
    'valuesContent of k3s',
    helmChart('  chart: lightdash', '  valuesContent: |-', '    image:', '      tag: 1.2.0'),
    'spec.valuesContent.image.tag moved',
  ],
  [
    'an environment of Helmfile, through set',
    helmfile('    set: [{name: image.tag, value: "{{ .Values.bi.tag }}"}]'),
    'environments.prod.values.0.bi.tag moved',
  ],
  [
    'an environment of Helmfile, through values',
    helmfile('    values:', '      - image:', '          tag: {{ .StateValues.bi.tag }}'),
    'environments.prod.values.0.bi.tag moved',
  ],
  [
    'an environment of Helmfile, through values on two lines',
    helmfile(
      '    set:',
      '      - name: image.tag',
      '        value: {{ .Environment.Values.bi.tag | quote }}',
    ),
    'environments.prod.values.0.bi.tag moved',
  ],
])('%s', async (_, files, answer) => {
  const after: Files = JSON.parse(JSON.stringify(files).replaceAll('1.2.0', '1.156.0'));
  expect(await stops(files, after)).toEqual([`${Object.keys(files)[0]}#${answer}`]);
});

it('what another release of Helmfile takes from an environment is no pin of Lightdash', async () => {
  const before = helmfile('    set: [{name: image.tag, value: "{{ .Values.bi.tag }}"}]');
  const after = { 'helmfile.yaml': String(before['helmfile.yaml']).replace('7.0.0', '7.2.0') };
  expect(await stops(before, after)).toEqual([]);
});

/** An object of its own document, of so many in a file. */
const application = (name: string, tag: string) =>
  lines(
    ...[
      '---',
      'kind: Application',
      `metadata: {name: ${name}}`,
      'spec:',
      '  source:',
      '    chart: lightdash',
    ],
    ...['    targetRevision: 1.0.0', '    helm:', '      values: |', `        image: {tag: ${tag}}`],
  );
const release = (name: string, version: string) =>
  lines(
    ...['---', 'kind: HelmRelease', `metadata: {name: ${name}}`, 'spec:'],
    `  chart: {spec: {chart: lightdash, version: ${version}}}`,
  );

it.each<[string, (name: string, version: string) => string, string]>([
  ['Applications', application, 'spec.source.helm.values.image.tag moved'],
  ['HelmReleases without a tag', release, 'spec.chart.spec unreadable'],
])('each of several %s in a file is judged', async (_, write, answer) => {
  const of = (...texts: readonly string[]): Files => ({ 'bi.yaml': texts.join('') });
  const before = of(write('a', '1.2.0'), write('b', '1.2.0'));
  expect(await stops(before, before)).toEqual([]);
  expect(await stops(before, of(write('a', '1.2.0'), write('b', '1.156.0')))).toEqual([`bi.yaml#${answer}`]);
  expect(await stops(before, of(write('b', '1.156.0'), write('a', '1.2.0')))).toEqual([`bi.yaml#${answer}`]);
  // Of the same name, nothing tells which is which.
  const same = of(write('a', '1.2.0'), write('a', '1.2.0'));
  const moved = of(write('a', '1.2.0'), write('a', '1.156.0'));
  expect(await stops(same, moved)).toEqual([`bi.yaml#${answer.replace('moved', 'unreadable')}`]);
  expect(await stops(same, same)).toEqual([]);
});
