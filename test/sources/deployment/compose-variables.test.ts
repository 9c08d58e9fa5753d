import { expect, it } from 'vitest';
import { readComposeEnv } from '../../../src/sources/deployment/compose-env.js';
import { bytesOf, portOf, secondsOf } from '../../../src/sources/deployment/compose-project.js';
import { fillIn } from '../../../src/sources/deployment/compose-variables.js';

it.each([
  ['}', null],
  [':-b}', null],
  [':+b}', null],
  [':?b}', null],
  // Whether it is empty does not matter here: it is set.
  ['+b}', 'b'],
])('a variable that is set to what cannot be told, with %s behind its name: %s', (rest, filled) => {
  expect(fillIn(`\${A${rest}`, () => null)).toEqual({ ok: true, text: filled });
});

it.each([
  ['$A', '1'],
  [`x\${A}y`, 'x1y'],
  ['$NONE', ''],
  ['$$', '$'],
  ['$$A', '$A'],
  ['$$$A$$', '$1$'],
  [`a$$b\${NONE:-$$c}`, 'a$b$c'],
])('%j is filled in as %j', (text, filled) => {
  expect(fillIn(text, (name) => (name === 'A' ? '1' : undefined))).toEqual({ ok: true, text: filled });
});

it.each([':-', ':?', ':+'])(
  'a word that holds another %s is refused, for versions of compose differ',
  (sign) => {
    expect(fillIn(`\${A-b${sign}c}`, () => '1')).toEqual({
      ok: false,
      fault: `\${A-…} holds another of :- :? :+`,
    });
  },
);

it.each<[string, string | null | undefined]>([
  ['A=b', 'b'],
  ['export A=b', 'b'],
  ['\uFEFFA=b', 'b'],
  ['A=b # c', 'b'],
  ['A=b#c', 'b#c'],
  ['A=b  ', 'b'],
  ['A=  b', 'b'],
  ['A=', ''],
  ['A="b # c" # d', 'b # c'],
  ["A='$B'", '$B'],
  ["A=it's", "it's"],
  ['B=1\nA=$B', '1'],
  ['BEFORE=file\nA=$BEFORE', 'before'],
  ['UNTOLD=file\nA=$UNTOLD', null],
  ['A="\\$B"', null],
  ["A='\\n'", null],
  ['A=1\r\nA=2\r\n', '2'],
  ['BEFORE\nA=$BEFORE\n', 'before'],
  ['# A=1\n \n', undefined],
])('of the file of variables %j, A is %j', (text, value) => {
  const before: Record<string, string | null> = { BEFORE: 'before', UNTOLD: null };
  const reading = readComposeEnv(text, (name) => before[name]);
  expect(reading.ok && reading.variables.get('A')).toBe(value);
});

it.each([
  ['NONE\n', undefined],
  ['BEFORE\n', 'before'],
])('a name alone takes what counts before: %j', (text, value) => {
  const reading = readComposeEnv(text, (name) => (name === 'BEFORE' ? 'before' : undefined));
  expect(reading).toEqual({ ok: true, variables: new Map(value === undefined ? [] : [['BEFORE', value]]) });
});

it.each([
  ['512', 512],
  ['512b', 512],
  ['1.5k', 1536],
  ['2m', 2 * 1024 ** 2],
  ['2GB', 2 * 1024 ** 3],
  ['1 TiB', 1024 ** 4],
  ['1.25k', 1280],
  ['x2m', undefined],
  ['2mx', undefined],
  ['2p', undefined],
  ['', undefined],
])('%j is %s bytes', (text, bytes) => {
  expect(bytesOf(text)).toBe(bytes);
});

it.each([
  ['90s', 90],
  ['1m30s', 90],
  ['1h', 3600],
  ['1.25s', 2],
  ['1500ms', 2],
  ['10us', 1],
  ['90', undefined],
  ['x90s', undefined],
  ['90sx', undefined],
])('%j is %s seconds', (text, seconds) => {
  expect(secondsOf(text)).toBe(seconds);
});

it.each<[Parameters<typeof portOf>[0], string]>([
  [{ hostIp: undefined, published: undefined, target: '80', protocol: undefined }, '80'],
  [{ hostIp: undefined, published: '8080', target: '80', protocol: 'tcp' }, '8080:80'],
  [{ hostIp: '127.0.0.1', published: '8080', target: '80', protocol: 'udp' }, '127.0.0.1:8080:80/udp'],
  [{ hostIp: '127.0.0.1', published: undefined, target: '80', protocol: undefined }, '127.0.0.1::80'],
  [{ hostIp: '::1', published: '8080', target: '80', protocol: undefined }, '[::1]:8080:80'],
])('the port %j is kept as %s', (port, kept) => {
  expect(portOf(port)).toBe(kept);
});
