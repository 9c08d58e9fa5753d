import type { ChildProcessWithoutNullStreams as Psql } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { refusedStatement } from '../core/refused-statement.js';
import type { Row, Session } from './session.js';

/**
 * A session through a psql that runs beside its server, where no other way leads to it. Rows come as JSON; what ends an
 * answer is a text that nobody can know before.
 */
export async function openPsql(psql: Psql): Promise<Session> {
  const { stdin } = psql;
  const answers = new Answers(psql);
  let turn: Promise<unknown> = Promise.resolve();
  /** One after the other: psql reads one input. */
  const ask = async (write: (end: string) => void | Promise<void>): Promise<string> => {
    const before = turn;
    const answer = (async () => {
      await before.catch(() => undefined);
      const nonce = randomBytes(12).toString('hex');
      const said = answers.until(nonce);
      await write(`\n\\echo ${nonce} :ERROR :SQLSTATE :'LAST_ERROR_MESSAGE'\n`);
      return said;
    })();
    turn = answer;
    return answer;
  };
  const session: Session = {
    query: async (sql) => rowsOf(await ask((end) => void stdin.write(`${asJson(sql)};${end}`))),
    copy: async (sql, rows) => {
      await ask(async (end) => {
        stdin.write(`${sql}\n`);
        for await (const chunk of rows) {
          if (!stdin.write(chunk)) await new Promise((done) => stdin.once('drain', done));
        }
        stdin.write(`\\.\n${end}`);
      });
    },
    end: async () => {
      stdin.end();
      psql.kill('SIGKILL');
    },
  };
  await session.query('SELECT 1 AS one');
  return session;
}

/** What psql says, up to the text that ends an answer. */
class Answers {
  #text = '';
  #waiting:
    | { readonly nonce: string; readonly done: (text: string) => void; readonly fail: (error: Error) => void }
    | undefined;
  #failure: Error | undefined;

  constructor(psql: Psql) {
    psql.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      this.#text += chunk;
      this.#look();
    });
    psql.stderr.resume();
    psql.stdin.on('error', () => undefined);
    psql.once('error', (error) => this.#fail(error));
    psql.once('close', () => this.#fail(new Error('psql ended')));
  }

  until(nonce: string): Promise<string> {
    return new Promise((done, fail) => {
      this.#waiting = { nonce, done, fail };
      if (this.#failure !== undefined) fail(this.#failure);
    });
  }

  #look(): void {
    const { nonce, done, fail } = this.#waiting ?? {};
    if (nonce === undefined || done === undefined || fail === undefined) return;
    const at = this.#text.indexOf(`${nonce} `);
    const end = this.#text.indexOf('\n', at);
    if (at < 0 || end < 0) return;
    const [, isError, sqlState = '', message = ''] =
      /^\S+ (\S+) (\S+) '?(.*?)'?$/.exec(this.#text.slice(at, end)) ?? [];
    const answer = this.#text.slice(0, at);
    this.#text = this.#text.slice(end + 1);
    this.#waiting = undefined;
    if (isError === 'true') fail(refusedStatement(sqlState, message.replaceAll("''", "'")));
    else done(answer);
  }

  #fail(error: Error): void {
    this.#failure = error;
    this.#waiting?.fail(error);
  }
}

/** A query as one that answers with one line; what answers with no rows stays as it is. */
function asJson(sql: string): string {
  const text = sql.trim().replace(/;$/, '');
  return /^SELECT\b/i.test(text) ? `SELECT coalesce(pg_catalog.json_agg(r), '[]') FROM (${text}) AS r` : text;
}

function rowsOf(answer: string): readonly Row[] {
  // Each row but the first stands on a line of its own, behind a blank.
  const at = answer.startsWith('[') ? 0 : answer.lastIndexOf('\n[') + 1;
  if (answer[at] !== '[') return [];
  const rows: unknown = JSON.parse(answer.slice(at));
  return Array.isArray(rows) ? rows : [];
}
