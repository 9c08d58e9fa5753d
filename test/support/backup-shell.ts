import { databaseFunctions } from '../../src/steps/database.js';
import { sharedFunctions } from '../../src/steps/functions.js';

/**
 * The part of a hop that looks at the database and dumps it, from here, into the folder that it is run in: what a script
 * has around it besides is left out.
 */
export function backUpInShell(version: string, what: 'look' | 'backup'): string {
  const look = ['trap end_run EXIT', 'choose_database', 'look_at_database'];
  const commands = [...look, ...(what === 'backup' ? ['back_up'] : []), 'end_run'];
  return [
    'set -euC',
    'umask 077',
    `OTHER_SESSIONS=none from=${version} at=1 last=1 folder=$PWD state=$PWD/hop.state known='' database='' dump='' lock=''`,
    ...sharedFunctions,
    ...databaseFunctions({ kind: 'here' }),
    'again() { :; }',
    'undo() { :; }',
    ...commands,
  ].join('\n');
}
