/** The password file of libpq, as `pg` reads it: `PGPASSFILE`, or `~/.pgpass`; one that others may read is not read. */
declare module 'pgpass' {
  interface ConnectionInfo {
    readonly host: string;
    readonly port: number;
    readonly database: string;
    readonly user: string;
  }
  export default function pgpass(connection: ConnectionInfo, found: (password?: string) => void): void;
}
