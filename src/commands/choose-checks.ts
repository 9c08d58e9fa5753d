import { checkGroups } from '../checks/check.js';
import { type CheckId, checks } from '../checks/checks.js';
import { LightspanError } from '../errors.js';
import { didYouMean } from '../shared/did-you-mean.js';
import { quote } from '../shared/quote.js';

/**
 * The checks that `--only` names, directly or by their group.
 *
 * @throws {LightspanError} `usage` for a name of neither
 */
export function chooseChecks(words: readonly string[]): ReadonlySet<CheckId> {
  const chosen = words.flatMap((word) => {
    const named = checks.filter(({ id, group }) => id === word || group === word);
    if (named.length > 0) return named;
    const names = [...checkGroups, ...checks.map(({ id }) => id)];
    throw new LightspanError('usage', `--only: there is no check ${quote(word)}${didYouMean(word, names)}`, {
      hint: `The checks are ${checks.map(({ id }) => id).join(', ')}.`,
    });
  });
  return new Set(chosen.map(({ id }) => id));
}
