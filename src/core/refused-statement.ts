import { type ErrorDetails, LightspanError } from './lightspan-error.js';

/** That a server of PostgreSQL refused a statement; in a transaction, it goes on from a savepoint. */
interface StatementDetails extends ErrorDetails {
  readonly kind: 'statement';
  readonly sqlState: string;
}

type RefusedStatement = LightspanError & { readonly details: StatementDetails };

/** @param message of the server, which may hold a value of a row; its detail, which does, is left out */
export function refusedStatement(sqlState: string, message: string): LightspanError {
  const details: StatementDetails = { kind: 'statement', sqlState };
  return new LightspanError('database', message, { details });
}

export function isRefusedStatement(error: unknown): error is RefusedStatement {
  return error instanceof LightspanError && error.details?.kind === 'statement';
}
