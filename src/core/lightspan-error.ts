import { ReleaseSafetyError, type ReleaseSafetyErrorCode } from './errors.js';

/** Every way a command can end without an answer. `exit-codes.ts` gives each its exit status. */
export type ErrorCode =
  | ReleaseSafetyErrorCode
  | 'usage'
  | 'invalid-pin'
  | 'not-judged'
  | 'invalid-manifest'
  | 'invalid-database-url'
  | 'database'
  | 'unreadable-source'
  | 'unwritable-output'
  | 'changed-meanwhile'
  | 'network'
  | 'timeout'
  | 'http-status'
  | 'too-large'
  | 'untrusted-mirror'
  | 'too-old'
  | 'not-cached'
  | 'unread-artifacts'
  | 'unread-facts'
  | 'image-absent'
  | 'nothing-recommended'
  | 'api-refused'
  | 'api-error'
  | 'invalid-response'
  | 'internal';

/** A failure outside the core that a user can cause or meet. `hint` says what to do about it. */
export class LightspanError extends Error {
  override readonly name = 'LightspanError';
  readonly code: Exclude<ErrorCode, ReleaseSafetyErrorCode | 'internal'>;
  readonly hint: string | undefined;
  readonly status: number | undefined;
  /** What a server answered instead, if it contains more than the message. */
  readonly response: unknown;
  /** For a failed request: whether the server may have received and processed it. */
  readonly mayHaveArrived: boolean;
  /** For a failed request; the message ends with them. */
  readonly attempts: Attempts | undefined;
  /** The message without the attempts: always the same for the same failure. */
  readonly summary: string;

  constructor(
    code: LightspanError['code'],
    summary: string,
    options: Partial<
      Pick<LightspanError, 'hint' | 'cause' | 'status' | 'response' | 'mayHaveArrived' | 'attempts'>
    > = {},
  ) {
    const { attempts, cause } = options;
    super(attempts === undefined ? summary : `${summary}, ${describeAttempts(attempts)}`, { cause });
    this.code = code;
    this.hint = options.hint;
    this.status = options.status;
    this.response = options.response;
    this.mayHaveArrived = options.mayHaveArrived ?? false;
    this.attempts = attempts;
    this.summary = summary;
  }
}

export interface Attempts {
  readonly tries: number;
  readonly elapsedMs: number;
}

function describeAttempts({ tries, elapsedMs }: Attempts): string {
  return `after ${(elapsedMs / 1000).toFixed(1)} s and ${tries} ${tries === 1 ? 'try' : 'tries'}`;
}

export interface Failure {
  readonly code: ErrorCode;
  readonly message: string;
  readonly hint: string | undefined;
  readonly response?: unknown;
}

/** Any thrown value as a failure. An unexpected error is our fault, and never an answer. */
export function toFailure(error: unknown): Failure {
  if (error instanceof LightspanError) {
    const { code, message, hint, response } = error;
    return { code, message, hint, response };
  }
  if (error instanceof ReleaseSafetyError) {
    return { code: error.code, message: error.message, hint: error.hint };
  }
  return {
    code: 'internal',
    message: `internal error: ${error instanceof Error ? error.message : String(error)}`,
    hint: 'This is a bug in lightspan. Run again with --debug for the stack trace, and please report it.',
  };
}
