import { type ErrorDetails, LightspanError } from '../../core/lightspan-error.js';

/** What is known of a request that brought no answer. */
export interface RequestDetails extends ErrorDetails {
  readonly kind: 'request';
  /** The HTTP status, if a server or a proxy sent one. */
  readonly status: number | undefined;
  /** Whether the server may have received and processed it. */
  readonly mayHaveArrived: boolean;
  /** The message ends with them. Undefined for what no client tried. */
  readonly attempts: Attempts | undefined;
  /** Whether something else may have answered in place of the server, such as a login page in front of it. */
  readonly mayBeForeign: boolean;
}

export interface Attempts {
  readonly tries: number;
  readonly elapsedMs: number;
}

export function requestDetails(known: Partial<Omit<RequestDetails, 'kind'>>): RequestDetails {
  const { status, mayHaveArrived = false, attempts, mayBeForeign = false } = known;
  return { kind: 'request', status, mayHaveArrived, attempts, mayBeForeign };
}

/** @returns undefined for an error that is about no request */
export function requestOf(error: unknown): RequestDetails | undefined {
  return error instanceof LightspanError && isOfRequest(error.details) ? error.details : undefined;
}

function isOfRequest(details: ErrorDetails | undefined): details is RequestDetails {
  return details?.kind === 'request';
}

export function describeAttempts({ tries, elapsedMs }: Attempts): string {
  return `after ${(elapsedMs / 1000).toFixed(1)} s and ${tries} ${tries === 1 ? 'try' : 'tries'}`;
}
