/** The name of standard input among sources. */
export const standardInput = 'standard input';

/** A source as it is named in a text: `-` is standard input. */
export function nameOfInput(source: string): string {
  return source === '-' ? standardInput : source;
}
