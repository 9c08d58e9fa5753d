import type { Option } from 'commander';
import { countOf } from '../words/phrase.js';

interface Operands {
  /** The option that a file is given by. */
  readonly file: '--from-file' | '--file';
  /** Whether it takes the running version, and then the target. */
  readonly versions: boolean;
}

const ofRunning: Operands = { file: '--from-file', versions: true };
const operandsOf: ReadonlyMap<string | undefined, Operands> = new Map([
  ['upgrade-check', ofRunning],
  ['upgrade-plan', ofRunning],
  ['upgrade-report', ofRunning],
  ['upgrade-preflight', ofRunning],
  ['upgrade-bump', { file: '--file', versions: false }],
]);

/** Whether the running version and the target may be named without options. */
export function takesVersions(command: string): boolean {
  return operandsOf.get(command)?.versions === true;
}

/** What a command line of too many words, or of wrong ones, should have had; undefined where a command takes none. */
export function describeOperands(command: string, given: number): string | undefined {
  const taken = operandsOf.get(command);
  if (taken === undefined) return undefined;
  const expected = taken.versions ? 'two versions (the running one and the target) or one file' : 'one file';
  // A word may be an address with a password.
  return `expected ${expected}, got ${countOf(given, 'word')}`;
}

/** How a command reads one of its options: whether the words after it are its values. */
type OperandsAmong = Pick<Option, 'long' | 'short' | 'required' | 'optional' | 'variadic'>;

/**
 * The same command line by its options: `upgrade-check 1.121.0 1.156.0` is `--from` and `--to`, and
 * `upgrade-check values.yaml` is `--from-file`, wherever they stand among options. What follows from no such form is
 * left as it is, and refused.
 *
 * @param argv with the long name of the command
 * @param options those of the command
 */
export function withOperands(argv: readonly string[], options: readonly OperandsAmong[]): readonly string[] {
  const at = argv.findIndex((word) => !word.startsWith('-'));
  const taken = operandsOf.get(argv[at]);
  if (taken === undefined || argv.includes('--')) return argv;
  const { operands, others } = splitOperands(argv.slice(at + 1), options);
  const [first, second, ...more] = operands;
  if (first === undefined || more.length > 0) return argv;
  const isVersion = isVersionLike(first);
  if (isVersion && !taken.versions) return argv;
  // A file states the running version; a second word after it has no clear meaning.
  if (second !== undefined && !isVersion) return argv;
  const target = second === undefined ? [] : ['--to', second];
  return [...argv.slice(0, at + 1), isVersion ? '--from' : taken.file, first, ...target, ...others];
}

/** As commander does: what follows an option that takes a value is its value, whatever it looks like. */
function splitOperands(words: readonly string[], options: readonly OperandsAmong[]) {
  const operands: string[] = [];
  const others: string[] = [];
  let taking: OperandsAmong | undefined;
  for (const word of words) {
    const isValue = taking !== undefined && (taking.required || !word.startsWith('-'));
    if (isValue || word.startsWith('-')) others.push(word);
    else operands.push(word);
    if (isValue) taking = taking?.variadic ? { ...taking, required: false } : undefined;
    else {
      const option = options.find(({ long, short }) => word === long || word === short);
      taking = option !== undefined && (option.required || option.optional) ? option : undefined;
    }
  }
  return { operands, others };
}

/** What begins like a version is read as one, and refused as one. */
function isVersionLike(word: string): boolean {
  return /^v?\d+\.\d+[^/#]*$/.test(word);
}
