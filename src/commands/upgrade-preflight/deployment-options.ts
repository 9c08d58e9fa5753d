import { type Command, Option } from 'commander';
import { LightspanError } from '../../errors.js';
import { once, readSource, readText, type SourceOptions, several } from '../shared-options.js';

/** Where the facts of a deployment come from. */
export interface DeploymentOptions {
  readonly manifests?: readonly string[];
  readonly values?: readonly string[];
  readonly compose?: readonly string[];
  /** For compose, in place of `.env`. */
  readonly composeEnvFile?: readonly string[];
  readonly kubernetes?: true;
  readonly secretKeys?: true;
  readonly namespace?: string;
  readonly release?: string;
  /** The context of kubectl. */
  readonly context?: string;
}

export function addDeploymentOptions(command: Command): Command {
  return addClusterOptions(
    command
      .addOption(manifestsOption())
      .option(
        '--values <file>',
        'read the values of the chart; may be given several times, the later wins as with Helm',
        several(readSource),
      )
      .option(
        '--compose <file>',
        'or: read compose files with docker compose, as its --file takes them; may be given several times; or what docker compose config --format json printed, - for standard input',
        several(readSource),
      )
      .option(
        '--compose-env-file <file>',
        'of --compose: read variables there, in place of .env; may be given several times, the later wins',
        several(readSource),
      ),
  ).option(
    '--secret-keys',
    'of --kubernetes: request the names of the keys in Secrets that variables come from; the values stay with kubectl',
  );
}

export function manifestsOption(): Option {
  return new Option(
    '--manifests <file>',
    'read what kubectl get -o yaml, helm get manifest or helm template prints: a file, or - for standard input; may be given several times',
  ).argParser(several(readSource));
}

/** Options that select a cluster and what to read of it. */
export function addClusterOptions(command: Command): Command {
  return command
    .option('--kubernetes', 'or: ask the cluster, with your own kubectl: only get, and no values of Secrets')
    .option(
      '--namespace <name>',
      'the namespace of Lightdash, if it is not that of the context',
      once(readText),
    )
    .option('--release <name>', 'the Helm release of Lightdash, if there are several', once(readText))
    .option('--context <name>', 'the context of kubectl, if it is not the current one', once(readText));
}

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
