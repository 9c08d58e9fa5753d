import { isAbsolute } from 'node:path';
import { pathToFileURL } from 'node:url';
import packageJson from '../../../package.json' with { type: 'json' };
import type { Failure } from '../../core/lightspan-error.js';
import { compact } from '../../core/text/compact.js';
import { printable, printableLines } from '../../core/text/printable.js';
import { type Answer, isYes, linesAgainst, type Mark } from '../answer.js';
import { headlineOfFailure } from '../headline.js';
import type { Format } from './format.js';

export const sarifFormat: Format = {
  write: (answer, { exitCode }) => renderSarif(answer, exitCode),
  writeFailure: renderSarifFailure,
};

/**
 * SARIF 2.1.0, as code scanning reads it: what is in order is no result. An answer that is not a yes has at least one
 * error, so that nothing that was not known looks like a pass. GitHub refuses a file of which one result has no place, or
 * one rule no full description.
 */
function renderSarif(answer: Answer, exitCode: number): string {
  const { title, headline, marks = [], notices, remarks } = answer;
  const hasError = marks.some(({ level }) => level === 'error');
  const wholeFile: Mark = {
    rule: { id: 'not-a-yes', meaning: 'The answer is not yes.', remedy: answer.next },
    level: 'error',
    message: [`${title}: ${headline.text}`, ...linesAgainst(answer)].join('\n'),
    file: marks[0]?.file ?? fileOfNoPlace,
  };
  const results = isYes(answer) || hasError ? marks : [...marks, wholeFile];
  const notifications = [
    ...notices.map((text) => ({ level: 'warning', text }) as const),
    ...remarks.map(({ text }) => ({ level: 'note', text }) as const),
  ];
  return renderLog(results, { exitCode, headline: headline.text, notifications, isAnswered: true });
}

export function renderSarifFailure({ code, message, hint }: Failure, exitCode: number): string {
  const rule = { id: code, meaning: 'There is no answer.', remedy: hint };
  const text = compact(message, hint).join('\n');
  const mark: Mark = { rule, level: 'error', message: text, file: fileOfNoPlace };
  return renderLog([mark], {
    exitCode,
    headline: headlineOfFailure(message, exitCode).text,
    notifications: [{ level: 'error', text: message }],
    isAnswered: false,
  });
}

/** Where no file is at fault: the settings of the gate, whether they are there or not. */
const fileOfNoPlace = 'lightspan.yaml';

interface Run {
  readonly exitCode: number;
  readonly headline: string;
  readonly notifications: readonly { readonly level: 'error' | 'warning' | 'note'; readonly text: string }[];
  readonly isAnswered: boolean;
}

function renderLog(marks: readonly Mark[], { exitCode, headline, notifications, isAnswered }: Run): string {
  const rules = [...new Map(marks.map(({ rule }) => [rule.id, rule])).values()];
  const log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'lightspan',
            semanticVersion: packageJson.version,
            rules: rules.map(({ id, meaning, remedy }) => ({
              id,
              shortDescription: textOf(meaning),
              fullDescription: textOf(compact(meaning, remedy).join(' ')),
              ...(remedy === undefined ? {} : { help: textOf(remedy) }),
            })),
          },
        },
        invocations: [
          {
            executionSuccessful: isAnswered,
            exitCode,
            exitCodeDescription: printable(`Answer: ${headline}`),
            toolExecutionNotifications: notifications.map(({ level, text }) => ({
              level,
              message: textOf(text),
            })),
          },
        ],
        results: marks.map(({ rule, level, message, file, line }) => ({
          ruleId: rule.id,
          ruleIndex: rules.findIndex(({ id }) => id === rule.id),
          level,
          message: textOf(message),
          locations: [locationOf(file, line)],
        })),
      },
    ],
  };
  return `${JSON.stringify(log)}\n`;
}

function textOf(text: string): { readonly text: string } {
  return { text: printableLines(text) };
}

/** A file by its path from the root of the repository, or of the working folder; without a line, its first. */
function locationOf(file: string, line: number | undefined) {
  const path = printable(file).replaceAll('\\', '/');
  const uri = isAbsolute(file) ? pathToFileURL(file).href : path.split('/').map(encodeURIComponent).join('/');
  return { physicalLocation: { artifactLocation: { uri }, region: { startLine: line ?? 1 } } };
}
