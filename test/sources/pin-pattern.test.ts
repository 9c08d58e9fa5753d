import { describe, expect, it } from 'vitest';
import { parsePinPattern } from '../../src/sources/pin-pattern.js';

const writeValues =
  "Write the file and the path of the value in it, for example 'envs/*/values.yaml#image.tag'.";
const writeFromRoot = 'Write it with /, without a leading one and without "..".';
const noValues = 'it does not name values in files';
const notFromRoot = 'the file is not named from the root of the repository';

describe('what names no pins', () => {
  it.each([
    ['values.yaml', noValues, writeValues],
    ['#image.tag', noValues, writeValues],
    ['./#image.tag', noValues, writeValues],
    ['values.yaml#', noValues, writeValues],
    ['values.yaml#image..tag', noValues, writeValues],
    ['values.yaml#image.\u0007tag', noValues, writeValues],
    ['values\n.yaml#image.tag', noValues, writeValues],
    ['/etc/values.yaml#image.tag', notFromRoot, writeFromRoot],
    ['../values.yaml#image.tag', notFromRoot, writeFromRoot],
    ['envs/..#image.tag', notFromRoot, writeFromRoot],
    ['C:/values.yaml#image.tag', notFromRoot, writeFromRoot],
    ['envs\\values.yaml#image.tag', notFromRoot, writeFromRoot],
    [
      'prod.tfvars#tag',
      'lightspan does not read the language of Terraform',
      'Keep the variable in a file that Terraform reads as JSON, such as lightdash.auto.tfvars.json, and name that.',
    ],
  ])('%j is refused', (text, why, hint) => {
    expect(() => parsePinPattern(text)).toThrow(
      expect.objectContaining({ code: 'usage', message: `--pin ${JSON.stringify(text)}: ${why}`, hint }),
    );
  });
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
