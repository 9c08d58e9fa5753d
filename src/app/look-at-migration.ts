import type { CommandContext } from '../door/context.js';
import { readMigrationRows } from '../gather/database/migration-look.js';
import type { BlockerLook, MigrationLook, SessionLook } from '../instance/migration-status.js';
import type { StatusQuestion } from '../question/status.js';
import { commandOf } from '../rehearsal/watch.js';

/** One look at the migrations of a database. Of a statement, only its command and its table are kept. */
export async function lookAtMigration(
  { database, migratingRole, timeoutMs }: StatusQuestion,
  { env }: Pick<CommandContext, 'env'>,
): Promise<MigrationLook> {
  const at = { database: databaseOf(database, env), env, timeoutMs, migratingRole };
  const { notSeen, lease, run, ledger, sessions } = await readMigrationRows(at);
  return {
    notSeen,
    lease: lease && {
      isHeld: lease.held === true,
      appVersion: textOf(lease.app_version),
      migration: textOf(lease.current_migration),
      seconds: run?.outcome === 'running' ? numberOf(run.seconds) : undefined,
      heartbeatSeconds: numberOf(lease.heartbeat),
      parkedSeconds: numberOf(lease.parked),
      parkedMigration: textOf(lease.parked_migration),
      parkedVersion: textOf(lease.parked_app_version),
    },
    newestRun: run && {
      appVersion: String(run.app_version),
      outcome: String(run.outcome),
      startedAt: String(run.started),
    },
    lockedRows: numberOf(ledger?.locked) ?? 0,
    lastMigrationSeconds: numberOf(ledger?.seconds),
    migrators: sessions.map(sessionOf),
    waiting: sessions.reduce((sum, { behind }) => sum + (numberOf(behind) ?? 0), 0),
  };
}

/** A variable may hold the address. */
export function databaseOf(addressOrVariable: string, env: CommandContext['env']): string {
  return /^postgres(?:ql)?:/i.test(addressOrVariable)
    ? addressOrVariable
    : (env[addressOrVariable] ?? addressOrVariable);
}

type SessionRow = Awaited<ReturnType<typeof readMigrationRows>>['sessions'][number];

function sessionOf({
  pid,
  user,
  state,
  query,
  percent,
  waits,
  waitSeconds,
  blocker,
}: SessionRow): SessionLook {
  return {
    pid: Number(pid),
    user: textOf(user),
    command: typeof state === 'string' ? commandOf(String(query ?? '')) : undefined,
    waitsSeconds: waits === true ? (numberOf(waitSeconds) ?? 0) : undefined,
    blocker: blockerOf(blocker),
    indexPercent: numberOf(percent),
  };
}

function blockerOf(value: unknown): BlockerLook | undefined {
  if (typeof value !== 'object' || value === null || !('pid' in value)) return undefined;
  const { pid, user, state, seconds }: Readonly<Record<string, unknown>> = { ...value };
  return { pid: Number(pid), user: textOf(user), state: textOf(state), seconds: numberOf(seconds) };
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** A number, also as the server writes a large one. */
function numberOf(value: unknown): number | undefined {
  const number = typeof value === 'string' && value !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}
