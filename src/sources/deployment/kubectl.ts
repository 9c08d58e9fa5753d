import { spawn } from 'node:child_process';
import { LightspanError } from '../../errors.js';
import { hasErrorCode } from '../read-file.js';

/** The user's own kubectl, and its parameters. */
export interface Kubectl {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly context?: string | undefined;
  /** Milliseconds for one run. */
  readonly timeoutMs: number;
}

export interface KubectlOutcome {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The same limit as for a file of manifests. */
const maxOutputBytes = 16 * 1024 * 1024;

/** The only verbs that kubectl is run with: no command that changes a cluster begins with them. */
type ReadVerb = 'get' | 'config';

/**
 * Runs kubectl with a list of arguments, in the user's environment: without a shell, without input, and within a time
 * limit. Processes that it leaves running are not waited for.
 *
 * @throws {LightspanError} `unreadable-source` if it cannot be run; `timeout`; `too-large`
 */
export function runKubectl(
  { env, context, timeoutMs }: Kubectl,
  [verb, ...args]: readonly [ReadVerb, ...string[]],
): Promise<KubectlOutcome> {
  const named = context === undefined ? [] : [`--context=${context}`];
  return new Promise((done, fail) => {
    const child = spawn('kubectl', [verb, ...args, ...named], {
      // kubectl's own settings may add options, and its messages are parsed in English.
      env: { ...env, KUBERC: 'off', KUBECTL_KUBERC: 'false', LC_ALL: 'C' },
      stdio: ['ignore', 'pipe', 'pipe'],
      windowsHide: true,
    });
    const output: Buffer[] = [];
    let bytes = 0;
    let said = '';
    const giveUp = (error: LightspanError) => {
      clearTimeout(timer);
      child.kill('SIGKILL');
      child.stdout.destroy();
      child.stderr.destroy();
      fail(error);
    };
    const timer = setTimeout(
      () => giveUp(new LightspanError('timeout', `kubectl ${verb} took longer than ${timeoutMs / 1000} s`)),
      timeoutMs,
    );
    child.stdout.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      output.push(chunk);
      if (bytes > maxOutputBytes) {
        const what = `kubectl ${verb} printed more than ${maxOutputBytes} bytes`;
        giveUp(new LightspanError('too-large', what, { hint: 'Name one namespace with --namespace.' }));
      }
    });
    child.stderr.on('data', (chunk: Buffer) => {
      said = (said + chunk.toString()).slice(-10_000);
    });
    child.on('error', (error) => {
      const why = hasErrorCode(error, 'ENOENT') ? 'there is no program of that name' : error.message;
      giveUp(
        new LightspanError('unreadable-source', `cannot run kubectl: ${why}`, {
          hint: 'Install kubectl, or give --manifests with what kubectl get -o yaml prints elsewhere.',
          cause: error,
        }),
      );
    });
    child.on('close', (exitCode, signal) => {
      clearTimeout(timer);
      if (exitCode === null) {
        fail(new LightspanError('unreadable-source', `kubectl ${verb} was ended by ${signal}`));
      } else done({ exitCode, stdout: Buffer.concat(output).toString(), stderr: said });
    });
  });
}

/** kubectl's own error message on one line, without the output of a program that it runs to log in. */
export function faultOf({ exitCode, stderr }: Pick<KubectlOutcome, 'exitCode' | 'stderr'>): string {
  const lines = stderr
    .split('\n')
    .filter((line) => /^(?:error:|Error from server|Unable to connect|The connection)/i.test(line));
  const said = (lines.at(-1) ?? `it ended with ${exitCode}`).replace(/\/\/[^/\s@]*@/g, '//');
  return [...said].slice(0, 300).join('').trim();
}
