import { compact } from '../core/text/compact.js';
import { capitalize } from '../words/phrase.js';
import { describeMeasured, describeMigrationTime, describeRestore } from '../words/route/downtime.js';
import { type HopDetails, strategyWith } from '../words/route/route.js';
import { wayBackWords } from '../words/route/way-back.js';
import { composeTool } from './compose.js';
import { helmTool } from './helm.js';
import type { RenderedStep } from './step-schema.js';
import { type HopOfDeployment, longestWait, type Tool } from './tool.js';

export type { RenderedStep };

export function beforeYouBegin({ file }: NonNullable<RenderedStep['values']>): string {
  return `Set this in ${file} before you begin:`;
}

export const pasteFunctions =
  'Paste these functions once: they are the same for every hop and way back, and do nothing by themselves.';
export const pasteAsOneBlock = 'Then paste this as one block (bash, zsh or dash):';
export const wayBackAsOneBlock = 'The way back, for when it is needed:';

export function toolOf({ hop, deployment }: HopOfDeployment): Tool {
  return deployment.kind === 'compose' ? composeTool({ hop, deployment }) : helmTool({ hop, deployment });
}

/** Everything that is declared of a step; block, script, Markdown and JSON are made of it. */
interface Step {
  readonly title: string;
  readonly values?: RenderedStep['values'];
  /** Looks at what the step is about to change, in the moment in which it changes it. */
  readonly look: readonly string[];
  readonly change: readonly string[];
  readonly notes: readonly string[];
  readonly failure: string;
  readonly continuation: string;
  readonly undo: string;
}

const rendered = ({ look, change, ...step }: Step): RenderedStep => ({
  ...step,
  commands: [...look, ...change],
  look,
});

/** The number of the step that backs up, and of the one that starts the new release. */
export function stepNumbers({ strategy }: HopOfDeployment['hop']) {
  return strategy === 'Recreate' ? { backup: 3, start: 4 } : { backup: 2, start: 3 };
}

/**
 * The steps of one hop, in order: text to read and commands to paste. The next hop may begin only when the last step is
 * done. Nothing stops before everything was looked at that can fail without harm, and nothing is destroyed: the
 * database is dumped, and never removed.
 *
 * The rules named below are those of "Deployment mapping" in the contract.
 */
export function stepsOf(of: HopOfDeployment): readonly RenderedStep[] {
  const tool = toolOf(of);
  const stop = of.hop.strategy === 'Recreate' ? [stopStep(of, tool)] : [];
  return [lookStep(of, tool), ...stop, backUpStep(of, tool), startStep(of, tool), confirmStep(of, tool)].map(
    rendered,
  );
}

function lookStep({ hop }: HopOfDeployment, tool: Tool): Step {
  const question =
    hop.strategy === 'Recreate'
      ? `Lightdash stops now, until ${hop.toVersion} is ready.`
      : `${hop.toVersion} takes the place of ${hop.fromVersion} now.`;
  return {
    title: 'Look at everything, before anything stops',
    values: tool.values(hop.toVersion),
    look: [
      'say "$place, $url"',
      'reports "$from" || fail "$url does not report $from, where this hop starts."',
      ...tool.look,
      'find_database',
      'look_at_database',
      ...tool.lookLast,
    ],
    change: [`agree '${question}'`, 'settle'],
    notes: [
      'Nothing changes yet. It checks that everything to be stopped runs the release that the hop starts from, and ' +
        'where; that no other Lightdash is there; that the whole database can be dumped; and that there is room.',
      ...tool.lookNotes,
    ],
    failure: 'Nothing was changed.',
    continuation: 'It looks at everything again.',
    undo: 'Nothing to undo.',
  };
}

function stopStep({ hop }: HopOfDeployment, tool: Tool): Step {
  return {
    title: 'Stop all of Lightdash',
    look: ['not_begun', ...tool.lookAgain],
    change: ['stop_all "$from"'],
    notes: compact<string>(
      'The downtime begins here, so the backup misses nothing.',
      hop.time && `${capitalize(describeMigrationTime(hop.time))}. The downtime is at least that long.`,
      hop.measured && `${capitalize(describeMeasured(hop.measured))}.`,
      tool.stopNotes,
    ),
    failure: 'Some of it may be stopped. What starts it again is printed.',
    continuation:
      'It stops what runs. Every later step but the last does so too if it is the first of a run.',
    undo: 'Start what was stopped: the command is printed where a step fails.',
  };
}

function backUpStep({ hop }: HopOfDeployment, tool: Tool): Step {
  const needs = hop.wayBack?.needs ?? 'backup';
  const recreate = hop.strategy === 'Recreate';
  const { backup } = stepNumbers(hop);
  return {
    title: 'Back up the database, and check the backup',
    look: recreate
      ? [
          'not_begun',
          ...tool.lookAgain,
          `if [ "$begin" = ${backup} ]; then stop_all "$from"; fi`,
          'no_sessions',
        ]
      : ['not_begun'],
    change: ['back_up'],
    notes: compact(
      needs === 'backup'
        ? 'An upgrade migrates the database; this dump is the only way back.'
        : `As far as is known, going back needs ${wayBackWords[needs].label}; this dump is for the unforeseen.`,
      !recreate && 'Lightdash keeps writing: anything it writes from now on is not in the dump.',
      'It lies in the folder LIGHTSPAN_BACKUPS, or in lightspan-backups below your home, beside what was found before.',
    ),
    failure: 'There is no new backup; part of one is removed.',
    continuation: recreate ? 'It stops what runs, and makes another backup.' : 'It makes another backup.',
    undo: 'Nothing to undo: the dump is a new file.',
  };
}

function startStep({ hop, deployment }: HopOfDeployment, tool: Tool): Step {
  const recreate = hop.strategy === 'Recreate';
  return {
    title: `Start ${hop.toVersion} (${strategyWith(hop.strategy, deployment.kind)})`,
    look: [
      `${tool.tagged} "$tag"`,
      ...tool.waits,
      recreate
        ? 'before_start'
        : '[ -f "$(kept dump)" ] || fail "There is no backup: begin with step $backup_step."',
    ],
    change: ['begins', ...tool.start],
    notes: [
      'This is the point of no return without the backup: from here on the database may be migrated.',
      ...tool.startNotes,
    ],
    failure: 'The database may be migrated. Begin with this step again, or go the way back.',
    continuation: 'It waits for what an earlier run has left at work, and starts what is not started yet.',
    undo: 'The way back of this hop.',
  };
}

function confirmStep({ hop }: HopOfDeployment, tool: Tool): Step {
  return {
    title: `Confirm that ${hop.toVersion} is ready, everywhere`,
    look: [],
    change: [...tool.confirm, 'confirm "$to"', 'runs "$tag"', 'keep confirmed yes'],
    notes: [
      `${capitalize(describeMigrationTime(hop.time))}. This waits up to ${longestWait.words} (LIGHTSPAN_WAIT, in seconds, without ` +
        'lightspan). Ctrl-C only ends the wait.',
      ...tool.confirmNotes,
    ],
    failure: 'It is not known to be well. Begin with this step again, or go the way back.',
    continuation: 'It asks again.',
    undo: 'The way back of this hop.',
  };
}

/** Whether a hop can be taken back without its backup, as far as is known. */
export function needsBackup({ wayBack }: HopDetails): boolean {
  return wayBack === undefined || wayBack.needs === 'backup';
}

/** The steps from the release that a hop leads to back to the one that it starts from. */
export function backStepsOf(of: HopOfDeployment): readonly RenderedStep[] {
  const tool = toolOf(of);
  const { fromVersion, toVersion } = of.hop;
  const ofDatabase = (command: string) => `if [ "$restore" = yes ]; then ${command}; fi`;
  const steps: readonly Step[] = [
    {
      title: `Look at the backup, and at what is deployed`,
      values: tool.values(fromVersion),
      look: ['say "$place, $url"', `${tool.tagged} "$old"`, ofDatabase('look_at_backup')],
      change: [`agree 'Lightdash goes back to ${fromVersion} now.'`],
      notes: backNotes(of),
      failure: 'Nothing was changed.',
      continuation: 'It looks again.',
      undo: 'Nothing to undo.',
    },
    {
      title: 'Stop all of Lightdash',
      look: tool.waits,
      change: ['stop_all "$to"'],
      notes: [],
      failure: 'Some of it may be stopped.',
      continuation: 'It stops what runs.',
      undo: 'Start what was stopped.',
    },
    {
      title: 'Put the database back',
      look: [],
      change: [ofDatabase('put_back')],
      notes: ['The migrated database is renamed and kept, and the backup restored beside it.'],
      failure: 'The migrated database is whole, under one of its two names.',
      continuation: 'It renames what was restored in part, and restores again.',
      undo: 'Rename both databases back.',
    },
    {
      title: `Start ${fromVersion}`,
      look: [
        `${tool.tagged} "$old"`,
        ofDatabase(`[ -n "$(kept restored)" ] || fail 'The database is not back: begin with step 3.'`),
      ],
      change: tool.start,
      notes: [],
      failure: 'Begin with this step again.',
      continuation: 'It starts what is not started yet.',
      undo: `Set the tag of ${toVersion} again, rename both databases back, and start it.`,
    },
    {
      title: `Confirm that ${fromVersion} is ready, everywhere`,
      look: [],
      change: [...tool.confirm, 'confirm "$from"', 'runs "$old"', 'went_back'],
      notes: [],
      failure: 'Begin with this step again.',
      continuation: 'It asks again.',
      undo: 'As in the step before.',
    },
  ];
  return steps.map(rendered);
}

function backNotes({ hop: { fromVersion, wayBack, measured } }: HopOfDeployment): string[] {
  const restore = measured && describeRestore(measured);
  const times = restore === undefined ? [] : [`${capitalize(restore)}.`];
  const needs = wayBack?.needs ?? 'backup';
  const lost =
    'What was written after the backup is lost to the old release; it stays in the migrated database, which is kept. ' +
    'Jobs that were waiting at the backup run again, so deliveries of that time go out twice.';
  if (needs === 'backup') return [lost, ...times];
  return [
    `As far as is known, going back needs ${wayBackWords[needs].label}: the database stays as it is, unless ` +
      `restore=yes is set in the second line (--restore for a script). ${wayBackWords[needs].remedy}`,
    `With restore=yes: ${lost} That is for a ${fromVersion} that does not start.`,
    ...times,
  ];
}
