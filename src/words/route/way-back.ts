import type { WayBack, WayBackReason } from '../../core/route/way-back.js';
import { countOf, listNames } from '../phrase.js';
import { describeBy, type Word, type Words } from '../word.js';

export const wayBackWords: Record<WayBack['needs'], Word & { readonly label: string }> = {
  code: {
    label: 'code only',
    meaning:
      'Going back from a hop needs code only: the old image starts and works on the database as the hop leaves ' +
      'it. What the new release has written stays.',
    remedy:
      'Take the backup anyway. To go back, deploy the old tag again; stop the new pods first if the hop is a Recreate.',
  },
  flag: {
    label: 'a flag',
    meaning:
      'Going back from a hop needs a flag: the old image starts on the newer database only if an environment ' +
      'variable allows it.',
    remedy:
      'Set ALLOW_MISSING_MIGRATIONS=true in every workload of the old tag, deploy it again, and remove it ' +
      'after the next upgrade.',
  },
  backup: {
    label: 'the backup',
    meaning:
      'Going back from a hop needs the backup: once the migrations of the hop have begun, nothing proves that ' +
      'the old image starts or works on the database. That is the point of no return: if you restore the ' +
      'backup, everything written after it is lost.',
    remedy: 'Stop everything that writes, take the backup, and check that it can be restored.',
  },
};

export const wayBackReasonWords: Words<WayBackReason> = {
  'no-migrations': {
    meaning: 'No release of the hop brings a migration, so the database stays as the old image knows it.',
    describe: () => 'no release in it brings a migration',
  },
  'starts-on-newer-database': {
    meaning:
      'From 1.123.0 on, every image starts on a database that is ahead of it. And every release of the hop is ' +
      'proven safe to roll: the old code works on the new schema.',
    describe: ({ migrations }) =>
      `the old image starts despite ${countOf(migrations, 'migration')} it does not know, and its code is ` +
      'proven to work there',
  },
  'starts-with-flag': {
    meaning:
      'Before 1.123.0, an image refuses a database with migrations it does not know, unless ' +
      'ALLOW_MISSING_MIGRATIONS is set. The flag was added after 2026-05-15; which release added it is not ' +
      'known. lightspan therefore relies on it only from 1.122.0 on, the last release that needs it.',
    describe: ({ migrations, flag, knownFrom, neededBelow }) =>
      `with ${flag}=true the old image starts despite ${countOf(migrations, 'migration')} it does not know, ` +
      `and its code is proven to work there; the flag is certain from ${knownFrom} on, and not needed ` +
      `from ${neededBelow} on`,
  },
  'hop-not-covered': {
    meaning: 'The index does not cover the hop, so what its releases migrate is not known.',
    rule: 7,
    remedy: 'Check the versions, or get a complete index.',
    describe: () => 'the index does not cover it',
  },
  'migrations-not-told': {
    meaning:
      'No artifact says what a release of the hop migrates: none was read, it is backfilled, or it does not ' +
      'follow the release before it. The index itself lists no migrations.',
    remedy:
      'lightspan upgrade-report reads the artifacts, and so does upgrade-plan with --facts of a database. A ' +
      'backfilled release has none.',
    describe: ({ versions }) =>
      `the migrations of ${countOf(versions.length, 'release')} in it are not known (${listNames(versions, 2)})`,
  },
  'old-code-not-proven': {
    meaning: 'A release of the hop is not proven safe to roll: old code might not work on the new schema.',
    rule: 1,
    describe: ({ versions }) =>
      `old code is not proven to work on the new schema (${listNames(versions, 2)})`,
  },
  'issues-hold': {
    meaning: 'A known issue applies, or may apply, to the hop. That puts what its releases claim in doubt.',
    remedy: 'See lightspan known-issues show <id>.',
    describe: ({ ids }) =>
      `${ids.join(', ')} ${ids.length === 1 ? 'applies or may apply' : 'apply or may apply'}`,
  },
  'refuses-newer-database': {
    meaning:
      'Before 1.123.0, an image refuses a database with migrations it does not know: "migration directory is ' +
      'corrupt". This image might not support ALLOW_MISSING_MIGRATIONS: the flag was added after 2026-05-15, and ' +
      'only releases from 1.122.0 on certainly have it.',
    remedy: 'Go through 1.122.0 or later if the route allows it.',
    describe: ({ version, flag, knownFrom }) =>
      `${version} refuses a database with migrations it does not know, and might not support ${flag} (certain ` +
      `only from ${knownFrom} on)`,
  },
  'sorts-before': {
    meaning:
      'A migration of the hop sorts before one that the old image contains, or its name has no timestamp. Once ' +
      'it has run, the old image finds that the database has diverged and does not start.',
    describe: ({ migrations }) =>
      'the old image would find that the database has diverged: ' +
      `${listNames(migrations)} ${migrations.length === 1 ? 'sorts' : 'sort'} before a migration it contains`,
  },
  'order-not-known': {
    meaning: 'A migration of the hop may sort before one in the old image, which then does not start.',
    remedy: 'Pass --facts of a database: its ledger shows what the old image contains.',
    describe: () =>
      'one of its migrations may sort before one in the old image (--facts of the database would show it)',
  },
};

export function describeWayBack({ needs, because }: WayBack): string {
  return (
    `going back needs ${wayBackWords[needs].label}: ` +
    `${because.map((reason) => describeBy(wayBackReasonWords, reason)).join('; ')}`
  );
}

/** If no hop's migrations are known: one clause for all hops; else undefined. */
export function describeAllWaysBack(ways: readonly WayBack[]): string | undefined {
  const reasons = ways.flatMap(({ because }) => because);
  return ways.length > 0 && reasons.every(({ kind }) => kind === 'migrations-not-told')
    ? 'restore the backup (migrations unknown)'
    : undefined;
}
