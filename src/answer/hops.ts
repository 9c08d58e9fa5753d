import type { AppliedIssue } from '../release-safety/parse-index.js';
import type { Route, RouteHop } from '../release-safety/route.js';
import { countOf } from '../render/phrase.js';
import { printable } from '../render/printable.js';
import type { HopDetails, ShownHop } from '../render/shown-route.js';
import { describeDowntime, describeTimeInShort } from '../render/words/downtime.js';
import { firstOf } from '../render/words/lists.js';
import { describeLanding, describeOneIssue, describeUnproven } from '../render/words/reasons.js';
import { issuesAgainst, whyNotCovered } from '../render/words/route.js';
import { describeAllWaysBack, wayBackWords } from '../render/words/way-back.js';
import type { Fact, Remark } from './answer.js';
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

/** The hops of a route, one row each. */
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

/**
 * What must be known of the hops besides their rows: all reasons why one is not certified, is a Recreate or lands where
 * it does, what blocks first at the beginning; then each known issue once, with its hops.
 */
export function remarksOfRoute(hops: readonly RouteHop[], { whole }: { readonly whole: boolean }): Remark[] {
  const said = new Map<string, Said & { readonly numbers: number[] }>();
  for (const [i, hop] of hops.entries()) {
    for (const one of saidOfHop(hop, whole)) {
      const key = `${one.one}: ${one.why.join('; ')}`;
      const before = said.get(key);
      if (before === undefined) said.set(key, { ...one, numbers: [i + 1] });
      else before.numbers.push(i + 1);
    }
  }
  const remarks = [...said.values()].map(({ one, many, why, bad, numbers }) => ({
    text: `${describeNumbers(numbers)} ${numbers.length === 1 ? one : many}: ${why.join('; ')}.`,
    bad,
  }));
  return [...remarks, ...remarksOfIssues(hops)];
}

/** What is said of a hop; alike of several hops, once. */
interface Said {
  readonly one: string;
  readonly many: string;
  readonly why: readonly string[];
  readonly bad: boolean;
}

function saidOfHop(hop: RouteHop, whole: boolean): Said[] {
  const { unsafeVersions, unknownVersions, landingIssues, demandedBy } = hop;
  const all: readonly Said[] = [
    {
      one: 'is not certified',
      many: 'are not certified',
      why: [...whyNotCovered(hop), ...namesOf(issuesAgainst(hop, 'certified'))],
      bad: true,
    },
    {
      one: 'is a Recreate',
      many: 'are Recreates',
      why: [
        ...describeUnproven(unsafeVersions, unknownVersions, { whole }),
        ...namesOf(issuesAgainst(hop, 'rolling')),
      ],
      bad: false,
    },
    {
      one: 'is accepted to roll, and not proven to',
      many: 'are accepted to roll, and not proven to',
      why: hop.accepted === undefined ? [] : [firstOf(hop.accepted, whole ? hop.accepted.length : 3)],
      bad: false,
    },
    {
      one: 'lands there because of an issue further on',
      many: 'land there because of an issue further on',
      why: namesOf(landingIssues),
      bad: false,
    },
    {
      one: 'is demanded by',
      many: 'are demanded by',
      why: whole && demandedBy.length > 0 ? [demandedBy.join(', ')] : [],
      bad: false,
    },
  ];
  return all.filter(({ why }) => why.length > 0);
}

function namesOf(issues: readonly AppliedIssue[]): string[] {
  return [...new Set(issues.map(({ id }) => `known issue ${id}`))];
}

function remarksOfIssues(hops: readonly RouteHop[]): Remark[] {
  const met = hops.flatMap((hop, i) =>
    [...hop.knownIssues, ...hop.landingIssues].map((issue) => ({ issue, number: i + 1 })),
  );
  return [...new Set(met.map(({ issue }) => issue.id))].map((id) => {
    const own = met.filter(({ issue }) => issue.id === id);
    const versions = [...new Set(own.map(({ issue }) => issue.version))];
    const notKnown = [...new Set(own.flatMap(({ issue }) => issue.notKnown))];
    const numbers = [...new Set(own.map(({ number }) => number))];
    const [first] = own;
    const known = first === undefined ? '' : describeOneIssue({ ...first.issue, notKnown });
    return { text: printable(`${describeNumbers(numbers)}: ${firstOf(versions, 3)}: ${known}.`) };
  });
}

/** `Hop 2`, `Hops 1 to 3, 5`. */
export function describeNumbers(numbers: readonly number[]): string {
  const runs: [number, number][] = [];
  for (const number of numbers) {
    const last = runs.at(-1);
    if (last !== undefined && last[1] === number - 1) last[1] = number;
    else runs.push([number, number]);
  }
  const names = runs.map(([from, to]) => (from === to ? `${from}` : `${from} to ${to}`));
  return `Hop${numbers.length === 1 ? '' : 's'} ${names.join(', ')}`;
}
