import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { LightspanError } from '../../core/lightspan-error.js';
import type { ChangeSide } from '../../core/pins.js';
import type { CommandContext } from '../../door/context.js';
import { isFolder, readInputText } from '../../gather/files/read-file.js';
import { type ComparedChange, lookAtChange } from '../../pins/change.js';
import { type PinPair, pairPins } from '../../pins/compare/pairs.js';
import type { FoundPin } from '../../pins/found-pin.js';
import {
  findCommit,
  findRenames,
  findStart,
  type Repository,
  treeOfCommit,
  treeOfIndex,
} from '../../pins/git/git.js';
import { matcherOf, type PinPattern, parsePinPattern } from '../../pins/pin-pattern.js';
import { type PinTree, treeOfTexts } from '../../pins/pin-tree.js';
import type { ChangeQuestion, PinsQuestion, SidesQuestion } from '../../question/change.js';
import { notJudged } from './not-judged.js';
import { pinsFor, pinsOnBoth } from './ways-out.js';

interface Sides {
  readonly before: ChangeSide;
  readonly after: ChangeSide;
  readonly trees: readonly [before: PinTree, after: PinTree];
  readonly renamed: ReadonlyMap<string, string>;
}

/** Both sides of a change. */
export async function readSidesOfChange(question: SidesQuestion, context: CommandContext): Promise<Sides> {
  const { env } = context;
  if (question.by === 'files') return readFiles(question.before, question.after, context);
  const repository = { folder: question.repo, env };
  if (question.by === 'pre-commit') return readSidesOfHook(repository, env);
  return readChange(repository, question.base, question.head);
}

/** What is pushed, or lies between two given commits, else what is staged, as pre-commit's variables say. */
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
  const head = await findCommit(repository, 'HEAD').catch(() => undefined);
  return readChange(repository, head?.ref, undefined);
}

/** @param base undefined where nothing is before the change; `head` for what is staged */
async function readChange(
  repository: Repository,
  base: string | undefined,
  head: string | undefined,
): Promise<Sides> {
  const from = base === undefined ? undefined : await findCommit(repository, base);
  const isFirst = head === undefined && from === undefined;
  const to = isFirst ? undefined : await findCommit(repository, head ?? 'HEAD');
  const start = from && to && (await findStart(repository, from, to)).id;
  const end = head === undefined ? undefined : to?.id;
  const [was, is, renamed] = await Promise.all([
    start === undefined ? treeOfTexts({}) : treeOfCommit(repository, start),
    end === undefined ? treeOfIndex(repository) : treeOfCommit(repository, end),
    start === undefined ? new Map<string, string>() : findRenames(repository, { from: start, to: end }),
  ]);
  return {
    before: { name: base ?? 'nothing', commit: start },
    after: { name: head ?? 'what is staged', commit: end },
    trees: [was, is],
    renamed,
  };
}

/** Two files, which the pins name by the name of the later one, without its folder; or two folders. */
async function readFiles(before: string, after: string, { stdin }: CommandContext): Promise<Sides> {
  const sides = { before: { name: before, commit: undefined }, after: { name: after, commit: undefined } };
  const areFolders = [before, after].map((name) => name !== '-' && isFolder(name));
  if (areFolders.every(Boolean))
    return { ...sides, trees: [treeOfFolder(before), treeOfFolder(after)], renamed: new Map() };
  if (areFolders.some(Boolean)) {
    throw new LightspanError('usage', `--before ${before} and --after ${after} are a file and a folder`, {
      hint: 'Pass two files, or two folders with the same names in them.',
    });
  }
  const read = async (source: string) => {
    const text = await readInputText({ source, stdin, what: 'file' });
    const env = join(dirname(source), '.env');
    const hasEnv = source !== '-' && text.includes('$') && existsSync(env) && !isFolder(env);
    return { text, env: hasEnv ? await readInputText({ source: env, stdin, what: 'file' }) : undefined };
  };
  const [was, is] = [await read(before), await read(after)];
  const name = after.replace(/^.*[/\\]/s, '');
  const hasEnv = was.env !== undefined || is.env !== undefined;
  const treeOf = ({ text, env }: typeof was) => treeOfTexts({ ...(hasEnv && { '.env': env }), [name]: text });
  return { ...sides, trees: [treeOf(was), treeOf(is)], renamed: new Map() };
}

/** All files below a folder, without git's own (`.git`). */
function treeOfFolder(folder: string): PinTree {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const names = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .filter((name) => !/(?:^|\/)\.git\//.test(name));
  return treeOfTexts(
    Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name), 'utf8')])),
  );
}

/** The pins of a change, and what else of it was looked at. */
interface PairedPins {
  readonly pairs: readonly PinPair[];
  readonly looked: Pick<ComparedChange, 'files' | 'ignored'> & { readonly searches: boolean };
}

/**
 * The pins of a change: those that are named, else those that are found in what it touches. Where pins are named, the
 * other places of their files are looked at too.
 *
 * @throws {LightspanError} `not-judged` if something that the change touches may move Lightdash, and no pin shows it
 */
export async function pairPinsOf(
  question: ChangeQuestion,
  { trees: [before, after], renamed }: Sides,
): Promise<PairedPins> {
  const { tagSuffix } = question;
  const { patterns, searches } = await choosePatterns(question.pins, [before, after]);
  const [was, is] = await pinsOnBoth([before, after], patterns, tagSuffix);
  const isFound = (pattern: PinPattern) =>
    [...was, ...is].some((pin) => pin.pattern === pattern && !pin.isOther);
  const lost = patterns.find((pattern) => !isFound(pattern));
  if (lost !== undefined) {
    throw new LightspanError(
      'usage',
      `${question.pins.named.includes(lost.text) ? '--pin' : 'the pin'} ${JSON.stringify(lost.text)} matches no pin of Lightdash on either side`,
      {
        hint:
          'Check the file (from the root of the repository) and the path. If the image has another name, ' +
          'write its place without a star.',
      },
    );
  }
  const ignored = question.ignored.map(({ path, reason }) => ({ reason, ...matcherOf(path) }));
  const looked = await lookAtChange(before, after, {
    ...{ tagSuffix, renamed, isGiven: question.sides.by === 'files', named: { before: was, after: is } },
    isSearched: searches ? undefined : (file) => patterns.some(({ matches }) => matches(file)),
    ignoredBy: (file) => ignored.find((path) => path.matches(file))?.reason,
  });
  if (looked.unexplained.length > 0) {
    const change = { trees: [before, after], tagSuffix, renamed } as const;
    throw notJudged(looked.unexplained, await pinsFor(looked.unexplained, change));
  }
  const all = [...patterns, ...looked.patterns];
  const joined = [joinPins(was, looked.before), joinPins(is, looked.after)] as const;
  const pairs = pairPins(...joined, renamed, all);
  const isNamed = ({ file, path }: PinPair['place']) =>
    [...was, ...is].some((pin) => pin.file === file && pin.path.join('.') === path.join('.'));
  return {
    // Where pins are named, others count only if they differ.
    pairs: searches ? pairs : pairs.filter(({ place, ...sides }) => isNamed(place) || differs(sides)),
    looked: { ...looked, searches },
  };
}

/** The named pins, and the pins that were found elsewhere. */
function joinPins(named: readonly FoundPin[], others: readonly FoundPin[]): readonly FoundPin[] {
  const idsOfNamed = new Set(named.map(({ file, id }) => `${file}#${id}`));
  return [...named, ...others.filter(({ file, id }) => !idsOfNamed.has(`${file}#${id}`))];
}

function differs({ before, after }: Pick<PinPair, 'before' | 'after'>): boolean {
  return !isDeepStrictEqual(before, after);
}

const pinsFileName = 'lightspan.pins.yaml';

/**
 * The pins to judge: those of the command line, or those that the pins file and settings name on either side. So a pin
 * that a change removes from such a file is judged once more, and one that it adds is judged at once. Pins are looked
 * for elsewhere too unless the command line or the base names some, each with its path: what a change names keeps
 * nothing from being looked at.
 */
async function choosePatterns(
  { named, config, bySettings }: PinsQuestion,
  [before, after]: Sides['trees'],
): Promise<{ readonly patterns: readonly PinPattern[]; readonly searches: boolean }> {
  const file = config ?? pinsFileName;
  const isGiven = named.length > 0 || config !== undefined;
  const isRead = named.length === 0 || config !== undefined;
  const [ofBase, ofChange] = isRead ? [await pinsOf(before, file), await pinsOf(after, file)] : [[], []];
  if (config !== undefined && ofBase.length + ofChange.length === 0) {
    throw new LightspanError('usage', `there is no ${file} on either side of the change`, {
      hint: 'Name it from the root of the repository, and commit it.',
    });
  }
  const { before: settingsOfBase, after: settingsOfChange } =
    isGiven || bySettings === undefined ? { before: [], after: [] } : bySettings;
  const decided = [...named, ...ofBase, ...settingsOfBase];
  const texts = [...new Set([...decided, ...ofChange, ...settingsOfChange])];
  // In settings, a file may stand alone: its pins are looked for.
  const isAlone = (text: string) =>
    !isGiven && !text.includes('#') && ![...ofBase, ...ofChange].includes(text);
  return {
    patterns: texts.filter((text) => !isAlone(text)).map(parsePinPattern),
    searches: decided.length === 0 || texts.some(isAlone),
  };
}

async function pinsOf(tree: PinTree, file: string): Promise<readonly string[]> {
  const entry = tree.files.get(file);
  if (entry === undefined) return [];
  if (entry.kind !== 'file') throw new LightspanError('usage', `${file} is not a file`);
  const { pinsFileSchema, readBy } = await import('../settings/read.js');
  const text = new TextDecoder().decode(await tree.read(entry));
  return readBy(pinsFileSchema, text, { name: file, page: 'pin-check' }).pins;
}
