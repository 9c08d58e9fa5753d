import { extname } from 'node:path';
import { LightspanError } from '../errors.js';
import type { OptionsOf, OptionTable } from './declare.js';
import { readCount, readText } from './readers.js';

/**
 * The format and destination of rows.
 *
 * @param condition the beginning of each help text, such as `with --wait: `
 */
export function rowOptions(condition: string) {
  return {
    output: {
      flags: '--output <format>',
      description: `${condition}how rows are written (default: by the name of --out, else table)`,
      choices: ['table', 'json', 'ndjson', 'csv'],
    },
    out: {
      flags: '--out <file>',
      description: `${condition}write rows to a file, complete or not at all; - is standard output`,
      read: readText,
    },
    rawCsv: {
      flags: '--raw-csv',
      description: 'with CSV: do not escape values that a spreadsheet would run as formulas',
    },
    pageSize: {
      flags: '--page-size <number>',
      description: `${condition}rows to request at a time; the server may send fewer (default: 500)`,
      read: readCount,
    },
  } as const satisfies OptionTable;
}

export type RowOptions = OptionsOf<ReturnType<typeof rowOptions>> & { readonly json?: true | undefined };

type ResultFormat = NonNullable<RowOptions['output']>;

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
export function rowFormatOf({
  output,
  out,
}: {
  readonly output?: ResultFormat | undefined;
  readonly out?: string | undefined;
}): ResultFormat {
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
