import { isDisputed } from '../core/judge.js';
import { isChange, type JudgedPin, type PinCheck, type PinFinding } from '../core/pins.js';
import { isOntoStop, type SpanResult } from '../core/span.js';
import type { DeployKind } from '../instance/facts/fact-names.js';
import { capitalize, countOf, listNames } from './phrase.js';
import { deployWords } from './route/deploy-words.js';
import { describeIssue } from './route/reasons.js';
import { describeBy, type Words } from './word.js';

const pinOne = 'Pin one exact release, written in the file.';

export const pinFindingWords: Words<PinFinding> = {
  unchanged: {
    meaning: 'The pin is the same on both sides of the change.',
    describe: () => 'the same on both sides',
  },
  untouched: {
    meaning: 'The pin cannot be judged, but the change does not touch what sets it.',
    remedy: pinOne,
    describe: ({ why }) => `the change does not touch what sets it; it could not be judged: ${why}`,
  },
  proven: {
    meaning: 'The pin moves to a later release, and the whole span is proven safe to roll in one step.',
    rule: 2,
    describe: ({ check, accepted }) =>
      accepted === true
        ? `${stepOf(check)}: only accepted risks speak against rolling in one step`
        : `${stepOf(check)} is proven safe to roll in one step${ontoStop(check)}`,
  },
  recreate: {
    meaning: 'One direct upgrade that needs downtime. It passes only with --accept recreate.',
    rule: 2,
    remedy:
      'Plan downtime with a backup of the database when Lightdash is stopped, deploy with Recreate, and confirm it ' +
      'with --accept recreate; or choose a target that is proven to roll.',
    describe: ({ check, accepted }) =>
      `${stepOf(check)} can be one direct upgrade, ` +
      `${accepted === true ? 'not proven to roll, but accepted' : 'but needs downtime (strategy Recreate)'}${ontoStop(check)}`,
  },
  'not-proven': {
    meaning:
      'The index does not prove the move to be one step, or a known issue, a major or the facts of the instance stop it.',
    remedy: 'lightspan upgrade-plan lists the hops; pin the first of them.',
    describe: ({ check }) =>
      isOnlyStopped(check)
        ? `${stepOf(check)} is one step that may roll, and the upgrade is stopped`
        : `${stepOf(check)} is not proven to be one step`,
  },
  downgrade: {
    meaning: 'The pin moves to an older release. An older image undoes no migration of the database.',
    remedy:
      'To go back, restore the database backup that was taken before the upgrade, and change the pin without ' +
      'this gate; or fix forward.',
    describe: ({ from, to }) =>
      `${to} is older than ${from}: an older image undoes no migration, and the index covers forward steps only`,
  },
  added: {
    meaning: 'A new pin. No file shows which release ran there before, if any.',
    remedy:
      'If it is a new installation, confirm that with --accept added: it passes if the index contains its release. ' +
      'If the pin was somewhere else, keep it there, or move it in a separate change.',
    describe: ({ check, issues }) =>
      `${check.toVersion} is new here; what ran before is not known` +
      `${check.safe ? '' : '; the index does not contain that release'}` +
      issues.map((issue) => `; ${describeIssue(issue)}`).join(''),
  },
  removed: {
    meaning:
      'A pin is gone: its file, or its place in the file. Nothing shows what is deployed in its place.',
    remedy: 'If the deployment is removed, confirm that with --accept removed. Otherwise put the pin back.',
    describe: () => 'the pin is gone; what is deployed in its place is not known',
  },
  renamed: {
    meaning: 'The file of a pin was renamed. No file shows whether it is still the same deployment.',
    remedy: 'If the same deployment continues under the new name, confirm that with --accept renamed.',
    describe: ({ renamedFrom }) => `its file was ${renamedFrom}; it might not be the same deployment`,
  },
  'renamed-away': {
    meaning:
      'The file of a pin was renamed, and no --pin covers the new name: later changes would go unnoticed.',
    remedy: 'Name the new file with --pin, or in lightspan.pins.yaml, in the same change.',
    describe: ({ renamedTo }) => `its file is now ${renamedTo}, which no --pin covers`,
  },
  unreadable: {
    meaning: 'One side of the change does not name a single release. What cannot be judged does not pass.',
    remedy: `${pinOne} Where only the side before names none, check the step from the release that runs.`,
    describe: ({ side, why }) => `${side === 'before' ? 'before the change, ' : ''}${why}`,
  },
  'image-changed': {
    meaning: 'The registry or the repository of the image changes, but the index is about one image.',
    remedy: 'Change the image separately, and review it by hand: only a change of release is judged.',
    describe: ({ from, to }) => `the image also changes, from ${imageOr(from)} to ${imageOr(to)}`,
  },
  'digest-changed': {
    meaning: 'The digest changes, but the release stays. The digest decides what runs.',
    remedy: 'A release has one image: check by hand which one the digest belongs to.',
    describe: ({ version, from, to }) =>
      `the digest changes from ${from ?? 'none'} to ${to ?? 'none'}, and the release stays ${version}`,
  },
  'digest-kept': {
    meaning: 'The release changes, but the digest stays. The digest decides what runs.',
    remedy: 'The digest decides what runs: change it with the tag.',
    describe: ({ from, to, digest }) =>
      `the release changes from ${from} to ${to}, and the digest stays ${digest}`,
  },
};

/** By which tool's words a pin is described. */
export function deployOfPin({ isOfCompose }: Pick<JudgedPin, 'isOfCompose'>): DeployKind {
  return isOfCompose ? 'compose' : 'helm';
}

export function describePinFinding(finding: PinFinding, deploy: DeployKind): string {
  const { canRoll, needed } = deployWords[deploy];
  return finding.kind === 'recreate' && finding.accepted !== true && !canRoll
    ? `${stepOf(finding.check)} can be one direct upgrade, but needs ${needed}${ontoStop(finding.check)}`
    : describeBy(pinFindingWords, finding);
}

export function remedyOfPin(finding: PinFinding, deploy: DeployKind): string {
  const { canRoll, restart } = deployWords[deploy];
  if (finding.kind === 'recreate' && !canRoll)
    return `${capitalize(restart)}; confirm that with --accept recreate.`;
  if (finding.kind !== 'unreadable') return pinFindingWords[finding.kind].remedy ?? '';
  if (finding.side === 'after') return finding.hint ?? pinOne;
  return (
    `What runs is in no file: check the step with lightspan check --from RUNNING_VERSION --to ${finding.to}, or with ` +
    `lightspan check --instance https://lightdash.example.com --to ${finding.to}. If it answers yes, merge this change without this gate, ` +
    'which judges the moves from here on.'
  );
}

/** Whether the releases allow the step, and only what stops an upgrade is against it: a major, or facts. */
export function isOnlyStopped(check: Extract<PinFinding, { kind: 'not-proven' }>['check']): boolean {
  return check.jump === true && check.rolling === true && !isDisputed(check);
}

function stepOf({ fromVersion, toVersion }: { readonly fromVersion: string; readonly toVersion: string }) {
  return `${fromVersion} to ${toVersion}`;
}

function imageOr(name: string | undefined): string {
  return name ?? 'one that the file does not name';
}

/** What was looked at: `12 files: 11 pins, 11 changed` */
export function summaryOfPins({ pins, lookedAt: { files, isOfNamedPins, ignored } }: PinCheck): string {
  const changed = pins.filter(isChange);
  const counts = pins.length === 0 ? 'no pin' : `${countOf(pins.length, 'pin')}, ${changed.length} changed`;
  const reasons = listNames([...new Set(ignored.map(({ reason }) => reason))]);
  const left = ignored.length === 0 ? '' : `; ${countOf(ignored.length, 'file')} ignored (${reasons})`;
  const where = isOfNamedPins ? ', at named pins only' : '';
  return `${countOf(files, 'file')}${where}: ${counts}${left}`;
}

function ontoStop(check: SpanResult): string {
  return isOntoStop(check)
    ? `; ${check.toVersion} is a required stop, so let its migrations run before a later release`
    : '';
}

/** What backs up the database as part of a hop. */
const backups: Readonly<Record<DeployKind, string>> = {
  helm: 'The jobs examples/helm/backup.yaml.tpl and examples/argo-cd/presync-backup.yaml do so.',
  compose: 'The steps of upgrade-plan --deploy compose do so.',
};

/** What comes before a hop is deployed. */
export function describeBackupOfHop(hop: 'rolling' | 'recreate', deploy: DeployKind): string {
  const when = {
    rolling: 'right before the new version is deployed, which may migrate',
    recreate: 'when all of Lightdash is stopped, and before the new version is deployed',
  };
  return `A backup of the database is part of this hop: take it ${when[hop]}. ${backups[deploy]}`;
}
