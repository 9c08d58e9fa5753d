import { describe, expect, it } from 'vitest';
import { requireSameImage } from '../../src/commands/upgrade-check.js';
import { parsePinLocation, readPin } from '../../src/sources/pinned-version.js';

const digests = ['0', '1'].map((digit) => `sha256:${digit.repeat(64)}`);
const pin = (image: string) => readPin(`image: {${image}}`, parsePinLocation('values.yaml#image.tag'));

describe('a change of a pin', () => {
  it.each([
    ['of the release', 'tag: 1.2.3', 'tag: 1.2.4'],
    ['of nothing', `tag: 1.2.3@${digests[0]}`, `tag: 1.2.3@${digests[0]}`],
    ['of release and digest', `tag: 1.2.3@${digests[0]}`, `tag: 1.2.4@${digests[1]}`],
    ['to a digest', 'tag: 1.2.3', `tag: 1.2.4@${digests[1]}`],
    [
      'how the name is written',
      'registry: q.io, repository: a/b, tag: 1.2.3',
      'repository: q.io/a/b, tag: 1.2.4',
    ],
  ])('may be one %s', async (_, from, to) => {
    await expect(requireSameImage(pin(from), pin(to))).resolves.toBeUndefined();
  });

  it.each([
    ['the repository', 'repository: a/b, tag: 1.2.3', 'repository: a/c, tag: 1.2.3', 'from a/b to a/c'],
    [
      'the registry',
      'repository: a/b, tag: 1.2.3',
      'repository: q.io/a/b, tag: 1.2.4',
      'from a/b to q.io/a/b',
    ],
    [
      'the image of the chart',
      'tag: 1.2.3',
      'repository: a/b, tag: 1.2.3',
      'from one that the file does not name to a/b',
    ],
    ['the digest alone', `tag: 1.2.3@${digests[0]}`, `tag: 1.2.3@${digests[1]}`, 'the release stays 1.2.3'],
    ['a digest that is added', 'tag: 1.2.3', `tag: 1.2.3@${digests[1]}`, 'the digest changes from none'],
    ['a digest that is taken away', `tag: 1.2.3@${digests[1]}`, 'tag: 1.2.3', 'to none'],
    ['all but the digest', `tag: 1.2.3@${digests[0]}`, `tag: 1.2.4@${digests[0]}`, 'the digest stays'],
  ])('may not be %s', async (_, from, to, message) => {
    await expect(requireSameImage(pin(from), pin(to))).rejects.toMatchObject({
      code: 'invalid-pin',
      message: expect.stringContaining(message),
    });
  });
});
