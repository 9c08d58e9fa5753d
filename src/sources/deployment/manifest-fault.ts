import { LightspanError } from '../../errors.js';

/**
 * The error for manifests or values that cannot be read completely. It quotes nothing but names, because a broken part
 * may be a secret.
 */
export function manifestFault(message: string, hint?: string): LightspanError {
  return new LightspanError('invalid-manifest', message, hint === undefined ? {} : { hint });
}

/** The message of a parser, without its quotes from the text. */
export function withoutQuotes(message: string): string {
  return message
    .replace(/".*"/s, '...')
    .replace(/[&*!]\S+/g, '...')
    .replace(/\s*\n[\s\S]*$/, '');
}
