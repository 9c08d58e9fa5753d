const share = Number(process.env.LIGHTSPAN_PROPERTY_SHARE ?? 1);

/** One seed for every property: for runs that are compared with each other. */
export const oneSeed = 20_260_906;

/**
 * How many cases a property is put to, or how long a text is: all of `whole`, or the share that is asked for: a quarter
 * by `npm test`, and a tenth by a mutation run, which puts every property to its cases once for each of some thousand
 * mutants, and counts what each line does.
 */
export function propertyRuns(whole: number): number {
  return Math.ceil(whole * share);
}

/** For a property that counts how often it meets what is rare: a share has the same cases each time, lest it miss that. */
export function countedRuns(whole: number): { readonly numRuns: number; readonly seed?: number } {
  return { numRuns: propertyRuns(whole), ...(share < 1 && { seed: oneSeed }) };
}
