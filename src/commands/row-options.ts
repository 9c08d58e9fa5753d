import { extname } from 'node:path';
import type { Command } from 'commander';
import { LightspanError } from '../errors.js';
import { choice, once, readCount, readText } from './shared-options.js';

/** The format and destination of rows. */
export interface RowOptions {
  readonly json?: true;
  readonly output?: ResultFormat | undefined;
  readonly out?: string | undefined;
  readonly rawCsv?: true;
  readonly pageSize?: number;
}

export type ResultFormat = 'table' | 'json' | 'ndjson' | 'csv';

const resultFormats: readonly ResultFormat[] = ['table', 'json', 'ndjson', 'csv'];

/** @param condition the beginning of each help text, such as `with --wait: ` */
export function addRowOptions(command: Command, condition = ''): Command {
  return command
    .addOption(
      choice(
        '--output <format>',
        `${condition}how rows are written (default: by the name of --out, else table)`,
        resultFormats,
      ),
    )
    .option(
      '--out <file>',
      `${condition}write rows to a file, complete or not at all; - is standard output`,
      once(readText),
    )
    .option('--raw-csv', 'with CSV: do not escape values that a spreadsheet would run as formulas')
    .option(
      '--page-size <number>',
      `${condition}rows to request at a time; the server may send fewer (default: 500)`,
      once(readCount),
    );
}

/** @throws {LightspanError} `usage` for options that contradict each other */
export function requireConsistentRows(options: RowOptions): void {
  const { json, output, out, rawCsv } = withoutDash(options);
  const named = formatOfName(out);
  if (output !== undefined && named !== undefined && output !== named) {
    throw new LightspanError('usage', `--out ${out} and --output ${output} request two formats`, {
      hint: 'Leave --output out, or give the file another name.',
    });
  }
  if (rawCsv === true && rowFormatOf({ output, out }) !== 'csv') {
    throw new LightspanError('usage', '--raw-csv applies only to CSV', { hint: 'Add --output csv.' });
  }
  if (json === true && output !== undefined && out === undefined) {
    throw new LightspanError('usage', '--json and --output would both write to standard output', {
      hint: 'Send the rows to a file with --out, or leave one of the two out.',
    });
  }
}

/** `--out -` is standard output, as without `--out`. */
export function withoutDash<Options extends RowOptions>(options: Options): Options {
  return options.out === '-' ? { ...options, out: undefined } : options;
}

/** The format of `--output`, else by the name of the file. */
export function rowFormatOf({ output, out }: Pick<RowOptions, 'output' | 'out'>): ResultFormat {
  return output ?? formatOfName(out) ?? 'table';
}

const formatOfExtension: Readonly<Record<string, ResultFormat>> = {
  '.csv': 'csv',
  '.json': 'json',
  '.ndjson': 'ndjson',
  '.jsonl': 'ndjson',
};

function formatOfName(file = ''): ResultFormat | undefined {
  return formatOfExtension[extname(file).toLowerCase()];
}
