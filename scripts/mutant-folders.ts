/** What a run of mutants breaks together, and the tests that concern it. */
export interface MutantFolder {
  /** Handed over as one list parted by commas, so a pattern has none. */
  readonly mutate: readonly string[];
  readonly tests: readonly string[];
  /** Whether an answer depends on it: below a least score, the run fails. */
  readonly judges: boolean;
}

export const folders: Readonly<Record<string, MutantFolder>> = {
  core: {
    mutate: [
      'src/core/*.ts',
      'src/core/artifact/*.ts',
      'src/core/index/*.ts',
      'src/core/route/*.ts',
      'src/core/json/json-scan.ts',
      'src/core/json/json-text.ts',
      '!src/core/results.ts',
      '!src/core/common/deep-readonly.ts',
      '!src/core/common/in-future.ts',
      '!src/core/lightspan-error.ts',
      '!src/core/notice.ts',
      '!src/core/index/index-schema.ts',
    ],
    tests: ['test/core/**/*.test.ts', 'test/known-issues/**/*.test.ts'],
    judges: true,
  },
  merge: {
    mutate: [
      'src/merge/rules.ts',
      'src/merge/merge-check.ts',
      'src/core/text/did-you-mean.ts',
      'src/core/text/quote.ts',
      'src/core/json/schema-problem.ts',
    ],
    tests: ['test/merge/**/*.test.ts', 'test/core/text/*.test.ts'],
    judges: true,
  },
  'known-issues': {
    mutate: ['src/known-issues/**/*.ts'],
    tests: ['test/known-issues/**/*.test.ts', 'test/words/sentences.test.ts'],
    judges: true,
  },
  facts: {
    mutate: ['src/instance/facts/*.ts'],
    // What facts mean is held to by the checks that read them.
    tests: ['test/instance/facts/**/*.test.ts', 'test/checks/**/*.test.ts', 'test/words/needs.test.ts'],
    judges: true,
  },
  instance: {
    mutate: ['src/instance/*.ts', 'src/instance/forecast/*.ts'],
    tests: ['test/instance/**/*.test.ts', 'test/checks/**/*.test.ts'],
    judges: false,
  },
  checks: {
    mutate: ['src/checks/*.ts', 'src/checks/database/*.ts', 'src/checks/deployment/*.ts'],
    // The words of a check stand in its file; how its findings are accepted and told is held to elsewhere.
    tests: [
      'test/checks/**/*.test.ts',
      'test/words/{findings,needs,sentences}.test.ts',
      'test/core/accepted.test.ts',
      'test/answer/builders/preflight.test.ts',
    ],
    judges: true,
  },
  'after-upgrade': {
    mutate: ['src/checks/after-upgrade/*.ts'],
    // Those of the command start the program, which is not built there.
    tests: ['test/checks/after-upgrade/**/*.test.ts', 'test/words/{needs,verify-findings}.test.ts'],
    judges: true,
  },
  http: {
    mutate: ['src/gather/http/*.ts'],
    tests: ['test/gather/http/**/*.test.ts'],
    judges: false,
  },
  read: {
    mutate: ['src/gather/files/*.ts', 'src/gather/publisher/*.ts'],
    tests: ['test/gather/{files,publisher}/**/*.test.ts'],
    judges: false,
  },
  collect: {
    mutate: ['src/gather/**/*.ts'],
    tests: ['test/gather/**/*.test.ts'],
    judges: false,
  },
  pins: {
    mutate: ['src/pins/**/*.ts'],
    tests: ['test/pins/**/*.test.ts'],
    judges: false,
  },
  api: {
    mutate: ['src/gather/api/**/*.ts'],
    // What it is for is held to by the commands: those of their tests count that do without a million rows.
    tests: [
      'test/gather/api/**/*.test.ts',
      'test/commands/{catalog-metrics,chart-get,connection,exact-numbers,merge-submit,merge-submit-lost,org-users,query-compile,token}.test.ts',
    ],
    judges: false,
  },
  words: {
    mutate: ['src/core/text/*.ts', 'src/words/**/*.ts'],
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
