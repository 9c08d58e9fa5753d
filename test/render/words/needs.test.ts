import { describe, expect, it } from 'vitest';
import type { MissingNeed } from '../../../src/preflight/finding.js';
import { howToSee, toldOnce } from '../../../src/render/words/needs.js';

describe('howToSee', () => {
  it.each<[MissingNeed['need'], MissingNeed['why'], string]>([
    ['pods', 'not-permitted', 'let your user of kubectl get and list pods'],
    ['hookObjects', 'not-permitted', 'get and list serviceaccounts, configmaps, roles and rolebindings'],
    ['workloads', 'not-permitted', 'get and list deployments, statefulsets, daemonsets and jobs'],
    ['workloads', 'absent', 'check --namespace and --release'],
    ['workloads', 'not-asked', 'give --kubernetes, or --manifests'],
    ['snapshots', 'absent', 'see for yourself that there is a backup of today'],
    ['snapshots', 'not-asked', 'give --kubernetes'],
    ['deployment', 'not-asked', '--only database leaves the deployment out'],
    ['chartValues', 'failed', 'give --values'],
    ['lease', 'not-permitted', 'grant the role that looks SELECT on migration_lease'],
  ])('%s, %s: %s', (need, why, expected) => {
    expect(howToSee({ need, why, detail: undefined })).toContain(expected);
  });
});

describe('toldOnce', () => {
  const missing = (...needs: readonly [MissingNeed['need'], MissingNeed['why']][]) =>
    needs.map(([need, why]) => ({ need, why, detail: undefined }));
  it.each<[string, readonly MissingNeed[], readonly MissingNeed['need'][]]>([
    [
      'of a deployment that nobody asked about',
      missing(['deployment', 'not-asked'], ['workloads', 'not-asked'], ['helm', 'not-asked']),
      ['deployment'],
    ],
    [
      'beside it what else was not seen',
      missing(['deployment', 'not-asked'], ['autoscalers', 'not-permitted'], ['ledger', 'not-asked']),
      ['deployment', 'autoscalers', 'ledger'],
    ],
    [
      'each part, where it was asked about',
      missing(['deployment', 'failed'], ['workloads', 'not-asked']),
      ['deployment', 'workloads'],
    ],
  ])('%s', (_, given, needs) => {
    expect(toldOnce(given).map(({ need }) => need)).toEqual(needs);
  });
});
