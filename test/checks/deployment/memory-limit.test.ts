import { describe } from 'vitest';
import { memoryLimit } from '../../../src/checks/deployment/memory-limit.js';
import type { ContainerFact } from '../../../src/instance/facts/deployment-facts.js';
import { backendWith, composedAt, containerOf, deployedAt } from '../../support/deployment.js';
import { itFinds, type Situation } from '../../support/preflight.js';

const gib = 1024 ** 3;
const limited = (
  memoryLimitBytes: number | null,
  told: Partial<ContainerFact> = {},
  to = '2.1.0',
): Situation => ({
  releases: [{ version: '2.0.0' }, { version: to }],
  facts: { ...deployedAt('2.0.0'), workloads: [backendWith({ memoryLimitBytes, ...told })] },
});
const from = (keys: string[] | null, prefix = ''): Partial<ContainerFact> => ({
  variablesFrom: [{ origin: 'secret', object: 'lightdash', prefix, keys }],
});
const emptied = { origin: 'secret' as const, object: 'lightdash', prefix: '', keys: ['NODE_OPTIONS'] };
const seen = { ...emptied, keys: ['OTHER'] };
const options = (empty: boolean | null): Partial<ContainerFact> => ({
  variables: [{ name: 'NODE_OPTIONS', origin: 'literal', object: null, empty }],
});
const below = 'warn heap-below-limit Deployment lightdash-backend';

describe('a memory limit', () => {
  itFinds(memoryLimit, (situation: Situation) => situation, {
    'ok memory-limits-used': {
      'is none': limited(null),
      'is small': limited(4 * gib - 1),
      'is large': limited(14 * gib + 1),
      'is used where that is set': limited(8 * gib, options(false)),
      'is used where what is set was not seen': limited(8 * gib, options(null)),
      'is used by a key of a secret': limited(8 * gib, from(['OPTIONS'], 'NODE_')),
      'is of a release of which nothing is known': limited(8 * gib, {}, '2.130.0'),
    },
    [below]: {
      'is left unused': limited(4 * gib),
      'is left unused up to the last': limited(14 * gib),
      'is left unused where nothing is set': limited(8 * gib, options(true)),
      'is left unused by a key that is set to nothing': limited(8 * gib, {
        variablesFrom: [{ ...emptied, emptyKeys: ['NODE_OPTIONS'] }],
      }),
      'is left unused by other keys': limited(8 * gib, from(['NODE_OPTIONS'], 'X_')),
      'may be left unused where the secret was not seen': limited(8 * gib, from(null)),
      'may be left unused where another was seen': limited(8 * gib, {
        variablesFrom: [seen, { ...seen, object: 'unseen', keys: null }],
      }),
    },
    'warn heap-below-limit service lightdash': {
      'is so in a compose file': {
        facts: composedAt('2.0.0', { containers: [containerOf('2.0.0', { memoryLimitBytes: 8 * gib })] }),
      },
    },
    'not-checked facts-not-seen': {
      'is not known where no backend was read': { facts: { ...deployedAt('2.0.0'), workloads: [] } },
    },
  });
});
