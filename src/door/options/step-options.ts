import { describeFormats, type GateFormat, gateFormats, hasSteps } from '../../answer/formats/registry.js';
import { LightspanError } from '../../core/lightspan-error.js';
import type { StepsQuestion } from '../../question/route.js';
import type { OptionsOf, OptionTable } from '../declare.js';
import { readText } from '../readers.js';
import { deploy, readValuesFile } from './deployment-options.js';

export const stepOptions = {
  ...deploy,
  out: {
    flags: '--out <folder>',
    group: 'steps',
    description: 'write the commands there, one script per hop',
    read: readText,
    needs: ['deploy'],
  },
  chartVersion: {
    flags: '--chart-version <version>',
    group: 'steps',
    description: 'helm: version of the chart that is deployed',
    read: readText,
  },
  migrationJob: {
    flags: '--migration-job',
    group: 'steps',
    description: 'helm: migrationJob.enabled is set',
  },
  release: {
    flags: '--release <name>',
    group: 'steps',
    rare: true,
    description: 'helm: name of the release',
    read: readText,
  },
  values: {
    flags: '--values <file>',
    group: 'steps',
    rare: true,
    description: 'helm: your values file (default: the one of --from-file); repeatable, the later wins',
    several: true,
    read: (text: string) => readText(readValuesFile(text)),
  },
  compose: {
    flags: '--compose <file>',
    group: 'steps',
    rare: true,
    description:
      'compose: your compose file (default: the one of --from-file, and those compose joins to it); ' +
      'repeatable, as --file of docker compose',
    several: true,
    read: readText,
  },
  composeEnvFile: {
    flags: '--compose-env-file <file>',
    group: 'steps',
    rare: true,
    description: 'compose: a file of variables in place of .env; repeatable',
    several: true,
    read: readText,
    needs: ['deploy'],
  },
} as const satisfies OptionTable;

const refusal = (message: string, hint?: string) => new LightspanError('usage', message, { hint });

/** @throws {LightspanError} `usage` for what the format, or the tool that deploys, does not have */
export function stepsQuestionOf(
  options: OptionsOf<typeof stepOptions>,
  format: GateFormat,
): StepsQuestion | undefined {
  if (options.deploy !== undefined && !hasSteps(format)) {
    throw refusal(
      `--format ${format} cannot contain the steps of --deploy`,
      `Use the format ${describeFormats(gateFormats.filter(hasSteps), true)}, or leave out --deploy.`,
    );
  }
  for (const [deploy, names] of Object.entries(optionsOf)) {
    const misplaced = names.find((name) => options[name] !== undefined);
    if (options.deploy !== deploy && misplaced !== undefined) {
      throw refusal(`${stepOptions[misplaced].flags.split(' ')[0]} works only with --deploy ${deploy}`);
    }
  }
  const { deploy: kind, out, release, chartVersion, values = [], compose = [] } = options;
  if (kind === undefined) return undefined;
  if (kind === 'compose') return { kind, out, files: compose, envFiles: options.composeEnvFile };
  return { kind, out, release, values, chartVersion, migrationJob: options.migrationJob === true };
}

const optionsOf = {
  helm: ['chartVersion', 'migrationJob', 'release', 'values'],
  compose: ['compose', 'composeEnvFile'],
} as const;
