import type { ArtifactDisagreement, ReconciledField } from '../../release-safety/reconcile.js';
import { printable } from '../printable.js';

/** A disagreement in words, without a full stop; every surface says it alike. */
export function describeDisagreement(disagreement: ArtifactDisagreement): string {
  return `${disagreement.version}: ${describeDispute(disagreement)}`;
}

/** The same where the release is named already. */
export function describeDispute(disagreement: ArtifactDisagreement): string {
  switch (disagreement.kind) {
    case 'field-differs': {
      const { field, index, artifact } = disagreement;
      return `${fieldNames[field]} ${show(index)} in the index, ${show(artifact)} in the artifact`;
    }
    case 'other-release':
      return `what is published as its artifact describes ${disagreement.artifactVersion}`;
    case 'backfilled-true':
      return 'backfilled, so that no artifact bears out the true of the index (span rule 6)';
    case 'missing-artifact':
      return `no artifact, ${printable(disagreement.message)}`;
    case 'unavailable-artifact':
      return `the artifact could not be had, ${printable(disagreement.message)}`;
    case 'invalid-artifact':
      return `the artifact cannot be trusted, ${printable(disagreement.message)}`;
  }
}

const fieldNames: Record<ReconciledField, string> = {
  previousVersion: 'the previous version is',
  rollingUpdateSafe: 'rollingUpdateSafe is',
  requiredStops: 'the required stops are',
  minPreviousVersion: 'the minimum previous version is',
};

function show(value: Extract<ArtifactDisagreement, { kind: 'field-differs' }>['index']): string {
  if (value === null) return 'none';
  if (typeof value === 'object') return value.length === 0 ? 'none' : value.join(', ');
  return String(value);
}
