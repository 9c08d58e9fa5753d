import { expect, it } from 'vitest';
import { hopTable } from '../../../../src/answer/builders/route/hops.js';
import { legendOf, linePicture } from '../../../../src/answer/builders/route/picture.js';
import { parseReleaseSafetyIndex } from '../../../../src/core/index/parse-index.js';
import { buildReport, drawnRoute } from '../../../../src/core/report.js';
import { planRoute } from '../../../../src/core/route/route.js';
import { parseVersion } from '../../../../src/core/version.js';
import { indexOf, realIndex } from '../../../support/real-index.js';

const index = parseReleaseSafetyIndex(
  indexOf({ version: '1.0.0' }, { version: '1.1.0' }, { version: '1.3.0', previousVersion: '1.2.0' }),
);

it.each([
  ['1.0.0', '1.1.0', 1, 0],
  ['1.0.0', '1.3.0', 2, 1],
  ['1.0.0', '1.4.0', 2, 2],
  ['0.9.0', '1.1.0', 2, 2],
  ['1.3.0', '1.4.0', 0, 1],
])('%s to %s: %i releases, %i crosses', (from, to, releases, gaps) => {
  const span = { from: parseVersion(from), to: parseVersion(to) };
  const report = buildReport(index, { ...span, outcomes: new Map() });
  expect(report.span.missingRanges).toHaveLength(gaps);
  const picture = linePicture(report, 720, { deploy: 'helm' });
  expect(picture.cells.filter(({ kind }) => kind === 'release')).toHaveLength(releases);
  expect(picture.shapes.filter(({ attributes }) => attributes.class === 'm-gap')).toHaveLength(gaps);
  expect(legendOf(picture, report).some(({ text }) => text === 'not in the index')).toBe(gaps > 0);
});

it.each([
  ['helm', ['hop rolls'], 'hop rolling'],
  ['compose', ['hop recreate'], 'hop with downtime'],
] as const)(
  'a hop that is proven to roll has colour and words of rolling only with Helm: %s',
  (deploy, classes, named) => {
    const span = { from: parseVersion('1.121.0'), to: parseVersion('1.156.0') };
    const report = drawnRoute(realIndex(), planRoute(realIndex(), span));
    const picture = linePicture(report, 720, { deploy });
    const hops = picture.shapes
      .map(({ attributes }) => attributes.class)
      .filter((name) => /^hop /.test(String(name)));
    expect(hops).toEqual(classes);
    expect(picture.shapes.some(({ text }) => /rolling/.test(text ?? ''))).toBe(deploy === 'helm');
    expect(legendOf(picture, report).map(({ text }) => text)).toContain(named);
    const table = hopTable({ hops: planRoute(realIndex(), span).hops, deploy });
    expect(table.rows[0]?.flatMap(({ tone }) => tone ?? [])).toEqual([deploy === 'helm' ? 'good' : 'warn']);
  },
);

it.each([330, 720, 1300])(
  'every release of the longest span is under a bar, none is outside: %i',
  (width) => {
    const span = { from: parseVersion('0.1893.0'), to: parseVersion('2.134.2') };
    const report = drawnRoute(realIndex(), planRoute(realIndex(), span));
    const picture = linePicture(report, width, { deploy: 'helm' });
    const bars = picture.shapes.flatMap(({ attributes: { class: name, d } }) =>
      String(name).startsWith('l-')
        ? [...String(d).matchAll(/M([\d.]+) \d+v-(\d+)h([\d.]+)/g)].map(([, x, tall, wide]) => ({
            name,
            ...{ from: Number(x), to: Number(x) + Number(wide), tall: Number(tall) },
          }))
        : [],
    );
    const name = {
      proven: 'l-t',
      unsafe: 'l-f',
      'unknown-recent': 'l-u',
      'unknown-backfilled': 'l-b',
      'not-borne-out': 'l-n',
    };
    for (const [place, cell] of picture.cells.entries()) {
      if (cell.kind === 'gap') continue;
      const x = picture.middle(place);
      const own = bars.find(
        (bar) => bar.name === name[cell.release.standing] && bar.from <= x + 3.5 && x <= bar.to + 0.01,
      );
      expect(own, cell.release.version).toBeDefined();
    }
    for (const { from, to } of bars) {
      expect(from).toBeGreaterThanOrEqual(0);
      expect(to).toBeLessThanOrEqual(width);
    }
    const thin = bars.filter((bar) => bar.name === 'l-f' || bar.name === 'l-u');
    expect(thin.length).toBeGreaterThan(40);
    expect(Math.min(...thin.map(({ from, to }) => to - from))).toBeGreaterThanOrEqual(3);
    expect(Math.min(...thin.map(({ tall }) => tall))).toBeGreaterThan(
      Math.max(...bars.filter((bar) => bar.name === 'l-t').map(({ tall }) => tall)),
    );
  },
);
