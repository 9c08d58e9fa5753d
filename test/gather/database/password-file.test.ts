import { expect, it } from 'vitest';
import { passwordIn } from '../../../src/gather/database/password-file.js';

const usual = process.platform === 'darwin' ? '/tmp' : '/var/run/postgresql';

/** As psql of Debian, with a server that listens in all of these folders. */
it.each([
  ['localhost', usual, true],
  ['localhost', '/srv/sockets', false],
  ['localhost', '/run/postgresql', false],
  ['/srv/sockets', '/srv/sockets', true],
  ['/srv/sockets', 'localhost', false],
  [usual, usual, false],
  ['*', '/srv/sockets', true],
])('an entry of %s serves %s: %s', (entry, host, serves) => {
  const wanted = { host, port: 5432, user: 'joe', database: 'bi' };
  expect(passwordIn(`${entry}:5432:bi:joe:word\n`, wanted)).toBe(serves ? 'word' : undefined);
});
