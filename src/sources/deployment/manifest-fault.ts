import { LightspanError } from '../../errors.js';

/**
 * Why manifests, or values, cannot be read to the end. Nothing that stands in them is quoted but names: what is broken may
 * be a secret.
 */
export function manifestFault(message: string, hint?: string): LightspanError {
  return new LightspanError('invalid-manifest', message, hint === undefined ? {} : { hint });
}

/** What a parser says, without what it quotes of the text. */
export function withoutQuotes(message: string): string {
  return message
    .replace(/".*"/s, '...')
    .replace(/[&*!]\S+/g, '...')
    .replace(/\s*\n[\s\S]*$/, '');
}
