/** What the help of several commands says, word for word: each stands here once. */

export const fileOrInput = 'a file, or - for standard input';
export const filesOrInput = 'files, or - for standard input';
export const wholeFile = 'to a file, complete or not at all';

/** @param what comes from somewhere: `the answer` */
export const whereFrom = (what: string) => `say on standard error where ${what} comes from`;
