import { isDeepStrictEqual } from 'node:util';
import { memoize } from '../../core/common/memoize.js';
import { isNameOfRelease, namesLightdash } from '../../core/lightdash-name.js';
import { longestLine, namesUsedIn, saysRelease } from '../names.js';
import type { AboutFile } from './about-file.js';
import { digestsIn, lacking, subjectOfName, versionsIn } from './values.js';

/** A word of a command, with the option before it, and the side that has it. */
export interface Word {
  readonly option: string;
  /** The name that gives it its value within the line: `billing` in `billing: "3.4.1"`. */
  readonly name: string;
  readonly text: string;
  readonly side: 0 | 1;
}

/** The words that only one side of a line has; if none, and an option stands twice in another order, its words. */
export function changedWords(was: string, is: string): readonly Word[] {
  return changedIn(`${was}\0${is}`);
}

const changedIn = memoize((lines): readonly Word[] => {
  const [was = '', is = ''] = lines.split('\0');
  const [old, now] = [wordsIn(was, 0), wordsIn(is, 1)];
  const keyOf = ({ option, text }: Word) => `${option}\0${text}`;
  const [gone, come] = [lacking(old.map(keyOf), now.map(keyOf)), lacking(now.map(keyOf), old.map(keyOf))];
  const left = new Set([...gone, ...come]);
  if (left.size > 0 || was === is) return [...old, ...now].filter((word) => left.has(keyOf(word)));
  const isRepeated = ({ option }: Word) =>
    option !== '' && now.filter((word) => word.option === option).length > 1;
  const [before, after] = [old.filter(isRepeated), now.filter(isRepeated)];
  return isDeepStrictEqual(before.map(keyOf), after.map(keyOf)) ? [] : [...before, ...after];
});

function wordsIn(text: string, side: 0 | 1): readonly Word[] {
  if (text.length > longestLine) return [];
  const dotted = text.replaceAll(/\[\\?["']([\w-]{1,80})\\?["']\]/g, '.$1');
  const words = dotted.split(/[\s"'`,;()]+/).filter((word) => word !== '');
  return words.map((word, i) => {
    const before = words[i - 1] ?? '';
    const isOption = /^--?[\w-]+$/.test(before) && !word.startsWith('-');
    const prefix = /^(?:[:=]|=>)$/.test(before) ? `${words[i - 2] ?? ''}${before}` : before;
    const [, name = ''] = /^[{[]{0,3}([A-Za-z][\w.-]{0,80})(?:[:=]|=>)$/.exec(prefix) ?? [];
    return { option: isOption ? before : '', name, text: word, side };
  });
}

/** The literals of a line of a program that are one word, with the options before them: no sentence is a value. */
export function literalsIn(text: string): string {
  return (text.length > longestLine ? [] : (text.match(/(["'`])[^"'`\s]{1,300}\1/g) ?? [])).join(' ');
}

/** Whether a name within the line gives a word its value that is another program's. */
export function isOfAnotherName({ name, text }: Word): boolean {
  return name !== '' && subjectOfName(name) === 'another' && !namesLightdash(text);
}

/** Whether a word is the address of what a browser loads: a version in its path is no tag of an image. */
export function isForBrowsers({ text }: Word): boolean {
  return /^https?:\/\/\S{1,300}\.(?:m?js|css|map|svg|png|woff2?)$/.test(text) && !namesLightdash(text);
}

/** Whether a word is what an option takes that says no release. */
export function isHarmless({ option }: Word): boolean {
  return harmlessOptions.test(option);
}

/**
 * Whether what changes in a line can say which release, file or source: a reference, a variable, an assignment to a name
 * that says so, a path, or what follows an option that takes one. Ports, hosts, times and counts cannot.
 */
export function selectsFiles(words: readonly Word[], { takesFrom, leadsToOne }: AboutFile): boolean {
  return words.some(({ option, text }) => {
    const [, name = '', value = text] = assigned.exec(text) ?? [];
    if (takesFrom.has(name) || isNameOfRelease(name)) return true;
    if (name !== '' && !saysRelease(name) && !whichOptions.test(name))
      return mayFill.test(value) && namesUsedIn(value).some((one) => takesFrom.has(one));
    if (option !== '' && harmlessOptions.test(option)) return false;
    if (whichOptions.test(option.replace(/^--?/, '')) || whichOptions.test(name)) return true;
    return (
      (namesLightdash(value) && (/[:/@]/.test(value) || isNameOfRelease(value))) ||
      (name !== '' && saysRelease(name)) ||
      versionsIn(value).length + digestsIn(value).length > 0 ||
      mayFill.test(value) ||
      /\.(?:ya?ml|json|toml|env|tfvars|hcl|sh)$/.test(value) ||
      isTag.test(value) ||
      leadsToOne(value)
    );
  });
}

/** Whether a word gives a value, in which nothing is filled in, to a name that says no release: `replicaCount=2`. */
export function isOfAnotherOption(word: Word, { takesFrom }: Pick<AboutFile, 'takesFrom'>): boolean {
  const name = nameAssigned(word);
  return (
    name !== '' &&
    !saysRelease(name) &&
    !takesFrom.has(name) &&
    !mayFill.test(word.text) &&
    !namesLightdash(name)
  );
}

/** The name that a word of a line gives a value to: `bi_tag` in `bi1.example.org bi_tag=1.2.3`. */
export function nameAssigned({ text }: Word): string {
  return assigned.exec(text)?.[1] ?? '';
}

const assigned = /^(?:--?)?([\w.[\]-]+)=(.*)$/s;
const mayFill = /\$|\{\{|%\w|<%/;
const isTag = /(?:^|[\w/]):[\w.-]+$|^(?:latest|main|master|stable|edge|dev|nightly)$/;
const whichOptions =
  /^(?:f|k|e|t|values|file|env-file|var-file|profile|set(?:-\w+)?|version|tag|chart|image|environment|kustomize|app-version|revision|ref|branch|build-arg)$/;
const harmlessOptions =
  /^--?(?:p|publish|m|memory|cpus|network|restart|timeout|wait-timeout|replicas|since|tail|kubernetes-version|n|namespace|context|kube-context|name|v|volume|w|u|user|h|host|hostname|from|to)$/;
