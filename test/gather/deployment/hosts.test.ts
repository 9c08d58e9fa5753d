import { expect, it } from 'vitest';
import { hostIn, placeOf, placesOfHosts } from '../../../src/gather/deployment/hosts.js';

it.each([
  ['localhost', 'loopback'],
  ['127.0.0.1', 'loopback'],
  ['127.1.2.3', 'loopback'],
  ['::1', 'loopback'],
  ['[::1]', 'loopback'],
  ['/cloudsql/project:region:name', 'inside'],
  ['db', 'inside'],
  ['prod-postgresql', 'inside'],
  ['prod-postgresql.bi', 'inside'],
  ['prod-postgresql.bi.svc', 'inside'],
  ['prod-postgresql.bi.svc.cluster.local.', 'inside'],
  ['prod-postgresql-0.prod-postgresql.bi', 'inside'],
  ['prod-postgresql-0.prod-postgresql-hl.bi', 'inside'],
  ['prod-1.example.com', 'outside'],
  ['prod-postgresql-0.prod-postgresql.example.com', 'outside'],
  ['host.docker.internal', 'inside'],
  ['172.17.0.1', 'inside'],
  ['10.0.0.5', 'outside'],
  ['pg.example.com', 'outside'],
  ['bi.abc.eu-west-1.rds.amazonaws.com', 'outside'],
  ['fd00:0:1::5', 'outside'],
])('%s is %s', (host, place) => {
  expect(placeOf(host)).toBe(place);
});

it.each([
  ['PGHOST', 'db', 'db'],
  ['PGHOST', '', undefined],
  ['PGCONNECTIONURI', 'postgres://u:p@pg.example.com:5432/x', 'pg.example.com'],
  ['PGCONNECTIONURI', 'no address', undefined],
  ['S3_ENDPOINT', 'http://minio:9000', 'minio'],
])('%s=%s names %s', (variable, value, host) => {
  expect(hostIn(variable, value)).toBe(host);
});

it('takes the address of the whole before the host, and what a project names as inside', () => {
  const hosts: Record<string, string> = { PGCONNECTIONURI: 'pg.example.com', PGHOST: 'db' };
  const hostOf = (name: string) => hosts[name];
  expect(placesOfHosts(hostOf)).toEqual({ databaseHost: 'outside' });
  expect(placesOfHosts(hostOf, (host) => host === 'pg.example.com')).toEqual({ databaseHost: 'inside' });
  expect(placesOfHosts(() => undefined)).toEqual({});
});
