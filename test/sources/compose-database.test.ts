import { describe, expect, it } from 'vitest';
import { databaseServiceOf } from '../../src/sources/compose-database.js';

const compose = (...services: string[]) =>
  `services:\n  lightdash:\n    image: lightdash/lightdash:1.0.0\n${services.join('')}`;
const db = (image: string, more = '') => `  db:\n    image: ${image}\n${more}`;

describe('databaseServiceOf', () => {
  it.each([
    ['the official image', compose(db('postgres:15.4')), 'db'],
    ['the one with pgvector', compose(db('pgvector/pgvector:pg15')), 'db'],
    ['from another registry, by digest', compose(db('docker.io/library/postgres@sha256:00')), 'db'],
    ['without a tag', compose(db('postgres')), 'db'],
    ['no ports', compose(db('postgres:15', '    ports: []\n')), 'db'],
    ['ports left empty', compose(db('postgres:15', '    ports:\n')), 'db'],
    ['merged into it', `x-db: &db\n  image: postgres:15\nservices:\n  store:\n    <<: *db\n`, 'store'],
    ['a port that is published', compose(db('postgres:15', '    ports: ["5432:5432"]\n')), undefined],
    ['on the network of the host', compose(db('postgres:15', '    network_mode: host\n')), undefined],
    ['ports that are something else', compose(db('postgres:15', '    ports: 5432\n')), undefined],
    ['two of them', compose(db('postgres:15'), '  other:\n    image: postgres:16\n'), undefined],
    ['one that is made with other variables', compose(db('bitnami/postgresql:15')), undefined],
    ['one that is only named so', compose('  postgres:\n    image: mysql:8\n'), undefined],
    ['none', compose(), undefined],
    ['a service without an image', compose('  db:\n    build: .\n'), undefined],
    ['no services', 'services:\n', undefined],
    ['no map', '[]', undefined],
    ['no YAML', '{', undefined],
    ['two documents', 'a: 1\n---\nb: 2\n', undefined],
    [
      'aliases without end',
      `a: &a [1,1,1,1,1,1,1,1,1]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: [*b,*b,*b,*b,*b,*b,*b,*b,*b,*b,*b,*b,*b]\n`,
      undefined,
    ],
  ])('%s', (_, text, service) => {
    expect(databaseServiceOf(text)).toBe(service);
  });
});
