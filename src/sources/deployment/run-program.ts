import { execFile } from 'node:child_process';

export interface ProgramRun {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Milliseconds, after which it is killed. */
  readonly timeoutMs: number;
}

/** How a program ended: by itself, with an exit code, or why it did not run to its end. */
export type ProgramOutcome =
  | { readonly exitCode: number; readonly stdout: string; readonly stderr: string }
  | {
      readonly exitCode?: undefined;
      readonly code: 'timeout' | 'too-large' | 'unreadable-source';
      readonly why: string;
    };

/** The same limit as for a file of manifests. */
const maxOutputBytes = 16 * 1024 * 1024;

/**
 * Runs a program of the user with a list of arguments: without a shell, without input, and within limits. Processes that
 * it leaves running are not waited for.
 */
export function runProgram(
  program: string,
  args: readonly string[],
  { env, timeoutMs }: ProgramRun,
): Promise<ProgramOutcome> {
  return new Promise((done) => {
    const options = { env, timeout: timeoutMs, killSignal: 'SIGKILL', maxBuffer: maxOutputBytes } as const;
    const child = execFile(program, args, { ...options, windowsHide: true }, (error, stdout, stderr) => {
      if (error === null) return done({ exitCode: 0, stdout, stderr });
      if (typeof error.code === 'number') return done({ exitCode: error.code, stdout, stderr });
      const named = `${program} ${args[0] ?? ''}`;
      if (error.code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER') {
        return done({ code: 'too-large', why: `${named} printed more than ${maxOutputBytes} bytes` });
      }
      if (error.killed === true) {
        return done({ code: 'timeout', why: `${named} took longer than ${timeoutMs / 1000} s` });
      }
      const ended = error.signal == null ? error.message : `it was ended by ${error.signal}`;
      const said = error.code === 'ENOENT' ? 'there is no program of that name' : ended;
      done({ code: 'unreadable-source', why: `cannot run ${program}: ${said}` });
    });
    child.stdin?.end();
  });
}
