import type { ReadinessPathEvidence } from '../../../preflight/checks/readiness-path.js';
import { firstWith } from '../../../preflight/runtime-eras.js';
import { countOf } from '../../phrase.js';
import { underKeys } from '../../yaml-map.js';
import type { CheckWords } from './check-words.js';

interface Asked {
  readonly workload: string;
  readonly probe: string;
  readonly path: readonly string[] | null;
}

const asker = ({ workload, probe }: Omit<Asked, 'path'>) => `the ${probe} probe of ${workload}`;
const letAsk = (asked: string) => ({
  pasteIn: 'values' as const,
  commands: ({ probe, path }: Asked) =>
    path === null
      ? []
      : underKeys([...path, 'lightdashBackend', `${probe}Probe`], [`path: ${asked === '' ? '""' : asked}`]),
});
const health = '/api/v1/health';

export const readinessPathWords: CheckWords<ReadinessPathEvidence> = {
  label: 'Probe paths',
  meaning: 'Whether the probes request paths that the releases of this upgrade serve.',
  looksAt: `The startup, liveness and readiness probe of every container that runs Lightdash, against the running release and the target: /api/v1/readyz is there from ${firstWith.readyz} on, never in workers, and before ${firstWith.readyzWarns} it fails in every pod while a migration is parked. If the images are already those of the target, the probes are checked against it alone.`,
  finds: {
    'readyz-not-served': {
      meaning: `A probe requests /api/v1/readyz from a release before ${firstWith.readyz}, which has no such path: the pod never gets ready, or is killed.`,
      remedy: 'Let the probe request a path that this release serves.',
      describe: ({ version, ...asked }) =>
        `${asker(asked)} requests /api/v1/readyz, which ${version} does not serve`,
      ...letAsk(health),
    },
    'worker-has-no-readyz': {
      meaning:
        'A probe requests /api/v1/readyz from a worker. No release serves it there: the pod never gets ready, or is killed.',
      remedy: `Let the probe of the worker request ${health}, which workers serve.`,
      describe: (asked) => `${asker(asked)} requests /api/v1/readyz, which no worker serves`,
    },
    'readyz-fails-on-parked': {
      meaning: `From ${firstWith.readyz} to before ${firstWith.readyzWarns} readyz fails in every pod at once while a migration is parked: one failed upgrade takes the old pods out of service, too.`,
      remedy: `Let the readiness probe request ${health} until both ends of the upgrade are ${firstWith.readyzWarns} or later.`,
      describe: ({ version, ...asked }) =>
        `${asker(asked)} requests /api/v1/readyz, which in ${version} fails everywhere while a migration is parked`,
      ...letAsk(health),
    },
    'liveness-asks-database': {
      meaning:
        'A liveness probe requests a path that depends on the database. Pods are killed for problems that no restart fixes, even in the middle of a migration.',
      remedy: 'Let the liveness probe request /api/v1/livez.',
      describe: ({ asks, ...asked }) => `${asker(asked)} requests ${asks}, which depends on the database`,
      ...letAsk('/api/v1/livez'),
    },
    'health-kept': {
      meaning: `From ${firstWith.readyzWarns} on, readyz shows whether the schema is there; health answers 200 without it. A path that you once set overrides the default of the chart.`,
      remedy: 'Leave the path to the chart, which chooses it by the release, or set /api/v1/readyz.',
      describe: ({ version, ...asked }) =>
        `${asker(asked)} requests ${health}, which in ${version} is 200 without the schema`,
      ...letAsk(''),
    },
    'readiness-tells-little': {
      meaning:
        'What the readiness probe requests does not show whether Lightdash can serve. A pod counts as ready too early.',
      remedy: `Let it request /api/v1/readyz from ${firstWith.readyzWarns} on, ${health} before.`,
      describe: ({ asks, ...asked }) =>
        asks === 'nothing'
          ? `${asked.workload} has no readiness probe`
          : asks.startsWith('/')
            ? `${asker(asked)} requests ${asks}`
            : `${asker(asked)} requests no path: it is of the kind ${asks}`,
    },
    'readiness-paths-served': {
      meaning: 'Every probe requests a path that both releases serve.',
      describe: ({ probes }) => `${countOf(probes, 'probe requests', 'probes request')} what is served`,
    },
    'compose-does-not-probe': {
      meaning: 'Compose has no such probes.',
      describe: () => 'compose has no such probes',
    },
  },
};
