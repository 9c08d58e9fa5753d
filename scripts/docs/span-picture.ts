import { parseReleaseSafetyIndex } from '../../src/core/index/parse-index.js';
import { evaluateSpan, parseSpan } from '../../src/core/span.js';
import { escapeXml } from './svg.js';

/** One release of a picture. The first is what runs, the last what is wanted. */
export interface DrawnRelease {
  readonly version: string;
  readonly verdict: boolean | 'unknown' | 'not in the index';
  readonly backfilled?: true;
  readonly floor?: true;
  readonly requires?: string;
  readonly minimum?: string;
}

const step = 128;
const marks = {
  true: { shape: '✓', fill: '#1a7f37', word: 'true' },
  false: { shape: '✗', fill: '#cf222e', word: 'false' },
  unknown: { shape: '?', fill: '#9a6700', word: 'unknown' },
  'not in the index': { shape: '', fill: '#ffffff', word: 'not in the index' },
};

/** A span as SVG, and what `evaluateSpan` says of it: the picture cannot say otherwise than the program. */
export function spanPicture(releases: readonly DrawnRelease[]): {
  readonly svg: string;
  readonly alt: string;
} {
  const [from, to] = [releases[0]?.version ?? '', releases.at(-1)?.version ?? ''];
  const held = releases.filter(({ verdict }) => verdict !== 'not in the index');
  const { jump, rolling, safe } = evaluateSpan(indexOf(held), parseSpan({ from, to }));
  const answer = `Direct upgrade: ${say(jump)}. Rolling update: ${say(rolling)}.`;
  const alt = `${releases.map((release, i) => describe(release, i, releases.length)).join('; ')}. ${answer}`;
  const width = releases.length * step + 24;
  const x = (i: number) => 12 + step / 2 + i * step;
  const lines = releases.slice(1).map((release, i) => {
    const missing = [release, releases[i]].some((end) => end?.verdict === 'not in the index');
    return `<line x1="${x(i) + 21}" y1="66" x2="${x(i + 1) - 21}" y2="66" stroke="#57606a" stroke-width="2"${missing ? ' stroke-dasharray="5 5"' : ''}/>`;
  });
  return {
    alt,
    svg: [
      `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} 178" width="${width}" height="178" role="img">`,
      `<title>${escapeXml(alt)}</title>`,
      // A ground of its own: the picture reads alike on a light page and on a dark one.
      `<rect x="0.5" y="0.5" width="${width - 1}" height="177" rx="8" fill="#ffffff" stroke="#d0d7de"/>`,
      `<g font-family="system-ui,-apple-system,'Segoe UI',sans-serif" font-size="13" text-anchor="middle" fill="#1f2328">`,
      ...lines,
      ...releases.flatMap((release, i) => draw(release, x(i), i, releases.length)),
      `<text x="${width / 2}" y="160" font-weight="600" fill="${safe ? '#1a7f37' : '#cf222e'}">${escapeXml(answer)}</text>`,
      '</g>',
      '</svg>',
      '',
    ].join('\n'),
  };
}

function draw(release: DrawnRelease, x: number, i: number, count: number): string[] {
  const runs = i === 0;
  const absent = release.verdict === 'not in the index';
  const { shape, fill } = marks[`${release.verdict}`];
  const role = runs ? 'runs' : i === count - 1 ? 'target' : '';
  const ring = runs || absent;
  return [
    `<text x="${x}" y="28" fill="#57606a">${role}</text>`,
    `<circle cx="${x}" cy="66" r="19" fill="${ring ? '#ffffff' : fill}" stroke="${ring ? '#57606a' : fill}" stroke-width="2"${absent ? ' stroke-dasharray="5 4"' : ''}/>`,
    ...(ring
      ? []
      : [`<text x="${x}" y="73" font-size="20" font-weight="700" fill="#ffffff">${shape}</text>`]),
    `<text x="${x}" y="106" font-weight="600">${release.version}</text>`,
    `<text x="${x}" y="125" font-size="12" fill="#57606a">${notes(release, runs).join(', ')}</text>`,
  ];
}

function notes({ verdict, backfilled, floor, requires, minimum }: DrawnRelease, runs: boolean): string[] {
  return [
    ...(verdict === 'not in the index' ? ['not in the index'] : []),
    ...(floor ? ['index floor'] : []),
    ...(backfilled && !runs && !floor ? ['backfilled'] : []),
    ...(requires === undefined ? [] : [`requires ${requires}`]),
    ...(minimum === undefined ? [] : [`minimum ${minimum}`]),
  ];
}

function describe(release: DrawnRelease, i: number, count: number): string {
  const runs = i === 0;
  const about = notes(release, runs).join(', ');
  if (runs) return `${release.version} runs${about === '' ? '' : ` (${about})`}`;
  const verdict = release.verdict === 'not in the index' ? '' : ` is ${marks[`${release.verdict}`].word}`;
  return `${i === count - 1 ? 'the target ' : ''}${release.version}${verdict}${about === '' ? '' : ` (${about})`}`;
}

function indexOf(releases: readonly DrawnRelease[]) {
  const floor = releases.find((release) => release.floor)?.version ?? '1.0.0';
  return parseReleaseSafetyIndex({
    schemaVersion: '1',
    generatedAt: '2026-01-01T00:00:00Z',
    backfillFloorVersion: floor,
    entries: releases.map((release, i) => ({
      version: release.version,
      previousVersion: releases[i - 1]?.version ?? null,
      releaseDate: '2026-01-01T00:00:00Z',
      rollingUpdateSafe: release.verdict,
      requiredStops: release.floor
        ? [release.version]
        : release.requires === undefined
          ? []
          : [release.requires],
      minPreviousVersion: release.minimum ?? null,
      backfilled: release.backfilled ?? false,
      syntheticRequiredStop: release.floor ?? false,
    })),
  });
}

function say(answer: boolean | 'unknown'): string {
  return answer === 'unknown' ? 'unknown' : answer ? 'yes' : 'no';
}
