import { LightspanError } from '../core/lightspan-error.js';

/** @throws {LightspanError} `usage` if `--json` and `--format` contradict each other */
export function chooseFormat<Format extends string>({
  json,
  format,
}: {
  readonly json?: true;
  readonly format?: Format | undefined;
}): Format | 'text' | 'json' {
  if (json !== true) return format ?? 'text';
  if (format === undefined || format === 'json') return 'json';
  throw new LightspanError('usage', `--json and --format ${format} request two formats`, {
    hint: 'Leave one of the two out.',
  });
}
