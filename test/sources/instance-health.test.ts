import { expect, it } from 'vitest';
import { readHealth } from '../../src/sources/instance-health.js';

it.each<[told: { healthy?: unknown; requiresMigration?: unknown }, contradiction: string | undefined]>([
  [{}, undefined],
  [{ healthy: true, requiresMigration: false }, undefined],
  [{ healthy: false }, 'results.healthy is false'],
  [{ healthy: null }, 'results.healthy is null'],
  [{ healthy: 'true' }, 'results.healthy is "true"'],
  [{ requiresMigration: true }, 'results.requiresMigration is true'],
  [{ requiresMigration: null }, 'results.requiresMigration is null'],
  [{ requiresMigration: 'no' }, 'results.requiresMigration is "no"'],
])('a health of %j', (told, contradiction) => {
  const health = readHealth({ status: 'ok', results: { version: '1.2.0', ...told } });
  expect(health).toEqual({ version: '1.2.0', healthy: told.healthy === true, contradiction });
});

it.each([[undefined], [null], ['OK'], ['error'], [true]])('a status of %j is not ok', (status) => {
  const { contradiction } = readHealth({ status, results: { version: '1.2.0', healthy: true } });
  expect(contradiction).toMatch(/^status is /);
});

it('what is no object tells nothing, and is not healthy', () => {
  expect(readHealth('ok')).toMatchObject({ version: undefined, healthy: false });
  expect(readHealth({ status: 'ok', results: [] })).toMatchObject({ version: undefined, healthy: false });
});
