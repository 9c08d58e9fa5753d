import { LightspanError } from '../../errors.js';
import type { MergedOver } from '../yaml.js';

/**
 * The error for manifests or values that cannot be read completely. It quotes nothing but names, because a broken part
 * may be a secret.
 */
export function manifestFault(message: string, hint?: string): LightspanError {
  return new LightspanError('invalid-manifest', message, hint === undefined ? {} : { hint });
}

/** The error for a value that the readers of a file take from different places. */
export function mergedOverFault({ file, line }: Pick<MergedOver, 'file' | 'line'>): LightspanError {
  return manifestFault(
    `${file}:${line}: a merge key (<<) brings this key too, and programs differ in which of the two they take`,
    'Write the key in one place only.',
  );
}

/** The message of a parser, without its quotes from the text. */
export function withoutQuotes(message: string): string {
  return message
    .replace(/".*"/s, '...')
    .replace(/[&*!]\S+/g, '...')
    .replace(/\s*\n[\s\S]*$/, '');
}
