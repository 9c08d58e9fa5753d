import type { Route, RouteHop } from '../../../core/route/route.js';
import { compact } from '../../../core/text/compact.js';
import type { DeployKind } from '../../../instance/facts/fact-names.js';
import { countOf, describeSeconds } from '../../../words/phrase.js';
import { deployWords } from '../../../words/route/deploy-words.js';
import { describeDowntime, describeTimeInShort } from '../../../words/route/downtime.js';
import { describeLanding } from '../../../words/route/reasons.js';
import { type HopDetails, rollsWith, type ShownHop, strategyWith } from '../../../words/route/route.js';
import { describeAllWaysBack, wayBackWords } from '../../../words/route/way-back.js';
import type { Answer, Fact, Table, Tone } from '../../answer.js';

type Hop = RouteHop & HopDetails;

interface Column {
  readonly title: string;
  /** Whether a terminal has no room for it. */
  readonly isWide?: boolean;
  readonly cell: (hop: Hop, number: number, deploy: DeployKind) => string;
  readonly tone?: (hop: Hop, deploy: DeployKind) => Tone;
  /** Returns whether a hop has a value. If no hop has one, the column is left out. */
  readonly isKnown?: (hop: Hop) => boolean;
}

const columns: readonly Column[] = [
  { title: 'Hop', cell: (_, number) => String(number) },
  { title: 'From', cell: ({ fromVersion }) => fromVersion },
  { title: 'To', cell: ({ toVersion }) => toVersion },
  {
    title: 'Strategy',
    cell: ({ strategy, certified }, _, deploy) =>
      `${strategyWith(strategy, deploy)}${certified ? '' : ', unproven'}`,
    tone: ({ strategy, certified }, deploy) =>
      !certified ? 'bad' : rollsWith(strategy, deploy) ? 'good' : 'warn',
  },
  { title: 'Releases', cell: ({ releases }) => String(releases.length) },
  { title: 'Unsafe', isWide: true, cell: ({ unsafeVersions }) => String(unsafeVersions.length) },
  { title: 'Unknown', isWide: true, cell: ({ unknownVersions }) => String(unknownVersions.length) },
  { title: 'Why stop here', cell: describeLanding },
  {
    title: 'Migrations take',
    isWide: true,
    cell: ({ time, measured }) =>
      measured === undefined ? describeTimeInShort(time) : `${describeSeconds(measured.seconds)} on a copy`,
    isKnown: ({ time, measured }) => time !== undefined || measured !== undefined,
  },
  {
    title: 'Going back needs',
    isWide: true,
    cell: ({ wayBack }) => wayBackWords[wayBack?.needs ?? 'backup'].label,
    isKnown: ({ wayBack }) => wayBack !== undefined,
  },
];

/** The most important columns first, and a row for each hop. */
export function hopTable({ hops, deploy }: Pick<Answer, 'hops' | 'deploy'>): Table {
  const shown = columns.filter(({ isKnown }) => isKnown === undefined || hops.some(isKnown));
  return {
    columns: shown,
    rows: hops.map((hop, i) =>
      shown.map(({ cell, tone }) => ({ text: cell(hop, i + 1, deploy), tone: tone?.(hop, deploy) })),
    ),
  };
}

/**
 * A route in short: how many hops, and what must be known of them; how long its Recreate hops take, and what going back
 * needs if that is the same for every hop.
 *
 * @param details.items what belongs to the route itself
 */
export function factsOfRoute(
  route: Omit<Route, 'hops'>,
  hops: readonly ShownHop[],
  { items = [], deploy }: { readonly items?: readonly string[]; readonly deploy: DeployKind },
) {
  const downtime = downtimeOf(hops);
  const wayBack = describeAllWaysBack(hops.map((hop) => hop.wayBack));
  return compact<Fact>(
    { label: 'Route', ...describeRoute(route, hops.length, deploy), items },
    downtime !== undefined && { label: 'Downtime', text: downtime },
    wayBack !== undefined && { label: 'Rollback', text: wayBack },
  );
}

/** How long its Recreate hops take; undefined if it has none. */
export function downtimeOf(hops: Answer['hops']): string | undefined {
  const recreate = hops.filter(({ strategy }) => strategy === 'Recreate');
  return recreate.length === 0 ? undefined : describeDowntime(recreate);
}

function describeRoute(
  { certified, recreateHops }: Omit<Route, 'hops'>,
  hops: number,
  deploy: DeployKind,
): Pick<Fact, 'text' | 'tone'> {
  if (hops === 0) return certified ? { text: 'nothing to do', tone: 'good' } : { text: 'none', tone: 'bad' };
  const { canRoll, downtime } = deployWords[deploy];
  const number = countOf(hops, 'hop');
  if (!certified) return { text: `${number}, UNPROVEN`, tone: 'bad' };
  if (!canRoll) return { text: `${number}, ${downtime}`, tone: 'warn' };
  if (recreateHops === 0) return { text: `${number}, rolling all the way`, tone: 'good' };
  const each = recreateHops === 1 ? '' : ' each';
  return { text: `${number}, ${recreateHops} Recreate (downtime${each})`, tone: 'warn' };
}
