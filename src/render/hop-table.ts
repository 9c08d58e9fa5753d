import type { RouteHop } from '../release-safety/route.js';
import type { Cell, Column, Table } from './report/section.js';
import type { HopDetails } from './shown-route.js';
import { describeTimeInShort } from './words/forecast.js';
import { describeLanding } from './words/reasons.js';
import { wayBackWords } from './words/way-back.js';

type Hop = RouteHop & HopDetails;

interface HopColumn extends Column {
  readonly cell: (hop: Hop, number: number) => Cell;
  /** The cell on a terminal, which has no room for everything; null means that the column is left out. */
  readonly narrow?: ((hop: Hop, number: number) => Cell) | null;
  /** Returns whether a hop has a value. If no hop has one, the column is left out. */
  readonly isKnown?: (hop: Hop) => boolean;
}

const columns: readonly HopColumn[] = [
  {
    title: 'Hop',
    numeric: true,
    cell: (_, number) => String(number),
    narrow: ({ certified }, number) => (certified ? String(number) : `${number} !`),
  },
  { title: 'From', cell: ({ fromVersion }) => fromVersion },
  { title: 'To', cell: ({ toVersion }) => toVersion },
  { title: 'Strategy', cell: strategyOf, narrow: ({ strategy }) => strategy },
  { title: 'Releases', numeric: true, cell: ({ releases }) => String(releases.length) },
  {
    title: 'Unsafe',
    numeric: true,
    cell: ({ unsafeVersions }) => String(unsafeVersions.length),
    narrow: null,
  },
  {
    title: 'Unknown',
    numeric: true,
    cell: ({ unknownVersions }) => String(unknownVersions.length),
    narrow: null,
  },
  { title: 'Lands there as', cell: describeLanding },
  {
    title: 'Migrations take',
    cell: ({ time }) => (time === undefined ? 'not known' : describeTimeInShort(time)),
    narrow: null,
    isKnown: ({ time }) => time !== undefined,
  },
  {
    title: 'Going back needs',
    cell: ({ wayBack }) => wayBackWords[wayBack?.needs ?? 'backup'].label,
    narrow: null,
    isKnown: ({ wayBack }) => wayBack !== undefined,
  },
];

function strategyOf({ strategy, certified }: RouteHop): Cell {
  if (!certified) return { text: `${strategy}, not certified`, mark: 'bad' };
  return { text: strategy, mark: strategy === 'RollingUpdate' ? 'good' : 'warn' };
}

/** The hops of a route, one row each. */
export function hopTable(hops: readonly Hop[]): Table {
  const shown = columns.filter(({ isKnown }) => isKnown === undefined || hops.some(isKnown));
  return { columns: shown, rows: hops.map((hop, i) => shown.map(({ cell }) => cell(hop, i + 1))) };
}

/** The hops for a terminal: a `!` marks a hop that is not certified, and lines below say why. */
export function narrowHopTable(hops: readonly Hop[]): Table {
  const narrow = columns.flatMap((column) => {
    const { cell, narrow = cell } = column;
    return narrow === null ? [] : [{ ...column, cell: narrow }];
  });
  return { columns: narrow, rows: hops.map((hop, i) => narrow.map(({ cell }) => cell(hop, i + 1))) };
}
