/**
 * A statement that a server of PostgreSQL refused; in a transaction, it goes on from a savepoint. The message may hold a
 * value of a row; the detail, which does, is left out.
 */
export class SqlError extends Error {
  override readonly name = 'SqlError';
  readonly sqlState: string;

  constructor(sqlState: string, message: string) {
    super(message);
    this.sqlState = sqlState;
  }
}
