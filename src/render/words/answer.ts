import type { Strategy } from '../../release-safety/deployment.js';
import type { routeTargetNames } from '../../release-safety/route-target.js';
import type { SpanResult } from '../../release-safety/span.js';
import type { Word } from './word.js';

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

/** The meaning of the words in any answer: its values, and its labels. */
export const answerWords = {
  safe: {
    meaning:
      'The whole span is proven: one direct upgrade, in which old and new pods may overlap. Only this is exit code 0.',
    rule: 2,
  },
  unsafe: {
    meaning:
      'The span is not proven safe. It need not break: that nobody has shown it is enough. The lines below the verdict say what stands against it.',
    rule: 2,
    remedy: 'Follow the line Next, or see the whole way with lightspan upgrade-plan.',
  },
  verdict: {
    meaning:
      'What is said of a release, or of a whole span. The publisher says true, false or unknown of every release; a check says SAFE only where the whole span is proven, else UNSAFE. In JSON, verdict is what the index says, and safe is the answer.',
  },
  true: {
    meaning: 'The publisher has shown that old and new pods may overlap while this release is rolled out.',
    rule: 1,
  },
  false: { meaning: 'Old and new pods may not overlap while this release is rolled out.', rule: 2 },
  unknown: {
    meaning:
      'Nobody has shown it either way. Of a release it counts as false; of a direct upgrade it means that the index has a hole.',
    rule: 1,
  },
  yes: { meaning: 'It is proven.' },
  no: { meaning: 'A release or a rule stands against it, and is named.' },
  none: { meaning: 'There is nothing of this kind in the span.' },
  direction: {
    meaning: 'Whether a span leads to a newer release, or stays where it is. A way back is never certified.',
  },
  upgrade: { meaning: 'The target version is newer than the one that runs.' },
  'same-version': {
    meaning: 'The target version is the one that runs. That is safe only where the index holds it.',
    rule: 7,
  },
  'direct-upgrade': {
    meaning:
      'May this be one step? Not where a required stop, a minimum version or the index floor lies in between. The key jump of a JSON output is the same.',
    remedy: 'Where the answer is no, lightspan upgrade-plan lists the steps.',
  },
  'rolling-update': {
    meaning:
      'New pods start before old ones have stopped, so that both run on the migrated database for a while. Proven only where every release of the span is true. As a strategy it is RollingUpdate (Helm: upgrade.mode).',
    rule: 2,
  },
  recreate: {
    meaning:
      'The strategy in which all old pods stop before the first new one starts, which means a downtime. Helm takes it as upgrade.mode; with docker compose it is down, change the tag, up.',
    remedy: 'Back up the database first.',
  },
  strategy: {
    meaning: 'How a step is deployed: RollingUpdate where it is proven safe to roll, else Recreate.',
  },
  downtime: {
    meaning:
      'The time from when the old pods stop until the new ones are ready. It holds the migrations, and so depends on them and on your data.',
  },
  span: {
    meaning:
      'All releases newer than the one that runs, up to and with the target. A check judges every one of them.',
    rule: 2,
  },
  'covered-release': { meaning: 'A release of the span that the index holds.' },
  'missing-range': {
    meaning: 'Where the span has releases that the index does not hold, by the releases around them.',
    rule: 7,
  },
  'missing-release-safety-index-coverage': {
    meaning: 'The releases of the span that the index does not hold.',
    rule: 7,
    remedy:
      'Check the version; if it is new, wait until the index lists it; if the index is a copy, get a whole one.',
  },
  gap: { meaning: 'A place in the span where the index lacks releases, however many those are.', rule: 7 },
  'unsafe-rolling-update-safety': { meaning: 'The releases of the span whose verdict is false.', rule: 2 },
  'unknown-rolling-update-safety': {
    meaning: 'The releases of the span whose verdict is unknown, or counts as unknown.',
    rule: 1,
  },
  'artifact-disagreement': {
    meaning: 'Where the artifacts of the span do not confirm what the index says. Then nothing is proven.',
  },
  'current-version': { meaning: 'The release that runs now, and where that was found.' },
  release: { meaning: 'One published version of Lightdash. A plan counts those that a hop passes over.' },
  route: { meaning: 'The way from the release that runs to the target, in as few hops as there can be.' },
  hop: {
    meaning:
      'One step of a route: one deployment, from one release to another. It is done when its release is ready and its migrations have run.',
  },
  from: { meaning: 'The release that runs before a step.' },
  to: { meaning: 'The release that a step installs.' },
  latest: { meaning: 'The newest release in the index. That is no newer than the index is.' },
  'latest-rolling': { meaning: 'The newest release that rolling hops alone reach.' },
  'going-back': {
    meaning:
      'What it takes to run the release again that a hop begins with, once the migrations of the hop have begun: code only, a flag, or the backup. Where it needs the backup, that begin is the point of no return.',
  },
  preflight: {
    meaning:
      'May the upgrade begin, by what was seen of your own instance? A report says yes where upgrade-preflight says go, with care or without.',
    remedy: 'Where the answer is no or unknown, the section Preflight says what stands against it.',
  },
  'lands-there-as': { meaning: 'Why a hop ends where it ends, and goes no further.' },
  'demanded-by': { meaning: 'The releases whose rules make a hop end where it ends.' },
  'blocked-by': { meaning: 'What stands in the way of a route, at the first release where something does.' },
  certified: {
    meaning:
      'The index covers every release of a hop, or of all hops of a route. NOT CERTIFIED is not proven, not even with a downtime.',
    rule: 7,
    remedy: 'Decide about such a hop by hand: read the release notes and test it on a copy of the database.',
  },
  backfilled: {
    meaning:
      'An entry of the index that was generated after its release. It has no artifact, and proves nothing.',
    rule: 6,
  },
  index: {
    meaning:
      'The list of all releases with a verdict of each, published by Lightdash. It is derived from one artifact per release.',
  },
  artifact: {
    meaning:
      'What the publisher has found out about one release: its verdict, its migrations, its changes. It can take a yes of the index away, and never gives one.',
  },
  migration: {
    meaning:
      'A change of the database that a release makes when it first starts. Old pods may not work with it, which is what the verdict is about.',
  },
  'environment-variable': {
    meaning: 'A setting of Lightdash. A release may remove or rename one, or change its default.',
  },
  'declared-advisories': {
    meaning:
      'Changes of a release of which the publisher claims that they break nobody. They decide nothing here.',
  },
  'rest-api': { meaning: 'The HTTP interface of Lightdash. Programs of yours that use it may break.' },
  'mcp-tool': { meaning: 'What Lightdash offers to AI agents. Agents of yours that use it may break.' },
} satisfies Record<ValueWord, Word> & Record<string, Word>;
