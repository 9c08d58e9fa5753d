import fc from 'fast-check';
import type { Fault } from './mutations.js';

/** Faults that a facts file alone can have: one fact gone or of another status, a number that is none, another time. */
export const factFault: fc.Arbitrary<Fault<Buffer>> = fc.oneof(
  fc.nat().map((n) => ({ kind: 'drop' as const, apply: changeOne(n, () => undefined) })),
  fc
    .tuple(
      fc.nat(),
      fc.constantFrom('not-permitted', 'absent', 'timeout', 'not-asked', 'failed', 'seen', 'ok'),
    )
    .map(([n, status]) => ({
      kind: 'retype' as const,
      apply: changeOne(n, (fact) =>
        status === 'seen' ? { ...fact, status } : { status, source: 'database' },
      ),
    })),
  fc
    .tuple(
      fc.nat(),
      fc.constantFrom('-1', '0.5', '1e308', '1e999', '9007199254740993', 'NaN', '00', '"0"', 'null'),
    )
    .map(([n, number]) => ({
      kind: 'retype' as const,
      apply: (bytes: Buffer) => replaceNth(bytes, n, /(?<=":)\d+\b/g, number),
    })),
  fc
    .constantFrom(
      '2026-09-06T19:14:42Z',
      '2027-01-01T00:00:00Z',
      '9999-12-31T23:59:59Z',
      '2026-13-01T00:00:00Z',
      '',
    )
    .map((time) => ({
      kind: 'retype' as const,
      apply: (bytes: Buffer) => replaceNth(bytes, 0, /(?<="collectedAt":")[^"]*/g, time),
    })),
);

function changeOne(n: number, change: (fact: object) => object | undefined) {
  return (bytes: Buffer) => {
    const file: { facts: Record<string, object> } = JSON.parse(bytes.toString());
    const facts = Object.entries(file.facts);
    const changed = facts.map(([key, fact], i) => [key, i === n % facts.length ? change(fact) : fact]);
    return Buffer.from(JSON.stringify({ ...file, facts: Object.fromEntries(changed) }));
  };
}

function replaceNth(bytes: Buffer, n: number, pattern: RegExp, by: string): Buffer {
  const text = bytes.toString();
  const nth = n % [...text.matchAll(pattern)].length;
  let i = 0;
  return Buffer.from(text.replace(pattern, (found) => (i++ === nth ? by : found)));
}

/** Whether a fact was seen and is as it must be. */
export function seen<T>(
  fact: { readonly status: string; readonly value?: T } | undefined,
  holds: (value: T) => boolean,
) {
  return fact?.status === 'seen' && fact.value !== undefined && holds(fact.value);
}

/** Of what a release may not know yet: that there is none is as good. */
export function seenOrAbsent<T>(
  fact: { readonly status: string; readonly value?: T } | undefined,
  holds: (value: T) => boolean,
) {
  return fact?.status === 'absent' || seen(fact, holds);
}
