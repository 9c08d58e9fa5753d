import {
  firstChartThatStopsWorkloads,
  lastChartThatNeedsScaleDown,
  type SpanResult,
  type Strategy,
} from '../../core/span.js';
import type { DeploymentRule, SpanRule, Word } from '../../core/text/word.js';
import type { routeTargetNames } from '../../core/version.js';
import { checkVersion } from '../../instance/words/reasons.js';

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
  'How much the answer rests on: the index and its date, how many known issues count and up to which release they can know of problems, how many artifacts of its releases were read, and the facts of an instance. The index proves; the others can take a yes away, and what was not read or seen changes nothing.';

const rollback =
  'What it takes to return to the release before a hop, once the migrations of the hop have begun: code only, a flag, or the backup. If it needs the backup, their begin is the point of no return.';

export const answerWords = {
  safe: {
    meaning:
      'The whole span is proven: one direct upgrade, in which old and new pods may overlap. Exit code 0.',
    rule: 2,
  },
  unsafe: {
    meaning: 'The span is not proven safe. The lines below the verdict say what speaks against it.',
    rule: 2,
    remedy: 'Follow the line Next, or see the whole route with lightspan upgrade-plan.',
  },
  verdict:
    'The judgement of a release, or of a whole span. The publisher says true, false or unknown for every release; a check says SAFE only if the whole span is proven, else UNSAFE. In JSON, verdict is what the index says, and safe is the answer.',
  'based-on': basedOn,
  'judged-by': basedOn,
  'known-through':
    'The newest release whose problems the known issues can know of, and when they were last looked for. Of a later one, no known issue means that nobody has looked. A newer lightspan moves it, and so do newer records, named with --known-issues or written into a mirror: a file with knownThrough says how far they reach.',
  major:
    'A release X.0.0. The publisher asks for an action of whoever crosses one; its index and artifacts do not mark it, and no yes is taken away. --fail-on major makes it a no.',
  note: 'A record of what a release changes for those whom it concerns, and what to do before and after. It takes no yes away.',
  true: {
    meaning: 'The publisher has shown that old and new pods may overlap while this release is rolled out.',
    rule: 1,
  },
  false: { meaning: 'Old and new pods may not overlap while this release is rolled out.', rule: 2 },
  unknown: {
    meaning:
      'Nobody has shown it either way: a release counts as false, and for a direct upgrade the index has a gap.',
    rule: 1,
  },
  yes: 'It is proven.',
  no: 'A release or a rule speaks against it, and is named.',
  none: 'There is nothing of this kind in the span.',
  direction: 'Whether a span leads to a newer release. A way back is never certified.',
  upgrade: 'The target version is newer than the running one.',
  'same-version': {
    meaning: 'The target is the running version: safe only if the index contains it.',
    rule: 7,
  },
  'direct-upgrade': {
    meaning:
      'May this be one step? Not if a required stop, a minimum version or the index floor lies in between. The key jump of a JSON output is the same.',
    remedy: 'If the answer is no, lightspan upgrade-plan lists the steps.',
  },
  'rolling-update': {
    meaning:
      'New pods start before old ones have stopped, so that both run on the migrated database for a while. Proven only if every release of the span is true. As a strategy it is RollingUpdate (Helm: upgrade.mode).',
    rule: 2,
  },
  recreate: {
    meaning:
      'The strategy in which all old pods stop before the first new one starts, which means a downtime. Helm takes it as upgrade.mode; with docker compose it is down, change the tag, up.',
    remedy: 'Back up the database first.',
  },
  strategy: 'How a step is deployed: RollingUpdate if it is proven safe to roll, else Recreate.',
  downtime:
    'The time from when the old pods stop until the new ones are ready, which includes the migrations.',
  span: { meaning: 'All releases newer than the running one, up to and including the target.', rule: 2 },
  'covered-release': 'A release of the span that the index contains.',
  'missing-range': { meaning: 'A range that the index lacks, given by the releases around it.', rule: 7 },
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
  route: 'The way from the running release to the target, in as few hops as possible.',
  hop: 'One step of a route: one deployment, from one release to another. It is done when its release is ready and its migrations have run.',
  from: 'The running release before a step.',
  to: 'The release that a step installs.',
  latest: 'The newest release in the index. It can be no newer than the index itself.',
  'latest-rolling': 'The newest release that rolling hops alone reach.',
  rollback,
  'going-back': rollback,
  preflight: {
    meaning: 'May the upgrade begin, judging by your own instance? Yes if upgrade-preflight says go.',
    remedy: 'If the answer is no or unknown, the section Preflight says what speaks against it.',
  },
  'why-stop-here': 'Why a hop ends where it ends, and goes no further.',
  'lands-there-as': 'Why a hop ends where it ends, and goes no further.',
  'certified-route': {
    meaning: 'May the target be reached, by hops that the index covers? If not, what blocks first is named.',
    rule: 7,
  },
  'few-enough-hops': 'Whether the route has no more hops than --max-hops allows.',
  certified: {
    meaning: 'The index covers every release of it. NOT CERTIFIED is not proven, not even with a downtime.',
    rule: 7,
    remedy: 'Decide about such a hop by hand: read the release notes and test it on a copy of the database.',
  },
  backfilled: {
    meaning: 'An entry that was generated after its release. It has no artifact, and proves nothing.',
    rule: 6,
  },
  index: 'The published list of all releases and their verdicts, derived from their artifacts.',
  artifact:
    'What the publisher has found out about one release: its verdict, its migrations, its changes. It can turn a yes of the index into a no, and never the other way round.',
  migration:
    'A change of the database that a release makes when it first starts. Old pods may not work with it, which is what the verdict is about.',
  'environment-variable':
    'A setting of Lightdash. A release may remove or rename one, or change its default.',
  'declared-advisories': 'Changes that break nobody, as the publisher claims. They decide nothing.',
  'rest-api': 'The HTTP interface of Lightdash. Your programs that use it may break.',
  'mcp-tool': 'What Lightdash offers to AI agents. Your agents that use it may break.',
} satisfies Record<ValueWord, Word | string> & Record<string, Word | string>;

export const spanRules: Record<SpanRule, string> = {
  1: 'Only true is a yes. A release whose verdict is unknown is treated like one whose verdict is false.',
  2: 'Old and new pods may overlap only if every release of the span is true. Those are all releases newer than the running version, up to and including the target.',
  3: 'A version that any release of the span requires as a stop is installed first. The upgrade continues only after its migrations have finished.',
  4: 'A release with a minimum previous version may be jumped to directly from that version or a later one. From an older one, an upgrade to a release in between comes first.',
  5: 'If the running version is below the index floor, the floor is installed first. The rest of the span is judged from there; no index covers the step up to the floor.',
  6: 'A backfilled entry was generated after its release, and says little. Expect unknown, and plan Recreate for a span that crosses one: a true there counts as unknown.',
  7: 'A release that the index does not contain is unsafe: both ends of a span, and all in between.',
};

export const deploymentRules: Record<DeploymentRule, string> = {
  1: 'The Helm chart does not check the verdict. The operator sets upgrade.mode.',
  2: `With a migration job and chart ${firstChartThatStopsWorkloads} or later, Recreate stops the workloads by itself. It does so before the pre-upgrade hook that migrates.`,
  3: `With chart ${lastChartThatNeedsScaleDown} or earlier, scale the workloads down by hand before the upgrade.`,
  4: 'Without a migration job, Recreate stops the workloads while the release is applied.',
  5: 'Recreate means a downtime.',
};
