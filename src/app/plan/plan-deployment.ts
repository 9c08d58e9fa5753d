import { printable } from '../../core/text/printable.js';
import type { CommandContext } from '../../door/context.js';
import type { Deployment } from '../../instance/deployment.js';
import type { FactsFile } from '../../instance/facts/facts-schema.js';
import { seenValue } from '../../instance/facts/needs.js';
import type { FactsInFile } from '../../question/evidence.js';
import type { RouteQuestion, StepsQuestion } from '../../question/route.js';
import { nameOfImage } from '../../steps/tool.js';
import type { CurrentVersion } from '../sources/current-version.js';
import { refusal } from './files-of-deployment.js';

/**
 * The deployment, by the question, by the file that pins the version, and by the facts, in this order of precedence.
 */
export async function readDeployment(
  steps: StepsQuestion,
  { pinned }: CurrentVersion,
  { tagSuffix }: Pick<RouteQuestion['running'], 'tagSuffix'>,
  facts: { readonly file: FactsFile | undefined; readonly stated: FactsInFile['stated'] },
  context: CommandContext,
): Promise<Deployment> {
  const { kind: deploy } = steps;
  const { file } = facts;
  const { deploymentOf } = await import('../../instance/deployment.js');
  const seen = deploymentOf(file?.facts ?? {});
  const stated = { ...seenValue(file?.facts.stated), ...Object.fromEntries(facts.stated) };
  const otherTool = [stated['deployed-by'], seen.kind].find((kind) => kind !== undefined && kind !== deploy);
  if (otherTool !== undefined) {
    throw refusal(
      `--deploy ${deploy}, but the facts are of a deployment with ${otherTool}`,
      `Plan it with --deploy ${otherTool}, or pass facts of the other deployment.`,
    );
  }
  const pins = { pinned, tagSuffix };
  const deployment =
    steps.kind === 'helm'
      ? await (await import('./helm-deployment.js')).helmDeployment(seen, pins, steps, stated)
      : await (await import('./compose-deployment.js')).composeDeployment(seen, pins, steps, context);
  requirePlainNames(deployment);
  return deployment;
}

/** In a command, a name that begins with "-" would be an option, and a line break would end the command. */
function requirePlainNames(deployment: Deployment): void {
  const names = textsIn([...objectsIn(deployment), deployment.database, nameOfImage(deployment.image)]);
  const unusable =
    names.find((name) => !/^[\w.][\w.:/-]*$/.test(name)) ??
    textsIn(deployment).find((text) => printable(text) !== text);
  if (unusable === undefined) return;
  throw refusal(
    `--deploy prints commands, and ${JSON.stringify(unusable)} cannot be part of one`,
    'Give the name as it is deployed: helm list, kubectl get and docker compose config show it.',
  );
}

function objectsIn(deployment: Deployment): readonly unknown[] {
  if (deployment.kind === 'compose') return [deployment.services];
  const { release, namespace, deployments, backend, autoscalers, migrationJobName } = deployment;
  return [release, namespace, deployments, backend, autoscalers, migrationJobName];
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
