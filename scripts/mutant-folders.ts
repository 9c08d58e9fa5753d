/** What a run of mutants breaks together, and the tests that concern it. */
export interface MutantFolder {
  /** Handed over as one list parted by commas, so a pattern has none. */
  readonly mutate: readonly string[];
  readonly tests: readonly string[];
  /** Whether an answer depends on it: below a least score, the run fails. */
  readonly judges: boolean;
}

export const folders: Readonly<Record<string, MutantFolder>> = {
  'release-safety': {
    mutate: [
      'src/release-safety/**/*.ts',
      '!src/release-safety/*results.ts',
      '!src/release-safety/index-schema.ts',
      'src/shared/json-scan.ts',
    ],
    tests: [
      'test/release-safety/**/*.test.ts',
      'test/known-issues/**/*.test.ts',
      'test/shared/json-scan.test.ts',
    ],
    judges: true,
  },
  'merge-query': {
    mutate: [
      'src/merge-query/rules.ts',
      'src/merge-query/merge-check.ts',
      'src/shared/did-you-mean.ts',
      'src/shared/quote.ts',
      'src/shared/schema-problem.ts',
    ],
    tests: ['test/merge-query/**/*.test.ts', 'test/shared/{did-you-mean,quote}.test.ts'],
    judges: true,
  },
  'known-issues': {
    mutate: ['src/known-issues/**/*.ts'],
    tests: ['test/known-issues/**/*.test.ts'],
    judges: true,
  },
  facts: {
    mutate: ['src/facts/**/*.ts'],
    // What facts mean is held to by the checks that read them.
    tests: ['test/facts/**/*.test.ts', 'test/{checks,verify}/**/*.test.ts', 'test/words/needs.test.ts'],
    judges: true,
  },
  instance: {
    mutate: ['src/instance/**/*.ts'],
    tests: ['test/instance/**/*.test.ts', 'test/checks/**/*.test.ts'],
    judges: false,
  },
  checks: {
    mutate: ['src/checks/**/*.ts'],
    // The words of a check stand in its file; how its findings are accepted and told is held to elsewhere.
    tests: [
      'test/checks/**/*.test.ts',
      'test/words/{findings,needs,sentences}.test.ts',
      'test/release-safety/accepted.test.ts',
      'test/answer/preflight.test.ts',
    ],
    judges: true,
  },
  verify: {
    mutate: ['src/verify/**/*.ts'],
    // Those of the command start the program, which is not built there.
    tests: ['test/verify/**/*.test.ts', 'test/words/{needs,verify-findings}.test.ts'],
    judges: true,
  },
  http: {
    mutate: ['src/http/**/*.ts'],
    tests: ['test/http/**/*.test.ts'],
    judges: false,
  },
  sources: {
    mutate: ['src/sources/**/*.ts'],
    tests: ['test/sources/**/*.test.ts'],
    judges: false,
  },
  'lightdash-api': {
    mutate: ['src/lightdash-api/**/*.ts'],
    // What it is for is held to by the commands: those of their tests count that do without a million rows.
    tests: [
      'test/lightdash-api/**/*.test.ts',
      'test/commands/{catalog-metrics,chart-get,connection,exact-numbers,merge-submit,merge-submit-lost,org-users,query-compile,token}.test.ts',
    ],
    judges: false,
  },
  words: {
    mutate: ['src/words/**/*.ts'],
    tests: ['test/words/**/*.test.ts'],
    judges: false,
  },
  answer: {
    mutate: ['src/answer/**/*.ts'],
    tests: ['test/answer/**/*.test.ts'],
    judges: false,
  },
  steps: {
    mutate: ['src/steps/**/*.ts'],
    // The shells that run the blocks take a minute and a half a run: the table of them counts alone.
    tests: ['test/steps/steps.test.ts'],
    judges: false,
  },
};
