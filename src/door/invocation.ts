import { type GateFormat, scanFormats } from '../answer/formats/registry.js';

/** The short names of commands, as people say them. */
export const shortNames: Readonly<Partial<Record<string, string>>> = {
  check: 'upgrade-check',
  plan: 'upgrade-plan',
  report: 'upgrade-report',
  preflight: 'upgrade-preflight',
  bump: 'upgrade-bump',
  verify: 'upgrade-verify',
  rehearse: 'upgrade-rehearse',
  status: 'upgrade-status',
};

/** The options of a check that plain.cjs answers; any other is for the whole program. */
const plainFlags: readonly string[] = ['--from', '--to', '--index', '--format', '--json'];

/** No pattern: a launcher is compiled at every start. */
const asksVersion: readonly string[] = ['--version', '-V', 'upgrade-check --version', 'upgrade-check -V'];
const asksHelp: readonly string[] = ['', '--help', '-h', 'help'];

/** What a command line says before its options are read, which may be refused. */
export interface Invocation {
  readonly argv: readonly string[];
  /** The first word: a command, or something unknown. No option with a separate value can precede it. */
  readonly command: string | undefined;
  /** `--json` takes precedence, because a program reads the output. */
  readonly format: GateFormat;
  readonly debug: boolean;
  readonly cache: boolean;
  /** Whether the command line asks for the version and nothing else; an executable of one command counts too. */
  readonly version: boolean;
  /** Whether the command line asks for the help of the whole program and nothing else. */
  readonly help: boolean;
  /** Whether it is a check whose options all are in `plainFlags`. */
  readonly plain: boolean;
  /** The words that a shell completes; undefined if none asks. */
  readonly completed: readonly string[] | undefined;
}

/** @param argv the arguments alone, without the node binary and the script */
export function readInvocation(words: readonly string[]): Invocation {
  const argv = withLongName(words);
  const command = argv.find((argument) => !argument.startsWith('-'));
  const at = argv.findIndex((word) => word === '--format' || word.startsWith('--format='));
  const word = argv[at] === '--format' ? argv[at + 1] : argv[at]?.slice('--format='.length);
  const isPlain =
    argv[0] === 'upgrade-check' &&
    argv.includes('--from') &&
    argv.every((word) => !word.startsWith('-') || plainFlags.includes(word));
  // An executable may have put the name of a command before it.
  const completes = argv.slice(0, 2).indexOf('__complete');
  return {
    argv,
    command,
    format: argv.includes('--json') ? 'json' : (scanFormats.find((format) => format === word) ?? 'text'),
    debug: argv.includes('--debug'),
    cache: !argv.includes('--no-cache'),
    version: asksVersion.includes(argv.join(' ')),
    help: asksHelp.includes(argv.join(' ')),
    plain: isPlain,
    completed: completes < 0 ? undefined : argv.toSpliced(completes, 1),
  };
}

/** With the long name of the command, of which alone the program knows; behind `help` a command stands too. */
function withLongName(argv: readonly string[]): readonly string[] {
  const at = argv.findIndex((word) => !word.startsWith('-') && word !== 'help' && word !== '__complete');
  const long = shortNames[argv[at] ?? ''];
  // What is being completed may become another word.
  const isWritten = at < argv.length - 1 || !argv.includes('__complete');
  return long === undefined || !isWritten ? argv : argv.with(at, long);
}
