import { expect, it } from 'vitest';
import { type Headline, headlineOf, type Outcome, withCaution } from '../../src/answer/headline.js';
import { deployKinds } from '../../src/instance/facts/fact-names.js';
import { deployWords } from '../../src/words/route/deploy-words.js';

const steps = { landings: ['1.111.0', '2.134.2'], withDowntime: 1 };
const decision = (decision: 'go' | 'go-with-care' | 'stop' | 'not-known'): Outcome => ({
  kind: 'decision',
  decision,
  why: 'so it is',
});

/** An outcome of every kind: the compiler names one that is missing. */
const outcomes: Record<Outcome['kind'], readonly Outcome[]> = {
  rolls: [{ kind: 'rolls' }],
  'rolls-in-steps': [{ kind: 'rolls-in-steps', steps: { ...steps, withDowntime: 0 } }],
  'nothing-to-do': [{ kind: 'nothing-to-do', why: '1.156.0 is the running version' }],
  route: [0, 1, 2].map((withDowntime) => ({ kind: 'route', steps: { ...steps, withDowntime } })),
  'downtime-only': [undefined, 'index and artifacts disagree'].map((but) => ({
    kind: 'downtime-only',
    steps,
    but,
  })),
  'downtime-accepted': [{ kind: 'downtime-accepted' }],
  'accepted-change': [{ kind: 'accepted-change' }],
  'downtime-not-accepted': [{ kind: 'downtime-not-accepted', option: '--accept recreate' }],
  'another-first': [true, false].map((orLater) => ({ kind: 'another-first', version: '1.3.0', orLater })),
  no: [{ kind: 'no', reason: 'it is older' }],
  several: [{ kind: 'several', first: { kind: 'no', reason: 'it is older' }, others: 2 }],
  'not-known': [{ kind: 'not-known', missing: 'the database (--database env)' }],
  rehearsed: [{ kind: 'rehearsed', what: 'the migrations went through on a copy' }],
  decision: (['go', 'go-with-care', 'stop', 'not-known'] as const).map(decision),
  verified: [{ kind: 'verified', what: 'ready, and serves 1.156.0' }],
  'not-verified': [{ kind: 'not-verified', what: 'ready, and serves 1.155.0' }],
  'not-all-verified': [{ kind: 'not-all-verified', what: 'pods: not seen' }],
};
const all = Object.values(outcomes).flat();

const tones: Record<Headline['exitCode'], readonly Headline['tone'][]> = {
  0: ['good', 'care'],
  1: ['bad', 'care'],
  3: ['unknown'],
};

it.each(all.flatMap((outcome) => deployKinds.map((deploy) => [outcome, deploy] as const)))(
  '%j, with %s: its words, its colour and its exit code say the same',
  (outcome, deploy) => {
    const plain = headlineOf(outcome, { deploy });
    const accepted = headlineOf(outcome, { deploy, accepted: ['recreate', '2.117.0'] });
    for (const { exitCode, tone, text } of [plain, accepted, withCaution(plain, 'records are old')]) {
      expect(/^(yes\b|GO\b|Verified\b)/.test(text)).toBe(exitCode === 0);
      expect(/\byes\b/.test(text) && exitCode !== 0).toBe(false);
      expect(tones[exitCode]).toContain(tone);
      expect(text).not.toMatch(/\.$|\n/);
      // Red is what is forbidden, and never what is not known.
      if (exitCode === 3) expect(tone).toBe('unknown');
    }
    // What is accepted is never a bare yes, and makes no refusal any better.
    expect(accepted.exitCode).toBe(plain.exitCode);
    expect(accepted.text.includes('accepted: recreate, 2.117.0')).toBe(plain.tone !== 'bad');
    if (!deployWords[deploy].canRoll && plain.exitCode === 0) {
      expect(plain.text).not.toMatch(/\b(?:roll(?:s|ing)?|pods?|Helm)\b/);
      const isRoute = ['rolls', 'route', 'downtime-accepted'].includes(outcome.kind);
      expect(plain.text.includes('as always with docker compose')).toBe(isRoute);
    }
  },
);
