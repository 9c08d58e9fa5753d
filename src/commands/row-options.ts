import { type Command, Option } from 'commander';
import { LightspanError } from '../errors.js';
import { choice, once, readCount, readText } from './shared-options.js';

/** How rows are written, and where to. */
export interface RowOptions {
  readonly json?: true;
  readonly output?: ResultFormat;
  readonly out?: string;
  readonly rawCsv?: true;
  readonly pageSize?: number;
}

export type ResultFormat = 'table' | 'json' | 'ndjson' | 'csv';

const resultFormats: readonly ResultFormat[] = ['table', 'json', 'ndjson', 'csv'];

/** @param condition what the help says of each in front, such as `with --wait: ` */
export function addRowOptions(command: Command, condition = ''): Command {
  return command
    .addOption(
      choice('--output <format>', `${condition}how rows are written (default: table)`, resultFormats),
    )
    .addOption(
      new Option('--out <file>', `${condition}write rows to a file, whole or not at all`).argParser(
        once(readText),
      ),
    )
    .option('--raw-csv', 'with --output csv: leave values that a spreadsheet would run as formulas')
    .addOption(
      new Option(
        '--page-size <number>',
        `${condition}rows to ask for at a time; the server may send fewer (default: 500)`,
      ).argParser(once(readCount)),
    );
}

/** @throws {LightspanError} `usage` for options that ask for what cannot be together */
export function requireConsistentRows({ json, output, out, rawCsv }: RowOptions): void {
  if (rawCsv === true && output !== 'csv') {
    throw new LightspanError('usage', '--raw-csv is about CSV', { hint: 'Add --output csv.' });
  }
  if (json === true && output !== undefined && out === undefined) {
    throw new LightspanError('usage', '--json and --output would both write to standard output', {
      hint: 'Send the rows to a file with --out, or leave one of the two out.',
    });
  }
}
