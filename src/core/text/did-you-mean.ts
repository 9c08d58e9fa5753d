import { distance } from 'fastest-levenshtein';

/** The candidate that was probably meant, as the end of a message; empty if none is close. */
export function didYouMean(found: string, candidates: readonly string[]): string {
  const nearest = nearestTo(found, candidates);
  return nearest === undefined ? '' : `; did you mean \`${nearest}\`?`;
}

/** The candidate that was probably meant: at most a third of its letters differ. */
export function nearestTo(found: string, candidates: readonly string[]): string | undefined {
  const [nearest] = candidates
    .map((candidate) => ({
      candidate,
      edits: distance(found.slice(0, 200).toLowerCase(), candidate.toLowerCase()),
    }))
    .filter(({ candidate, edits }) => edits <= Math.round(candidate.length / 3))
    .sort((a, b) => a.edits - b.edits);
  return nearest?.candidate;
}
