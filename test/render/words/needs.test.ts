import { describe, expect, it } from 'vitest';
import type { MissingNeed } from '../../../src/preflight/finding.js';
import { howToSee } from '../../../src/render/words/needs.js';

describe('howToSee', () => {
  it.each<[MissingNeed['need'], MissingNeed['why'], string]>([
    ['pods', 'not-permitted', 'let your user of kubectl get and list pods'],
    ['hookObjects', 'not-permitted', 'get and list serviceaccounts, configmaps, roles and rolebindings'],
    ['workloads', 'not-permitted', 'get and list deployments, statefulsets, daemonsets and jobs'],
    ['workloads', 'absent', 'check --namespace and --release'],
    ['workloads', 'not-asked', 'give --kubernetes, or --manifests'],
    ['snapshots', 'absent', 'see for yourself that there is a backup of today'],
    ['snapshots', 'not-asked', 'give --kubernetes'],
    ['chartValues', 'failed', 'give --values'],
    ['lease', 'not-permitted', 'grant the role that looks SELECT on migration_lease'],
  ])('%s, %s: %s', (need, why, expected) => {
    expect(howToSee({ need, why, detail: undefined })).toContain(expected);
  });
});
