import { describe, expect, it } from 'vitest';
import { parseEnvLocation, readVariableNames } from '../../../src/gather/files/variables.js';

const namesIn = (text: string, source: string) =>
  [...readVariableNames(text, parseEnvLocation(source))].sort();

describe('the variables that a file sets', () => {
  it.each<[string, string, string, string[]]>([
    ['a .env file', '.env', '# comment\nA=1\nexport B="two"\nC=\'x # y\'\n\n', ['A', 'B', 'C']],
    ['a value over several lines', '.env', 'KEY="-----BEGIN\nNOT=A NAME\n-----END"\nB=1\n', ['B', 'KEY']],
    ['an empty value with a space behind it', '.env', 'A= \nB=2\nC=\t\nD=4\n', ['A', 'B', 'C', 'D']],
    [
      'a name alone, whose value the shell gives',
      '.env',
      'A\nB=2\nexport C\n\n# D\nE=5',
      ['A', 'B', 'C', 'E'],
    ],
    ['export without a name', '.env', 'export\nA=1\nexport \r\nB=2\n', ['A', 'B']],
    ['a variable that is called so', '.env', 'export=1\nexport exported=2\n', ['export', 'exported']],
    ['a colon', '.env', 'A: 1\nB:2\n \t\nC = 3\n', ['A', 'B', 'C']],
    ['quotes within a value', '.env', "A=it's\nB=2\nC='x' # it's\nD=\"a\\\"\nE=b\"\n", ['A', 'B', 'C', 'D']],
    ['backslashes between single quotes', '.env', "A='\\d+'\nB='C:\\\\'\nC= 'x'\n", ['A', 'B', 'C']],
    ['CRLF and a byte order mark', '.env', '\uFEFFA=1\r\nB=2\r\n', ['A', 'B']],
    ['a map', 'values.yaml#env', 'env:\n  A: 1\n  B: ""\n  C:\n', ['A', 'B', 'C']],
    [
      'a list as Kubernetes has it',
      'values.yaml#lightdash.extraEnv',
      'lightdash:\n  extraEnv:\n    - name: A\n      value: "1"\n    - { name: B, valueFrom: { secretKeyRef: { name: s, key: k } } }\n',
      ['A', 'B'],
    ],
    [
      'a list as docker compose has it',
      'docker-compose.yml#services.lightdash.environment',
      'services:\n  lightdash:\n    environment:\n      - A=1=2\n      - B\n',
      ['A', 'B'],
    ],
    ['a merge key', 'values.yaml#env', 'base: &base { A: 1 }\nenv:\n  <<: *base\n  B: 2\n', ['A', 'B']],
    ['JSON', 'values.json#pods.0.env', '{"pods":[{"env":{"A":"1"}}]}', ['A']],
  ])('%s', (_, source, text, expected) => {
    expect(namesIn(text, source)).toEqual(expected);
  });

  it.each<[string, string, string, RegExp]>([
    ['a .env file without any', '.env', '# nothing\n', /\.env is not a place/],
    ['a quote without an end', '.env', "A='secret-value\nB=2\n", /\.env is not a place/],
    ['a quote that ends in another line', '.env', "A='secret-value\nB='x'\n", /\.env is not a place/],
    ['a quote without an end, behind a space', '.env', 'A= "secret-value\nB=2\n', /\.env is not a place/],
    ['more behind a quote, behind a space', '.env', 'A= "secret-value" 1\nB=2\n', /\.env is not a place/],
    [
      'a quote that docker compose takes as escaped',
      '.env',
      "A='secret-value\\'\nB=2'\n",
      /\.env is not a place/,
    ],
    [
      'a name alone where the file ends, which docker compose loses',
      '.env',
      'A=1\nB',
      /\.env is not a place/,
    ],
    ['export and a value without a name', '.env', 'export =1\nB=2\n', /\.env is not a place/],
    ['a backtick without an end in its line', '.env', 'A=`secret-value\nB=2`\n', /\.env is not a place/],
    ['a line that is no variable', '.env', 'A=1\nB C=secret-value\n', /\.env is not a place/],
    ['a line without a name', '.env', '=secret-value\nB=2\n', /\.env is not a place/],
    ['lines of an old Mac', '.env', 'A=1\rB=2\r', /\.env is not a place/],
    ['YAML without a path', 'values.yaml', 'A: 1\n', /does not say where the variables/],
    ['an empty path', 'values.yaml#', 'A: 1\n', /does not say where the variables/],
    ['a path that leads nowhere', 'values.yaml#env.A', 'env: {}\n', /values\.yaml#env\.A is not a place/],
    ['a path into what everything inherits', 'values.yaml#constructor', 'env: {}\n', /is not a place/],
    ['an empty map', 'values.yaml#env', 'env: {}\n', /is not a place/],
    ['a scalar', 'values.yaml#env', 'env: secret-value\n', /values\.yaml#env is not a place/],
    ['a list of other things', 'values.yaml#env', 'env: [{ key: A }]\n', /is not a place/],
    ['a map with names that are none', 'values.yaml#env', 'env: { "a b": secret-value }\n', /is not a place/],
    ['no YAML', 'values.yaml#env', 'env: [secret-value\n', /^values\.yaml:\d+:\d+: /],
    ['names twice', 'values.yaml#env', 'env: { A: 1, A: 2, B: 1, B: 2 }\n', /^values\.yaml:1:14: /],
  ])('%s is refused, and no value told', (_, source, text, message) => {
    const read = () => namesIn(text, source);
    expect(read).toThrow(expect.objectContaining({ code: 'usage', message: expect.stringMatching(message) }));
    expect(read).not.toThrow(/secret-value/);
  });
});
