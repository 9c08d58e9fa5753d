import { expect, it } from 'vitest';
import { questionsOfSpan } from '../../src/answer/builders/questions.js';
import { questionsOfReport } from '../../src/answer/builders/report.js';
import { factsOfRoute } from '../../src/answer/builders/route/hops.js';
import { describeCounts, describeWay } from '../../src/checks/decision.js';
import { type PinFinding, pinCheckOf } from '../../src/core/pins.js';
import { buildReport } from '../../src/core/report.js';
import type { Route, RouteHop } from '../../src/core/route/route.js';
import type { WayBack } from '../../src/core/route/way-back.js';
import { parseVersion } from '../../src/core/version.js';
import { describeIndexFault } from '../../src/words/evidence/index-faults.js';
import {
  describeAffected,
  describeCondition,
  describeEffect,
} from '../../src/words/evidence/known-issues.js';
import { renderNotice } from '../../src/words/evidence/notices.js';
import {
  describeAdvisory,
  describeBreak,
  describeDisagreement,
  describeNetChange,
  describeWhatToChange,
  effectsOf,
} from '../../src/words/evidence/release.js';
import { describeInstanceState, wordOfInstanceState } from '../../src/words/instance-state.js';
import { firstLines, renderVersionList } from '../../src/words/lists.js';
import { capitalize, describeAge, listNames, truncate } from '../../src/words/phrase.js';
import { describePinFinding, remedyOfPin, summaryOfPins } from '../../src/words/pin-changes.js';
import { describeDowntime, describeLeastDowntime } from '../../src/words/route/downtime.js';
import { nextOfCheck, nextOfPlan, nextOfReport, pointToExplain } from '../../src/words/route/next.js';
import { describeBlock, describeLanding, describeReason } from '../../src/words/route/reasons.js';
import {
  describeFurthest,
  describeHopDetails,
  describeNoRelease,
  describeTarget,
  describeTooManyHops,
  hopDetails,
  remarksOfRoute,
  titleOfHop,
  wordsOfRoute,
} from '../../src/words/route/route.js';
import { describeWayBack } from '../../src/words/route/way-back.js';
import { realIndex } from '../support/real-index.js';
import { withoutRemedies } from '../support/remedies.js';
import type { Examples } from './sentences.js';
import * as of from './sentences.js';

/** Every sentence of an answer, with each kind of what it can be about, for a person to read: `sentences.txt`. */
const tables: Record<string, () => readonly string[]> = {};

/** A row of each example, under its kind. */
function rowsOf<Item extends { readonly kind: string }>(
  examples: Examples<Item>,
  tell: (item: Item) => string | readonly string[],
): string[] {
  return Object.entries<readonly object[]>(examples).flatMap(([kind, all]) =>
    all.flatMap((one) => row(kind, tell({ kind, ...one } as Item))),
  );
}

/** What is told of each case, by its title. */
function rows(told: Readonly<Record<string, string | readonly string[]>>): string[] {
  return Object.entries(told).flatMap(([title, one]) => row(title, one));
}

/** What is told of one case; of several sentences each on a line of its own. */
function row(title: string, told: string | readonly string[]): string[] {
  return typeof told === 'string' ? [`${title}: ${told}`] : [title, ...told.map((line) => `  ${line}`)];
}

const latest = of.to;

tables['why a span is not proven'] = () => rowsOf(of.reasons, (reason) => describeReason(reason, of.from));

const blocked = (blockedBy: Route['blockedBy']): Route => ({
  ...of.route,
  hops: [],
  certified: false,
  blockedBy,
});
const asked = { startIsNoRelease: false, tooManyHops: false, steps: undefined };
tables['what stands in the way of a route, and what to do'] = () =>
  rowsOf(of.blocks, (block) => [describeBlock(block), `Next: ${nextOfPlan(blocked(block), asked)}`]);

tables['why a hop ends where it does'] = () =>
  Object.entries(of.landings).flatMap(([reason, cases]) =>
    cases.flatMap((more) =>
      row(reason, describeLanding({ ...of.hop, ...more, reason: reason as RouteHop['reason'] })),
    ),
  );

tables['what is to be known of a hop'] = () =>
  Object.entries(of.hops).flatMap(([title, more]) => {
    const hop = { ...of.hop, ...more };
    return row(`a hop ${title}`, [
      titleOfHop(hop, 2, 'helm'),
      ...remarksOfRoute([hop], { first: 2, deploy: 'helm' }).map(
        ({ text, bad }) => `${bad ? '! ' : ''}${text}`,
      ),
      `Why: ${wordsOfRoute({ ...of.route, hops: [hop] }, 'helm').join(' ')}`,
    ]);
  });

const recreate: RouteHop = { ...of.hop, strategy: 'Recreate', verdict: false };
const uncertified: RouteHop = { ...recreate, certified: false };
const routes: Record<string, Partial<Route>> = {
  'of no hop': { hops: [] },
  'that there is not': { hops: [], certified: false },
  'of one hop': {},
  'of one Recreate': { hops: [recreate], recreateHops: 1 },
  'of two Recreates': { hops: [of.hop, recreate, recreate], recreateHops: 2 },
  'that nothing proves': { hops: [of.hop, uncertified], certified: false, recreateHops: 1 },
};
tables['a route in short'] = () =>
  Object.entries(routes).flatMap(([title, more]) =>
    factsOfRoute(
      { ...of.route, ...more },
      { ...of.route, ...more }.hops.map((hop) => ({ ...hop, wayBack: code })),
      { deploy: 'helm' },
    )
      .slice(0, 1)
      .flatMap(({ text, tone }) => row(`a route ${title}`, `${tone}: ${text}`)),
  );

const minutes = { lowSeconds: 90, highSeconds: 600, because: [] };
const endless = { lowSeconds: 90, highSeconds: null, because: ['rows-not-told'] } as const;
const hole = { afterVersion: of.from, beforeVersion: of.to };
tables['how long the Recreate hops of a route take'] = () =>
  Object.entries({
    'of none': [of.hop],
    'of one': [recreate],
    'of one whose time is known': [{ ...recreate, time: minutes }, of.hop],
    'of two whose times are known': [
      { ...recreate, time: minutes },
      { ...recreate, time: endless },
    ],
    'of two, the time of one of which is known': [recreate, { ...recreate, time: minutes }],
    'of one with a hole': [{ ...recreate, missingRanges: [hole] }, of.hop],
    'of one release': [{ ...recreate, releases: [of.to] }],
  }).flatMap(([title, hops]) => {
    const shown = hops.map((hop) => ({ ...hop, wayBack: code }));
    const [, said] = factsOfRoute(of.route, shown, { deploy: 'helm' });
    return row(title, said?.label === 'Downtime' ? said.text : '(nothing is said)');
  });
const span = { releases: [of.to], missingRanges: [], time: minutes };
tables['how long a Recreate takes'] = () =>
  rows({
    'over no release': describeDowntime([{ ...span, releases: [], time: undefined }]),
    'over one': describeDowntime([{ ...span, time: undefined }]),
    'over one whose time is known': describeDowntime([span]),
  });

const code: WayBack = { needs: 'code', because: [{ kind: 'starts-on-newer-database', migrations: 3 }] };
const unknown = (...versions: readonly string[]): WayBack => ({
  needs: 'backup',
  because: [{ kind: 'migrations-not-told', versions: versions.map(parseVersion) }],
});
const work = { hops: 1, releases: 1, releasesNotTold: 0, migrations: 1 };
const most = { ...work, releases: 1200, migrations: 60 };
const rolls = { ...work, hops: 0, releases: 0, migrations: 0 };
const unlisted = { ...work, releases: 3, releasesNotTold: 3, migrations: 0 };
tables['what the preference for the least downtime saves'] = () =>
  Object.entries({
    'no Recreate': [rolls, rolls],
    'no better route': [most, most],
    'a better route': [work, most],
    'one that rolls': [rolls, { ...most, releasesNotTold: 1199 }],
    'one whose migrations are not listed': [{ ...work, releasesNotTold: 1, migrations: 0 }, unlisted],
    'one that lists some': [{ ...work, releases: 2, releasesNotTold: 1 }, unlisted],
    'times that are known': [
      { ...work, migrationTime: minutes },
      { ...most, migrationTime: endless },
    ],
  } as const).flatMap(([title, [chosen, fewestHops]]) => {
    const countedBy = 'migrationTime' in chosen ? 'migration-time' : 'migrations';
    return row(title, describeLeastDowntime({ countedBy, chosen, fewestHops }));
  });

tables['what going back costs'] = () =>
  rowsOf(of.wayBackReasons, (reason) => describeWayBack({ needs: 'flag', because: [reason] }));
tables['what is told of hops below their table'] = () =>
  rows({
    'one hop': hopDetails({ time: minutes, wayBack: code }, 3),
    'one hop whose time is not known': hopDetails({ wayBack: code }, 3),
    'some of which nothing is known': [
      ...describeHopDetails([
        { ...of.hop, time: minutes, wayBack: code },
        { ...of.hop, wayBack: unknown('2.1.0') },
        { ...of.hop, time: endless, wayBack: unknown('2.2.0', '2.3.0') },
      ]),
    ],
    'all of which nothing is known': describeHopDetails([
      { ...of.hop, time: minutes, wayBack: unknown('2.1.0') },
    ]),
  });

const [block] = of.blocks['missing-coverage'].map((one) => ({ kind: 'missing-coverage', ...one }) as const);
tables['where a route leads'] = () =>
  rows({
    'a version': describeTarget(of.route),
    'a name': describeTarget({ ...of.route, requestedTarget: 'latest' }),
    'no step': describeTarget(blockedAt('latest-rolling')),
    'no step to the version that runs': describeTarget({
      ...of.route,
      toVersion: of.from,
      requestedTarget: 'latest',
    }),
    'no further': describeFurthest(block ?? null),
    'no further, with nothing in the way': describeFurthest(null),
    'no release': describeNoRelease('2.0.7'),
    'one hop too many': describeTooManyHops(of.route, 0),
    'too many hops': describeTooManyHops({ hops: [of.hop, of.hop, recreate] }, 2),
  });

function blockedAt(requestedTarget: Route['requestedTarget']): Route {
  return { ...blocked(block ?? null), toVersion: of.from, requestedTarget };
}

tables['the two questions of a span, and what to do'] = () =>
  Object.entries(of.spans).flatMap(([title, more]) => {
    const span = { ...of.span, ...more };
    return row(`a span ${title}`, [
      ...questionsOfSpan(span).flatMap(({ name, answer, why }) => [
        `${name}: ${answer}`,
        ...why.map((line) => `  ${line}`),
      ]),
      `Next: ${nextOfCheck(span, latest, false, { deploy: undefined })}`,
    ]);
  });
const disputed = () =>
  questionsOfSpan(of.span, { disputes: ['2.1.0: its published artifact describes 2.1.1'] });
tables['the two questions, against artifacts'] = () =>
  disputed().flatMap(({ name, answer, why }) => row(`${name}: ${answer}`, why));

tables['what to do after a check'] = () =>
  rows({
    'artifacts disagree': nextOfCheck(of.span, latest, true, { deploy: undefined }),
    'nothing explains it': pointToExplain([]),
    'words explain it': pointToExplain(['required-stop', 'unsafe-release', 'required-stop']),
  });

const twoHops = { ...of.route, hops: [of.hop, recreate] };
tables['what to do after a plan'] = () =>
  rows({
    nothing: nextOfPlan({ ...of.route, hops: [] }, asked),
    'hops without steps': nextOfPlan(of.route, asked),
    'hops with the steps of the first': nextOfPlan(of.route, { ...asked, steps: 'of-first-hop' }),
    'the steps, without their commands': nextOfPlan(of.route, {
      ...{ ...asked, steps: 'of-first-hop' },
      withSteps: 'lightspan upgrade-plan --out hops',
    }),
    'two hops with them': nextOfPlan(twoHops, { ...asked, steps: 'of-first-hop' }),
    'hops with scripts': nextOfPlan(of.route, { ...asked, steps: 'of-each-hop' }),
    'too many hops': nextOfPlan(of.route, { ...asked, tooManyHops: true, steps: 'of-each-hop' }),
    'the start is no release': nextOfPlan(of.route, { ...asked, startIsNoRelease: true }),
    'a hop that nothing proves': nextOfPlan(
      { ...of.route, hops: [uncertified], certified: false },
      { ...asked, tooManyHops: true },
    ),
  });

const onPage = { ...asked, onPage: true };
const saidOnPage = () => ({
  'hops without steps': nextOfPlan(of.route, onPage),
  'hops with the steps of the first': nextOfPlan(of.route, { ...onPage, steps: 'of-first-hop' }),
  'two hops with them': nextOfPlan(twoHops, { ...onPage, steps: 'of-first-hop' }),
});
tables['what to do after a plan, on the page'] = () => [
  ...rows(saidOnPage()),
  ...rowsOf(of.blocks, (block) => [`Next: ${nextOfPlan(blocked(block), onPage)}`]),
];

it('the page, which has no command line, names no option', () => {
  expect(tables['what to do after a plan, on the page']?.().flat().join()).not.toContain('--');
});

const real = buildReport(realIndex(), {
  from: parseVersion('1.111.0'),
  to: parseVersion('1.115.0'),
  outcomes: new Map(),
});
const reportOf = (more: Partial<Route>, of_: Partial<typeof real> = {}) => ({
  ...real,
  ...of_,
  route: { ...real.route, ...more } as typeof real.route,
});
const nextOf = (report: typeof real) => nextOfReport(report, { deploy: 'helm' });
const told = (hop: RouteHop) => ({ ...hop, wayBack: code });
const stay = { toVersion: real.fromVersion, blockedBy: block ?? null };
tables['what to do after a report'] = () =>
  rows({
    safe: nextOf({ ...real, safe: true }),
    'not safe, with the time of the first hop': nextOfReport(real, {
      timeOfFirstHop: minutes,
      deploy: 'helm',
    }),
    'a route that is blocked': nextOf(reportOf({ blockedBy: block ?? null })),
    'a target that goes no further': nextOf(reportOf({}, stay)),
    'a target that goes no further than a hop': nextOf(reportOf({}, { blockedBy: block ?? null })),
    'no hop': nextOf(reportOf({ hops: [] })),
    'a Recreate': nextOf(reportOf({ hops: [told(recreate)] })),
    'a Recreate with a hole': nextOf(reportOf({ hops: [told({ ...recreate, missingRanges: [hole] })] })),
    'two hops': nextOf(reportOf({ hops: [told(of.hop), told(recreate)] })),
    'a hop that nothing proves': nextOf(reportOf({ hops: [told(uncertified)] })),
    'a hop with known issues': nextOf(
      reportOf({ hops: [told({ ...recreate, knownIssues: [of.recreate, of.avoid] })] }),
    ),
  });

const answersOf = (more: Partial<typeof real>) =>
  questionsOfReport({ ...real, ...more }).flatMap(({ name, answer, why }) =>
    row(
      `  ${name}: ${answer}`,
      why.map((line) => `  ${line}`),
    ),
  );
const disagreeing = (...kinds: readonly 'other-release'[]) =>
  kinds.map((kind) => ({ kind, version: of.from, artifactVersion: '' }) as const);
const alone = { jump: true, rolling: true } as const;
const spanWith = (...kinds: readonly 'other-release'[]) => ({
  ...real.span,
  ...{ jump: false, rolling: false, reasons: [], missingRanges: [], disagreements: disagreeing(...kinds) },
});
const none = Object.fromEntries(Object.keys(real.counts).map((status) => [status, 0])) as typeof real.counts;
const some = Object.fromEntries(Object.keys(real.counts).map((status, i) => [status, i + 1])) as typeof none;
tables['the two questions of a report'] = () =>
  rows({
    'of all kinds of releases': answersOf({ counts: some }),
    'of a hole': answersOf({ counts: none, span: { ...spanWith(), missingRanges: [hole] } }),
    'that goes nowhere': answersOf({ counts: none, span: spanWith(), ...stay }),
    'that the index alone proves': answersOf({
      counts: none,
      indexAlone: alone,
      span: spanWith('other-release'),
    }),
    'that the index alone proves to be one step': answersOf({
      ...{ counts: none, indexAlone: { jump: true, rolling: false } },
      span: spanWith('other-release', 'other-release'),
    }),
  });

tables['what is wrong with an index'] = () => rowsOf(of.indexFaults, describeIndexFault);
tables['where artifacts do not confirm the index'] = () => rowsOf(of.disagreements, describeDisagreement);

tables['what became of a pin'] = () =>
  rowsOf(of.pinFindings, (finding) => [
    describePinFinding(finding, 'helm'),
    ...(remedyOfPin(finding, 'helm') === '' ? [] : [`Next: ${remedyOfPin(finding, 'helm')}`]),
  ]);

const pin = (finding: PinFinding, passes = true, previousFile?: string) => ({
  ...{ file: 'values.yaml', path: [], line: 1, isOfCompose: false, from: undefined, to: undefined },
  ...{ previousFile, finding, passes, stops: [] },
});
const same = pin({ kind: 'unchanged' });
const moved = pin({ kind: 'proven', check: of.proven });
const gone = pin({ kind: 'removed' });
const refused = pin({ kind: 'removed' }, false);
const summary = (...all: readonly ReturnType<typeof pin>[]) =>
  summaryOfPins(
    pinCheckOf(all, {
      before: { name: 'a', commit: undefined },
      after: { name: 'b', commit: undefined },
      accepted: [],
      lookedAt: { files: 3, isOfNamedPins: false, ignored: [] },
    }),
  );
tables['all pins of a change'] = () =>
  rows({
    'none changed': summary(same),
    'one moved': summary(moved, same),
    'the file of one has another name': summary(pin({ kind: 'unchanged' }, true, 'old.yaml')),
    'one moved, one accepted': summary(moved, gone),
    'one moved by what is accepted': summary(pin({ kind: 'proven', check: of.proven, accepted: true })),
    'one refused, one accepted': summary(refused, gone),
    'two refused': summary(refused, refused, same),
  });

const heaviness = { locksTable: true, rewritesTable: 'unknown', scansTable: false } as const;
tables['what an artifact says'] = () => [
  ...of.breaks.flatMap((one) => row('a break', describeBreak(one))),
  ...of.advisories.flatMap((one) => row('an advisory', describeAdvisory(one))),
  ...([true, 'unknown', false] as const).flatMap((verdict) =>
    row(`what a migration does: ${verdict}`, effectsOf({ heaviness }, verdict).join(', ')),
  ),
  ...of.configChanges.flatMap((one) =>
    row(`a variable that was ${one.type}`, [describeNetChange(one), describeWhatToChange(one)]),
  ),
];

tables['known issues'] = () => [
  ...rowsOf(of.effects, describeEffect),
  ...of.conditions.flatMap((one) => row('where', describeCondition(one))),
  ...of.affected.flatMap((one) => row('affected', describeAffected(one))),
];

tables['what an instance says of itself'] = () =>
  rowsOf(of.instanceStates, (state) => [
    describeInstanceState(state, of.to),
    `Why: ${wordOfInstanceState(state)}`,
  ]);

tables.notices = () => rowsOf(of.notices, (notice) => renderNotice(notice).trimEnd());

const [second, minute, hour, day] = [1000, 60_000, 3_600_000, 86_400_000];
tables['how old something is'] = () =>
  [-1, 0, minute - 1, minute, 2 * minute, hour - second, hour, day - second, day, 400 * day].map(
    (ms) => `${ms} ms: ${describeAge(ms)}`,
  );

const many = (count: number) => Array.from({ length: count }, (_, i) => `2.${i}.0`);
const ends = (to: string) => ({ from: of.from, to });
tables['counts and lists'] = () =>
  rows({
    'one check': describeCounts({ stop: 1, 'not-checked': 0, warn: 0, ok: 0 }),
    'each status': describeCounts({ stop: 1, 'not-checked': 2, warn: 3, ok: 4 }),
    'a way of no hop': describeWay(0, ends(of.to)) ?? '',
    'no way needed': describeWay(0, ends(of.from)) ?? '(nothing is said)',
    'one hop': describeWay(1, ends(of.to)) ?? '(nothing is said)',
    'two hops': describeWay(2, ends(of.to)) ?? '',
    'no version': renderVersionList([], { verbose: false }),
    'as many versions as are listed': renderVersionList(many(20), { verbose: false }),
    'one more': renderVersionList(many(21), { verbose: false }),
    'a thousand': renderVersionList(many(1000), { verbose: false }),
    'all of one more': renderVersionList(many(21), { verbose: true }),
    'as many lines as are shown': firstLines(many(3), 3),
    'one line more': firstLines(many(4), 3, ', see --verbose'),
    'as many items as are shown': listNames(many(3)),
    'one item more': listNames(many(4)),
    'a thousand items more': listNames(many(1003)),
    'a short text': truncate('abcd', 4),
    'a long text': truncate('abcdef', 4),
    'a text that is cut at a letter of two halves': truncate('abc\u{1F600}def', 4),
    'a sentence': capitalize('a sentence'),
  });

it('the sentences of answers are held', async () => {
  const text = Object.entries(tables)
    .map(
      ([title, rows]) =>
        `${title}\n\n${rows()
          .map((line) => `    ${line}`.trimEnd())
          .join('\n')}\n`,
    )
    .join('\n');
  expect(text).not.toMatch(/undefined|null\b|NaN|\[object/);
  await expect(withoutRemedies(text)).toMatchFileSnapshot('sentences.txt');
});
