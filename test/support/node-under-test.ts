import { delimiter, dirname } from 'node:path';

/** The Node that runs the built program: this one, or the one that `npm run suite -- nodes` names. */
export const nodeUnderTest = process.env.NODE_UNDER_TEST || process.execPath;

/** An environment in which `node` is that Node, for npm and what it starts, and nothing of this process is inherited. */
export const environmentOfNode: Readonly<Record<string, string>> = {
  PATH: `${dirname(nodeUnderTest)}${delimiter}${process.env.PATH ?? ''}`,
  HOME: process.env.HOME ?? '',
};
