import packageJson from '../../package.json' with { type: 'json' };
import type { RouteHop } from '../core/route/route.js';
import { shellPlaceholder, shellWord } from '../core/text/quoted-words.js';
import { isOlder, type Version } from '../core/version.js';
import type { Deployment } from '../instance/deployment.js';
import type { DeployKind } from '../instance/facts/fact-names.js';
import { firstWith } from '../instance/first-versions.js';
import { type HopDetails, hopDetails, remarksOfRoute, strategyWith } from '../words/route/route.js';
import { composeFunctions } from './compose.js';
import type { KnownInstance } from './database.js';
import { functionsFor, sharedFunctions } from './functions.js';
import { helmFunctions } from './helm.js';
import {
  backStepsOf,
  beforeYouBegin,
  needsBackup,
  type RenderedStep,
  stepNumbers,
  stepsOf,
  toolOf,
} from './steps.js';
import { type HopOfDeployment, placeholders, type Tool, tagOf } from './tool.js';

/** What to do for a hop, or to take it back: step by step for a person, and all of its commands for a shell. */
interface RenderedSteps {
  readonly steps: readonly RenderedStep[];
  /** What the commands of the steps need before them. */
  readonly preamble: readonly string[];
  /** All commands, to paste. */
  readonly block: string;
  /** The same without the functions, to paste where these were pasted before. */
  readonly commands: string;
  readonly script: { readonly name: string; readonly text: string };
}

export interface RenderedHop extends RenderedSteps {
  /** What differs in no hop of the plan, and in no way back: to paste once. */
  readonly functions: string;
  /** What must be known before it begins, one sentence each. */
  readonly before: readonly string[];
  readonly back: RenderedSteps;
}

/** A path as a word to paste: a script may lie anywhere. A block has no path. */
const wordOf = `word_of() {
  case $1 in
    *[!A-Za-z0-9._/-]*) printf "'%s'" "$(printf '%s' "$1" | sed "s/'/'\\\\\\\\''/g")" ;;
    *) printf '%s' "$1" ;;
  esac
}`;

/** What every script of a folder reads first: the functions that differ in no hop. */
export function libraryFor(deployment: Deployment): { readonly name: string; readonly text: string } {
  return {
    name: 'lib.sh',
    text: [
      '#!/bin/sh',
      '# What the scripts of lightspan upgrade-plan in this folder share. It does nothing by itself.',
      '# shellcheck disable=SC2034,SC2154',
      ...[wordOf, ...functionsOf(deployment)].flatMap((text) => ['', text]),
      '',
    ].join('\n'),
  };
}

const functionsOfTool: Readonly<Record<Deployment['kind'], readonly string[]>> = {
  helm: helmFunctions,
  compose: composeFunctions,
};

function functionsOf({ kind }: Deployment): readonly string[] {
  return [...sharedFunctions, ...functionsOfTool[kind]];
}

/** The function that defines all of them, by a name that only those of this release of lightspan have. */
function nameOfFunctions({ kind }: Deployment): string {
  return `lightspan_${kind}_${packageJson.version.replaceAll(/\W/g, '_')}`;
}

/** @param number of the hop, from 1, and the number of all hops */
export function renderHop(
  hop: RouteHop & HopDetails,
  number: { readonly of: number; readonly at: number },
  deployment: Deployment,
  instance: KnownInstance | undefined,
): RenderedHop {
  const of = { hop, deployment };
  const order = String(number.at).padStart(String(number.of).length, '0');
  const { fromVersion, toVersion } = hop;
  const before = hopDetails(hop, number.at);
  const name = `hop-${order}-${fromVersion}-to-${toVersion}.sh`;
  const back = `hop-${order}-back.sh`;
  const words = wordsOfHop(hop, number.at, before, deployment.kind);
  const wordsBack = [
    `The way back from Lightdash ${toVersion} to ${fromVersion}, by lightspan upgrade-plan.`,
  ];
  return {
    before,
    functions: [`${nameOfFunctions(deployment)}() {`, ...functionsOf(deployment), '}', ''].join('\n'),
    ...rendered(of, partsOf(of, instance, stepsOf(of), 'hop'), { name, back, words }),
    back: rendered(of, partsOf(of, instance, backStepsOf(of), 'back'), {
      name: back,
      back,
      words: wordsBack,
    }),
  };
}

/** zsh splits no variable into words unless it emulates sh. */
const emulation = `[ -z "\${ZSH_VERSION:-}" ] || emulate sh`;

interface Parts {
  readonly steps: readonly RenderedStep[];
  /** Assignments for the questions of a run, unless its caller sets others: `yes=no`. */
  readonly defaults: string;
  /** The functions that differ from plan to plan. */
  readonly functions: readonly string[];
  /** The lines before the first step: they request the values that are missing, then settle which deployment it is. */
  readonly setup: readonly string[];
  readonly run: readonly string[];
}

function partsOf(
  of: HopOfDeployment,
  instance: KnownInstance | undefined,
  steps: readonly RenderedStep[],
  kind: 'hop' | 'back',
): Parts {
  const tool = toolOf(of);
  const setup = [
    ...variablesOf(of, instance, kind, steps.length),
    ...tool.variables,
    "trap 'exit 130' INT",
    "trap 'exit 143' HUP TERM",
    'trap end_run EXIT',
    ...tool.setup,
    ...(kind === 'hop' ? [givenOf(tool), 'open_hop'] : ['open_back']),
    ...tool.setupOfLaterRun.map((command) => `[ "$begin" = 1 ] || ${command}`),
  ];
  const run = steps.flatMap(({ title, commands }, i) => [
    `if [ "$begin" -le ${i + 1} ]; then`,
    `  step ${i + 1} ${shellWord(title)}`,
    ...commands.map((command) => `  ${command}`),
    'fi',
  ]);
  return {
    steps,
    defaults: kind === 'hop' ? 'yes=no' : `yes=no restore=${needsBackup(of.hop) ? 'yes' : 'no'}`,
    functions: tool.functions,
    setup: [...needs([...tool.functions, ...setup, ...run].join('\n')), ...setup],
    run: [...run, 'say Done.', 'end_run'],
  };
}

function rendered(
  { deployment }: HopOfDeployment,
  { steps, defaults, functions, setup, run }: Parts,
  script: { readonly name: string; readonly back: string; readonly words: readonly string[] },
): RenderedSteps {
  const check = `case "$begin" in ([1-${steps.length}]) ;; (*) printf '%s\\n' 'Begin at a step from 1 to ${steps.length}.' >&2; exit 2 ;; esac`;
  const pasted = `agreed='yes=yes in its second line' back='paste the block of the way back'`;
  const first = [defaults, emulation, 'set -euC', check, pasted];
  const ownFunctions = [
    'again() { say "Once that is fixed, paste it again with begin=$at in its first line."; }',
    ...functions,
  ];
  const used = functionsFor([...setup, ...run].join('\n'), [...functionsOf(deployment), ...ownFunctions]);
  const block = (all: readonly string[]) =>
    ['( begin=1', ...first, ...all, ...setup, ...run, ')', ''].join('\n');
  const name = nameOfFunctions(deployment);
  return {
    steps,
    preamble: [...first, ...used, ...setup],
    block: block(used),
    commands: block([
      `command -v ${name} > /dev/null || { printf '%s\\n' 'Paste the functions of this plan first.' >&2; exit 2; }`,
      name,
      ...ownFunctions,
    ]),
    script: {
      name: script.name,
      text: [
        '#!/bin/sh',
        ...[...script.words, ...wordsOfSteps(steps)]
          .flatMap((text) => text.split('\n'))
          .map((line) => `# ${line}`.trimEnd()),
        '# shellcheck disable=SC1091,SC2034,SC2154',
        '',
        emulation,
        `begin=1 ${defaults}`,
        'for word in "$@"; do',
        '  case $word in --yes) yes=yes ;; --restore) restore=yes ;; *) begin=$word ;; esac',
        'done',
        'set -euC',
        check,
        '. "$(dirname "$0")/lib.sh"',
        `agreed='--yes' back="sh $(word_of "$(dirname "$0")/${script.back}")"`,
        'again() { say "Once that is fixed, run: sh $(word_of "$0") $at"; }',
        ...[...functions, ...setup, ...run],
        '',
      ].join('\n'),
    },
  };
}

function variablesOf(
  of: HopOfDeployment,
  instance: KnownInstance | undefined,
  kind: 'hop' | 'back',
  last: number,
): string[] {
  const { fromVersion, toVersion } = of.hop;
  const { backup, start } = stepNumbers(of.hop);
  const url = instance === undefined ? `\${LIGHTDASH_URL%/}` : shellWord(instance.url.replace(/\/+$/, ''));
  const led: Version = kind === 'hop' ? toVersion : fromVersion;
  return [
    `from=${fromVersion} to=${toVersion} old=${shellWord(tagOf(of, fromVersion))} tag=${shellWord(tagOf(of, toVersion))}`,
    `url=${url} allow_http='${instance?.allowHttp === true ? 'yes' : ''}' probe=${isOlder(led, firstWith.readyz) ? 'health' : 'readyz'}`,
    `at=$begin known='' dump='' lock='' state='' last=${last}${kind === 'hop' ? ` backup_step=${backup} start_step=${start}` : ''}`,
  ];
}

/** Sets `given`: the values with which a later run must go on as the first began. */
function givenOf({ upgraded }: Tool): string {
  return `given="$url, $tag, ${upgraded}, database of \${DATABASE_SERVICE:-\${PGUSER:-}@\${PGHOST:-}:\${PGPORT:-}/\${PGDATABASE:-}}"`;
}

function wordsOfHop(hop: RouteHop, at: number, before: readonly string[], deploy: DeployKind): string[] {
  const how = strategyWith(hop.strategy, deploy);
  return [
    `Lightdash ${hop.fromVersion} -> ${hop.toVersion} (${how}), by lightspan upgrade-plan.`,
    ...(hop.certified ? [] : ['UNPROVEN: read the release notes and test on a copy first.']),
    ...remarksOfRoute([hop], { first: at, deploy }).map(({ text }) => text),
    ...before,
  ];
}

function wordsOfSteps(steps: readonly RenderedStep[]): string[] {
  return [
    'It ends at the first command that fails. To begin at a later step, give its number as the argument. Without a',
    'terminal to ask at, it goes on only with --yes.',
    '',
    ...steps.flatMap(({ title, values, notes }, i) => [
      `${i + 1}. ${title}`,
      ...(values === undefined
        ? []
        : [`   ${beforeYouBegin(values)}`, values.yaml.trimEnd().replaceAll(/^/gm, '     ')]),
      ...notes.map((note) => `   ${note}`),
    ]),
  ];
}

const setService = 'set DATABASE_SERVICE to the service of the database in the compose file';

/** The values that the commands need, requested before any command is run. */
function needs(text: string): string[] {
  const hasChoice = text.includes(`\${DATABASE_SERVICE:-}`);
  return Object.entries(placeholders)
    .filter(([name]) => text.includes(`\${${name}:?`) || text.includes(`\${${name}%`))
    .map(([name, message]) =>
      hasChoice && name.startsWith('PG')
        ? `[ -n "\${DATABASE_SERVICE:-}" ] || : ${shellPlaceholder(name, `${setService}, or ${message}`)}`
        : `: ${shellPlaceholder(name, message)}`,
    );
}
