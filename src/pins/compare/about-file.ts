import { posix } from 'node:path';
import { once } from '../../core/once.js';
import { callsLightdash, type Entry, textOf } from '../entries.js';
import { isSourceCode } from '../names/no-deployment.js';
import { isNameOfAnother } from '../names/other-programs.js';
import {
  addNamesTaken,
  namesLightdash,
  namesUsedIn,
  type Reference,
  referenceIn,
  referenceInCode,
  saysRelease,
  wordsOf,
} from '../names/reference.js';
import { isKustomization } from '../uses/paths-in.js';
import type { Uses } from '../uses/uses.js';
import type { SideOfFile } from './side.js';
import { namesIn } from './tells.js';

export interface About {
  readonly reference: Reference | undefined;
  readonly isUsed: boolean;
  /** Whether it is used as Lightdash's, or alone in a folder called so: its image may have another name. */
  readonly isOwn: boolean;
  readonly takesFrom: ReadonlySet<string>;
  /** Whether it is a module whose object is spread into one that speaks of Lightdash. */
  readonly isSpread: boolean;
  /** Those that the file itself takes: in another program, the same name means something else. */
  readonly takesHere: ReadonlySet<string>;
  /** In a program, what it imports from one that refers to Lightdash. */
  readonly imports: ReadonlySet<string>;
  /** Whether it names a file that refers to Lightdash, or a folder with one. */
  readonly leads: boolean;
  /** Whether a file of its own says by what kustomize replaces fields there. */
  readonly replacesByFile: boolean;
  /** Whether kustomize changes what is called Lightdash there, and gives it no tag. */
  readonly changesUntagged: boolean;
}

export function aboutFile(file: string, sides: readonly SideOfFile[], uses: Uses): About {
  const takesFrom = new Set(uses.namesAt(file));
  const takesHere = new Set<string>();
  const referenceOf = once(isSourceCode(file) ? referenceInCode : referenceIn);
  const isNamedSo =
    namesLightdash(file) && wordsOf(posix.basename(file)).some((word) => saysRelease.has(word));
  let reference: Reference | undefined = isNamedSo ? 'release' : namesLightdash(file) ? 'name' : undefined;
  for (const { entries, pins } of sides) {
    if (pins.some(({ isOther }) => !isOther)) reference = 'release';
    for (const entry of entries) {
      const used = namesUsedIn(entry.value);
      if (reference === 'release' && used.length === 0) continue;
      const one = referenceOf(textOf(entry)) ?? (entry.names.some(namesLightdash) ? 'name' : undefined);
      if (one === undefined) continue;
      if (one === 'release') {
        reference = 'release';
        for (const name of used) {
          takesFrom.add(name);
          takesHere.add(name);
        }
      } else {
        reference ??= 'name';
        if (isTakenFor(entry, used)) for (const name of used) takesFrom.add(name);
      }
    }
    for (const names of [takesFrom, takesHere]) addNamesTaken(names, entries);
  }
  const places = sides.flatMap(({ entries }) => entries.map(({ value }) => value));
  const leads = places.some((place) => uses.leadsToOne(file, place));
  for (const place of leads && !isSourceCode(file) ? places : [])
    for (const name of uses.namesThrough(file, place))
      for (const one of [name, name.replace(/^inputs\./, 'with.')]) takesFrom.add(one);
  const imports = isSourceCode(file) ? importsIn(file, sides, uses) : new Set<string>();
  const isOwn =
    uses.isOwn(file) || isAloneInFolder(file, uses) || (isKustomization(file) && sides.some(isAloneListed));
  const told = { isUsed: uses.isUsed(file), isOwn, isSpread: uses.isSpread(file) };
  const replacesByFile = sides.some(({ entries }) =>
    entries.some(({ path, key }) => path[0] === 'replacements' && key === 'path'),
  );
  const changesUntagged = sides.some(
    ({ entries }) => entries.some(isChangeOfLightdash) && !entries.some(isTagOfLightdash),
  );
  const ofKustomize = { replacesByFile, changesUntagged };
  return { reference, ...told, takesFrom, takesHere, imports, leads, ...ofKustomize };
}

function isChangeOfLightdash({ path, key, value }: Entry): boolean {
  return /^(?:images|replicas|patches)$/.test(path[0] ?? '') && key === 'name' && namesLightdash(value);
}

function isTagOfLightdash({ key, repository = '' }: Entry): boolean {
  return /^(?:newTag|digest)$/.test(key) && namesLightdash(repository);
}

/** Whether a kustomization lists a folder that is called Lightdash, and no other one. */
function isAloneListed({ entries }: SideOfFile): boolean {
  const folders = entries.flatMap(({ path: [list = ''], value }) =>
    /^(?:resources|bases)$/.test(list) && !/\.\w+$/.test(value) ? [posix.basename(value)] : [],
  );
  return folders.length > 0 && folders.every((folder) => callsLightdash.test(folder));
}

/** Whether its folder is called Lightdash, and nothing in it says which image that is: then it may be any. */
function isAloneInFolder(file: string, uses: Uses): boolean {
  const folder = posix.dirname(file);
  return callsLightdash.test(posix.basename(folder)) && !uses.leadsToOne('', `${folder}/`);
}

/** Whether something that is called Lightdash takes its image, or its release, from a name. */
function isTakenFor({ key, value, names }: Entry, used: readonly string[]): boolean {
  const says = [key, value].some((text) => wordsOf(text).some((word) => saysRelease.has(word)));
  return used.length > 0 && says && names.some((one) => callsLightdash.test(one)) && !isNameOfAnother(value);
}

function importsIn(file: string, sides: readonly SideOfFile[], uses: Uses): ReadonlySet<string> {
  const lines = sides.flatMap(({ entries }) => entries.map((entry) => textOf(entry)));
  const own = lines.filter((line) => /\b(?:import|require)\b/.test(line) && uses.leadsToOne(file, line));
  const names = own.flatMap((line) => namesIn(line.replaceAll(/["'`].*/g, '')));
  return new Set(names.filter((name) => !/^(?:import|require|from|const|let|var|await|type|as)$/.test(name)));
}
