import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/**
 * Who made what a rehearsal leaves if it is killed: `<machine>-<process>-<its start>`. The machine stands for its
 * name and its numbering of processes, of which each container has one of its own.
 */
export function ownLabel(): string {
  return `${machine()}-${process.pid}-${startOf(process.pid) ?? 'unknown'}`;
}

/** Whether the process of a label is gone for sure. Of another machine, that is not known. */
export function isOrphan(label: string): boolean {
  const [, of, pid, start] = /^([0-9a-f]{8})-(\d+)-(\w+)$/.exec(label) ?? [];
  if (of !== machine() || pid === undefined) return false;
  const now = startOf(Number(pid));
  return now === undefined || (start !== 'unknown' && now !== start);
}

function machine(): string {
  let processes = '';
  try {
    processes = readlinkSync('/proc/self/ns/pid');
  } catch {
    // Not Linux.
  }
  return shortHash(`${hostname()} ${processes}`);
}

const shortHash = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 8);

/** When a process started, in the unit of its system; undefined if there is none, or only its zombie. */
export function startOf(pid: number): string | undefined {
  try {
    const [, state, ...rest] = readFileSync(`/proc/${pid}/stat`, 'latin1').replace(/^.*\)/s, '').split(' ');
    return state === 'Z' || state === 'X' ? undefined : rest[18];
  } catch {
    // No such process, or no such folder.
  }
  if (process.platform === 'linux') return undefined;
  try {
    const text = execFileSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], { encoding: 'utf8' });
    const [state = '', ...start] = text.trim().split(/\s+/);
    // Short: it stands in the path of a socket, which macOS allows 103 bytes.
    return state === '' || state.startsWith('Z') ? undefined : shortHash(start.join(' '));
  } catch {
    return undefined;
  }
}
