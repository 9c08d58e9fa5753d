import { type Answers, defineCheck, type FactOf, foundOrOk, type Judgement } from '../check.js';
import { isOpaque, may, pendingMigrations, tablesOf } from '../pending.js';

/** Below it the start check of releases since 1.125.0 warns, where a migration scans or rewrites: 5 GiB. */
export const headroomBytes = 5 * 1024 ** 3;

export type DiskSpaceEvidence =
  | {
      readonly kind: 'disk-too-small';
      readonly free: number;
      readonly table: string;
      readonly bytes: number;
      readonly migration: string;
    }
  | {
      readonly kind: 'disk-headroom';
      readonly free: number;
      readonly minimum: number;
      readonly largest: number;
    }
  | { readonly kind: 'disk-enough'; readonly free: number; readonly largest: number }
  | { readonly kind: 'disk-not-needed' };

/**
 * Whether the disk has room for what pending migrations write. A table that is rewritten stands there twice until its
 * migration has ended; what else is written, WAL before all, is not known.
 */
export const diskSpace = defineCheck({
  id: 'disk-space',
  group: 'database',
  canStop: true,
  needs: ['ledger', 'tables'],
  mayNeed: ['disk-free'],
  needsArtifacts: true,
  judge(given): Answers<DiskSpaceEvidence> {
    const pending = pendingMigrations(given).filter((one) => may(one, 'scansTable', 'rewritesTable'));
    if (pending.length === 0) return [{ status: 'ok', subject: null, evidence: { kind: 'disk-not-needed' } }];
    const { diskFree: free } = given;
    if (free === undefined) return [{ lacks: 'disk-free' }];

    const rewriting = pending.filter((one) => may(one, 'rewritesTable'));
    const named = tablesOf(rewriting);
    const opaque = rewriting.find(isOpaque);
    const rewritten = given.facts.tables.flatMap((table) => {
      const migration = named.get(table.name)?.[0] ?? opaque;
      return migration === undefined
        ? []
        : [{ table: table.name, bytes: bytesOf(table), migration: migration.name }];
    });
    const tooLarge = rewritten.flatMap(({ table, bytes, migration }): Judgement<DiskSpaceEvidence>[] =>
      bytes !== undefined && bytes > free
        ? [
            {
              status: named.has(table) ? 'stop' : 'warn',
              subject: table,
              evidence: { kind: 'disk-too-small', free, table, bytes, migration },
            },
          ]
        : [],
    );
    const unsized = rewritten.some(({ bytes }) => bytes === undefined);
    const findings: Answers<DiskSpaceEvidence> = [
      ...tooLarge,
      ...(unsized ? [{ lacks: 'tables', why: 'not-permitted' } as const] : []),
    ];
    const largest = Math.max(0, ...rewritten.map(({ bytes }) => bytes ?? 0));
    if (free < headroomBytes) {
      const evidence = { kind: 'disk-headroom', free, minimum: headroomBytes, largest } as const;
      return [...findings, { status: 'warn', subject: null, evidence }];
    }
    return foundOrOk(findings, { kind: 'disk-enough', free, largest });
  },
});

function bytesOf({ heapBytes, toastBytes, indexBytes }: FactOf<'tables'>[number]): number | undefined {
  if (heapBytes === null || toastBytes === null || indexBytes === null) return undefined;
  return heapBytes + toastBytes + indexBytes;
}
