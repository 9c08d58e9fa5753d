import { spawn } from 'node:child_process';
import { createReadStream } from 'node:fs';
import { open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { Env } from '../core/common/env.js';
import { LightspanError } from '../core/lightspan-error.js';
import { unreadable } from '../gather/files/read-file.js';
import { truncate } from '../words/phrase.js';
import { brokenDump, type DumpPart, isBrokenDump, partsOfDump } from './statements.js';

/** A dump of one database, before anything of it is restored. */
export interface Dump {
  readonly path: string;
  readonly form: 'archive' | 'plain' | 'gzip';
  /** Of the file, or of all files of a dump in directory form. */
  readonly bytes: number;
  /** When it was made, `YYYY-MM-DD`: as an archive says it, else as the file system does. */
  readonly madeOn: string;
  /** 15 of PostgreSQL 15.18; undefined if the dump does not say it. */
  readonly fromMajor: number | undefined;
  /** Why its contents cannot be listed; undefined if they can. */
  readonly fault?: string | undefined;
}

/** Runs `pg_restore` with options on the dump at a path; where it runs, the path may be another. */
export type RestoreProgram = (options: readonly string[], path: string) => RestoreRun;

export interface RestoreRun {
  readonly stdout: Readable;
  /** Why it failed: {@link isBrokenDump} if that is the dump's fault. */
  readonly ended: Promise<LightspanError | undefined>;
  readonly stop: () => void;
}

const magic = 'PGDMP';

export async function findDump(path: string, restore: RestoreProgram): Promise<Dump> {
  const { head, bytes, madeAt } = await readHead(path);
  const isDirectory = head === undefined;
  const isArchive = isDirectory || head.startsWith(magic) || head.startsWith('toc.dat\0');
  const isGzip = head?.startsWith('\x1f\x8b') === true;
  const list = isArchive ? await listOf(path, restore) : undefined;
  const text = list?.text ?? (isGzip ? await unpackedHead(path) : (head ?? ''));
  if (!isArchive && !/^-- PostgreSQL database dump/m.test(text)) {
    throw new LightspanError('unreadable-source', `${path} is no dump of pg_dump`, {
      hint: 'Make one with pg_dump --format=custom; lightspan upgrade-rehearse --print-dump prints the commands.',
    });
  }
  const [, from] = /Dumped from database version:? (\d+)/.exec(text) ?? [];
  const [, created] = /Archive created at (\d{4}-\d\d-\d\d)/.exec(text) ?? [];
  return {
    path,
    form: isArchive ? 'archive' : isGzip ? 'gzip' : 'plain',
    bytes,
    madeOn: created ?? madeAt.toISOString().slice(0, 10),
    fromMajor: from === undefined ? undefined : Number(from),
    fault: list?.fault,
  };
}

/** The first bytes of a file, as Latin-1; undefined for a folder. */
async function readHead(path: string) {
  try {
    const status = await stat(path);
    if (!status.isDirectory()) {
      const file = await open(path);
      try {
        const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(8192) });
        const head = buffer.toString('latin1', 0, bytesRead);
        return { head, bytes: status.size, madeAt: status.mtime };
      } finally {
        await file.close();
      }
    }
    const names = await readdir(path);
    const sizes = await Promise.all(names.map(async (name) => (await stat(join(path, name))).size));
    return { head: undefined, bytes: sizes.reduce((sum, size) => sum + size, 0), madeAt: status.mtime };
  } catch (error) {
    throw unreadable(`the dump ${path}`, error);
  }
}

async function unpackedHead(path: string): Promise<string> {
  const unpacked = createReadStream(path, { end: 1 << 16 }).pipe(createGunzip());
  try {
    for await (const chunk of unpacked) return String(chunk);
  } catch {
    // What cannot be unpacked is no dump.
  }
  return '';
}

/** @returns `fault`: why an archive, which it is by its first bytes, cannot be read */
async function listOf(path: string, restore: RestoreProgram) {
  const { stdout, ended } = restore(['--list'], path);
  let text = '';
  for await (const chunk of stdout) if (text.length < 1 << 16) text += String(chunk);
  const fault = await ended;
  if (fault !== undefined && !isBrokenDump(fault)) throw fault;
  return { text, fault: fault?.message };
}

/**
 * The parts of a dump, to its end: an archive as `pg_restore` writes it in plain form.
 *
 * @throws {LightspanError} {@link isBrokenDump} if it has no end, or is at fault before it
 */
export async function* readDump(dump: Dump, restore: RestoreProgram): AsyncGenerator<DumpPart> {
  const { path, form } = dump;
  const archive = form === 'archive' ? restore([...restoreOptions, '--file=-'], path) : undefined;
  const text = archive?.stdout ?? readText(path, form);
  let isComplete = false;
  try {
    for await (const part of partsOfDump(text)) {
      isComplete ||= part.kind === 'complete';
      yield part;
    }
    if (!isComplete || (await archive?.ended) !== undefined) throw brokenDump('it ends before its last line');
  } catch (error) {
    // What is no longer there, or cannot be read, says nothing of a backup.
    await readHead(path);
    // pg_restore knows better than the stream that it ends.
    throw (await archive?.ended) ?? faultOf(error);
  } finally {
    archive?.stop();
    text.destroy();
  }
}

function faultOf(error: unknown): LightspanError {
  if (isBrokenDump(error)) return error;
  const isOfGzip = error instanceof Error && 'code' in error && String(error.code).startsWith('Z_');
  return isOfGzip ? brokenDump(`it cannot be unpacked: ${error.message}`) : unreadable('the dump', error);
}

function readText(path: string, form: Dump['form']): Readable {
  const file = createReadStream(path);
  if (form !== 'gzip') return file;
  const unpacked = createGunzip();
  file.on('error', (error) => unpacked.destroy(error));
  return file.pipe(unpacked);
}

/** With what stands in the database's own entry: its owner, its settings, its collation. */
const restoreOptions = ['--create', '--no-subscriptions', '--no-comments', '--no-security-labels'];

const ofMachine = /unsupported version|not built with|Permission denied|Input\/output error|from daemon/;

function failure(why: string): LightspanError {
  const hint = why.includes('unsupported version')
    ? 'A newer pg_dump may have made it: pass the folder of a newer PostgreSQL with --postgres.'
    : undefined;
  return new LightspanError('unreadable-source', `pg_restore cannot read the dump: ${why}`, { hint });
}

/** @param command the program and its words */
export function runRestore([program = '', ...words]: readonly string[], env: Env): RestoreRun {
  const child = spawn(program, words, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let stderr = '';
  child.stderr.on('data', (chunk) => {
    stderr = (stderr + chunk).slice(0, 4096);
  });
  const ended = new Promise<LightspanError | undefined>((done) => {
    child.once('error', (error) => done(failure(error.message)));
    child.once('close', (code, signal) => {
      if (code === 0) return done(undefined);
      const [line = ''] = stderr.split('\n').filter((text) => /error|fatal/i.test(text));
      const why = line.replace(/^.*?(?:error|fatal): /i, '') || `it ended with ${code ?? signal}`;
      // From 125 on, a shell or a container program says that it could not be run, or was killed.
      const isOfDump = code !== null && code < 125 && !ofMachine.test(stderr);
      done(isOfDump ? brokenDump(truncate(why, 300)) : failure(truncate(why, 300)));
    });
  });
  return { stdout: child.stdout, ended, stop: () => void child.kill('SIGKILL') };
}
