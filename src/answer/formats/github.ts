import { printable } from '../../core/text/printable.js';
import type { Annotation, Answer } from '../answer.js';

/**
 * An annotation of the step, as a workflow command: GitHub shows at most 10 of each level per step. Line breaks in the
 * message are kept; other control characters are made visible.
 */
export function renderAnnotation({ yes, title, message, file, line }: Annotation): string {
  const properties = Object.entries({ file, line, title })
    .filter(([name, value]) => value !== undefined && (name !== 'line' || file !== undefined))
    .map(([name, value]) => `${name}=${escapeProperty(printable(String(value)))}`);
  const lines = message.split(/\r\n|\r|\n/).map(printable);
  return `::${yes ? 'notice' : 'error'} ${properties.join(',')}::${escapeData(lines.join('\n'))}\n`;
}

/** GitHub's own rules for the text of a workflow command (`@actions/core`, `escapeData`). */
function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}

/**
 * Text for the log of a step that contains no workflow command: the runner obeys `::` at the start of a line, also on
 * standard error, and `##[` anywhere.
 */
export function logText(text: string): string {
  return text.replaceAll(/^(\s*)::/gm, '$1\\::').replaceAll('##[', '#\\#[');
}

/**
 * The outputs of a step, in the format of `$GITHUB_OUTPUT`. `safe` comes last, so that a truncated file never claims
 * it. Without an answer, they replace those of an earlier run of the step.
 *
 * @param delimiter a random text that no value can contain
 */
export function renderOutputs(answer: Answer | undefined, exitCode: number, delimiter: string): string {
  const { verdict = 'unknown', strategy = '', hops = [], safe = false } = answer ?? {};
  const [next] = hops;
  const values = {
    verdict,
    strategy,
    'next-hop': next?.certified === true ? next.toVersion : '',
    route: hops
      .map((hop) => `${hop.fromVersion} ${hop.toVersion} ${hop.certified ? hop.strategy : 'uncertified'}`)
      .join('\n'),
    'exit-code': exitCode,
    safe,
  };
  return Object.entries(values)
    .map(([name, value]) =>
      String(value).includes('\n') ? `${name}<<${delimiter}\n${value}\n${delimiter}\n` : `${name}=${value}\n`,
    )
    .join('');
}
