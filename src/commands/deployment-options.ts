import { LightspanError } from '../errors.js';
import type { OptionsOf, OptionTable } from './declare.js';
import type { SourceOptions } from './options.js';
import { readText } from './readers.js';

/** Where the facts of a deployment come from. */

export const manifests = {
  manifests: {
    flags: '--manifests <file>',
    description:
      'read what kubectl get -o yaml, helm get manifest or helm template prints: a file, or - for standard input; may be given several times',
    several: true,
  },
} as const satisfies OptionTable;

/** What selects a cluster, and what to read of it. */
export const cluster = {
  kubernetes: {
    flags: '--kubernetes',
    description: 'or: ask the cluster, with your own kubectl: only get, and no values of Secrets',
  },
  namespace: {
    flags: '--namespace <name>',
    description: 'the namespace of Lightdash, if it is not that of the context',
    read: readText,
  },
  release: {
    flags: '--release <name>',
    description: 'the Helm release of Lightdash, if there are several',
    read: readText,
  },
  context: {
    flags: '--context <name>',
    description: 'the context of kubectl, if it is not the current one',
    read: readText,
  },
} as const satisfies OptionTable;

export const deployment = {
  ...manifests,
  values: {
    flags: '--values <file>',
    description: 'read the values of the chart; may be given several times, the later wins as with Helm',
    several: true,
  },
  compose: {
    flags: '--compose <file>',
    description:
      'or: read compose files with docker compose, as its --file takes them; may be given several times; or what docker compose config --format json printed, - for standard input',
    several: true,
  },
  composeEnvFile: {
    flags: '--compose-env-file <file>',
    description:
      'of --compose: read variables there, in place of .env; may be given several times, the later wins',
    several: true,
  },
  ...cluster,
  secretKeys: {
    flags: '--secret-keys',
    description:
      'of --kubernetes: request the names of the keys in Secrets that variables come from; the values stay with kubectl',
  },
} as const satisfies OptionTable;

export type DeploymentOptions = OptionsOf<typeof deployment>;

/**
 * Whether facts of a deployment are requested.
 *
 * @throws {LightspanError} `usage` for options without the one that they belong to
 */
export function asksDeployment(options: DeploymentOptions & Pick<SourceOptions, 'offline'>): boolean {
  const { manifests, values, compose, kubernetes, namespace, release, context, offline } = options;
  if (options.composeEnvFile !== undefined && compose === undefined) {
    throw new LightspanError('usage', '--compose-env-file applies only to compose files', {
      hint: 'Add --compose <file>, or leave it out.',
    });
  }
  if (kubernetes === true && offline === true) {
    throw new LightspanError('usage', '--kubernetes contacts a cluster, and --offline contacts none', {
      hint: 'Give --manifests with what kubectl get -o yaml printed.',
    });
  }
  if (context !== undefined && kubernetes !== true) {
    throw new LightspanError('usage', '--context applies only to a live cluster', {
      hint: 'Add --kubernetes, or leave it out.',
    });
  }
  if (options.secretKeys === true && kubernetes !== true) {
    throw new LightspanError('usage', '--secret-keys applies only to a live cluster', {
      hint: 'Add --kubernetes, or leave it out.',
    });
  }
  const objects = manifests !== undefined || kubernetes === true;
  if (!objects && (namespace !== undefined || release !== undefined)) {
    throw new LightspanError('usage', '--namespace and --release apply only to a cluster or manifests', {
      hint: 'Add --kubernetes, or --manifests <file>.',
    });
  }
  return objects || values !== undefined || compose !== undefined;
}
