import { describe, expect, it } from 'vitest';
import { runCli } from '../support/cli.js';

describe('index status', () => {
  it.each([
    [['index', 'status', '--index', 'package.json'], 4],
    [['index', 'status', '--nonsense'], 2],
    [['index'], 2],
    [['index', 'nonsense'], 2],
    [['release'], 2],
  ])('%j: exit %i', async (argv, code) => {
    expect((await runCli(argv)).code).toBe(code);
  });
});
