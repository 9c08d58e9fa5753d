import { describe, expect, it } from 'vitest';
import { treeOfTexts } from '../../../src/pins/pin-tree.js';
import { decidedByCharts } from '../../../src/pins/yaml/chart-parts.js';

const chart = `name: platform
version: 0.1.0
appVersion: 1.2.0
dependencies:
  - {name: lightdash, version: 1.9.0, repository: https://charts.example.com}
  - {name: lightdash-redis, version: 1.0.0}
  - {name: grafana, version: 8.0.0, repository: https://charts.example.com}
  - {name: bi, version: 1.0.0}
`;
const files = {
  'deploy/Chart.yaml': chart,
  'deploy/Chart.lock':
    'dependencies: [{name: lightdash, version: 1.9.0}, {name: grafana, version: 8.0.0, repository: https://charts.example.com}]\n',
  'deploy/charts/lightdash-1.9.0.tgz': 'a',
  'deploy/charts/grafana-8.0.0.tgz': 'b',
  'deploy/charts/bi-1.0.0.tgz': 'c',
  'deploy/envs/prod.yaml': 'lightdash: {}\n',
};
type Changed = Readonly<Partial<Record<keyof typeof files | 'deploy/templates/a.yaml', string>>>;

const decided = (changed: Changed = {}) =>
  decidedByCharts(treeOfTexts({ ...files, ...changed }), 'deploy/envs/prod.yaml');
const withChart = (from: string, to: string): Changed => ({ 'deploy/Chart.yaml': chart.replace(from, to) });

describe('what the charts around a file decide', () => {
  it.each<[string, Changed]>([
    ['the version of a chart', withChart('version: 0.1.0', 'version: 0.2.0')],
    ['another program', withChart('8.0.0', '8.1.0')],
    [
      'another program in the lock',
      { 'deploy/Chart.lock': files['deploy/Chart.lock'].replace('8.0', '8.1') },
    ],
    ['the archive of another program', { 'deploy/charts/grafana-8.0.0.tgz': 'x' }],
    ['spaces', withChart('name: platform', '# the platform\nname:   platform')],
  ])('is the same with other words for %s', async (_, changed) => {
    expect(await decided(changed)).toBe(await decided());
  });

  it.each<[string, Changed]>([
    ['the chart', withChart('1.9.0', '1.10.0')],
    ['where it comes from', withChart('charts.example.com', 'charts.example.org')],
    ['a part of it, with the name of another program', withChart('lightdash-redis', 'lightdash-valkey')],
    ['a chart that may contain it', withChart('name: bi, version: 1.0.0', 'name: bi, version: 1.1.0')],
    ['the release of the application', withChart('appVersion: 1.2.0', 'appVersion: 1.3.0')],
    ['the name', withChart('name: platform', 'name: lightdash')],
    ['the lock', { 'deploy/Chart.lock': files['deploy/Chart.lock'].replace('1.9.0', '1.10.0') }],
    ['the archive', { 'deploy/charts/lightdash-1.9.0.tgz': 'x' }],
    ['the archive of a chart that may contain it', { 'deploy/charts/bi-1.0.0.tgz': 'x' }],
    ['a file that is none of YAML', { 'deploy/Chart.yaml': '{' }],
  ])('differs with %s', async (_, changed) => {
    expect(await decided(changed)).not.toBe(await decided());
  });

  it('counts the version of a chart with templates, which may write it into an image', async () => {
    const template = { 'deploy/templates/a.yaml': 'a: {{ .Chart.Version }}\n' };
    const newer = await decided({ ...template, ...withChart('version: 0.1.0', 'version: 0.2.0') });
    expect(newer).not.toBe(await decided(template));
  });

  it('tells two broken charts apart', async () => {
    expect(await decided({ 'deploy/Chart.yaml': '{' })).not.toBe(await decided({ 'deploy/Chart.yaml': '[' }));
  });

  it('is not known where a part is a link', async () => {
    const tree = treeOfTexts(files);
    const linked = new Map(tree.files).set('deploy/Chart.lock', { kind: 'link', id: '1' });
    expect(await decidedByCharts({ ...tree, files: linked }, 'deploy/envs/prod.yaml')).toBeUndefined();
  });
});
