import type { Command } from 'commander';
import { nearestTo } from '../merge-query/did-you-mean.js';

/** The commands that were probably meant by a word that names none, as they are typed: `upgrade-plan` for `plan`. */
export function nearCommands(word: string, group: Command): readonly string[] {
  const typed = word.toLowerCase().replaceAll('_', '-');
  const names = namesUnder(group);
  const holding = names.filter((name) => wordsOf(name).includes(typed));
  if (holding.length > 0) return holding;
  const nearest = nearestTo(typed, names.flatMap(wordsOf));
  return nearest === undefined ? [] : names.filter((name) => wordsOf(name).includes(nearest));
}

/** `index mirror` is `mirror`, and what somebody writes who takes it for one word. */
function wordsOf(name: string): string[] {
  return [name.replaceAll(' ', '-'), ...name.split(/[ -]/)];
}

/** Every command that can be run, with the words that lead to it from the program. */
function namesUnder(command: Command, path: readonly string[] = pathOf(command)): string[] {
  if (command.commands.length === 0) return [path.join(' ')];
  return command.commands.flatMap((sub) => namesUnder(sub, [...path, sub.name()]));
}

function pathOf(command: Command): string[] {
  return command.parent === null ? [] : [...pathOf(command.parent), command.name()];
}
