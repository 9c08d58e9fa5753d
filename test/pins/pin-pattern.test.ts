import { describe, expect, it } from 'vitest';
import { parsePinPattern } from '../../src/pins/pin-pattern.js';

it.each([
  'values.yaml',
  '#image.tag',
  './#image.tag',
  'values.yaml#',
  'values.yaml#image..tag',
  'values.yaml#image.\u0007tag',
  'values\n.yaml#image.tag',
  '/etc/values.yaml#image.tag',
  '../values.yaml#image.tag',
  'envs/..#image.tag',
  'C:/values.yaml#image.tag',
  'envs\\values.yaml#image.tag',
])('%j is refused', (text) => {
  expect(() => parsePinPattern(text)).toThrow(
    expect.objectContaining({
      code: 'usage',
      message: expect.stringContaining(`--pin ${JSON.stringify(text)}: `),
    }),
  );
});

describe('what a pattern reaches', () => {
  it.each<[string, string, boolean]>([
    ['values.yaml#a', 'values.yaml', true],
    ['./values.yaml#a', 'values.yaml', true],
    ['values.yaml#a', 'envs/values.yaml', false],
    ['envs/*/values.yaml#a', 'envs/prod/values.yaml', true],
    ['envs/*/values.yaml#a', 'envs/.prod/values.yaml', true],
    ['envs/*/values.yaml#a', 'envs/a\nb/values.yaml', true],
    ['envs/*/values.yaml#a', 'envs/eu/prod/values.yaml', false],
    ['envs/**/values.yaml#a', 'envs/eu/prod/values.yaml', true],
    ['envs/[prod]/values.yaml#a', 'envs/[prod]/values.yaml', true],
    ['a#b/values.yaml#a', 'a#b/values.yaml', true],
    ['..values.yaml#a', '..values.yaml', true],
    ['prod.tfvars.json#a', 'prod.tfvars.json', true],
    ['ab:/values.yaml#a', 'ab:/values.yaml', true],
  ])('%j: %j %s', (text, file, matches) => {
    expect(parsePinPattern(text).matches(file)).toBe(matches);
  });
});

describe('the folders that a pattern leads through', () => {
  it.each<[string, string, boolean]>([
    ['envs/*/values.yaml#a', 'envs', true],
    ['envs/*/values.yaml#a', 'envs/prod', true],
    ['envs/*/values.yaml#a', 'envs/.prod', true],
    ['envs/*/values.yaml#a', 'envs/eu/prod', false],
    ['envs/*/values.yaml#a', 'envs/prod/values.yaml', false],
    ['envs/**/values.yaml#a', 'envs/eu/prod', true],
    ['**/values.yaml#a', 'docs', true],
    ['envs/[prod]/values.yaml#a', 'envs/[prod]', true],
    ['values.yaml#a', 'values.yaml', false],
    ['values.yaml#a', 'envs', false],
  ])('%j: %j %s', (text, folder, leads) => {
    expect(parsePinPattern(text).leadsThrough(folder)).toBe(leads);
  });
});
