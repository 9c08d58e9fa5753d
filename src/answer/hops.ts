import type { Route, RouteHop } from '../release-safety/route.js';
import type { HopDetails, ShownHop } from '../steps/shown-route.js';
import { describeDowntime, describeTimeInShort } from '../words/downtime.js';
import { countOf } from '../words/phrase.js';
import { describeLanding } from '../words/reasons.js';
import { describeAllWaysBack, wayBackWords } from '../words/way-back.js';
import type { Fact } from './answer.js';
import type { Cell, Column, Table } from './section.js';

type Hop = RouteHop & HopDetails;

interface HopColumn extends Column {
  readonly cell: (hop: Hop, number: number) => Cell;
  /** Returns whether a hop has a value. If no hop has one, the column is left out. */
  readonly isKnown?: (hop: Hop) => boolean;
}

const columns: readonly HopColumn[] = [
  { title: 'Hop', numeric: true, cell: (_, number) => String(number) },
  { title: 'From', cell: ({ fromVersion }) => fromVersion },
  { title: 'To', cell: ({ toVersion }) => toVersion },
  {
    title: 'Strategy',
    cell: ({ strategy, certified }) => {
      if (!certified) return { text: `${strategy}, not certified`, mark: 'bad' };
      return { text: strategy, mark: strategy === 'RollingUpdate' ? 'good' : 'warn' };
    },
  },
  { title: 'Releases', numeric: true, cell: ({ releases }) => String(releases.length) },
  {
    title: 'Unsafe',
    numeric: true,
    isWide: true,
    cell: ({ unsafeVersions }) => String(unsafeVersions.length),
  },
  {
    title: 'Unknown',
    numeric: true,
    isWide: true,
    cell: ({ unknownVersions }) => String(unknownVersions.length),
  },
  { title: 'Lands there as', cell: describeLanding },
  {
    title: 'Migrations take',
    isWide: true,
    cell: ({ time }) => describeTimeInShort(time),
    isKnown: ({ time }) => time !== undefined,
  },
  {
    title: 'Going back needs',
    isWide: true,
    cell: ({ wayBack }) => wayBackWords[wayBack?.needs ?? 'backup'].label,
    isKnown: ({ wayBack }) => wayBack !== undefined,
  },
];

export function hopTable(hops: readonly Hop[]): Table {
  const shown = columns.filter(({ isKnown }) => isKnown === undefined || hops.some(isKnown));
  return { columns: shown, rows: hops.map((hop, i) => shown.map(({ cell }) => cell(hop, i + 1))) };
}

/** A route in short: how many hops, and what must be known of them. */
export function factOfRoute({ hops, certified, recreateHops }: Route): Fact {
  const label = 'Route';
  if (hops.length === 0) {
    return certified ? { label, text: 'nothing to do', tone: 'good' } : { label, text: 'none', tone: 'bad' };
  }
  const number = countOf(hops.length, 'hop');
  if (!certified) return { label, text: `${number}, NOT CERTIFIED`, tone: 'bad' };
  if (recreateHops === 0) return { label, text: `${number}, rolling all the way`, tone: 'good' };
  const downtime = `a downtime${recreateHops === 1 ? '' : ' each'}`;
  return { label, text: `${number}, ${recreateHops} Recreate (${downtime})`, tone: 'warn' };
}

/** How long its Recreate hops take, and what going back needs if that is the same for every hop. */
export function factsOfRoute(hops: readonly ShownHop[]): Fact[] {
  const recreate = hops.filter(({ strategy }) => strategy === 'Recreate');
  const wayBack = describeAllWaysBack(hops.map((hop) => hop.wayBack));
  return [
    ...(recreate.length === 0 ? [] : [{ label: 'Downtime', text: describeDowntime(recreate) }]),
    ...(wayBack === undefined ? [] : [{ label: 'Going back', text: wayBack }]),
  ];
}
