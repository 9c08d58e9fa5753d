import type { ContainerFact } from '../../facts/deployment-facts.js';

/**
 * What a container of Lightdash starts. The entrypoint of the image migrates, and then starts its arguments; a
 * replacement starts itself.
 *
 * @param replacement what replaces the entrypoint; undefined or empty if nothing does
 * @param args the arguments
 */
export function containerStart(
  replacement: readonly string[] | undefined,
  args: readonly string[] | undefined,
): ContainerFact['starts'] {
  if (replacement === undefined || replacement.length === 0) return 'entrypoint';
  const words = [...replacement, ...(args ?? [])].join(' ');
  if (/\bmigrate-production\b(?!\s+(?:preflight|status|wait|unlock)\b)/.test(words)) return 'migration';
  if (/\bmigrate[:\s]+(?:latest|up)\b/.test(words)) return 'migration';
  if (/\bprod-entrypoint\b/.test(words)) return 'entrypoint';
  // A custom entrypoint may call that of the image, or not.
  if (/entrypoint/.test(words)) return 'other';
  if (/\b(?:scheduler|worker)\b|[a-z]Worker\b/.test(words)) return 'worker';
  if (/\bdist\/index(?:\.js)?\b/.test(words)) return 'server';
  return 'other';
}
