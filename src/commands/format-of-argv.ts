import { firstWord } from './first-word.js';

/** The formats of an answer that a pipeline can use as a gate. */
export const gateFormats = ['text', 'json', 'github', 'junit', 'markdown'] as const;
export type GateFormat = (typeof gateFormats)[number];

/** Commands that write nothing but JSON. */
const jsonCommands: readonly (string | undefined)[] = ['upgrade-bump'];

/**
 * The format of a command line that may itself be wrong. `--json` takes precedence, because a program reads the output.
 */
export function formatOfArgv(argv: readonly string[]): GateFormat {
  const command = firstWord(argv);
  if (argv.includes('--json') || jsonCommands.includes(command)) return 'json';
  const at = argv.findIndex((word) => word === '--format' || word.startsWith('--format='));
  const word = argv[at] === '--format' ? argv[at + 1] : argv[at]?.slice('--format='.length);
  return gateFormats.find((format) => format === word) ?? 'text';
}
