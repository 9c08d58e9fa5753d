import { expect, it } from 'vitest';
import { lookAtChange } from '../../src/pins/change.js';
import { treeOfTexts } from '../../src/pins/pin-tree.js';

/** What a side has: so many places, all at a release. */
type Side = (count: number, version: string) => Readonly<Record<string, string>>;

const many = <T>(count: number, write: (i: number) => T) => Array.from({ length: count }, (_, i) => write(i));

/** Services of one image, the last of them at a release of its own. */
const compose = (count: number, version: string, last = version) => {
  const services = many(
    count,
    (i) =>
      `  bi${i}:\n    image: lightdash/lightdash:${i === count - 1 ? last : version}\n    environment: {A: b}\n`,
  );
  return { 'compose.yaml': `services:\n${services.join('')}` };
};

/** Releases of Helm, each with its tag. */
const terraform: Side = (count, version) => ({
  'main.tf': many(
    count,
    (i) =>
      `resource "helm_release" "bi${i}" {\n  chart = "lightdash"\n  set {\n    name  = "image.tag"\n    value = "${version}"\n  }\n}\n`,
  ).join(''),
});

const variables: Side = (count, version) => ({
  '.env': many(count, (i) => `LIGHTDASH_${i}_VERSION=${version}\n`).join(''),
});

const helmfile: Side = (count, version) => ({
  'helmfile.yaml': `releases:\n${many(count, (i) => `  - name: bi${i}\n    chart: lightdash/lightdash\n    values: [{image: {tag: "${version}"}}]\n`).join('')}`,
});

const inFolders = (count: number, files: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    many(count, (i) => Object.entries(files).map(([name, text]) => [`c${i}/${name}`, text] as const)).flat(),
  );

/** Folders with a chart and its values in each. */
const charts: Side = (count, version) =>
  inFolders(count, {
    'Chart.yaml': `name: bi\nversion: ${version}\ndependencies: [{name: lightdash, version: 1.0.0}]\n`,
    'values.yaml': `lightdash: {image: {tag: "${version}"}}\n`,
  });

const [before, after] = ['1.121.0', '1.121.1'];

it.each<[what: string, few: number, was: Side, is?: Side]>([
  ['services of one image', 500, compose],
  [
    'services, one of which is at another release',
    500,
    compose,
    (count, version) => compose(count, version, '1.121.9'),
  ],
  ['services, one of which moves', 500, compose, (count, version) => compose(count, before, version)],
  ['releases in Terraform', 500, terraform],
  ['variables', 500, variables],
  ['releases of Helmfile', 200, helmfile],
  ['charts in folders', 150, charts],
])(
  'ten times as many %s are looked at in some ten times the time',
  {
    timeout: 240_000,
  },
  async (_, few, was, is = was) => {
    /**
     * The processor time of this process, in microseconds: of the fastest of so many rounds, or of the first that is
     * fast enough.
     */
    const timeOf = async (count: number, rounds: number, enough = 0) => {
      const times: number[] = [];
      while (times.length < rounds && !times.some((time) => time < enough)) {
        const start = process.cpuUsage();
        const [old, now] = [treeOfTexts(was(count, before)), treeOfTexts(is(count, after))];
        const { before: pins } = await lookAtChange(old, now, { tagSuffix: undefined });
        times.push(process.cpuUsage(start).user);
        expect(pins.length).toBeGreaterThan(0);
      }
      return Math.min(...times);
    };
    const time = await timeOf(few, 5);
    // If each place is looked at once for each other one, it is forty to a hundred times; a pause to clear memory is not.
    const pause = 100_000;
    const limit = 25 * time + pause;
    expect(await timeOf(few * 10, 2, limit)).toBeLessThan(limit);
  },
);
