interface Operands {
  /** The option that a file is given by. */
  readonly file: '--from-file' | '--file';
  /** Whether it takes the running version, and then the target. */
  readonly versions: boolean;
}

const ofRunning: Operands = { file: '--from-file', versions: true };
const operandsOf: Readonly<Record<string, Operands | undefined>> = {
  'upgrade-check': ofRunning,
  'upgrade-plan': ofRunning,
  'upgrade-report': ofRunning,
  'upgrade-preflight': ofRunning,
  'upgrade-bump': { file: '--file', versions: false },
};

/** Whether the running version and the target may be named without options. */
export function takesVersions(command: string): boolean {
  return Object.hasOwn(operandsOf, command) && operandsOf[command]?.versions === true;
}

/**
 * The same command line by its options: `upgrade-check 1.121.0 1.156.0` is `--from` and `--to`, and
 * `upgrade-check values.yaml` is `--from-file`. What follows from no such form is left as it is, and refused.
 *
 * @param argv with the long name of the command
 */
export function withOperands(argv: readonly string[]): readonly string[] {
  const at = argv.findIndex((word) => !word.startsWith('-'));
  const command = argv[at];
  const taken =
    command === undefined || !Object.hasOwn(operandsOf, command) ? undefined : operandsOf[command];
  if (taken === undefined) return argv;
  const rest = argv.slice(at + 1);
  const end = rest.findIndex((word) => word.startsWith('-'));
  const operands = end < 0 ? rest : rest.slice(0, end);
  const [first, second, ...more] = operands;
  if (first === undefined || more.length > 0) return argv;
  const isVersion = isVersionLike(first);
  if (isVersion && !taken.versions) return argv;
  // A file states the running version; a second word after it has no clear meaning.
  if (second !== undefined && !isVersion) return argv;
  const target = second === undefined ? [] : ['--to', second];
  return [
    ...argv.slice(0, at + 1),
    ...[isVersion ? '--from' : taken.file, first],
    ...target,
    ...rest.slice(operands.length),
  ];
}

/** What begins like a version is read as one, and refused as one. */
function isVersionLike(word: string): boolean {
  return /^v?\d+\.\d+[^/#]*$/.test(word);
}
