import { describe, expect, it } from 'vitest';
import { workloadsOf } from '../../../src/sources/deployment/compose-facts.js';
import type { ComposeService } from '../../../src/sources/deployment/compose-project.js';

const none = {
  ...{ pullPolicy: undefined, entrypoint: undefined, command: undefined, restart: undefined },
  ...{ replicas: undefined, memoryLimitBytes: undefined, graceSeconds: undefined },
  ofSwarm: undefined,
};
const service = {
  ...none,
  name: 'bi',
  image: 'lightdash/lightdash:1.0.0',
  variables: [],
  ports: [],
  heldBack: false,
};
const factOf = (told: Partial<ComposeService>) =>
  workloadsOf({ name: 'shop', services: [{ ...service, ...told }] })[0];
const container = (told: object) => ({ containers: [told] });
const image = (told: object) => container({ image: told });

describe('a service of compose', () => {
  it.each<[string, Partial<ComposeService>, object]>([
    ['its image', {}, image({ reference: 'lightdash/lightdash:1.0.0', tag: '1.0.0', pullPolicy: null })],
    ['when it is pulled', { pullPolicy: 'always' }, image({ pullPolicy: 'always' })],
    ['an image that it builds', { image: undefined }, image({ reference: 'shop-bi', tag: null })],
    ['a tag of nothing', { image: 'lightdash/lightdash:' }, image({ tag: null })],
    ['the entrypoint of its image', {}, container({ starts: 'entrypoint', entrypointReplaced: false })],
    [
      'an entrypoint of its own',
      { entrypoint: ['node', 'dist/index.js'] },
      container({ starts: 'server', entrypointReplaced: true }),
    ],
    [
      'an entrypoint of nothing',
      { entrypoint: [] },
      container({ starts: 'other', entrypointReplaced: true }),
    ],
    ['how much memory', { memoryLimitBytes: 512 }, container({ memoryLimitBytes: 512 })],
    ['how many', { replicas: 0 }, { replicas: 0 }],
    ['how Swarm would replace it', { ofSwarm: 'start-first' }, { strategy: 'start-first' }],
    ['how long it may take to end', { graceSeconds: 0 }, { terminationGraceSeconds: 0 }],
    ['when it is started again', { restart: 'always' }, { restart: 'always' }],
    ['that a profile holds it back', { heldBack: true }, { suspended: true }],
    ['nothing more', {}, { replicas: null, strategy: null, restart: null, suspended: null }],
    ['its ports', { ports: ['127.0.0.1:8080:80'] }, { publishedPorts: ['127.0.0.1:8080:80'] }],
    [
      'its variables',
      { variables: [{ name: 'A', origin: 'env-file', file: 'a.env', empty: false }] },
      container({ variables: [{ name: 'A', origin: 'env-file', object: 'a.env', empty: false }] }),
    ],
    ['a database by its name', { name: 'db', image: 'our/own' }, { role: 'database' }],
    ['a database by its image', { image: 'pgvector/pgvector:pg16' }, { role: 'database' }],
    ['Lightdash by its name', { name: 'lightdash', image: 'our/own' }, { role: 'backend' }],
    ['Lightdash that it builds', { name: 'our-lightdash', image: undefined }, { role: 'backend' }],
    ['another program', { image: 'nginx' }, { role: 'other' }],
    ['a worker', { command: ['node', 'dist/scheduler.js'] }, { role: 'worker' }],
    ['a migration', { command: ['pnpm', 'migrate-production'] }, { role: 'migration' }],
    [
      'a server that migrates first',
      { command: ['sh', '-c', 'pnpm migrate-production && node dist/index.js'] },
      { role: 'backend' },
    ],
  ])('tells %s', (_, told, fact) => {
    expect(factOf(told)).toMatchObject(fact);
  });
});
