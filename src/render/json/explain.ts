import type { ExplainedWord } from '../words/word.js';
import { renderDocument } from './document.js';
import type { ExplainResult } from './result-schemas.js';

/** `explain --json`: the requested words, or all, in one line. */
export function renderExplainJson(words: readonly ExplainedWord[]): string {
  return renderDocument<ExplainResult>({
    words: words.map(({ word, group, meaning, rule = null, remedy = null, exitCode = null }) => ({
      word,
      group,
      meaning,
      rule,
      toDo: remedy,
      exitCode,
    })),
  });
}
