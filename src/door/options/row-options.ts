import { extname } from 'node:path';
import { LightspanError } from '../../core/lightspan-error.js';
import { type RowFormatName, type RowsQuestion, rowFormats } from '../../question/connection.js';
import type { OptionsOf, OptionTable } from '../declare.js';
import { asksJson, readCount, readText } from '../readers.js';
import { wholeFile } from './phrases.js';

/** @param condition the beginning of each help text, such as `with --wait: ` */
export function rowOptions(condition: string) {
  return {
    output: {
      flags: '--output <format>',
      group: 'output',
      brief: 'write rows as table, json, ndjson or csv',
      description: `${condition}how rows are written (default: by the name of --out, else table)`,
      choices: rowFormats,
    },
    out: {
      flags: '--out <file>',
      group: 'output',
      brief: 'write rows to a file',
      description: `${condition}write rows ${wholeFile}; - is standard output`,
      read: readText,
    },
    rawCsv: {
      flags: '--raw-csv',
      group: 'output',
      rare: true,
      description: 'with CSV: do not escape values that a spreadsheet would run as formulas',
    },
    pageSize: {
      flags: '--page-size <number>',
      group: 'network',
      rare: true,
      description: `${condition}rows to request at a time; the server may send fewer (default: 500)`,
      read: readCount,
    },
  } as const satisfies OptionTable;
}

type RowOptions = OptionsOf<ReturnType<typeof rowOptions>> & { readonly json?: true | undefined };

/**
 * `--out -` is standard output, as without `--out`.
 *
 * @throws {LightspanError} `usage` for options that contradict each other
 */
export function rowsQuestionOf(options: RowOptions): RowsQuestion {
  const { output, pageSize } = options;
  const out = options.out === '-' ? undefined : options.out;
  const [json, rawCsv] = [asksJson(options), options.rawCsv === true];
  const named = formatOfName(out);
  if (output !== undefined && named !== undefined && output !== named) {
    throw new LightspanError('usage', `--out ${out} and --output ${output} are two formats`, {
      hint: 'Leave out --output, or name the file differently.',
    });
  }
  const format = output ?? named ?? 'table';
  if (rawCsv && format !== 'csv') {
    throw new LightspanError('usage', '--raw-csv applies only to CSV', { hint: 'Add --output csv.' });
  }
  if (json && output !== undefined && out === undefined) {
    throw new LightspanError('usage', '--json and --output would both write to standard output', {
      hint: 'Send the rows to a file with --out, or leave out one of the two.',
    });
  }
  return { output, format, out, rawCsv, pageSize, json };
}

function formatOfName(file = ''): RowFormatName | undefined {
  const extension = extname(file).slice(1).toLowerCase();
  if (extension === 'jsonl') return 'ndjson';
  return rowFormats.find((format) => format === extension && format !== 'table');
}
