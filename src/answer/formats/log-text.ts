/**
 * Text for the log of a step that contains no workflow command: the runner obeys `::` at the start of a line, also on
 * standard error, and `##[` anywhere.
 */
export function logText(text: string): string {
  return text.replaceAll(/^(\s*)::/gm, '$1\\::').replaceAll('##[', '#\\#[');
}
