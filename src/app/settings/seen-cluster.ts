import type { Version } from '../../core/version.js';
import type { CommandContext } from '../../door/context.js';
import { usualTimeoutMs } from '../../gather/limits.js';
import { isUpgradedByHelm, servingContainers } from '../../instance/facts/lightdash-containers.js';
import { seenValue } from '../../instance/facts/needs.js';
import type { DeploymentSources } from '../../question/facts.js';
import { listNames } from '../../words/phrase.js';
import { deployedRelease } from '../see-instance.js';
import { sayCluster } from '../sources/read-facts.js';

/** What a cluster says of the instance that runs in it. */
export interface SeenCluster {
  /** Undefined if its images name no release, or several. */
  readonly version: Version | undefined;
  /** Why there is no version, in words. */
  readonly why: string;
  /** Undefined if no person with helm upgrades it. */
  readonly helm: Readonly<Record<'release' | 'namespace' | 'context', string | undefined>> | undefined;
}

/** Asks kubectl as a preflight does: only get, and nothing of Secrets. */
export async function seeCluster(
  wanted: Pick<DeploymentSources, 'context' | 'namespace' | 'release'>,
  { env, stdin, stderr, now }: CommandContext,
): Promise<SeenCluster> {
  const { collectDeployment } = await import('../../gather/deployment/collect.js');
  const { facts } = await collectDeployment(
    { ...wanted, kubernetes: true },
    { env, stdin, now, timeoutMs: usualTimeoutMs, onCluster: sayCluster(stderr) },
  );
  const { workloads, helm, deployment } = facts;
  const images = servingContainers(seenValue(workloads) ?? []).map(({ container: { image } }) =>
    [image.repository, image.tag].filter((part) => part !== null).join(':'),
  );
  const unseen = workloads?.status === 'seen' ? undefined : workloads?.detail;
  const release = seenValue(helm);
  return {
    version: deployedRelease(facts, undefined),
    why:
      images.length > 0
        ? `it runs ${listNames([...new Set(images)])}`
        : (unseen ?? 'no Lightdash runs there'),
    helm:
      release === undefined || !isUpgradedByHelm(release)
        ? undefined
        : {
            release: release.release ?? undefined,
            namespace: release.namespace ?? seenValue(deployment)?.namespace ?? undefined,
            context: seenValue(deployment)?.context ?? undefined,
          },
  };
}
