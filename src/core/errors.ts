/** Each code names one fault of the input; none of them is an answer about a span. */
export type ReleaseSafetyErrorCode =
  | 'invalid-version'
  | 'downgrade'
  | 'invalid-json'
  | 'invalid-index'
  | 'invalid-artifact'
  | 'invalid-facts'
  | 'invalid-known-issue'
  | 'unsupported-schema-version';

/** The core throws it for input that it cannot read or must not answer. `hint` says what to do about it. */
export class ReleaseSafetyError extends Error {
  override readonly name = 'ReleaseSafetyError';
  readonly code: ReleaseSafetyErrorCode;
  readonly hint: string | undefined;

  constructor(code: ReleaseSafetyErrorCode, message: string, hint?: string) {
    super(message);
    this.code = code;
    this.hint = hint;
  }
}
