import type { ErrorCode } from './errors.js';

/** What the exit status says. Only `yes` is ever 0. */
export const exitCodes = {
  /** Proven safe. */
  yes: 0,
  /** An answer was computed, and it is not yes. */
  no: 1,
  /** The request itself is wrong; at most the index and the version that runs were asked for. */
  usage: 2,
  /** No answer could be had. */
  unavailable: 3,
  /** An answer came that cannot be trusted. */
  untrusted: 4,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** Exit 0 is `safe`, and nothing else is (contract, "Errors"). */
export function exitCodeOfAnswer(result: { readonly safe: boolean }): ExitCode {
  return result.safe === true ? exitCodes.yes : exitCodes.no;
}

/** A route of Recreate hops is a plan too; one that the index does not cover from end to end is none. */
export function exitCodeOfPlan(
  route: { readonly certified: boolean; readonly rolling: boolean },
  { requireRolling }: { readonly requireRolling: boolean },
): ExitCode {
  const yes = route.certified === true && (!requireRolling || route.rolling === true);
  return yes ? exitCodes.yes : exitCodes.no;
}

export function exitCodeOfError(code: ErrorCode): ExitCode {
  return exitCodeByError[code];
}

const exitCodeByError: Record<ErrorCode, ExitCode> = {
  usage: exitCodes.usage,
  'invalid-pin': exitCodes.usage,
  'invalid-version': exitCodes.usage,
  downgrade: exitCodes.usage,
  'unreadable-source': exitCodes.unavailable,
  'unwritable-output': exitCodes.unavailable,
  'changed-meanwhile': exitCodes.unavailable,
  network: exitCodes.unavailable,
  timeout: exitCodes.unavailable,
  'http-status': exitCodes.unavailable,
  'too-large': exitCodes.unavailable,
  'too-old': exitCodes.unavailable,
  'not-cached': exitCodes.unavailable,
  'api-error': exitCodes.unavailable,
  internal: exitCodes.unavailable,
  'invalid-json': exitCodes.untrusted,
  'invalid-index': exitCodes.untrusted,
  'invalid-artifact': exitCodes.untrusted,
  'untrusted-mirror': exitCodes.untrusted,
  'invalid-response': exitCodes.untrusted,
  'unsupported-schema-version': exitCodes.untrusted,
};
