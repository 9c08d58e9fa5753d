import type { OptionsOf, OptionTable } from './declare.js';
import { readText } from './readers.js';

/** Where the facts of a deployment come from. */

export const manifests = {
  manifests: {
    flags: '--manifests <file>',
    group: 'evidence',
    brief: 'read the manifests that kubectl or helm prints',
    description:
      'read what kubectl get -o yaml, helm get manifest or helm template prints: a file, or - for standard input; may be given several times',
    several: true,
  },
} as const satisfies OptionTable;

export const cluster = {
  kubernetes: {
    flags: '--kubernetes',
    group: 'evidence',
    brief: 'or: ask the cluster with your kubectl (only get)',
    description: 'or: ask the cluster, with your own kubectl: only get, and no values of Secrets',
    conflicts: 'offline',
  },
  namespace: {
    flags: '--namespace <name>',
    group: 'evidence',
    rare: true,
    description: 'the namespace of Lightdash, if it is not that of the context',
    read: readText,
    needs: ['kubernetes', 'manifests'],
  },
  release: {
    flags: '--release <name>',
    group: 'evidence',
    rare: true,
    description: 'the Helm release of Lightdash, if there are several',
    read: readText,
    needs: ['kubernetes', 'manifests'],
  },
  context: {
    flags: '--context <name>',
    group: 'evidence',
    rare: true,
    description: 'the context of kubectl, if it is not the current one',
    read: readText,
    needs: ['kubernetes'],
  },
} as const satisfies OptionTable;

export const deployment = {
  ...manifests,
  values: {
    flags: '--values <file>',
    group: 'evidence',
    brief: 'read the values of the chart',
    description: 'read the values of the chart; may be given several times, the later wins as with Helm',
    several: true,
  },
  compose: {
    flags: '--compose <file>',
    group: 'evidence',
    brief: 'or: read compose files, with docker compose',
    description:
      'or: read compose files with docker compose, as its --file takes them; may be given several times; or what docker compose config --format json printed, - for standard input',
    several: true,
  },
  composeEnvFile: {
    flags: '--compose-env-file <file>',
    group: 'evidence',
    rare: true,
    description:
      'of --compose: read variables there, in place of .env; may be given several times, the later wins',
    several: true,
    needs: ['compose'],
  },
  ...cluster,
  secretKeys: {
    flags: '--secret-keys',
    group: 'evidence',
    rare: true,
    description:
      'of --kubernetes: request the names of the keys in Secrets that variables come from; the values stay with kubectl',
    needs: ['kubernetes'],
  },
} as const satisfies OptionTable;

export type DeploymentOptions = OptionsOf<typeof deployment>;

export function asksDeployment({ manifests, values, compose, kubernetes }: DeploymentOptions): boolean {
  return kubernetes === true || (manifests ?? values ?? compose) !== undefined;
}
