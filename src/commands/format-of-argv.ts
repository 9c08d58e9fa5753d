import { firstWord } from './first-word.js';

/** How an answer is written that a pipeline may gate on. */
export const gateFormats = ['text', 'json', 'github', 'junit', 'markdown'] as const;
export type GateFormat = (typeof gateFormats)[number];

/** Commands that write JSON and nothing else. */
const jsonCommands: readonly (string | undefined)[] = ['upgrade-bump'];

/** The format asked for by a command line that may itself be what is wrong. `--json` comes first: its reader is sure. */
export function formatOfArgv(argv: readonly string[]): GateFormat {
  const command = firstWord(argv);
  if (argv.includes('--json') || jsonCommands.includes(command)) return 'json';
  const at = argv.findIndex((word) => word === '--format' || word.startsWith('--format='));
  const word = argv[at] === '--format' ? argv[at + 1] : argv[at]?.slice('--format='.length);
  return gateFormats.find((format) => format === word) ?? 'text';
}
