import { describe, expect, it } from 'vitest';
import { seenValue } from '../../../src/facts/needs.js';
import { factsText, parseFactsFile } from '../../../src/facts/read-facts.js';
import { type ComposeCase, canary, composeCases } from '../../support/compose-cases.js';
import { now, read, workloadsIn } from '../../support/compose-facts.js';

/** The facts of a compose file, by the docker compose of this machine. */
const factsOf = (text: string, one: Partial<ComposeCase> = {}) =>
  read({ files: { 'compose.yaml': text, ...one.files }, compose: ['compose.yaml'], env: one.env ?? {} });

describe('the facts of compose files', () => {
  it.each(composeCases)(
    'are those that are expected, fit a facts file, and have no value of a variable: $name',
    async (one) => {
      const facts = await read(one);
      const text = factsText({ schemaVersion: '1', collectedAt: now().toISOString(), facts });
      expect(parseFactsFile(text).facts).toEqual(facts);
      expect(text).not.toContain(canary);
      const told = workloadsIn(facts).map(({ name, role, replicas, containers: [only] }) =>
        [
          `${role} ${name}: ${only?.image.reference} (${only?.image.pullPolicy}) x ${replicas}`,
          `starts ${only?.starts} with ${only?.memoryLimitBytes} bytes`,
          ...(only?.variables.map((variable) => `${variable.name}${variable.empty ? ' empty' : ''}`) ?? []),
        ].join(', '),
      );
      expect({ project: seenValue(facts.compose)?.project, told }).toMatchSnapshot();
    },
  );

  it.each([
    [{}, ['lightdash']],
    [{ COMPOSE_PROFILES: 'a' }, ['lightdash']],
    [{ COMPOSE_PROFILES: 'a,w' }, ['lightdash', 'other-db', 'worker']],
    [{ COMPOSE_PROFILES: '*' }, ['lightdash', 'other-db', 'worker']],
  ])('are of the services that run: profiles by %j', async (env, names) => {
    const facts = await factsOf(
      `services:
  lightdash: {image: "lightdash/lightdash:1.0.0"}
  worker: {image: "lightdash/lightdash:0.9.0", entrypoint: node dist/scheduler.js, profiles: [w]}
  other-db: {image: postgres, profiles: [w]}
`,
      { env },
    );
    expect(workloadsIn(facts).map(({ name }) => name)).toEqual(names);
  });

  it.each([
    ['PGHOST names it', '[PGHOST=own]', 'own'],
    ['a file of variables names it', '[]', 'own', 'PGHOST=own\n'],
    ['.env names it', `["PGHOST=\${HOST_OF_PG:-theirs}"]`, 'own', '', 'HOST_OF_PG=own\n'],
    ['its container is named', '[PGHOST=pg1]', 'theirs'],
    ['a network names it', '[PGHOST=pg2]', 'theirs'],
    ['a dollar is in its address', `["PGCONNECTIONURI=postgres://u:a$$b@own/x"]`, 'own'],
    ['nothing names it', '[]', 'dump dump2 own theirs'],
  ])(
    'tell which service is the database: %s',
    async (_, environment, database, envFile = '', dotEnv = '') => {
      const facts = await factsOf(
        `services:
  lightdash: {image: "lightdash/lightdash:1.0.0", environment: ${environment}, env_file: pg.env}
  own: {image: "postgres:15"}
  theirs: {image: "pgvector/pgvector:pg16", container_name: pg1, networks: {default: {aliases: [pg2]}}}
  dump: {image: "postgres:15", entrypoint: "sh -c 'pg_dump > /x; sleep 1d'"}
  dump2: {image: "postgres:15", command: [pg_dump, -h, own]}
`,
        { files: { 'pg.env': envFile, '.env': dotEnv } },
      );
      const databases = workloadsIn(facts).filter(({ role }) => role === 'database');
      expect(databases.map(({ name }) => name).join(' ')).toBe(database);
    },
  );

  it('tell how many run, that an image has no name where it is built, and what starts by yarn', async () => {
    const facts = await factsOf(`services:
  lightdash: {build: ., scale: 0}
  named: {build: ., image: "our/lightdash:1.0.0", deploy: {replicas: 0}, command: "yarn workspace backend start"}
  other: {image: "our/lightdash:1.0.0", deploy: {mode: replicated}}
`);
    const container = (reference: string, more: object = {}) => [{ image: { reference }, ...more }];
    expect(workloadsIn(facts)).toMatchObject([
      { role: 'backend', replicas: 0, containers: container('') },
      { role: 'backend', replicas: 0, containers: container('our/lightdash:1.0.0', { byYarn: true }) },
      { role: 'backend', replicas: null },
    ]);
  });

  it('are none where docker compose refuses the files', async () => {
    const refused = factsOf(`services: {lightdash: {image: "x:\${TAG:?${canary}}"}}`);
    await expect(refused).rejects.toMatchObject({ code: 'unreadable-source' });
    await expect(refused).rejects.not.toThrow(canary);
  });
});
