import type { RouteHop } from '../core/route/route.js';
import { compact } from '../core/text/compact.js';
import { orFail, shellPlaceholder, shellWord } from '../core/text/quoted-words.js';
import type { Deployment } from '../instance/deployment.js';
import { type HopDetails, hopDetails, remarksOfRoute } from '../instance/words/route.js';
import type { KnownInstance } from './commands.js';
import { contextCommands } from './kubectl.js';
import { beforeYouBegin, goTo, placeholders, type RenderedStep, stepsOf } from './steps.js';

/** What to do for a hop: step by step for a person, and all of its commands for a shell. */
export interface RenderedHop {
  /** What must be known before it begins, one sentence each. */
  readonly before: readonly string[];
  readonly steps: readonly RenderedStep[];
  readonly block: string;
  readonly script: { readonly name: string; readonly text: string };
}

/** @param number of the hop, from 1, and the number of all hops */
export function renderHop(
  hop: RouteHop & HopDetails,
  number: { readonly of: number; readonly at: number },
  deployment: Deployment,
  instance: KnownInstance | undefined,
): RenderedHop {
  const steps = stepsOf({ hop, deployment, instance });
  const before = hopDetails(hop, number.at);
  const setup = deployment.kind === 'compose' ? composeSetup(deployment) : contextCommands(deployment);
  const commands = { before, steps, setup };
  const order = String(number.at).padStart(String(number.of).length, '0');
  return {
    before,
    steps,
    block: renderBlock(commands),
    script: {
      name: `hop-${order}-${hop.fromVersion}-to-${hop.toVersion}.sh`,
      text: renderScript(hop, number.at, commands),
    },
  };
}

interface Commands extends Pick<RenderedHop, 'before' | 'steps'> {
  /** What must be set up for all of them. */
  readonly setup: readonly string[];
}

/**
 * One block to paste into an interactive bash, zsh or dash: a subshell that ends at the first command that fails, asks
 * for missing values before anything is done, and leaves the user's own shell unchanged.
 *
 * No `#`: an interactive zsh reads a comment as a command. No `!` outside single quotes: bash would expand it from its
 * history.
 */
function renderBlock(commands: Commands): string {
  const lines = body(commands, 'paste it again with begin=$step in its first line');
  return ['( begin=1', ...lines, ')', ''].join('\n');
}

/** The commands as a script, which takes the first step to run as its argument. */
function renderScript(hop: RouteHop, at: number, commands: Commands): string {
  const words = [
    `Lightdash ${hop.fromVersion} -> ${hop.toVersion} (${hop.strategy}), by lightspan upgrade-plan.`,
    ...(hop.certified ? [] : ['NOT CERTIFIED: read the release notes and test on a copy first.']),
    ...remarksOfRoute([hop], { first: at }).map(({ text }) => text),
    ...commands.before,
    'It ends at the first command that fails. To begin at a later step, give its number as the argument.',
    '',
    ...commands.steps.flatMap(({ title, values, notes }, i) => [
      `${i + 1}. ${title}`,
      ...(values === undefined
        ? []
        : [`   ${beforeYouBegin(values)}`, values.yaml.trimEnd().replaceAll(/^/gm, '     ')]),
      ...notes.map((note) => `   ${note}`),
    ]),
  ];
  return [
    '#!/bin/sh',
    ...words.flatMap((text) => text.split('\n')).map((line) => `# ${line}`.trimEnd()),
    '',
    `begin=\${1:-1}`,
    ...body(commands, 'run: sh $0 $step'),
    '',
  ].join('\n');
}

function body({ steps, setup }: Commands, again: string): string[] {
  const last = steps.length;
  const say = (text: string) => `printf '%s\\n' ${shellWord(text)}`;
  return [
    'set -euC',
    `case "$begin" in ([1-${last}]) ;; (*) ${say(`Begin at a step from 1 to ${last}.`)} >&2; exit 2 ;; esac`,
    'step=$begin',
    // Without these, a command that is interrupted but reports success would be followed by the next one.
    "trap 'exit 130' INT",
    "trap 'exit 143' HUP TERM",
    `trap '[ "$?" = 0 ] || printf "%s\\n" "Stopped in step $step of ${last}; nothing after it was run. Once ` +
      `that is fixed, ${again}." >&2' EXIT`,
    ...needs(steps),
    ...setup,
    ...steps.flatMap(({ title, commands }, i) => [
      `if [ "$begin" -le ${i + 1} ]; then step=${i + 1}; ${say(`${i + 1}/${last} ${title}`)}`,
      ...commands.map((command) => command.replaceAll(/^/gm, '  ')),
      'fi',
    ]),
    say('Done.'),
  ];
}

const setService = 'set DATABASE_SERVICE to the service of the database in the compose file';

/** The values that the commands need, requested before any command is run. */
function needs(steps: readonly RenderedStep[]): string[] {
  const all = steps.flatMap(({ commands }) => commands).join('\n');
  const hasChoice = all.includes(`\${DATABASE_SERVICE:-}`);
  return Object.entries(placeholders)
    .filter(([name]) => new RegExp(`\\$\\{${name}[:%]`).test(all))
    .map(([name, message]) =>
      hasChoice && name.startsWith('PG')
        ? `[ -n "\${DATABASE_SERVICE:-}" ] || : ${shellPlaceholder(name, `${setService}, or ${message}`)}`
        : `: ${shellPlaceholder(name, message)}`,
    );
}

/**
 * compose is run as the user runs it: where it finds all of its files by itself, in their folder, so that an override
 * file that is only there counts too; else with the name of each (`compose` in steps.ts).
 */
function composeSetup({ folder, files, project }: Deployment): string[] {
  const message =
    `COMPOSE_FILE is set, but this plan is for ${files.join(' and ')}: unset it, or plan with --compose for ` +
    'each file it names';
  return compact(
    folder !== undefined && orFail(`[ -z "\${COMPOSE_FILE:-}" ]`, message),
    folder !== undefined && goTo(folder),
    project !== undefined &&
      `[ -n "\${COMPOSE_PROJECT_NAME:-}" ] || export COMPOSE_PROJECT_NAME=${shellWord(project)}`,
  );
}
