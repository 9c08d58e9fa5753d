import { describe, expect, it } from 'vitest';
import { seenValue } from '../../../src/instance/facts/needs.js';
import { factsText, parseFactsFile } from '../../../src/instance/facts/read-facts.js';
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

  it('are of the services that run, with what their files of variables say', async () => {
    const facts = await factsOf(
      `services:
  lightdash: {image: "lightdash/lightdash:1.0.0", environment: ["A=a$$b"], env_file: pg.env}
  own: {image: "acme/pg:15", container_name: pg1, networks: {default: {aliases: [pg2]}}, profiles: [p]}
  theirs: {image: "postgres:15", profiles: [q]}
`,
      {
        files: { 'pg.env': `PGHOST=\${HOST_OF_PG}\n`, '.env': 'HOST_OF_PG=pg2\n' },
        env: { COMPOSE_PROFILES: 'p' },
      },
    );
    expect(workloadsIn(facts).map(({ name, role }) => `${name} ${role}`)).toEqual([
      'lightdash backend',
      'own database',
    ]);
  });

  it('have the replicas, no image name for a service that is built, and whether it starts by yarn', async () => {
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
