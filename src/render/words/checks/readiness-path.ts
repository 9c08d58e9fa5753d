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
  meaning: 'Whether the probes ask what the releases of this upgrade serve.',
  looksAt: `The startup, liveness and readiness probe of every container that runs Lightdash, against the release that runs and the target: /api/v1/readyz is there from ${firstWith.readyz} on, never in workers, and before ${firstWith.readyzWarns} it fails in every pod while a migration is parked. Where the images are of the target already, the probes are held against it alone.`,
  finds: {
    'readyz-not-served': {
      meaning: `A probe asks /api/v1/readyz of a release before ${firstWith.readyz}, which has no such path: the pod never gets ready, or is killed.`,
      remedy: 'Let the probe ask what that release serves.',
      describe: ({ version, ...asked }) =>
        `${asker(asked)} asks /api/v1/readyz, which ${version} does not serve`,
      ...letAsk(health),
    },
    'worker-has-no-readyz': {
      meaning:
        'A probe asks /api/v1/readyz of a worker. No release serves it there: the pod never gets ready, or is killed.',
      remedy: `Let the probe of the worker ask ${health}, which workers serve.`,
      describe: (asked) => `${asker(asked)} asks /api/v1/readyz, which no worker serves`,
    },
    'readyz-fails-on-parked': {
      meaning: `From ${firstWith.readyz} to before ${firstWith.readyzWarns} readyz fails in every pod at once while a migration is parked: one failed upgrade takes the old pods out of service, too.`,
      remedy: `Let the readiness probe ask ${health} until both ends of the upgrade are ${firstWith.readyzWarns} or later.`,
      describe: ({ version, ...asked }) =>
        `${asker(asked)} asks /api/v1/readyz, which in ${version} fails everywhere while a migration is parked`,
      ...letAsk(health),
    },
    'liveness-asks-database': {
      meaning:
        'A liveness probe asks a path that goes by the database. Pods are killed for what no restart mends, in the midst of a migration too.',
      remedy: 'Let the liveness probe ask /api/v1/livez.',
      describe: ({ asks, ...asked }) => `${asker(asked)} asks ${asks}, which goes by the database`,
      ...letAsk('/api/v1/livez'),
    },
    'health-kept': {
      meaning: `From ${firstWith.readyzWarns} on readyz tells whether the schema is there; health answers 200 without it. A path that was once set outlives the default of the chart.`,
      remedy: 'Leave the path to the chart, which chooses it by the release, or set /api/v1/readyz.',
      describe: ({ version, ...asked }) =>
        `${asker(asked)} asks ${health}, which in ${version} is 200 without the schema`,
      ...letAsk(''),
    },
    'readiness-tells-little': {
      meaning:
        'What the readiness probe asks does not tell whether Lightdash can serve. A pod counts as ready too early.',
      remedy: `Let it ask /api/v1/readyz from ${firstWith.readyzWarns} on, ${health} before.`,
      describe: ({ asks, ...asked }) =>
        asks === 'nothing'
          ? `${asked.workload} has no readiness probe`
          : asks.startsWith('/')
            ? `${asker(asked)} asks ${asks}`
            : `${asker(asked)} asks no path: it is of the kind ${asks}`,
    },
    'readiness-paths-served': {
      meaning: 'Every probe asks what both releases serve.',
      describe: ({ probes }) => `${countOf(probes, 'probe asks', 'probes ask')} what is served`,
    },
    'compose-does-not-probe': {
      meaning: 'Compose has no such probes.',
      describe: () => 'compose has no such probes',
    },
  },
};
