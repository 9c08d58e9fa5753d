import { existsSync } from 'node:fs';
import type { DeploymentSources, FactsQuestion } from '../../question/facts.js';
import { optionSettings } from '../../question/option-settings.js';
import type { OptionsOf, OptionTable } from '../declare.js';
import { invalidValue, readSource, readText } from '../readers.js';
import type { limits, statedFact } from './evidence-options.js';
import type { fetchTimeout } from './options.js';

/** Where the facts of an instance come from, of its database and of its deployment. */

/** Of a command that may read the database of Lightdash. */
export const database = {
  database: {
    flags: '--database <url>',
    group: 'evidence',
    brief: 'read the database: postgresql://..., or env (PG*)',
    description:
      'read the database of Lightdash: postgresql://..., env to use the PG* variables, or the name of a ' +
      'variable with the URL',
    setting: optionSettings.database,
  },
} as const satisfies OptionTable;

export const migratingRole = {
  migratingRole: {
    flags: '--migrating-role <role>',
    group: 'evidence',
    rare: true,
    description: 'the role that migrates (default: the owner of knex_migrations)',
    read: readText,
    needs: ['database', 'sql'],
  },
} as const satisfies OptionTable;

export const deploy = {
  deploy: {
    flags: '--deploy <with>',
    group: 'steps',
    brief: 'add commands to paste, for helm or compose',
    description: 'list the steps of the first hop, with a block of commands to paste, for',
    choices: optionSettings.deploy.choices,
    setting: optionSettings.deploy,
  },
} as const satisfies OptionTable;

export const manifests = {
  manifests: {
    flags: '--manifests <file>',
    group: 'evidence',
    brief: 'read manifests printed by kubectl or helm',
    description:
      'read the output of kubectl get -o yaml, helm get manifest or helm template: a file, or - for ' +
      'standard input; repeatable',
    several: true,
  },
} as const satisfies OptionTable;

export const cluster = {
  kubernetes: {
    flags: '--kubernetes',
    group: 'evidence',
    brief: 'or: ask the cluster with your kubectl (only get)',
    description: 'or: ask the cluster with your kubectl: only get, and no values of Secrets',
    conflicts: 'offline',
  },
  namespace: {
    flags: '--namespace <name>',
    group: 'evidence',
    rare: true,
    description: 'the namespace of Lightdash (default: that of the context)',
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
    description: 'the context of kubectl (default: the current one)',
    read: readText,
    needs: ['kubernetes'],
  },
} as const satisfies OptionTable;

/** To Helm a comma begins another file; here each file has an option of its own. */
export function readValuesFile(text: string): string {
  if (text.includes(',') && !existsSync(text)) {
    throw invalidValue(
      'There is no such file. Where Helm takes a comma, pass each file with an option of its own.',
    );
  }
  return readSource(text);
}

export const deployment = {
  ...manifests,
  values: {
    flags: '--values <file>',
    group: 'evidence',
    brief: 'read the values of the chart',
    description: 'read the values of the chart; repeatable, the later wins as with Helm',
    read: readValuesFile,
    several: true,
  },
  compose: {
    flags: '--compose <file>',
    group: 'evidence',
    brief: 'or: read compose files, with docker compose',
    description:
      'or: read compose files with docker compose, as its --file takes them; repeatable; or the output of ' +
      'docker compose config --format json, - for standard input',
    several: true,
  },
  composeEnvFile: {
    flags: '--compose-env-file <file>',
    group: 'evidence',
    rare: true,
    description: 'with --compose: read variables there, in place of .env; repeatable, the later wins',
    several: true,
    needs: ['compose'],
  },
  ...cluster,
  secretKeys: {
    flags: '--secret-keys',
    group: 'evidence',
    rare: true,
    description:
      'with --kubernetes: request the names of the keys in Secrets that set variables; the values stay with kubectl',
    needs: ['kubernetes'],
  },
} as const satisfies OptionTable;

type DeploymentOptions = OptionsOf<typeof deployment>;

/** Undefined if no option names a deployment. */
function deploymentSourcesOf(options: DeploymentOptions): DeploymentSources | undefined {
  const { manifests, values, compose, composeEnvFile, kubernetes, secretKeys } = options;
  const { context, namespace, release } = options;
  if (kubernetes !== true && (manifests ?? values ?? compose) === undefined) return undefined;
  return {
    ...{ manifests, values, compose, composeEnvFile, kubernetes, secretKeys },
    ...{ context, namespace, release },
  };
}

type ReadingOptions = OptionsOf<typeof migratingRole> & { readonly measure?: boolean };

type FactsOptions = DeploymentOptions &
  ReadingOptions &
  OptionsOf<typeof database & typeof statedFact & typeof limits & typeof fetchTimeout> & {
    readonly facts?: string;
    readonly factsOut?: string;
  };

/** How the database is read: as which role its migrations run, and whether its server is measured. */
export function readingOf({ migratingRole, measure = true }: ReadingOptions) {
  return { migratingRole, measure };
}

export function factsQuestionOf(options: FactsOptions): FactsQuestion {
  const { database: url, fact = new Map() } = options;
  return {
    database: url === undefined ? undefined : { url, ...readingOf(options) },
    file: options.facts,
    deployment: deploymentSourcesOf(options),
    stated: fact,
    maxAgeMs: options.maxAge,
    timeoutMs: options.timeout,
    out: options.factsOut,
  };
}
