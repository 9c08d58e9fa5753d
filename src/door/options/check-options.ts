import { optionSettings } from '../../question/option-settings.js';
import type { SettingsOutcome } from '../../question/settings.js';
import type { SpanQuestion } from '../../question/span.js';
import type { CommandContext } from '../context.js';
import type { OptionsOf, OptionTable } from '../declare.js';
import { readCheckTarget } from '../readers.js';
import { evidenceQuestionOf, judging, rehearsalEvidence } from './evidence-options.js';
import {
  currentVersion,
  describeTarget,
  gateFormat,
  output,
  statedVersionOf,
  target,
  targetQuestionOf,
} from './options.js';

/** What `upgrade-check` takes. It loads no parser of command lines: see `plain.ts`. */
export const checkOptions = {
  ...currentVersion,
  to: {
    ...target.to,
    flags: '--to <version>',
    group: 'question',
    brief: 'the target version, latest (default) or recommended',
    description: describeTarget(),
    read: readCheckTarget,
    setting: { ...optionSettings.to, lacking: 'latest-rolling' },
  },
  minAge: target.minAge,
  requireRecords: target.requireRecords,
  toFile: {
    flags: '--to-file <file>',
    group: 'question',
    brief: 'or: read it as --from-file does',
    description: 'or: read it as --from-file does; given both, they must name the same image',
    conflicts: 'to',
  },
  ...judging,
  ...rehearsalEvidence,
  ...output,
  ...gateFormat,
} as const satisfies OptionTable;

export function spanQuestionOf(
  options: OptionsOf<typeof checkOptions>,
  settings: SettingsOutcome,
  env: CommandContext['env'],
): SpanQuestion {
  const { to, toFile } = options;
  const { to: _, ...age } = targetQuestionOf(options);
  return {
    running: statedVersionOf(options),
    target:
      toFile === undefined ? { by: 'version', version: to, ...age } : { by: 'pin', file: toFile, ...age },
    evidence: evidenceQuestionOf(options, settings, env),
  };
}
