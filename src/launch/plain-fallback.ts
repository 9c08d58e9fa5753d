let hasFallen = false;

/**
 * Stands in plain.cjs for every module that it lacks, and leaves the command line to the whole program. Whoever catches
 * the error on its way changes nothing: what was answered so far does not count.
 */
export function fallBackToMain(): never {
  hasFallen = true;
  throw new Error('a module that is not part of plain.cjs');
}

export function hasFallenBack(): boolean {
  return hasFallen;
}
