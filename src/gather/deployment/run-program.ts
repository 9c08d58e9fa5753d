import { execFile } from 'node:child_process';
import type { Env } from '../../core/common/env.js';
import { LightspanError } from '../../core/lightspan-error.js';

interface ProgramRun {
  readonly env: Env;
  /** Milliseconds, after which it is killed. */
  readonly timeoutMs: number;
  /** What to do if it does not run to its end. */
  readonly hint?: string;
}

export interface ProgramOutcome {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The same limit as for a file of manifests. */
const maxOutputBytes = 16 * 1024 * 1024;

/**
 * Runs a program of the user with a list of arguments: without a shell, without input, and within limits. Processes
 * that it leaves running are not waited for.
 *
 * @throws {LightspanError} `unreadable-source` if it cannot be run, or was killed; `timeout`; `too-large`
 */
export function runProgram(
  program: string,
  args: readonly string[],
  { env, timeoutMs, hint }: ProgramRun,
): Promise<ProgramOutcome> {
  return new Promise((done, fail) => {
    const options = { env, timeout: timeoutMs, killSignal: 'SIGKILL', maxBuffer: maxOutputBytes } as const;
    const child = execFile(program, args, { ...options, windowsHide: true }, (error, stdout, stderr) => {
      if (error === null) return done({ exitCode: 0, stdout, stderr });
      if (typeof error.code === 'number') return done({ exitCode: error.code, stdout, stderr });
      const named = `${program} ${args[0] ?? ''}`;
      const failWith = (code: 'timeout' | 'too-large' | 'unreadable-source', why: string) =>
        fail(new LightspanError(code, why, { hint }));
      if (error.code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER') {
        return failWith('too-large', `${named} printed more than ${maxOutputBytes} bytes`);
      }
      if (error.killed === true) {
        return failWith('timeout', `${named} took longer than ${timeoutMs / 1000} s`);
      }
      const ended = error.signal == null ? error.message : `it was ended by ${error.signal}`;
      const reason = error.code === 'ENOENT' ? 'there is no program of that name' : ended;
      failWith('unreadable-source', `cannot run ${program}: ${reason}`);
    });
    child.stdin?.end();
  });
}
