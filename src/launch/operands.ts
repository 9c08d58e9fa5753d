const takeOperands: ReadonlySet<string> = new Set(['upgrade-check', 'upgrade-plan', 'upgrade-report']);

/**
 * The same command line by its options: `upgrade-check 1.121.0 1.156.0` is `--from` and `--to`, and
 * `upgrade-check values.yaml` is `--from-file`. What follows from no such form is left as it is, and refused.
 *
 * @param argv with the long name of the command
 */
export function withOperands(argv: readonly string[]): readonly string[] {
  const at = argv.findIndex((word) => !word.startsWith('-'));
  if (!takeOperands.has(argv[at] ?? '')) return argv;
  const rest = argv.slice(at + 1);
  const end = rest.findIndex((word) => word.startsWith('-'));
  const operands = end < 0 ? rest : rest.slice(0, end);
  const [first, second, ...more] = operands;
  if (first === undefined || more.length > 0) return argv;
  const isVersion = isVersionLike(first);
  // A file states the running version; a second word after it has no clear meaning.
  if (second !== undefined && !isVersion) return argv;
  const target = second === undefined ? [] : ['--to', second];
  return [
    ...argv.slice(0, at + 1),
    ...[isVersion ? '--from' : '--from-file', first],
    ...target,
    ...rest.slice(operands.length),
  ];
}

/** What begins like a version is read as one, and refused as one. */
function isVersionLike(word: string): boolean {
  return /^v?\d+\.\d+[^/#]*$/.test(word);
}
