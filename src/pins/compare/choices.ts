import { isNameOfRelease } from '../../core/lightdash-name.js';
import type { Entry } from '../entries.js';
import { namesUsedIn } from '../names.js';

/**
 * Whether an entry of a pipeline chooses which of several values a release has: the rules of a job that set it, or the
 * environment, the context or the group that has what a job takes it from.
 */
export function choicesIn(
  entries: readonly Entry[],
  takesFrom: ReadonlySet<string>,
): (entry: Entry) => boolean {
  const all = entries.flatMap((entry) => {
    const around = entry.document === undefined ? undefined : scopeOf(entry);
    return around === undefined ? [] : [{ entry, around }];
  });
  if (all.length === 0) return () => false;
  const isOwn = (name: string) => takesFrom.has(name) || isNameOfRelease(name);
  const given = new Set(entries.map(({ key }) => key));
  const isTaken = (name: string) => !/^(?:vars|secrets)$/.test(name) && !given.has(name) && isOwn(name);
  const taking = entries.filter(({ value }) => outside.test(value) && namesUsedIn(value).some(isTaken));
  const choosing = new Set([
    ...all.flatMap(({ entry: { path, key }, around }) =>
      path.at(-2) === 'variables' && isOwn(key) ? [around] : [],
    ),
    ...taking.flatMap(({ path }) => path.map((_, i) => path.slice(0, i).join('.'))),
  ]);
  const choices = all.filter(({ around }) => choosing.has(around)).map(({ entry }) => entry);
  const own = new Set(choices.map(({ path }) => path));
  const names = new Set(choices.flatMap(({ value }) => namesUsedIn(value)));
  return (entry) => own.has(entry.path) || names.has(entry.key);
}

/** What is kept outside of a repository: what GitHub, GitLab, CircleCI or Azure fill in. */
const outside = /\b(?:vars|secrets)\.|\$[({]?[A-Za-z_]/;

/**
 * The list of rules of GitLab, also behind an anchor, or the job whose variables depend on what it says there: on its name
 * in a workflow of CircleCI.
 */
function scopeOf({ path, key }: Entry): string | undefined {
  const rule = path.findIndex((step, i) => /^\d+$/.test(step) && ofRule.test(path[i + 1] ?? ''));
  if (rule > 0) return `rules of ${path.slice(0, rule).join('.')}`;
  const at = path.lastIndexOf('environment');
  if (at > 0 && (at === path.length - 1 || key === 'name')) return path.slice(0, at).join('.');
  if (key === 'group' && path[0] === 'variables') return '';
  const context = path.lastIndexOf('context');
  return context > 1 && path.includes('jobs') ? `jobs.${path[context - 1]}` : undefined;
}

const ofRule = /^(?:if|changes|exists|when|variables)$/;
