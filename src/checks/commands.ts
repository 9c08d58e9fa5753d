import { shellWord, sqlName, sqlText } from '../core/text/quoted-words.js';
import type { WorkloadFact } from '../instance/facts/deployment-facts.js';

/** A command of the publisher's runtime, for a shell in /usr/app of its image. */
export function migrate(command: string): string {
  return `pnpm -F backend migrate-production ${command}`;
}

export function kubectl(namespace: string | null, ...words: readonly string[]): string {
  const where = namespace === null ? [] : ['--namespace', namespace];
  return ['kubectl', ...where, ...words].map(shellWord).join(' ');
}

type NamedWorkload = Pick<WorkloadFact, 'kind' | 'name' | 'namespace'>;

export function namedWorkload({ kind, name, namespace }: NamedWorkload): NamedWorkload {
  return { kind, name, namespace };
}

/** A DaemonSet has no replicas to scale. */
export function scaleTo(replicas: number, workloads: readonly NamedWorkload[]): readonly string[] {
  return workloads
    .filter(({ kind }) => kind !== 'DaemonSet')
    .map(({ kind, name, namespace }) =>
      kubectl(namespace, 'scale', `${kind.toLowerCase()}/${name}`, '--replicas', String(replicas)),
    );
}

export function showSession(pid: number): string {
  return (
    'SELECT pid, usename, application_name, client_addr, state, xact_start, query FROM pg_stat_activity WHERE ' +
    `pid = ${pid};`
  );
}

export function endSession(pid: number): readonly string[] {
  return [showSession(pid), `-- to end it: SELECT pg_catalog.pg_terminate_backend(${pid});`];
}

/**
 * The name of a table or view for SQL. One in another schema has that before its name, as PostgreSQL writes it.
 *
 * @param schema the one that Lightdash uses
 */
export function qualifiedName(schema: string, reported: string): string {
  const [, plain, quoted, name = reported] = /^(?:([^".]+)|"((?:[^"]|"")+)")\.(.+)$/s.exec(reported) ?? [];
  const place = plain ?? quoted?.replaceAll('""', '"') ?? schema;
  return `${sqlName(place)}.${sqlName(name)}`;
}

type RoleLimit = Readonly<Record<'setting' | 'role' | 'database', string>> & { readonly ms: number };

/**
 * The limit in force may be that of server, database or role. What was set for the role in this database is restored.
 */
export function liftLimit({ setting, ms, role, database }: RoleLimit): readonly string[] {
  const alter = `ALTER ROLE ${sqlName(role)} IN DATABASE ${sqlName(database)}`;
  return [
    'SELECT setconfig FROM pg_db_role_setting JOIN pg_database ON pg_database.oid = setdatabase WHERE datname ' +
      `= ${sqlText(database)} AND setrole = ${sqlText(sqlName(role))}::regrole;`,
    `${alter} SET ${setting} = 0;`,
    `-- after the upgrade, where the first line had a limit: ${alter} SET ${setting} = ${ms};`,
    `-- where it had none: ${alter} RESET ${setting};`,
  ];
}
