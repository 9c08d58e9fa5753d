import { describe, expect, it } from 'vitest';
import type { Answer } from '../../src/answer/answer.js';
import { answerOfCheck } from '../../src/answer/builders/check.js';
import { answerOfBump, answerOfPins } from '../../src/answer/builders/pins.js';
import { answerOfPlan } from '../../src/answer/builders/plan.js';
import { answerOfPreflight, answerOfVerify } from '../../src/answer/builders/preflight.js';
import { answerOfReport } from '../../src/answer/builders/report.js';
import { tableFormat } from '../../src/answer/builders/rows.js';
import { renderAnnotation } from '../../src/answer/formats/github.js';
import { renderHtml } from '../../src/answer/formats/html.js';
import { renderJunit } from '../../src/answer/formats/junit.js';
import { renderMarkdown } from '../../src/answer/formats/markdown.js';
import { plainPalette } from '../../src/answer/formats/palette.js';
import { renderFacts, renderText } from '../../src/answer/formats/text.js';
import { renderJsonLine } from '../../src/answer/json/document.js';
import type { PreflightDocument, ReportDocument, VerifyDocument } from '../../src/answer/json/upgrade.js';
import { factsOfKnownIssue, renderKnownIssuesVerifyText } from '../../src/answer/outputs/known-issues.js';
import {
  renderMergeChecksText,
  renderMergeOutcome,
  renderQueryFailure,
  renderRequestText,
  renderRunningQuery,
} from '../../src/answer/outputs/merge.js';
import { renderFailureText, renderProvenance } from '../../src/answer/outputs/messages.js';
import { decide } from '../../src/checks/decision.js';
import { renderMetricsText } from '../../src/commands/catalog-metrics.js';
import { renderChartText } from '../../src/commands/chart-get.js';
import { renderUsersText } from '../../src/commands/org-users.js';
import { renderSql } from '../../src/commands/query-compile.js';
import { factsOfRelease } from '../../src/commands/release-show.js';
import { parseReleaseArtifact } from '../../src/core/artifact/artifact.js';
import { pinCheckOf } from '../../src/core/pins.js';
import type { RouteBlock } from '../../src/core/route/route.js';
import { printable } from '../../src/core/text/printable.js';
import { parseVersion } from '../../src/core/version.js';
import type { Demands } from '../../src/known-issues/demands.js';
import type { KnownIssue } from '../../src/known-issues/records.js';
import type { MergeCheck } from '../../src/merge/merge-check.js';
import type { MergeResults } from '../../src/merge/response.js';
import { renderNotice } from '../../src/words/evidence/notices.js';
import { landingWords } from '../../src/words/route/reasons.js';
import { inventedArtifact, inventedHeavySections } from '../support/artifacts.js';
import { migratorFact } from '../support/facts.js';
import { judgedBy } from '../support/judged-by.js';
import * as of from '../words/sentences.js';
import { documents, preflightOf } from './reports.js';

/**
 * What comes from outside is shown and not obeyed: by no terminal, no log of a pipeline and no reader who takes a line
 * of it for one of ours. Every renderer is given a result in which all that is foreign tries so.
 */

const begun = '::error::the-answer-is-yes';
const hostile = `\u001B[2J\u202E\u2028\u0085\r\n${begun}`;
const h = (text: string) => `${text}${hostile}`;

const palette = plainPalette;
const day = '2026-09-06T18:08:42Z';
const now = new Date(day);
const version = parseVersion('1.1.0');

/** What an artifact, a mirror or a cluster says, wherever it stands in a value. */
const foreign = new Set(
  'summary remedy message text source reason file name formerNames tables impact role images notKnown'.split(
    ' ',
  ),
);
function hostileIn<T>(value: T, isForeign?: boolean): T;
function hostileIn(value: unknown, isForeign = false): unknown {
  // A hop has a reason, too, which is a kind of ours.
  if (typeof value === 'string') return isForeign && !Object.hasOwn(landingWords, value) ? h(value) : value;
  if (Array.isArray(value)) return value.map((one) => hostileIn(one, isForeign));
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [key, hostileIn(one, isForeign || foreign.has(key))]),
  );
}
const reports = Object.entries(documents).map(
  ([title, document]) => [`a report ${title}`, hostileIn<ReportDocument>(document)] as const,
);
const { span, route } = hostileIn(documents['under known issues, with times'].report);
const issues = route.hops.flatMap(({ knownIssues }) => knownIssues);
const latest = of.to;
const blockedBy: RouteBlock = {
  ...{ kind: 'known-issue', version, verdict: false, reachableVersion: of.from, issues },
};
const steps = [
  {
    ...{ title: h('Do it'), commands: [], notes: ['Mind <i>my_values.yaml</i>.'], needs: [] },
    values: { file: h('values.yaml'), yaml: 'a: b\n' },
  },
];
const plan = {
  ...{ startIsNoRelease: false, maxHops: undefined, leastDowntime: undefined },
  renderedHops: [
    {
      ...{ before: [], steps, functions: '', commands: 'true\n', block: 'true\n' },
      script: { name: 'a.sh', text: 'true\n' },
      back: { steps, commands: 'true\n', block: 'true\n', script: { name: 'b.sh', text: 'true\n' } },
    },
  ],
  scripts: [{ script: h('out/hop-1.sh'), back: h('out/hop-1-back.sh') }],
} as unknown as Parameters<typeof answerOfPlan>[1];
const accepted = [
  { name: h('issue'), state: 'counts', reason: h('reason'), by: h('team'), until: '2027-01-31' },
] as const;
const by = {
  ...judgedBy,
  accepted,
  settings: h('lightspan.yaml'),
  facts: { source: h('facts.json'), collectedAt: '2026-09-06T18:00:00Z' },
};
const demands: Demands = {
  majors: [parseVersion('3.0.0')],
  notes: [
    {
      ...{ id: h('n'), version: parseVersion('3.0.0'), summary: h('a change'), concerns: h('somebody') },
      ...{ before: h('before'), after: h('after'), references: [h('url')], notKnown: [h('fact')] },
    },
  ],
  beyond: { version: parseVersion('2.0.0'), asOf: '2026-11-27' },
  laterStops: [],
};

const planOptions = {
  ...plan,
  ...{ judgedBy: by, demands, verbose: true, requireRolling: false, fromSource: h('values.yaml') },
};

const pin = {
  ...{ file: h('values.yaml'), path: [h('image'), 'tag'], line: 1, previousFile: h('old.yaml') },
  ...{ isOfCompose: false, passes: false, from: of.from, to: of.to, stops: [] },
};
const pins = pinCheckOf(
  [
    { ...pin, finding: { kind: 'not-proven', check: span } },
    { ...pin, finding: { kind: 'unreadable', side: 'after', why: h('no'), hint: h('Fix it.') } },
    { ...pin, finding: { kind: 'added', check: span, issues } },
  ],
  {
    before: { name: h('main'), commit: '0123456789abcdef' },
    after: { name: h('new'), commit: undefined },
    accepted: [],
    lookedAt: { files: 3, isOfNamedPins: false, ignored: [] },
  },
);

const facts = { source: h('facts.json'), collectedAt: day, ageMs: 0 };
const judgedWith = {
  judgedBy: by,
  demands,
  instance: { name: 'Preflight', answer: 'no', yes: false, why: [printable(h('STOP'))] } as const,
};
const usedIndex = { source: h('index.json'), generatedAt: day, latestVersion: latest, sha256: 'x' };
const { result } = preflightOf({
  migrator: { ...migratorFact, name: h('lightdash'), statementTimeoutMs: 30_000 },
});
const preflight: PreflightDocument = {
  ...{ result, decision: decide(result, 'stop'), hops: 2, fromSource: h('values.yaml') },
  failOn: 'stop',
  ...{ facts, index: usedIndex, judgedBy: by, demands },
};

const entry = { version: '1.1.0', previousVersion: '1.0.0', rollingUpdateSafe: false } as const;
const artifact = parseReleaseArtifact(
  inventedArtifact({ ...entry, requiredStops: [], minPreviousVersion: null }, inventedHeavySections),
);
const record: KnownIssue = {
  ...{ schemaVersion: '1', id: 'an-issue', aliases: [h('#1')], summary: h('It breaks.'), details: h('So.') },
  references: [{ type: 'WEB', url: 'https://a.example' }],
  ...{ published: day, modified: day, affected: [{ introduced: version }], when: 'crossing' },
  conditions: [{ fact: h('edition'), is: h('community') }],
  ...{ effect: { kind: 'long', seen: h('hours') }, remedy: h('Fix it.') },
  evidence: { certainty: 'reported', basis: h('a log') },
};

const textOfVerify = (lastState: VerifyDocument['lastState']) =>
  renderText(
    answerOfVerify({
      ...{ lastState, outcome: 'not-verified', safe: false, facts, findings: [] },
      ...{ instance: 'https://bi.example.com', version: latest, polls: 3, pollsInRow: 0, elapsedMs: 0 },
    }),
    { palette, verbose: true, width: undefined },
  );

const started = {
  outcome: 'started',
  fieldOrigins: {
    [h('a')]: { kind: 'source', sourceId: h('s'), sourceFieldId: h('f') },
    b: { kind: h('newer') },
  },
  parameterReferences: [h('unset')],
  query: {
    ...{ queryUuid: h('0'), resolvedTimezone: h('UTC'), usedParametersValues: { [h('p')]: h('v') } },
    warnings: [{ message: h('careful'), tables: [h('t')], fields: [h('f')] }],
    cacheMetadata: { cacheHit: false, cacheUpdatedTime: h('t'), preAggregate: { hit: false, name: h('n') } },
  },
} as unknown as MergeResults;
const refused = {
  outcome: 'refused',
  errors: [
    { kind: h('newer'), message: h('no'), sourceId: h('s'), fieldIds: [h('a')] },
    { kind: 'too_few_sources', message: h('no'), sourceId: null, fieldIds: [] },
  ],
} as unknown as MergeResults;
const fault = { line: 1, column: 1, path: h('a'), kind: 'too_few_sources', message: h('no') };
const noMerge = { status: 'no-merge-request', faults: [fault] } as unknown as MergeCheck;

const rows = new Map([[h('a'), { raw: h('v'), formatted: h('v') }]]);
const rowsBy = (format: ReturnType<typeof tableFormat>) =>
  [format.head([h('a')], [rows] as never), format.row([h('a')], rows as never, 0), format.tail(1)].join('');

const answers: Readonly<Record<string, Answer>> = {
  'a check': answerOfCheck(span, {
    verbose: true,
    latestVersion: latest,
    route,
    ...judgedWith,
    ...{ demands, deploy: undefined },
  }),
  'a plan': answerOfPlan(route, planOptions),
  'a plan that is blocked': answerOfPlan({ ...route, hops: [] }, planOptions),
  pins: answerOfPins(pins, { verbose: true, latestVersion: latest, judgedBy: by, demands }),
  'a pin that moved': bump('rolling', null),
  'a pin that stays': bump('refused', null),
  'a pin that is blocked': bump('refused', blockedBy),
  'a preflight': answerOfPreflight(preflight),
  ...Object.fromEntries(
    reports.map(([name, document]) => [name, answerOfReport(document, { verbose: true })]),
  ),
};

const outputs: Readonly<Record<string, () => string>> = {
  ...Object.fromEntries(
    reports.map(([name, document]) => [
      `${name}, in HTML`,
      () => renderHtml(answerOfReport(document, { verbose: true }), document.report),
    ]),
  ),
  ...Object.fromEntries(
    Object.entries(answers).flatMap(([name, answer]) => [
      [`${name}, in text`, () => renderText(answer, { palette, verbose: true, width: undefined })],
      [`${name}, in Markdown`, () => renderMarkdown(answer)],
      ...(/^a pin that moved/.test(name) ? [] : [[`${name}, in JUnit`, () => renderJunit(answer)]]),
    ]),
  ),
  'a preflight on a terminal': () =>
    renderText(answerOfPreflight(preflight), { palette, verbose: false, width: 60 }),
  'an annotation': () =>
    renderAnnotation({
      ...{ yes: false, title: h('no'), message: h('no'), file: h('values.yaml'), line: 1 },
    }).replace(/^::error /, ''),
  'a release': () =>
    renderFacts(factsOfRelease(hostileIn(artifact), { source: h('mirror'), knownIssues: [record] })),
  'a known issue': () => renderFacts(factsOfKnownIssue(record), { width: 80 }),
  'known issues that were verified': () =>
    renderKnownIssuesVerifyText([
      { file: h('a.yaml'), records: 0, faults: [{ line: 1, column: 1, field: h('id'), fault: h('no') }] },
      { file: h('b.yaml'), records: 1, faults: [] },
    ]),
  'where an answer came from': () =>
    renderProvenance(
      { source: h('index.json'), generatedAt: day, latestVersion: latest, sha256: 'x' },
      1,
      now,
    ),
  'a request': () =>
    renderRequestText({ method: 'POST', url: h('https://bi.example.com'), body: { [h('a')]: h('b') } }),
  'a chart': () =>
    renderChartText({
      ...{ name: h('n'), description: h('d') },
      metricQuery: {
        ...{ exploreName: h('e'), dimensions: [h('d')], metrics: [h('m')], limit: 1, tableCalculations: [] },
        sorts: [{ fieldId: h('d'), descending: true }],
      },
    } as never),
  'users of no known form': () => renderUsersText({ [h('a')]: h('b') }),
  metrics: () => renderMetricsText([{ name: h('n'), label: h('l'), tableName: h('t'), tags: [h('x')] }]),
  'a merge that was started': () => renderMergeOutcome(started, palette),
  'a merge that was refused': () => renderMergeOutcome(refused, palette),
  'what is no merge': () => renderMergeChecksText([{ check: noMerge, name: h('merge.json') }]),
  'a query that failed': () => renderQueryFailure({ queryUuid: h('0'), status: 'error', reason: h('no') }),
  'a query that runs on': () => renderRunningQuery(h('0'), h('lightspan query results')),
  'a failure': () => renderFailureText({ code: 'usage', message: h('no'), hint: undefined } as never),
  'rows as a table': () => rowsBy(tableFormat()),
  'a document of JSON': () => renderJsonLine({ [h('a')]: h('b') }),
  'an instance that is unreachable': () =>
    textOfVerify({ kind: 'unreachable', message: h('no'), isUnknownHost: false }),
  'an instance of no known version': () => textOfVerify({ kind: 'unknown-version', message: h('no') }),
  'an instance that is not ready': () =>
    textOfVerify({ kind: 'not-ready', status: 503, reason: h('no'), probe: 'readyz' }),
  'a notice of no network': () => renderNotice({ kind: 'offline', source: h('index.json'), ageMs: 0 }),
  ...Object.fromEntries(
    issues.map((issue) => [`a notice of ${issue.id}`, () => renderNotice({ kind: 'known-issue', issue })]),
  ),
};

function bump(decision: 'rolling' | 'refused', blocked: RouteBlock | null) {
  const result = { ...span, stops: [] };
  return answerOfBump(
    { result, preflight: undefined, stops: [], unseen: [], accepted: [], decision, blockedBy: blocked },
    {
      ...{ request: { to: 'latest', allowRecreate: false }, rollsOn: false, deploy: 'helm' },
      pin: h('a#b'),
      otherPlaces: [h('c#d')],
      check: false,
      evidence: [],
      described: [],
      accepted,
      demands,
    },
  );
}

describe('text from outside is shown and not obeyed', () => {
  it.each(Object.entries(outputs))('%s', (_, render) => {
    const text = render();
    // It is shown.
    expect(text).toContain('the-answer-is-yes');
    expect(text.match(/[^\P{Cc}\n\t]|[\u2028\u202E]/gu) ?? []).toEqual([]);
    expect(text.split('\n').filter((line) => /^[^\w`"<]*(?:::error)/.test(line))).toEqual([]);
  });

  it('a hint keeps its lines', () => {
    const hint = 'Do\n\tthis\u001B[2J';
    expect(renderFailureText({ code: 'usage', message: 'no', hint } as never)).toBe(
      'lightspan: no\nDo\n\tthis\\u001b[2J\n',
    );
    expect(renderSql('SELECT 1\u001B[2J\r\n')).toBe('SELECT 1\\u001b[2J\n');
  });
});
