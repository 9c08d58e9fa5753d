import type { Command } from 'commander';
import { addKnownIssueOptions, type KnownIssueOptions } from './known-issue-options.js';
import {
  type ArtifactOptions,
  addArtifactOptions,
  addSourceOptions,
  type SourceOptions,
} from './shared-options.js';

/** The options that a verdict on a span depends on. */
export type JudgeOptions = SourceOptions &
  KnownIssueOptions &
  ArtifactOptions & { readonly verifyArtifacts?: true };

export function addJudgeOptions(command: Command): Command {
  addKnownIssueOptions(addSourceOptions(command)).option(
    '--verify-artifacts',
    'read the artifact of every release in the span too: a yes needs all of them, and that they agree with the index',
  );
  return addArtifactOptions(command);
}
