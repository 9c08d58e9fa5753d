import { describe } from 'vitest';
import { ledger } from '../../../src/checks/database/ledger.js';
import { deployedAt } from '../../support/deployment.js';
import { itFinds, ledgerOf, type ReleaseCase, type Situation } from '../../support/preflight.js';

const a = '20260801000000_a';
const b = '20260802000000_b';
const c = '20260803000000_c';
const d = '20260804000000_d';

/** Five releases, of which 2.1.0 and 2.3.0 bring nothing; 2.2.0 runs unless said otherwise. */
const releases: ReleaseCase[] = [
  { version: '2.0.0', migrations: [{ name: a }] },
  { version: '2.1.0' },
  { version: '2.2.0', migrations: [{ name: b }, { name: c }] },
  { version: '2.3.0' },
  { version: '2.4.0', migrations: [{ name: d }] },
];

function at(from: string, names: readonly string[], more: Partial<Situation> = {}): Situation {
  return { from, to: '2.4.0', releases, facts: { ledger: ledgerOf(...names) }, ...more };
}

/** The same, but for one of its releases. */
const having = (i: number, told: Partial<ReleaseCase>): Partial<Situation> => ({
  releases: releases.with(i, { version: releases[i]?.version ?? '', ...told }),
});

/** With two earlier releases, of which the second is as it is said to be. */
function old(name: string, told: Partial<ReleaseCase> = {}): Situation {
  return at('2.2.0', [name, a, b, c], {
    begin: '2.0.0',
    releases: [
      {
        version: '1.0.0',
        migrations: [{ name: '20260702000000_early' }, { name: '20260703000000_ee', edition: 'ee' }],
        entry: { releaseDate: '2026-07-01T00:00:00Z' },
      },
      { version: '1.1.0', entry: { releaseDate: '2026-07-08T00:00:00Z' }, ...told },
      ...releases,
    ],
  });
}

const ee = '20260801000001_ee';
const withEnterprise = having(0, { migrations: [{ name: a }, { name: ee, edition: 'ee' }] });
/** A name that is written so long after the first release, which is of 2026-07-28. */
const dated = (name: string) =>
  at('2.2.0', [name, a, b, c], {
    ...having(0, { migrations: [{ name: a }], entry: { releaseDate: '2026-07-28T00:00:00Z' } }),
  });
/** A pending migration that sorts before one that has run. */
const late = (facts: Situation['facts'] = {}): Situation => ({
  releases: [
    { version: '1.200.0', migrations: [{ name: b }] },
    { version: '1.201.0', migrations: [{ name: a }] },
  ],
  facts: { ledger: ledgerOf(b), ...facts },
});
const ran = [a, b, c];
const missing = { artifact: 'missing' as const };
const afterTarget = [...ran, '20261224000000_elsewhere'];
const beforeTarget = [...ran, '20260907000000_elsewhere'];
const hole = having(4, { entry: { previousVersion: '2.3.5' } });

describe('the ledger', () => {
  itFinds(ledger, (situation: Situation) => situation, {
    'ok ledger-agrees': {
      'agrees with the release that runs': at('2.2.0', ran),
      'is the same at a release that brings nothing': at('2.3.0', ran),
      'stands at the newest release where nothing is lacking': { ...at('2.4.0', [...ran, d]), to: '2.4.0' },
      'does not tell who brought what is older': at('2.2.0', ['20250101000000_x', ...ran]),
      'lacks enterprise migrations, as a community instance does': {
        ...{ ...at('2.2.0', ran, withEnterprise), edition: 'community' },
      },
      'has run one that sorts behind a pending one, and the pods of the running release start anyway': {
        ...at('2.2.0', ran, having(4, { migrations: [{ name: '20260802500000_late' }] })),
      },
      'holds what an earlier release brings': old('20260702000000_early'),
      'holds what may be older than all that was read': old('20260702000000_other'),
      'holds what may be of an earlier release without artifact': old('20260705000000_elsewhere', missing),
      'may hold what is written two days after its first release': dated('20260729235959_x'),
    },
    'stop ledger-ahead knex_migrations': {
      'is ahead of what is said to run': at('2.1.0', ran),
      'is ahead of the target itself': at('2.2.0', [...ran, d]),
    },
    'stop ledger-behind knex_migrations': {
      'is behind what is said to run': at('2.2.0', [a]),
      'is behind, with a name that is older than all that was read': at('2.2.0', ['20250101000000_x']),
      'is behind by the last release, whatever was passed before': at('2.2.0', [a], {
        releases: releases
          .with(0, { version: '2.0.0', migrations: [{ name: '20260731000000_passed' }] })
          .with(1, { version: '2.1.0', migrations: [{ name: a }] })
          .with(2, { version: '2.2.0', migrations: [{ name: b }] }),
      }),
      'is behind by the release right behind the one that it stands at': at('2.2.0', [a], {
        releases: releases
          .with(1, { version: '2.1.0', migrations: [{ name: b }] })
          .with(2, { version: '2.2.0' }),
      }),
    },
    'stop ledger-half-applied knex_migrations': {
      'is half way through the release that runs': at('2.2.0', [a, b]),
      'is half way to a release of the way': at('2.1.0', [a, c]),
      'is half way to a release, and nothing tells where it began': at('2.1.0', [c], having(0, {})),
    },
    'stop ledger-absent knex_migrations': {
      'is not there': { ...at('2.2.0', []), facts: { ledger: 'absent' } },
    },
    'stop ledger-unnamed knex_migrations; ok ledger-agrees': {
      'has a row without a name': {
        ...at('2.2.0', []),
        facts: { ledger: [...ledgerOf(a, b, c), { name: '', batch: 4, migratedAt: null }] },
      },
    },
    'stop ledger-empty knex_migrations': { 'is empty': at('2.2.0', []) },
    'stop ledger-diverged knex_migrations; ok ledger-agrees': {
      'holds what no release of the way brings': at('2.2.0', afterTarget),
      'holds what no earlier release brings': old('20260705000000_elsewhere'),
      'holds what no release behind that one brings': old('20260712000000_elsewhere', missing),
      'holds what is written more than two days after its first release': dated('20260730000001_x'),
    },
    'not-checked releases-not-indexed': {
      'holds what only a release that the index lacks may bring': at('2.2.0', beforeTarget, hole),
      'holds what is dated after a target that the index does not list': {
        ...{ ...at('2.2.0', afterTarget), to: '2.5.0' },
      },
    },
    'stop ledger-diverged knex_migrations; not-checked releases-not-indexed': {
      'holds what is dated after the target, whatever the index may lack': at('2.2.0', afterTarget, hole),
    },
    'stop ledger-diverged knex_migrations; not-checked artifacts-not-seen': {
      'holds what is dated after the target, whatever artifact is missing': {
        ...at('2.2.0', afterTarget, having(4, missing)),
      },
    },
    'not-checked facts-not-seen': {
      'holds what may be of one release before without artifact': at(
        '2.2.0',
        beforeTarget,
        having(1, missing),
      ),
      'holds what an earlier release brings for the enterprise edition alone': old('20260703000000_ee'),
      'holds enterprise migrations, and nothing says whether there is a licence': {
        ...at('2.2.0', [a, ee, b, c], withEnterprise),
      },
      'lacks enterprise migrations, and nothing says whether it ought to have them': {
        ...at('2.2.0', ran, withEnterprise),
      },
      'lacks those of the release that runs, and nothing says whether it ought to have them': {
        ...at(
          '2.2.0',
          ran,
          having(2, { migrations: [{ name: b }, { name: c }, { name: ee, edition: 'ee' }] }),
        ),
      },
      'cannot be held against releases without artifact': at('2.2.0', ran, {
        releases: releases.map(({ version }, i) => (i < 3 ? { version, ...missing } : { version })),
      }),
      'cannot be held against one release before without artifact': at('2.2.0', ran, having(1, missing)),
    },
    'warn ledger-shows-no-release knex_migrations': {
      'is of releases that all bring nothing': at('2.1.0', ['20250101000000_x'], having(0, {})),
    },
    'not-checked facts-not-seen; warn ledger-back-dated knex_migrations': {
      'has run one that sorts behind a pending one, and the deployment was not seen': late(),
    },
    'warn ledger-back-dated knex_migrations; ok ledger-agrees': {
      'has run one that sorts behind a pending one, and the deployment was seen': late(deployedAt('1.200.0')),
      'has run one that sorts behind a pending one, and compose stops the old container': {
        ...late({ stated: { 'deployed-by': 'compose' } }),
      },
    },
    'stop ledger-without-licence knex_migrations; ok ledger-agrees': {
      'holds enterprise migrations of an instance without licence': {
        ...{ ...at('2.2.0', [a, ee, b, c], withEnterprise), edition: 'community' },
      },
    },
    'warn ledger-skipped knex_migrations; ok ledger-agrees': {
      'lacks enterprise migrations that an enterprise instance has run': {
        ...{ ...at('2.2.0', ran, withEnterprise), edition: 'enterprise' },
      },
      'is passed by a migration that was moved': at('2.3.0', [a, c], {
        releases: releases
          .with(1, { version: '2.1.0', migrations: [{ name: '20260801500000_moved' }] })
          .with(2, { version: '2.2.0', migrations: [{ name: c }] }),
      }),
    },
    'not-checked artifacts-not-seen': {
      'may be anywhere where an artifact of the way is missing': at('2.2.0', ran, having(3, missing)),
    },
  });
});
