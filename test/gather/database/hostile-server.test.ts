import { Buffer } from 'node:buffer';
import { writeFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { LightspanError } from '../../../src/core/lightspan-error.js';
import { collectFacts } from '../../../src/gather/database/collect-facts.js';
import {
  answering,
  answerOf,
  column,
  int16,
  int32,
  message,
  refusal,
  row,
  welcome,
} from '../../support/postgres-protocol.js';
import { closedPort, serveTcp } from '../../support/server.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

/** Writes as fast as it is read, until nobody reads any more. */
function pour(socket: Socket, bytes: Buffer): void {
  const more = () => {
    while (!socket.destroyed && socket.write(bytes));
  };
  socket.on('drain', more);
  more();
}

const where = 'the database "lightdash" at 127.0.0.1:<port>';
const otherwise =
  'Check host, port and sslmode; sslrootcert=<file> names the certificate authority. Or use psql: upgrade-preflight --sql prints a script for it.';

const big = Buffer.alloc(1024 * 1024, 'x');

async function failureOf(
  onConnection: (socket: Socket) => void,
  {
    query = 'sslmode=disable',
    timeoutMs = 3000,
    login = 'joe:s3cret%20word',
    env = {} as Record<string, string>,
  } = {},
): Promise<Pick<LightspanError, 'code' | 'message' | 'hint'> & { readonly ms: number; readonly mb: number }> {
  const { port } = await serveTcp(onConnection);
  const began = performance.now();
  const before = process.memoryUsage().rss;
  const database = `postgresql://${login}@127.0.0.1:${port}/lightdash?${query}`;
  const error = await collectFacts({ database, env: { HOME: '/nonexistent', ...env }, timeoutMs }).then(
    () => new Error('there are facts'),
    (error: unknown) => error,
  );
  const { code, message, hint } = error as LightspanError;
  return {
    code,
    message: message.replace(`:${port}`, ':<port>'),
    hint,
    ms: performance.now() - began,
    mb: (process.memoryUsage().rss - before) / 1e6,
  };
}

const repeatsPassword = (socket: Socket) =>
  socket.on('data', (chunk) =>
    socket.write(chunk[0] === 0x70 ? refusal('28000', chunk.toString('latin1', 5)) : message('R', int32(3))),
  );

it('a password of a file is not shown where a server repeats it', async () => {
  const file = join(temporaryFolder(), 'pgpass');
  writeFileSync(file, '*:*:*:joe:s3cret word\n', { mode: 0o600 });
  const told = { login: 'joe', env: { PGPASSFILE: file } };
  expect((await failureOf(repeatsPassword, told)).message).toMatch(/refused: \[redacted\]/);
});

it('a password is not shown where what the server says is cut within it', async () => {
  for (let before = 270; before < 300; before += 1) {
    const { message } = await failureOf((socket) =>
      socket.on('data', () => socket.end(refusal('28P01', `${'x'.repeat(before)}s3cret word`))),
    );
    expect(message).not.toContain('s3cr');
  }
});

// The client is loaded once, and its memory is no server's doing.
beforeAll(() => import('pg'));

const tooMuch = ['too-large', /^the database sends more than 8388608 bytes$/] as const;
const tooLate = ['timeout', 'did not answer within the time limit'] as const;
const otherThanAsked = ['invalid-facts', /^the database did not answer with JSON for server$/] as const;
/** The answer to whatever it is sent. */
const saying = (bytes: Buffer | string) => (socket: Socket) => socket.on('data', () => socket.write(bytes));

describe('a server', () => {
  it.each<[string, (socket: Socket) => void, string, RegExp | string]>([
    ['that is silent', () => {}, 'timeout', 'did not answer within the time limit'],
    ['that hangs up at once', (socket) => socket.end(), 'network', /terminated|RESET/],
    ['of another protocol', (socket) => socket.end('HTTP/1.1 400 \r\n\r\n'), 'network', /terminated|RESET/],
    ['that speaks noise', (socket) => pour(socket, Buffer.alloc(65_536, 0x80)), ...tooMuch],
    [
      'whose message is longer than memory',
      (socket) => {
        socket.write(message('R', '', 0x7fffffff));
        pour(socket, big);
      },
      ...tooMuch,
    ],
    [
      'that refuses the password, and repeats it',
      (socket) => socket.on('data', () => socket.end(refusal('28P01', 'no entry for s3cret word'))),
      'database',
      'refused: no entry for [redacted] (28P01)',
    ],
    ['that asks for the password, and repeats it', repeatsPassword, 'database', /refused: \[redacted\]/],
    [
      'that asks for what is not known',
      saying(message('R', int32(99))),
      'network',
      /: Unknown authenticationOk message type 99/,
    ],
    ['that lets in and is silent', answering(() => {}), ...tooLate],
    ['that lets in and hangs up', answering((socket) => socket.end()), 'network', /terminated/],
    [
      'whose rows have no end',
      answering((socket) => {
        socket.write(message('T', column));
        pour(socket, Buffer.concat(Array.from({ length: 2000 }, () => row('x'))));
      }),
      ...tooMuch,
    ],
    [
      'whose row is cut off within',
      answering((socket) => {
        socket.write(message('T', column));
        socket.write(message('D', Buffer.concat([int16(9), int32(5)])));
      }),
      'network',
      /out of range/,
    ],
    [
      'that answers nothing to everything',
      answering((socket) => socket.write(Buffer.concat([message('C', 'SELECT 0\0'), message('Z', 'T')]))),
      ...otherThanAsked,
    ],
    [
      'that asks for the password, and refuses every statement with it',
      (socket) => {
        let given = '';
        socket.on('data', (chunk) => {
          if (chunk[0] === 0x70) {
            given = chunk.toString('latin1', 5);
            socket.write(welcome);
          } else if (given === '') socket.write(message('R', int32(3)));
          else socket.write(Buffer.concat([message('E', `SERROR\0C42501\0M${given}\0`), message('Z', 'E')]));
        });
      },
      'database',
      /^the database refused: \[redacted\].* \(42501\)$/,
    ],
    [
      'that shuts down meanwhile',
      answering((socket) => socket.end(refusal('57P01', 'shutting down'))),
      'database',
      'refused: shutting down (57P01)',
    ],
    [
      'that ends a transaction, and the session with it, for its time',
      answering((socket) => socket.end(refusal('25P03', 'too long '.repeat(100)))),
      'database',
      `refused: ${'too long '.repeat(100).slice(0, 300)} (25P03)`,
    ],
  ])('%s', async (_, onConnection, code, text) => {
    // Only who is silent is waited for: eight megabytes may take a loaded machine a while.
    const failure = await failureOf(onConnection, { timeoutMs: code === 'timeout' ? 3000 : 60_000 });
    const message = typeof text === 'string' ? `${where} ${text}` : expect.stringMatching(text);
    expect(failure).toMatchObject({ code, message });
    expect(failure.message).not.toContain('s3cret');
    expect(failure.ms).toBeLessThan(60_000);
    // Eight megabytes are up to 700,000 rows of a letter, which a worker new to it takes 105 MB for (Node 24, 26).
    expect(failure.mb).toBeLessThan(200);
  });

  const noTls = /The server does not support SSL connections$/;
  const noHandshake = /There was an error establishing an SSL connection/;
  it.each<[string, string, (socket: Socket) => void, RegExp]>([
    ['has no TLS', 'sslmode=require', saying('N'), noTls],
    ['has no TLS', 'sslmode=verify-full&sslrootcert=system', saying('N'), noTls],
    ...['sslmode=require', 'sslmode=prefer'].flatMap(
      (mode): [string, string, (socket: Socket) => void, RegExp][] => [
        ['answers the request for TLS with an error', mode, saying(refusal('08P01', 'no')), noHandshake],
        [
          'has more to say before TLS than it may',
          mode,
          saying(Buffer.concat([Buffer.from('S'), welcome])),
          noHandshake,
        ],
        [
          'hangs up instead of TLS',
          mode,
          (socket) => socket.on('data', () => socket.end()),
          /Connection terminated unexpectedly$/,
        ],
      ],
    ),
    [
      'breaks off the handshake',
      'sslmode=require',
      (socket) =>
        socket.once('data', () => socket.write('S', () => socket.once('data', () => socket.destroy()))),
      /: \S/,
    ],
  ])('that %s gets neither user nor password with %s', async (_, query, onConnection, text) => {
    let heard = '';
    const failure = await failureOf(
      (socket) => {
        socket.on('data', (chunk) => {
          heard += chunk.toString('latin1');
        });
        onConnection(socket);
      },
      { query },
    );
    expect(failure).toMatchObject({ message: expect.stringMatching(text), hint: otherwise });
    expect(heard).not.toMatch(/joe|s3cret/);
  });

  it('that does not answer in time gets no second connection without TLS, even with sslmode=prefer', async () => {
    let connections = 0;
    const failure = await failureOf(
      (socket) => {
        connections += 1;
        socket.once('data', () => socket.write('S'));
      },
      { query: 'sslmode=prefer&connect_timeout=1', timeoutMs: 10_000 },
    );
    expect(failure).toMatchObject({
      code: 'timeout',
      message: `${where} did not answer within the time limit`,
    });
    expect(connections).toBe(1);
  });
});

describe('the message for a database that cannot be reached', () => {
  const failureAt = async (database: string, env: Record<string, string> = {}) => {
    const error = await collectFacts({
      database,
      env: { HOME: '/nonexistent', ...env },
      timeoutMs: 10_000,
    }).catch((one: unknown) => one);
    const { code, message, hint } = error as LightspanError;
    return { code, message, hint };
  };
  it('is where nothing listens, or a socket that is not there', async () => {
    const port = await closedPort();
    const to = `connect ECONNREFUSED 127.0.0.1:${port}`;
    const message = `no connection to the database "x" at 127.0.0.1:${port}: ${to}`;
    const network = { code: 'network', hint: otherwise };
    expect(await failureAt(`postgresql://joe@127.0.0.1:${port}/x`)).toEqual({ ...network, message });
    const folder = temporaryFolder();
    const socket = `${folder}/.s.PGSQL.5433`;
    const env = { PGHOST: folder, PGPORT: '5433', PGDATABASE: 'x', PGUSER: 'joe' };
    expect(await failureAt('env', env)).toEqual({
      ...network,
      message: `no connection to the database "x" at ${socket}: connect ENOENT ${socket}`,
    });
  });

  it.each([
    ['28P01', 'Check user and password: PGPASSWORD, ~/.pgpass, or the URL.'],
    ['53300', undefined],
  ])('has, where it is refused with %s, the hint %s', async (state, hint) => {
    const refused = await failureOf((socket) => socket.on('data', () => socket.end(refusal(state, 'no'))));
    expect(refused).toMatchObject({ message: `${where} refused: no (${state})`, hint });
  });

  it('asks for a password where there is none', async () => {
    const asks = message('R', int32(3));
    const { port } = await serveTcp((socket) => socket.once('data', () => socket.write(asks)));
    expect(await failureAt(`postgresql://joe@127.0.0.1:${port}/x?sslmode=disable`)).toEqual({
      code: 'database',
      message: '127.0.0.1 requires the password of joe, but none was given',
      hint: 'Set PGPASSWORD, or use ~/.pgpass, readable only by you.',
    });
  });

  it('asks for a proof of the password that is not known', async () => {
    const asks = message('R', Buffer.concat([int32(10), Buffer.from('NONSENSE\0\0')]));
    expect(await failureOf((socket) => socket.once('data', () => socket.write(asks)))).toMatchObject({
      code: 'network',
      message: expect.stringContaining(`no connection to ${where}: SASL: `),
      hint: otherwise,
    });
  });
});

describe('a refusal of the server', () => {
  const names = { schema: 'public', migrator: 'joe', jobs: 'jobs' };
  const absent = { status: 'absent', source: 'database' };
  /** Of the facts whose tables are looked at first. */
  const unread = Object.fromEntries(
    ['ledger', 'ledgerLock', 'lease', 'runs', 'queue'].map((fact) => [
      `answer_${fact}`,
      JSON.stringify(absent),
    ]),
  );

  /** What is seen of tables, and what is asked, by a server that answers the SELECTs of tables so, one by one. */
  async function tablesOf(...replies: readonly Buffer[]) {
    const left = [...replies];
    const asked: string[] = [];
    const askedFacts: string[] = [];
    const { port } = await serveTcp(
      answering((socket, text) => {
        const sql = text.replace(/\0$/, '');
        const [, fact] = /^END AS "answer_(\w+)"/m.exec(sql) ?? [];
        if (fact !== undefined) askedFacts.push(fact);
        const isRollback = sql.startsWith('ROLLBACK TO');
        if (fact === 'tables' || isRollback) asked.push(fact ?? 'rollback');
        if (fact === 'tables')
          socket.write(left.shift() ?? answerOf({ answer_tables: JSON.stringify(absent) }));
        else if (fact !== undefined) socket.write(answerOf({ [`answer_${fact}`]: JSON.stringify(absent) }));
        else socket.write(answerOf({ ...names, ...unread, collected_at: '2026-11-21T20:00:00Z' }));
      }),
    );
    const database = `postgresql://joe@127.0.0.1:${port}/lightdash?sslmode=disable`;
    const env = { HOME: '/nonexistent', PGPASSWORD: 's3cret' };
    const { facts } = await collectFacts({ database, env, timeoutMs: 10_000, measure: false });
    return { tables: facts.tables, askedFacts, asked: asked.slice(0, asked.lastIndexOf('tables') + 1) };
  }
  const refused = (sqlState: string, text = 'no') =>
    Buffer.concat([message('E', `SERROR\0VERROR\0C${sqlState}\0M${text}\0\0`), message('Z', 'E')]);
  const unseen = (status: string, detail = 'no') => ({ status, source: 'database', detail });

  it('is reported in at most 200 characters, with no character cut in two', async () => {
    const { tables } = await tablesOf(refused('XX000', '😀'.repeat(300)));
    expect(tables).toEqual(unseen('failed', '😀'.repeat(200)));
  });

  it.each([
    ['42501', 'not-permitted'],
    ['3F000', 'absent'],
    ['XX000', 'failed'],
    ['57014', 'timeout'],
    ['55P03', 'timeout'],
  ])('%s is %s, and not asked again', async (sqlState, status) => {
    expect(await tablesOf(refused(sqlState))).toMatchObject({ tables: unseen(status), asked: ['tables'] });
  });

  it('is never of a fact that the lookup has answered already: it gets no statement', async () => {
    const { askedFacts } = await tablesOf();
    expect(askedFacts).toContain('vacuums');
    expect(askedFacts.filter((fact) => `answer_${fact}` in unread)).toEqual([]);
  });

  it('is an invalid answer, and no fact, where the server sends no JSON', async () => {
    await expect(tablesOf(answerOf({ answer_tables: '{' }))).rejects.toMatchObject({
      code: 'invalid-facts',
      message: 'the database did not answer with JSON for tables',
    });
  });
});
