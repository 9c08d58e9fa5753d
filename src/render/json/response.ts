import { stringifyExactJson } from '../../shared/exact-json.js';
import { printable } from '../printable.js';
import { renderJsonLine } from './document.js';

/** The API's answer as it was parsed, in one line, with what the command adds to it. */
export function renderResponseJson(
  { status, results }: { readonly status: 'ok'; readonly results?: unknown },
  additions: Readonly<Record<string, unknown>> = {},
): string {
  return renderJsonLine({ schemaVersion: '1', status, results, ...additions });
}

/** Indented for a person, and still one JSON value for a program that reads the pipe. */
export function renderPrettyJson(value: unknown): string {
  return `${stringifyExactJson(value, 2).split('\n').map(printable).join('\n')}\n`;
}
