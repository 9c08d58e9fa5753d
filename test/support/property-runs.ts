/**
 * How many cases a property is put to, or how long a text is: all of `whole`, or the share that a mutation run asks
 * for, which puts every property to its cases once for each of some thousand mutants, and counts what each line does.
 */
export function propertyRuns(whole: number): number {
  return Math.ceil(whole * Number(process.env.LIGHTSPAN_PROPERTY_SHARE ?? 1));
}
