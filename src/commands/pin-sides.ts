import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { LightspanError } from '../errors.js';
import type { ChangeSide } from '../release-safety/pins.js';
import type { ChangedPins } from '../sources/changed-pins.js';
import type { FoundPin } from '../sources/found-pins.js';
import { emptyTree, findCommit, findStart, type Repository, runGit } from '../sources/git/git.js';
import { type FileMoves, findMoves, treeOfCommit, treeOfIndex } from '../sources/git/trees.js';
import { type PinPattern, parsePinPattern } from '../sources/pin-pattern.js';
import { type PinTree, treeOfTexts } from '../sources/pin-tree.js';
import { isFolder, readInputText } from '../sources/read-file.js';
import { firstOf } from '../words/lists.js';
import { countOf } from '../words/phrase.js';
import type { CommandContext } from './context.js';
import type { OptionsOf, OptionTable } from './declare.js';
import { tagSuffix } from './options.js';
import { readRef } from './readers.js';
import type { SettingsOptions } from './settings/in-force.js';

/** The change, and the pins of it that are judged. */
export const changeOptions = {
  base: {
    flags: '--base <git ref>',
    description: 'the branch or commit that the change will be merged into',
    read: readRef,
  },
  head: {
    flags: '--head <git ref>',
    description: 'the last commit of the change (default: HEAD)',
    read: readRef,
    needs: ['base'],
  },
  staged: {
    flags: '--staged',
    description: 'the change is what is staged for the next commit',
    conflicts: 'head',
    needs: ['base'],
  },
  preCommit: {
    flags: '--pre-commit',
    description:
      'or: the change that pre-commit runs a hook for: a commit, a merge commit, a push, or --from-ref and --to-ref',
    conflicts: 'base',
  },
  before: {
    flags: '--before <file>',
    description: 'or: the change of one file, as it was',
    conflicts: ['base', 'preCommit', 'repo'],
    needs: ['after'],
  },
  after: { flags: '--after <file>', description: 'and as it is now', needs: ['before'] },
  pin: {
    flags: '--pin <glob#path>',
    description:
      "the pins to judge, such as 'envs/*/values.yaml#image.tag' or 'compose.yaml#services.*.image'; may be given several times (default: those that lightspan.pins.yaml lists)",
    several: true,
  },
  config: {
    flags: '--config <file>',
    description: 'a file that lists the pins, from the root of the repository',
  },
  tagSuffix: {
    ...tagSuffix.tagSuffix,
    description: 'what follows the version in the tags, such as -custom',
  },
  repo: { flags: '--repo <folder>', description: 'a folder of the repository (default: this one)' },
} as const satisfies OptionTable;

export type ChangeOptions = OptionsOf<typeof changeOptions>;

/** Both sides of a change, and the names of one side's files on the other. */
export interface Sides {
  readonly before: ChangeSide;
  readonly after: ChangeSide;
  readonly beforeTree: PinTree;
  readonly afterTree: PinTree;
  readonly moves: FileMoves;
}

/**
 * Both sides of the change that the options name.
 *
 * @throws {LightspanError} `usage` if they name none; the errors of reading them
 */
export async function readSides(options: ChangeOptions, context: CommandContext): Promise<Sides> {
  const { base, head = 'HEAD', staged, preCommit, before, after, repo = '.' } = options;
  const repository = { folder: repo, env: context.env };
  if (preCommit === true) return readSidesOfHook(repository, context.env);
  if (before !== undefined && after !== undefined) return readFiles(before, after, context);
  if (base !== undefined) return readChange(repository, base, staged === true ? undefined : head);
  throw new LightspanError('usage', 'the change to judge is not named', {
    hint: 'Give one of --base <git ref>, --pre-commit, and --before <file> with --after <file>.',
  });
}

/**
 * The change for which pre-commit runs a hook: what is pushed, or what lies between two given commits, else what is
 * staged for the next commit. pre-commit shows it by environment variables.
 */
async function readSidesOfHook(repository: Repository, env: CommandContext['env']): Promise<Sides> {
  const {
    PRE_COMMIT_FROM_REF: from,
    PRE_COMMIT_TO_REF: to,
    PRE_COMMIT_REMOTE_URL: remote,
    PRE_COMMIT_LOCAL_BRANCH: local,
  } = env;
  if (from && to) return readChange(repository, from, to);
  // A push of which the remote has nothing yet: all of it is new.
  if (remote) return readChange(repository, undefined, local || 'HEAD');
  // Right after `git init`, HEAD is a branch without a commit.
  const { exitCode } = await runGit(repository, ['rev-parse', '--verify', '--quiet', 'HEAD^{commit}']);
  return readChange(repository, exitCode === 0 ? 'HEAD' : undefined, undefined);
}

/**
 * @param base undefined where nothing is before the change
 * @param head undefined for what is staged
 */
async function readChange(
  repository: Repository,
  base: string | undefined,
  head: string | undefined,
): Promise<Sides> {
  const from = base === undefined ? undefined : await findCommit(repository, base);
  const to =
    head === undefined && from === undefined ? undefined : await findCommit(repository, head ?? 'HEAD');
  const start = from && to && (await findStart(repository, from, to));
  const end = head === undefined ? undefined : to?.id;
  return {
    before: { name: base ?? 'nothing', commit: start?.id },
    after: { name: head ?? 'what is staged', commit: end },
    beforeTree: await treeOfCommit(repository, start?.id ?? (await emptyTree(repository))),
    afterTree: end === undefined ? await treeOfIndex(repository) : await treeOfCommit(repository, end),
    moves: start === undefined ? noMoves : await findMoves(repository, { from: start.id, to: end }),
  };
}

async function readFiles(before: string, after: string, { stdin }: CommandContext): Promise<Sides> {
  const read = async (source: string) => {
    const text = await readInputText({ source, stdin, what: 'file' });
    const env = join(dirname(source), '.env');
    const hasEnv = source !== '-' && text.includes('$') && existsSync(env) && !isFolder(env);
    return { text, env: hasEnv ? await readInputText({ source: env, stdin, what: 'file' }) : undefined };
  };
  const [was, is] = [await read(before), await read(after)];
  const hasEnv = was.env !== undefined || is.env !== undefined;
  const treeOf = ({ text, env }: typeof was) =>
    treeOfTexts({ ...(hasEnv ? { '.env': env } : {}), [nameOfFile(after)]: text });
  return {
    before: { name: before, commit: undefined },
    after: { name: after, commit: undefined },
    beforeTree: treeOf(was),
    afterTree: treeOf(is),
    moves: noMoves,
  };
}

/** The pins name both files by the name of the later one, without its folder. */
function nameOfFile(path: string): string {
  return /[^/\\]*$/.exec(path)?.[0] ?? path;
}

const noMoves: FileMoves = { renamed: new Map(), copied: new Map() };

/** The file that is read if no pins are given. */
const pinsFileName = 'lightspan.pins.yaml';

/** The pins that are named, and whether others are looked for in what the change touches. */
export interface ChosenPatterns {
  readonly patterns: readonly PinPattern[];
  readonly searches: boolean;
}

/**
 * The pins to judge: those of the command line, or those that the pins file and settings name on either side. So a pin
 * that a change removes from such a file is judged once more, and one that it adds is judged at once. If none are named,
 * or a file without the path of its pins, they are looked for.
 */
export async function choosePatterns(
  { pin = [], config, settingsPins = [] }: ChangeOptions & Pick<SettingsOptions, 'settingsPins'>,
  { beforeTree, afterTree }: Sides,
): Promise<ChosenPatterns> {
  const file = config ?? pinsFileName;
  const named =
    pin.length > 0 && config === undefined
      ? []
      : [...(await pinsOf(beforeTree, file)), ...(await pinsOf(afterTree, file))];
  const isGiven = pin.length > 0 || config !== undefined;
  if (config !== undefined && named.length === 0) {
    throw new LightspanError('usage', `there is no ${file} on either side of the change`, {
      hint: 'Name it from the root of the repository, and commit it.',
    });
  }
  const texts = [...new Set([...pin, ...named, ...(isGiven ? [] : settingsPins)])];
  const withPath = isGiven ? texts : texts.filter((text) => text.includes('#') || named.includes(text));
  return {
    patterns: withPath.map(parsePinPattern),
    searches: texts.length === 0 || withPath.length < texts.length,
  };
}

async function pinsOf(tree: PinTree, file: string): Promise<readonly string[]> {
  const entry = tree.files.get(file);
  if (entry === undefined) return [];
  if (entry.kind !== 'file') throw new LightspanError('usage', `${file} is not a file`);
  const { pinsFileSchema, readBy } = await import('./settings/read.js');
  const text = new TextDecoder().decode(await tree.read(entry));
  return readBy(pinsFileSchema, text, { name: file, page: 'pin-check' }).pins;
}

/**
 * Where a change touches files that can pin an image, its pins must be found, or be named.
 *
 * @throws {LightspanError} `usage`
 */
export function requireSomeFound({ before, after, searched }: ChangedPins): void {
  if (searched.length === 0 || before.length + after.length > 0) return;
  throw new LightspanError(
    'usage',
    `the change touches ${countOf(searched.length, 'file that can pin an image', 'files that can pin an image')}, and no pin of Lightdash was found in ${firstOf(searched, 5)}`,
    {
      hint: `Name the pins with --pin 'values.yaml#image.tag', or commit a ${pinsFileName} that lists them: then a change of other files is a yes.`,
    },
  );
}

/**
 * A pin that is found on neither side has a wrong name, and would never be judged.
 *
 * @throws {LightspanError} `usage`
 */
export function requireFound(patterns: readonly PinPattern[], found: readonly FoundPin[]): void {
  const lost = patterns.find((pattern) => !found.some((pin) => pin.pattern === pattern && !pin.isOther));
  if (lost === undefined) return;
  throw new LightspanError(
    'usage',
    `--pin ${JSON.stringify(lost.text)} matches no pin of Lightdash on either side`,
    {
      hint: 'Check the file, from the root of the repository, and the path; if an image has another name, name its place without a star.',
    },
  );
}
