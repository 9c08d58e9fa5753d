import type { ExplainedWord } from '../facts/fact.js';
import { renderDocument } from './document.js';
import type { ExplainResult } from './result-schemas.js';

/** `explain --json`: the words asked for, or all, in one line. */
export function renderExplainJson(words: readonly ExplainedWord[]): string {
  return renderDocument<ExplainResult>({
    words: words.map(({ word, group, meaning, rule = null, toDo = null, exitCode = null }) => ({
      word,
      group,
      meaning,
      rule,
      toDo,
      exitCode,
    })),
  });
}
