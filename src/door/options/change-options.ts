import { LightspanError } from '../../core/lightspan-error.js';
import { acceptableFindings } from '../../core/pins.js';
import type { ChangeQuestion, SidesQuestion } from '../../question/change.js';
import type { SettingsOutcome } from '../../question/settings.js';
import type { CommandContext } from '../context.js';
import type { OptionsOf, OptionTable } from '../declare.js';
import { readRef } from '../readers.js';
import { evidenceQuestionOf, type judging } from './evidence-options.js';
import { suffixIn, tagSuffix } from './options.js';

export const changeOptions = {
  base: {
    flags: '--base <git ref>',
    group: 'question',
    brief: 'the branch or commit to merge into',
    description: 'the branch or commit that the change will be merged into',
    read: readRef,
  },
  head: {
    flags: '--head <git ref>',
    group: 'question',
    description: 'the last commit of the change (default: HEAD)',
    read: readRef,
    needs: ['base'],
  },
  staged: {
    flags: '--staged',
    group: 'question',
    description: 'judge what is staged for the next commit',
    conflicts: 'head',
    needs: ['base'],
  },
  preCommit: {
    flags: '--pre-commit',
    group: 'question',
    brief: 'or: the change that pre-commit runs the hook for',
    description:
      'or: the change that pre-commit runs the hook for: a commit, a merge commit, a push, or --from-ref and --to-ref',
    conflicts: 'base',
  },
  before: {
    flags: '--before <file or folder>',
    group: 'question',
    description: 'or: one file, or a folder of rendered manifests, as it was before the change',
    conflicts: ['base', 'preCommit', 'repo'],
    needs: ['after'],
  },
  after: {
    flags: '--after <file or folder>',
    group: 'question',
    description: 'and as it is after it',
    needs: ['before'],
  },
  pin: {
    flags: '--pin <glob#path>',
    group: 'question',
    brief: "the pins to judge, such as 'envs/*/values.yaml#image.tag'",
    description:
      "the pins to judge, such as 'envs/*/values.yaml#image.tag', 'compose.yaml#services.*.image' or " +
      "'deploy.sh#/lightdash:(\\S+)/'; repeatable (default: those in lightspan.pins.yaml)",
    several: true,
  },
  config: {
    flags: '--config <file>',
    group: 'question',
    rare: true,
    description: 'a file that lists the pins, from the root of the repository',
  },
  tagSuffix: {
    ...tagSuffix.tagSuffix,
    description: suffixIn('the tags'),
  },
  repo: {
    flags: '--repo <folder>',
    group: 'question',
    rare: true,
    description: 'a folder of the repository (default: this one)',
  },
} as const satisfies OptionTable;

type ChangeOptions = OptionsOf<typeof changeOptions & typeof judging>;

/** @throws {LightspanError} `usage` if no change is named */
export function changeQuestionOf(
  options: ChangeOptions,
  settings: SettingsOutcome,
  env: CommandContext['env'],
): ChangeQuestion {
  const { pin: named = [], config, accept = [], tagSuffix } = options;
  const isFinding = (name: string): boolean => acceptableFindings.some((finding) => finding === name);
  const risks = accept.filter((name) => !isFinding(name));
  return {
    sides: sidesOf(options),
    pins: { named, config, bySettings: settings.pins },
    ignored: settings.ignored,
    tagSuffix,
    accepted: new Set(acceptableFindings.filter((finding) => accept.includes(finding))),
    evidence: evidenceQuestionOf({ ...options, accept: risks }, settings, env),
  };
}

function sidesOf(options: ChangeOptions): SidesQuestion {
  const { base, head = 'HEAD', staged, preCommit, before, after, repo = '.' } = options;
  if (preCommit === true) return { by: 'pre-commit', repo };
  if (before !== undefined && after !== undefined) return { by: 'files', before, after };
  if (base !== undefined) return { by: 'commits', repo, base, head: staged === true ? undefined : head };
  throw new LightspanError('usage', 'no change to judge is named', {
    hint: 'Pass one of --base <git ref>, --pre-commit, and --before <file> with --after <file>.',
  });
}
