import { homedir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { cacheFolder } from '../../../src/gather/files/cache-folder.js';

it.each<[NodeJS.Platform, Record<string, string>, string | undefined]>([
  ['linux', { HOME: '/home/op' }, '/home/op/.cache/lightspan'],
  ['linux', { HOME: '/home/op', XDG_CACHE_HOME: '/var/cache/op' }, '/var/cache/op/lightspan'],
  ['linux', { HOME: '/home/op', XDG_CACHE_HOME: 'relative' }, '/home/op/.cache/lightspan'],
  ['linux', { HOME: '/home/op', XDG_CACHE_HOME: '' }, '/home/op/.cache/lightspan'],
  ['linux', { HOME: '' }, undefined],
  ['linux', { HOME: '.' }, undefined],
  ['linux', { HOME: '', XDG_CACHE_HOME: '/var/cache/op' }, '/var/cache/op/lightspan'],
  ['darwin', { HOME: '' }, undefined],
  ['win32', { USERPROFILE: '' }, undefined],
  ['linux', {}, join(homedir(), '.cache/lightspan')],
  ['darwin', { HOME: '/Users/op', XDG_CACHE_HOME: '/x' }, '/Users/op/Library/Caches/lightspan'],
  ['win32', { LOCALAPPDATA: 'C:\\Users\\op\\AppData\\Local' }, 'C:\\Users\\op\\AppData\\Local\\lightspan'],
  ['win32', { LOCALAPPDATA: '', USERPROFILE: 'C:\\Users\\op' }, 'C:\\Users\\op\\AppData\\Local\\lightspan'],
  ['win32', { USERPROFILE: 'C:\\Users\\op' }, 'C:\\Users\\op\\AppData\\Local\\lightspan'],
  ['linux', { HOME: '/home/op', LIGHTSPAN_CACHE_DIR: '/elsewhere' }, '/elsewhere'],
])('on %s with %j: %s', (platform, env, folder) => {
  expect(cacheFolder(env, platform)).toBe(folder);
});
