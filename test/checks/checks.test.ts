import { expect, it } from 'vitest';
import type { Check } from '../../src/checks/check.js';
import { checks } from '../../src/checks/checks.js';

/** Every check in its order: of which group, whether it can stop an upgrade, and what it is given to judge by. */
it('what checks are, and need, is held', async () => {
  const text = (checks as readonly Check<string, { readonly kind: string }>[])
    .map((check) => {
      const { id, group, canStop, needs, needsOrAbsent = [], mayNeed = [], needsArtifacts } = check;
      return [
        `${id}: ${group}, ${canStop ? 'can stop' : 'cannot stop'}${needsArtifacts ? ', by artifacts' : ''}`,
        `  needs: ${needs.join(', ')}`,
        `  needs, or that there is none: ${needsOrAbsent.join(', ')}`,
        `  asks for: ${mayNeed.join(', ')}`,
      ]
        .filter((line) => !line.endsWith(': '))
        .join('\n');
    })
    .join('\n');
  await expect(`${text}\n`).toMatchFileSnapshot('checks.txt');
});

it.each(checks)('$id says what it is about, and what each of its findings means', ({ finds, ...check }) => {
  const texts = Object.values(finds).flatMap(({ meaning, remedy = meaning }) => [meaning, remedy]);
  for (const text of [check.label, check.meaning, ...texts]) expect(text).toMatch(/\S/);
});
