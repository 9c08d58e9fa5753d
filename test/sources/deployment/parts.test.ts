import { describe, expect, it } from 'vitest';
import { isLightdashImage } from '../../../src/facts/lightdash-containers.js';
import { exactNumber } from '../../../src/shared/exact-json.js';
import { containerStart } from '../../../src/sources/deployment/container-start.js';
import { imageFact, isDatabaseImage } from '../../../src/sources/deployment/image-fact.js';
import { readQuantity } from '../../../src/sources/deployment/quantity.js';
import { selects } from '../../../src/sources/deployment/selector.js';

describe('containerStart', () => {
  it.each([
    [undefined, 'entrypoint'],
    ['', 'entrypoint'],
    ['dumb-init -- node dist/index.js', 'server'],
    ['dumb-init -- /usr/bin/prod-entrypoint.sh node dist/index.js', 'entrypoint'],
    ['pnpm -F backend migrate-production', 'migration'],
    ['pnpm -F backend migrate-production up --strict', 'migration'],
    ['pnpm -F backend migrate-production preflight', 'other'],
    ['pnpm -F backend migrate-production status --json', 'other'],
    ['sh -c pnpm -F backend migrate-production && node dist/index.js', 'migration'],
    ['knex migrate:latest', 'migration'],
    ['migrate up', 'migration'],
    ['migrate wait', 'other'],
    ['node dist/scheduler.js', 'worker'],
    ['node dist/natsWorker.js', 'worker'],
    ['sleep infinity', 'other'],
  ])('%s: %s', (command, expected) => {
    expect(
      containerStart(
        command?.split(' ').filter((word) => word !== ''),
        undefined,
      ),
    ).toBe(expected);
  });

  it('reads what stands behind the command', () => {
    expect(containerStart(['pnpm'], ['-F', 'backend', 'migrate-production'])).toBe('migration');
    expect(containerStart([], ['node', 'dist/scheduler.js'])).toBe('entrypoint');
  });
});

describe('images', () => {
  it.each([
    ['lightdash/lightdash:1.2.3', true, false],
    ['registry:5000/acme/acme-lightdash:1', true, false],
    ['lightdash', true, false],
    ['lightdash/lightdash-cli:1', false, false],
    ['pgvector/pgvector:pg16', false, true],
    ['bitnami/postgresql:16', false, true],
    ['postgres', false, true],
    ['prom/postgres-exporter', false, false],
    ['busybox', false, false],
  ])('%s', (reference, lightdash, database) => {
    const image = imageFact(reference, null);
    expect([isLightdashImage(image), isDatabaseImage(image)]).toEqual([lightdash, database]);
  });

  it('are taken apart', () => {
    expect(imageFact('ghcr.io/a/b:1.2.3@sha256:00', 'Always')).toEqual({
      reference: 'ghcr.io/a/b:1.2.3@sha256:00',
      registry: 'ghcr.io',
      repository: 'a/b',
      tag: '1.2.3',
      digest: 'sha256:00',
      pullPolicy: 'Always',
    });
  });
});

describe('readQuantity', () => {
  it.each<[unknown, number | undefined]>([
    ['2Gi', 2147483648],
    ['512M', 512000000],
    ['1.5G', 1500000000],
    ['1e9', 1000000000],
    [1024, 1024],
    ['100m', 1],
    ['.5Ki', 512],
    [exactNumber('1.50'), 2],
    ['2GB', undefined],
    ['-1', undefined],
    ['', undefined],
    ['9999Ei', undefined],
    [true, undefined],
  ])('%s', (text, bytes) => {
    expect(readQuantity(text)).toBe(bytes);
  });
});

describe('selects', () => {
  const labels = { app: 'a', tier: 'x' };
  it.each<[string, Record<string, unknown> | undefined, boolean]>([
    ['nothing', undefined, false],
    ['all', {}, true],
    ['a label', { matchLabels: { app: 'a' } }, true],
    ['another', { matchLabels: { app: 'b' } }, false],
    ['one that is not there', { matchLabels: { constructor: 'b' } }, false],
    ['In', { matchExpressions: [{ key: 'app', operator: 'In', values: ['a', 'b'] }] }, true],
    ['NotIn', { matchExpressions: [{ key: 'app', operator: 'NotIn', values: ['a'] }] }, false],
    ['NotIn of none', { matchExpressions: [{ key: 'no', operator: 'NotIn', values: ['a'] }] }, true],
    ['Exists', { matchExpressions: [{ key: 'tier', operator: 'Exists' }] }, true],
    ['DoesNotExist', { matchExpressions: [{ key: 'tier', operator: 'DoesNotExist' }] }, false],
  ])('%s', (_, selector, expected) => {
    expect(selects(selector, 'x')(labels)).toBe(expected);
  });

  it('refuses what it does not know', () => {
    expect(() => selects({ matchExpressions: [{ key: 'a', operator: 'Like' }] }, 'x')).toThrow('expected In');
  });
});
