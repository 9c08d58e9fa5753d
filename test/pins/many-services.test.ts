import { expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { lookAtChange } from '../../src/pins/change.js';
import { treeOfTexts } from '../../src/pins/pin-tree.js';

/** Services of one image, the last of them at a release of its own. */
const compose = (version: string, last = version) => {
  const services = Array.from(
    { length: 5_000 },
    (_, i) =>
      `  bi${i}:\n    image: lightdash/lightdash:${i === 4_999 ? last : version}\n    environment: {A: b}\n`,
  );
  return `services:\n${services.join('')}`;
};

/** The processor time of this process, in seconds. */
async function timeOf(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  return process.cpuUsage(before).user / 1e6;
}

const title = 'looks at 5,000 services of one image in the time in which both sides are parsed a few times';
it.each([
  [title, compose('1.121.0'), compose('1.121.1')],
  [`${title}, of which one is at another release`, compose('1.121.0'), compose('1.121.1', '1.121.9')],
])('%s', { timeout: 120_000 }, async (_, was, is) => {
  const parse = () => [was, is].map((text) => parseAllDocuments(text, { uniqueKeys: false }));
  const look = async () => {
    const trees = [was, is].map((text) => treeOfTexts({ 'compose.yaml': text }));
    const [before = treeOfTexts({}), after = before] = trees;
    const { before: pins } = await lookAtChange(before, after, { tagSuffix: undefined });
    expect(pins).toHaveLength(5_000);
  };
  const yardstick = await timeOf(parse);
  // It is less than three times; each place once for each other one would be fifty.
  expect(await timeOf(look)).toBeLessThan(5 * yardstick);
});
