import type { UsersWords } from './command-line.js';
import type { OptionTable } from './declare.js';
import { artifacts, knownIssues, settings, sources } from './options/evidence-options.js';

export function usersWordsOf(argv: readonly string[]): UsersWords {
  const tables: OptionTable = { ...sources, ...knownIssues, ...artifacts, ...settings };
  const evidence = Object.values(tables).filter(({ group }) => group === 'evidence');
  return {
    all: argv,
    evidence: argv.flatMap((word, i) => {
      if (word === '--no-settings') return [word];
      const flags = evidence
        .map((option) => option.flags)
        .find((text) => text.split(' ')[0] === word.split('=')[0]);
      if (flags === undefined) return [];
      return word.includes('=') || !flags.includes('<') ? [word] : argv.slice(i, i + 2);
    }),
  };
}
