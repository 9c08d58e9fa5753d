import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { checks } from '../../src/checks/checks.js';
import { decide } from '../../src/checks/decision.js';
import { runChecks } from '../../src/checks/run-checks.js';
import { isInputError, LightspanError } from '../../src/core/lightspan-error.js';
import { grantsSql } from '../../src/gather/database/grants.js';
import type { FactsFile } from '../../src/instance/facts/facts-schema.js';
import { collect } from '../support/facts-of-database.js';
import { hostileDatabase, hostileRelations, songsOf } from '../support/hostile-relations.js';
import { instanceTables } from '../support/lightdash-tables.js';
import { type Cluster, startPostgres } from '../support/postgres.js';
import { inputOf } from '../support/preflight.js';
import { byteFault } from './mutations.js';

const seed = Number(process.env.LIGHTSPAN_FAULTS_SEED ?? 20_260_906);

/** What a real server said, message by message of the client, and what was seen by that. */
let said: Buffer[];
let truth: FactsFile;
let cluster: Cluster;

const urlOf = (listening: Server) =>
  `postgresql://lightdash@127.0.0.1:${(listening.address() as AddressInfo).port}/instance?sslmode=disable`;

async function listening(onConnection: Parameters<typeof createServer>[1]): Promise<Server> {
  const made = createServer(onConnection).listen(0, '127.0.0.1');
  await once(made, 'listening');
  return made;
}

beforeAll(async () => {
  cluster = await startPostgres();
  cluster.database('instance', instanceTables({ names: ['20260101000000_a.js', '20260102000000_b.js'] }));
  const heard: Buffer[][] = [];
  const recorder = await listening((client) => {
    const real = connect(`${cluster.socketDir}/.s.PGSQL.${cluster.port}`);
    client.on('data', (chunk) => {
      heard.push([]);
      real.write(chunk);
    });
    real.on('data', (chunk) => {
      heard.at(-1)?.push(chunk);
      client.write(chunk);
    });
    client.on('close', () => real.destroy());
  });
  truth = await collect(urlOf(recorder));
  recorder.close();
  said = heard.map((chunks) => Buffer.concat(chunks));
});

it('a damaged answer of a database is refused, or is the fact that it was about and no other', async () => {
  const cases = fc.sample(
    fc.record({ index: fc.nat({ max: said.length - 1 }), fault: byteFault, framed: fc.boolean() }),
    { seed, numRuns: 500 },
  );
  const remaining = cases.values();
  const ends = new Map<string, number>();
  const worker = async () => {
    for (const { index, fault, framed } of remaining) {
      const answers = said.map((answer, each) =>
        each !== index ? answer : framed ? withValue(answer, fault.apply) : fault.apply(answer),
      );
      const end = await endOf(
        answers,
        `seed ${seed}, ${fault.kind} of answer ${index}: ${answers[index]?.toString('latin1')}`,
      );
      ends.set(end, (ends.get(end) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: 8 }, worker));
  process.stdout.write(
    `answers of a database: ${[...ends].map(([end, number]) => `${end} ${number}`).join(', ')}\n`,
  );
});

it('a relation that is no plain table is read for nobody, and stops', async () => {
  const ofDatabase = new Set(checks.filter(({ group }) => group === 'database').map(({ id }) => id));
  for (const relation of hostileRelations) {
    const database = hostileDatabase(cluster, relation);
    cluster.sql(database, grantsSql('looker'));
    for (const role of ['postgres', 'looker', 'lightdash']) {
      const story = `${relation.name}, as ${role}`;
      const { facts } = await collect(cluster.url(role, database), { measure: true });
      const unread = Object.entries(facts).flatMap(([name, fact]) =>
        fact?.status === 'unsafe' ? [name] : [],
      );
      expect(unread, story).toEqual(relation.unsafe?.slice(0, 1) ?? []);
      const answer = runChecks(checks, { ...inputOf({}), facts }, ofDatabase);
      if (unread.length > 0) expect(decide(answer, 'stop'), story).toBe('stop');
    }
  }
  expect(await songsOf(cluster)).toBe(0);
});

/** An answer with another value in its row, and lengths that fit. */
function withValue(answer: Buffer, damage: (value: Buffer) => Buffer): Buffer {
  const messages: Buffer[] = [];
  for (let at = 0; at < answer.length; ) {
    const length = answer.length - at > 5 ? answer.readInt32BE(at + 1) + 1 : answer.length;
    messages.push(answer.subarray(at, at + length));
    at += length;
  }
  return Buffer.concat(
    messages.map((message) => {
      // A row of one column: letter, length, number of columns, length of the value, value.
      if (message[0] !== 0x44 || message.readInt16BE(5) !== 1) return message;
      const value = damage(message.subarray(11));
      const framed = Buffer.concat([message.subarray(0, 11), value]);
      framed.writeInt32BE(framed.length - 1, 1);
      framed.writeInt32BE(value.length, 7);
      return framed;
    }),
  );
}

/** How it ends to look at a database that gives these answers, one to each message. */
async function endOf(answers: readonly Buffer[], story: string): Promise<string> {
  const left = answers.values();
  const server = await listening((client) => {
    client.on('data', () => client.write(left.next().value ?? ''));
    client.on('error', () => undefined);
  });
  try {
    const { collectedAt, facts } = await collect(urlOf(server), { timeoutMs: 1000 });
    expect(Object.keys(facts), story).toEqual(Object.keys(truth.facts));
    const known = new Set(Object.entries(truth.facts).map((fact) => JSON.stringify(fact)));
    const changed = Object.entries(facts).filter((fact) => !known.has(JSON.stringify(fact)));
    // A byte of a value that becomes another valid byte is what nobody can tell.
    expect(changed.length + (collectedAt === truth.collectedAt ? 0 : 1), story).toBeLessThanOrEqual(1);
    return changed.length === 0 ? 'the same' : 'one fact';
  } catch (error) {
    if (error instanceof LightspanError || isInputError(error)) return error.code;
    throw error;
  } finally {
    server.close();
  }
}
