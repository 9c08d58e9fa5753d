import { describe, expect, it } from 'vitest';
import * as lightspan from '../../src/index.js';
import { recordOf } from '../support/known-issues.js';
import { realIndex, realIndexJson } from '../support/real-index.js';

const span = { from: '2.125.0', to: '2.127.0' };
const { records } = lightspan.builtInKnownIssues;

describe('an index with known issues', () => {
  it.each<[what: string, request: lightspan.KnownIssueRequest | undefined, safe: boolean]>([
    ['those built in, of an instance of which nothing is known', undefined, false],
    ['of a community instance', { facts: { edition: 'community' } }, false],
    ['of an enterprise instance', { facts: { edition: 'enterprise' } }, true],
    ['none', { records: [] }, true],
    ['one of the caller', { records: [recordOf({ affected: [{ introduced: '2.127.0' }] })] }, false],
  ])('%s', (_, request, safe) => {
    const index = lightspan.withKnownIssues(realIndex(), request);
    expect(lightspan.evaluateSpan(index, span).safe).toBe(safe);
    const { hops } = lightspan.planRoute(index, span);
    expect(hops.every(({ knownIssues }) => knownIssues.length === 0)).toBe(safe);
  });

  it('counts a record until it is withdrawn, by the time of the index unless another is given', () => {
    const record = recordOf({ affected: [{ introduced: '2.127.0' }], withdrawn: '2027-01-01T00:00:00Z' });
    const safe = (request: lightspan.KnownIssueRequest) =>
      lightspan.evaluateSpan(lightspan.withKnownIssues(realIndex(), request), span).safe;
    expect(safe({ records: [record] })).toBe(false);
    expect(safe({ records: [record], now: new Date('2026-12-31T23:59:59Z') })).toBe(false);
    expect(safe({ records: [record], now: new Date('2027-01-01T00:00:00Z') })).toBe(true);
  });

  it.each([
    ['read from JSON', () => lightspan.parseReleaseSafetyIndex(realIndexJson())],
    ['read from a text', () => lightspan.parseReleaseSafetyIndexText(JSON.stringify(realIndexJson()))],
    ['copied', () => ({ ...lightspan.parseReleaseSafetyIndex(realIndexJson()) })],
    ['not read yet', () => realIndexJson()],
  ])('has those built in where it is %s', (_, make) => {
    expect(lightspan.evaluateSpan(make() as never, span).safe).toBe(false);
  });

  it('is read where nobody has read it yet', () => {
    const index = lightspan.withKnownIssues(realIndexJson() as never);
    expect(lightspan.evaluateSpan(index, span).safe).toBe(false);
  });

  it('is refused where an entry of it is none, which nobody has read yet', () => {
    const index = realIndexJson();
    const broken = { ...index, entries: [...index.entries, { version: '99.0.0' }] };
    expect(() => lightspan.withKnownIssues(broken as never)).toThrow(
      expect.objectContaining({ code: 'invalid-index' }),
    );
  });

  it.each<[what: string, request: unknown, code: string, message: string]>([
    ['no fact', { facts: { editoin: 'community' } }, 'invalid-facts', 'there is no fact "editoin"'],
    [
      'a value that is none',
      { facts: { edition: 'free' } },
      'invalid-facts',
      'edition is community or enterprise, not "free"',
    ],
    ['half a number', { facts: { 'rows.a': 1.5 } }, 'invalid-facts', 'rows.a is a whole number'],
    [
      'no record',
      { records: [...records, { ...records[0], when: 'always' }] },
      'invalid-known-issue',
      'when: expected',
    ],
  ])('is refused with %s', (_, request, code, message) => {
    expect(() => lightspan.withKnownIssues(realIndex(), request as never)).toThrow(
      expect.objectContaining({ code, message: expect.stringContaining(message) }),
    );
  });
});
