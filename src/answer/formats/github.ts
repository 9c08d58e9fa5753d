import { compact } from '../../core/text/compact.js';
import { printable } from '../../core/text/printable.js';
import { type Annotation, type Answer, isYes, linesAgainst } from '../answer.js';
import { type Headline, headlineOfFailure } from '../headline.js';
import type { Format } from './format.js';
import { logText } from './log-text.js';
import { renderMarkdown, renderMarkdownFailure } from './markdown.js';
import { renderText } from './text.js';

/** GitHub shows 10 annotations per level; one is for the whole answer. */
const mostPlaces = 9;

export const githubFormat: Format = {
  write: (answer, { text }) => {
    const { title, headline, places } = answer;
    const message = [`Answer: ${headline.text}`, ...linesAgainst(answer)].join('\n');
    const annotations = compact(
      places.slice(0, mostPlaces).map((place) => renderAnnotation(place)),
      renderAnnotation({ yes: isYes(answer), title, message }, levelOf(headline)),
    );
    return `${annotations.join('')}${logText(renderText(answer, text))}`;
  },
  writeFailure: ({ message }, exitCode) => {
    const { text } = headlineOfFailure(message, exitCode);
    return renderAnnotation({ yes: false, title: 'lightspan: no answer', message: `Answer: ${text}` });
  },
  files: {
    // A killed process leaves no yes of an earlier run.
    before: (answer) => ({
      GITHUB_OUTPUT: renderOutputs(undefined, 3, ''),
      GITHUB_STEP_SUMMARY: renderMarkdown(answer),
    }),
    after: (answer, exitCode, delimiter) => ({ GITHUB_OUTPUT: renderOutputs(answer, exitCode, delimiter) }),
    failed: (failure, exitCode) => ({
      GITHUB_OUTPUT: renderOutputs(undefined, exitCode, ''),
      GITHUB_STEP_SUMMARY: renderMarkdownFailure(failure, exitCode),
    }),
  },
};

type Level = 'notice' | 'warning' | 'error';

/** What fails the job without being a no is a warning beside it. */
function levelOf({ exitCode, tone }: Headline): Level {
  if (exitCode === 0) return 'notice';
  return tone === 'bad' ? 'error' : 'warning';
}

/**
 * An annotation of the step, as a workflow command: GitHub shows at most 10 of each level per step. Line breaks in the
 * message are kept; other control characters are made visible.
 */
export function renderAnnotation(
  { yes, title, message, file, line }: Annotation,
  level: Level = yes ? 'notice' : 'error',
): string {
  const properties = Object.entries({ file, line, title })
    .filter(([name, value]) => value !== undefined && (name !== 'line' || file !== undefined))
    .map(([name, value]) => `${name}=${escapeProperty(printable(String(value)))}`);
  const lines = message.split(/\r\n|\r|\n/).map(printable);
  return `::${level} ${properties.join(',')}::${escapeData(lines.join('\n'))}\n`;
}

/** GitHub's own rules for the text of a workflow command (`@actions/core`, `escapeData`). */
function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
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
