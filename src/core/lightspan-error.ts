const inputErrorCodes = [
  'invalid-version',
  'downgrade',
  'invalid-json',
  'invalid-index',
  'invalid-artifact',
  'invalid-facts',
  'invalid-known-issue',
  'unsupported-schema-version',
] as const;

/** What is at fault about an input that was read; none of them is an answer about a span. */
export type InputErrorCode = (typeof inputErrorCodes)[number];

/** Every way a command can end without an answer. `exit-codes.ts` gives each its exit status. */
export type ErrorCode =
  | InputErrorCode
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

/**
 * What the thrower knows besides code and message, for callers that catch the error. The kind says which file declares
 * the rest.
 */
export interface ErrorDetails {
  readonly kind: string;
}

interface ErrorOptions {
  readonly cause?: unknown;
  readonly hint?: string | undefined;
  /** Default: the message. */
  readonly summary?: string;
  readonly response?: unknown;
  readonly details?: ErrorDetails | undefined;
}

/** The one error of this project, for every failure that a user can cause or meet. `hint` says what to do about it. */
export class LightspanError extends Error {
  override readonly name = 'LightspanError';
  readonly code: Exclude<ErrorCode, 'internal'>;
  readonly hint: string | undefined;
  /** The message without what changes from try to try: always the same for the same failure. */
  readonly summary: string;
  /** What was answered instead, if it contains more than the message. */
  readonly response: unknown;
  readonly details: ErrorDetails | undefined;

  constructor(code: LightspanError['code'], message: string, options: ErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.code = code;
    this.hint = options.hint;
    this.summary = options.summary ?? message;
    this.response = options.response;
    this.details = options.details;
  }
}

/** Whether an input was read, and is at fault: it cannot be trusted, or asks for what has no answer. */
export function isInputError(error: unknown): error is LightspanError & { readonly code: InputErrorCode } {
  return error instanceof LightspanError && inputErrorCodes.some((code) => code === error.code);
}

/** The fault of an input, with its source before the message; any other error as it is. */
export function namingSource(source: string, error: unknown): unknown {
  return isInputError(error)
    ? new LightspanError(error.code, `${source}: ${error.message}`, { hint: error.hint })
    : error;
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
  return {
    code: 'internal',
    message: `internal error: ${error instanceof Error ? error.message : String(error)}`,
    hint: 'This is a bug in lightspan. Run again with --debug for the stack trace, and please report it.',
  };
}
