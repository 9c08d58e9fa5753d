import { writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { passwordIn, readPasswordFile } from '../../../src/sources/database/password-file.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const wanted = { host: 'db', port: 5432, database: 'lightdash', user: 'joe' };

it.each([
  ['db:5432:lightdash:joe:pw', 'pw'],
  ['*:*:*:*:pw', 'pw'],
  ['db:5432:lightdash:jim:no\n# a:comment\n\ndb:*:*:joe:pw', 'pw'],
  ['db:5432:lightdash:joe:first\ndb:5432:lightdash:joe:second', 'first'],
  ['db:5432:lightdash:joe:a\\:b\\\\c', 'a:b\\c'],
  ['db:5432:lightdash:joe:a\\\\:b', 'a\\'],
  ['db:5432:lightdash:joe:a:b', 'a'],
  ['db:5432:lightdash:joe:', ''],
  ['db:5432:lightdash:joe:pw\r\nx', 'pw'],
  ['db:5433:lightdash:joe:pw', undefined],
  ['DB:5432:lightdash:joe:pw', undefined],
  ['db:5432:lightdash:joe', undefined],
  ['d*:5432:lightdash:joe:pw', undefined],
  ['', undefined],
])('of %j', (text, password) => expect(passwordIn(text, wanted)).toBe(password));

it('takes an escaped colon for a part of a name', () => {
  expect(passwordIn('\\:\\:1:5432:a:b:pw', { host: '::1', port: 5432, database: 'a', user: 'b' })).toBe('pw');
});

it('takes localhost for the usual socket, and for no other', () => {
  const text = 'localhost:*:*:*:pw';
  for (const host of ['/var/run/postgresql', '/run/postgresql', '/tmp']) {
    expect(passwordIn(text, { ...wanted, host })).toBe('pw');
  }
  expect(passwordIn(text, { ...wanted, host: '/elsewhere' })).toBeUndefined();
});

it('is no fault where there is none, and one where there is a folder, or a file for a folder', () => {
  const folder = temporaryFolder();
  writeFileSync(`${folder}/file`, '');
  expect(readPasswordFile(`${folder}/file/below`, wanted)).toEqual({
    fault: `${folder}/file/below was not read: a part of its path is a file, not a folder`,
  });
  expect(readPasswordFile(`${folder}/none`, wanted)).toEqual({});
  expect(readPasswordFile(folder, wanted)).toEqual({ fault: `${folder} is not a file` });
});
