import { expect, it } from 'vitest';
import { checkRef } from '../../../src/sources/git/commits.js';

it.each([
  ['', 'it is empty'],
  [' ', 'it is empty'],
  ['--upload-pack=x', 'it begins with "-"'],
  ['main\u0000', 'it holds a control character'],
])('%j is not the name of a commit', (ref, fault) => {
  expect(() => checkRef(ref, '--base')).toThrow(
    expect.objectContaining({
      code: 'usage',
      message: `--base ${JSON.stringify(ref)} is not the name of a commit: ${fault}`,
      hint: 'Name a branch, a tag or a commit, such as origin/main.',
    }),
  );
});
