import type { SpanResult, Strategy } from '../core/span.js';
import type { routeTargetNames } from '../core/version.js';
import { firstChartThatStopsWorkloads, lastChartThatNeedsScaleDown } from '../instance/first-versions.js';
import { deployWords } from './route/deploy-words.js';
import { checkVersion } from './route/reasons.js';
import type { DeploymentRule, SpanRule, Word } from './word.js';

/** The key under which it is looked up: `RollingUpdate` is `rolling-update`. */
interface StrategyWord extends Record<Strategy, string> {
  readonly RollingUpdate: 'rolling-update';
  readonly Recreate: 'recreate';
}

/** The words of an answer that are values of a result: leaving one out does not compile. */
type ValueWord =
  | SpanResult['direction']
  | `${SpanResult['verdict']}`
  | (typeof routeTargetNames)[number]
  | StrategyWord[Strategy];

const basedOn =
  'What the answer rests on: the index and its date; how many known issues count, and the newest release they ' +
  'cover; how many artifacts of its releases were read; and the facts of an instance. Only the index proves ' +
  'anything; the others can only turn the answer into no. What was not read changes nothing.';

const rollback =
  'What it takes to return to the release before a hop once its migrations have begun: code only, a flag, or ' +
  'the backup. If it takes the backup, the point of no return is where the migrations begin.';

export const answerWords = {
  safe: {
    meaning:
      'The whole span is proven: you can upgrade in one step, and old and new pods may overlap. Exit code 0.',
    rule: 2,
  },
  unsafe: {
    meaning: 'The span is not proven safe. The lines below the verdict say why.',
    rule: 2,
    remedy: 'Follow the line Next, or let lightspan upgrade-plan show the whole route.',
  },
  verdict:
    'The judgement on a release or on a whole span. The publisher gives every release true, false or unknown. ' +
    'A check says SAFE only if the whole span is proven, otherwise UNSAFE. In JSON, verdict is what the index ' +
    'says, and safe is the answer.',
  'based-on': basedOn,
  'judged-by': basedOn,
  'known-through':
    'The newest release that the known issues cover, and when somebody last looked for problems. For a later ' +
    'release, no known issue only means that nobody has looked. A newer lightspan covers more, and so do newer ' +
    'records from --known-issues or a mirror: knownThrough in a file says how far they reach.',
  major:
    'A release X.0.0. The publisher says that crossing one asks you to act. Its index and artifacts do not mark ' +
    'this, so it changes no verdict; --fail-on major makes the answer no, unless the notes list nothing to do.',
  note: 'What a release changes for those it affects, and what to do before and after. It changes no verdict.',
  true: {
    meaning: 'The publisher has shown that old and new pods may overlap while this release is rolled out.',
    rule: 1,
  },
  false: { meaning: 'Old and new pods must not overlap while this release is rolled out.', rule: 2 },
  unknown: {
    meaning:
      'Nobody has shown it either way. A release with this verdict counts as false; a direct upgrade is ' +
      'unknown if the index has a gap.',
    rule: 1,
  },
  answer: {
    meaning:
      'The answer in one line, the same in every format. It says yes only with exit code 0. "With downtime only" ' +
      'is allowed in one step, and not proven to roll; "not known" names what is missing.',
  },
  yes: 'It is proven.',
  no: 'A release or a rule stands in the way; the answer names it.',
  none: 'There is nothing of this kind in the span.',
  direction: 'Whether a span leads to a newer release. Going back is never proven.',
  upgrade: 'The target version is newer than the running one.',
  'same-version': {
    meaning: 'The target is the running version: safe only if the index contains it.',
    rule: 7,
  },
  'direct-upgrade': {
    meaning:
      'Can you upgrade in one step? Not if a required stop, a minimum version or the index floor lies in ' +
      'between. In JSON, the key is jump.',
    remedy: 'If the answer is no, lightspan upgrade-plan lists the steps.',
  },
  'rolling-update': {
    meaning:
      'New pods start before the old ones stop, so both run on the migrated database for a while. Proven only ' +
      'if every release of the span is true. The strategy is called RollingUpdate (Helm: upgrade.mode).',
    rule: 2,
  },
  recreate: {
    meaning:
      'The strategy that stops all old pods before the first new one starts. That means downtime. In Helm it ' +
      `is upgrade.mode; with docker compose: ${deployWords.compose.restart}.`,
    remedy: 'Back up the database in between.',
  },
  strategy: 'How a step is deployed: RollingUpdate if it is proven safe to roll, otherwise Recreate.',
  downtime: 'The time from when the old pods stop until the new ones are ready. It includes the migrations.',
  span: { meaning: 'All releases newer than the running one, up to and including the target.', rule: 2 },
  'covered-release': 'A release of the span that the index contains.',
  'missing-range': {
    meaning: 'A range of releases that the index lacks, named by the releases around it.',
    rule: 7,
  },
  'missing-release-safety-index-coverage': {
    meaning: 'The releases of the span that the index does not contain.',
    rule: 7,
    remedy: checkVersion,
  },
  gap: { meaning: 'A place in the span where the index lacks one or more releases.', rule: 7 },
  'unsafe-rolling-update-safety': { meaning: 'The releases of the span whose verdict is false.', rule: 2 },
  'unknown-rolling-update-safety': {
    meaning: 'The releases whose verdict is, or counts as, unknown.',
    rule: 1,
  },
  'artifact-disagreement': 'An artifact does not confirm the index. Then nothing is proven.',
  'current-version': 'The running release, and where it was found.',
  release: 'One published version of Lightdash. A plan counts those that each hop passes.',
  route: 'The path from the running release to the target, in as few hops as possible.',
  hop:
    'One step of a route: one deployment, from one release to another. It is done when its release is ready ' +
    'and its migrations have run.',
  from: 'The running release before a step.',
  to: 'The release that a step installs.',
  concerns: 'Whom a note is for: the installations that it applies to.',
  'before-the-upgrade': 'What a note asks you to do before the upgrade.',
  'after-it': 'What a note asks you to do after the upgrade.',
  latest: 'The newest release in the index. It is only as new as the index.',
  'latest-rolling': 'The newest release you can reach by rolling hops alone.',
  rollback,
  'going-back': rollback,
  preflight: {
    meaning: 'Is your own instance ready for the upgrade? Yes if upgrade-preflight says go.',
    remedy: 'If the answer is no or unknown, the section Preflight says why.',
  },
  'why-stop-here': 'Why a hop ends where it does and goes no further.',
  'lands-there-as': 'Why a hop ends where it does and goes no further.',
  'complete-route': {
    meaning:
      'Can you reach the target by hops that the index covers? If not, the answer names what blocks first.',
    rule: 7,
  },
  'few-enough-hops': 'Whether the route has no more hops than --max-hops allows.',
  certified: {
    meaning:
      'The index covers every release of the hop. UNPROVEN means that nothing proves it, not even with downtime.',
    rule: 7,
    remedy: 'Decide about such a hop by hand: read the release notes, and test it on a copy of the database.',
  },
  backfilled: {
    meaning: 'An entry generated after its release. It has no artifact and proves nothing.',
    rule: 6,
  },
  index: 'The published list of all releases and their verdicts, derived from their artifacts.',
  artifact:
    'What the publisher found out about one release: its verdict, its migrations, its changes. It can ' +
    'turn a true of the index into no, never the other way round.',
  migration:
    'A change that a release makes to the database when it first starts. Old pods might not work with it; the ' +
    'verdict says whether they do.',
  'environment-variable':
    'A setting of Lightdash. A release may remove or rename one, or change its default.',
  'declared-advisories': 'Changes that break nobody, according to the publisher. They decide nothing.',
  'rest-api': 'The HTTP interface of Lightdash. Your programs that use it may break.',
  'mcp-tool': 'What Lightdash offers to AI agents. Your agents that use it may break.',
} satisfies Record<ValueWord, Word | string> & Record<string, Word | string>;

export const spanRules: Record<SpanRule, string> = {
  1: 'Only true counts as proven. A release with the verdict unknown is treated like one with the verdict false.',
  2:
    'Old and new pods may overlap only if every release of the span is true: all releases newer than the ' +
    'running version, up to and including the target.',
  3:
    'If any release of the span requires a stop, install that version first. Continue only after its ' +
    'migrations have finished.',
  4:
    'A release with a minimum previous version can be reached directly only from that version or a later one. ' +
    'From an older one, upgrade to a release in between first.',
  5:
    'If the running version is below the index floor, install the floor first. The rest of the span is judged ' +
    'from there. No index covers the step up to the floor.',
  6:
    'A backfilled entry was generated after its release and says little. If it says true, that counts as unknown: plan ' +
    'Recreate for a span that crosses one.',
  7: 'A release that is not in the index is unsafe, whether it is an end of the span or in between.',
};

export const deploymentRules: Record<DeploymentRule, string> = {
  1: 'The Helm chart does not check the verdict. The operator sets upgrade.mode.',
  2:
    `With a migration job and chart ${firstChartThatStopsWorkloads} or later, Recreate itself stops the ` +
    'workloads, before the pre-upgrade hook migrates.',
  3: `With chart ${lastChartThatNeedsScaleDown} or earlier, scale the workloads down by hand before the upgrade.`,
  4: 'Without a migration job, Recreate stops the workloads while the release is applied.',
  5: 'Recreate means downtime.',
};
