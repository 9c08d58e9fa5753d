/** The text of a file: each line with its end. */
export function lines(...all: readonly string[]): string {
  return `${all.join('\n')}\n`;
}
