import type { ArtifactDisagreement } from '../../release-safety/reconcile.js';
import type { Standing } from '../../release-safety/report.js';
import type { LandingReason, RouteBlock } from '../../release-safety/route.js';
import type { ReasonKind } from '../../release-safety/span.js';
import type { Fact } from './fact.js';

/** Why a span is not proven, and what stands in the way of a route. */
export const reasonFacts: Record<ReasonKind | RouteBlock['kind'], Fact> = {
  'below-index-floor': {
    meaning: 'The version that runs is older than the index floor. No index says anything of it.',
    rule: 5,
    toDo: 'Upgrade to the floor first, with Recreate, then check the rest of the way from there.',
  },
  'missing-coverage': {
    meaning:
      'The index does not hold a version of the span, or not every release in between. Nobody has said anything of what is missing, so it counts against the span.',
    rule: 7,
    toDo: 'Check the version; if it is new, wait until the index lists it; if the index is a copy, get a whole one.',
  },
  'required-stop': {
    meaning:
      'A release of the span requires that another version is installed on the way. In a route that is blocked, the index does not hold that version.',
    rule: 3,
    toDo: 'Upgrade to the stop, let its migrations run, then go on; lightspan upgrade-plan lists the hops.',
  },
  'below-minimum-version': {
    meaning: 'The version that runs is too old to jump from. A release of the span sets a later minimum.',
    rule: 4,
    toDo: 'Upgrade to the minimum or a later release first; lightspan upgrade-plan lists the hops.',
  },
  'unsafe-release': {
    meaning: 'The verdict of a release is false. Old and new pods may not overlap while it is rolled out.',
    rule: 2,
    toDo: 'Plan a short downtime and use Recreate, or choose a target before that release.',
  },
  'unknown-release': {
    meaning:
      'The verdict of a release is unknown. Nobody has shown that old and new pods may overlap, so they may not.',
    rule: 1,
    toDo: 'Plan a short downtime and use Recreate, or wait: the verdict of a recent release may still come, that of a backfilled one will not.',
  },
};

/** Why a hop of a route lands where it lands. */
export const landingFacts: Record<LandingReason, Fact> = {
  'index-floor': {
    meaning: 'The hop ends at the index floor. A way that begins below it must pass through it.',
    rule: 5,
  },
  'required-stop': { meaning: 'The hop ends at a version that a later release requires.', rule: 3 },
  'minimum-previous-version': {
    meaning: 'The hop ends where the minimum of the releases behind it is met.',
    rule: 4,
  },
  target: { meaning: 'The hop ends at the version that was asked for.' },
};

/** How a release stands in a report, by index and artifact together. */
export const standingFacts: Record<Standing, Fact> = {
  proven: {
    meaning: 'Index and artifact both say true. Only such a release counts as safe to roll.',
    rule: 1,
  },
  unsafe: {
    meaning:
      'The index or the artifact says false. Old and new pods may not overlap while the release is rolled out.',
    rule: 2,
    toDo: 'Plan a short downtime and use Recreate, or choose a target before that release.',
  },
  'unknown-recent': {
    meaning: 'The release was published with an unknown verdict. It counts as unsafe.',
    rule: 1,
    toDo: 'Plan a short downtime and use Recreate, or wait: the verdict may still come.',
  },
  'unknown-backfilled': {
    meaning: 'The entry was generated after the release, and its verdict stays unknown. It counts as unsafe.',
    rule: 6,
    toDo: 'Plan a short downtime and use Recreate.',
  },
  'not-borne-out': {
    meaning:
      'The index says true, and no artifact bears that out. The artifact is missing, could not be had, cannot be trusted, or says otherwise.',
    toDo: 'The report names the disagreement; lightspan explain says what to do about each.',
  },
};

const askAgain =
  'Check again later, when both may agree; until then plan Recreate. Where a mirror is used, bring it up to date.';

/** Where the artifacts do not bear out the index: the artifact is the source of truth, the index is derived from it. */
export const disagreementFacts: Record<ArtifactDisagreement['kind'], Fact> = {
  'field-differs': {
    meaning: 'Index and artifact do not say the same of a release. The worse of the two counts.',
    toDo: askAgain,
  },
  'other-release': {
    meaning: 'What is published as the artifact of a release describes another one. It proves nothing.',
    toDo: askAgain,
  },
  'backfilled-true': {
    meaning: 'The index says true of a backfilled release. It has no artifact that could bear that out.',
    rule: 6,
    toDo: 'Plan Recreate for this span.',
  },
  'missing-artifact': {
    meaning: 'A release has no artifact. Nothing bears out what the index says.',
    toDo: askAgain,
  },
  'unavailable-artifact': {
    meaning: 'The artifact of a release could not be had. Nothing bears out what the index says.',
    toDo: 'Try again; the message says what failed. A mirror (lightspan index mirror) needs no network.',
  },
  'invalid-artifact': {
    meaning: 'The artifact of a release came, and cannot be trusted. It counts as none.',
    toDo: askAgain,
  },
};
