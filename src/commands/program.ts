import { Command, Option } from 'commander';
import type { ZodMiniObject } from 'zod/mini';
import { type Declare, declareOptions, type RunParsed } from '../door/declare.js';
import { addFooter, CommandWithUsage, listOfExamples, wholeHelp, wrap } from '../door/help.js';
import { shortNames } from '../door/invocation.js';
import { settings } from '../door/options/evidence-options.js';

/** What the file of a command exports. */
interface CommandFile {
  readonly command: Declare;
  /** Of the JSON that it writes, where its file declares it: `schemas/` and the page of the command have it from here. */
  readonly resultSchema?: () => Promise<ZodMiniObject>;
}

interface CommandEntry {
  readonly group?: keyof typeof groups;
  readonly description: string;
  readonly load?: () => Promise<CommandFile>;
  readonly commands?: Commands;
}

export type Commands = Readonly<Record<string, CommandEntry>>;

/** The commands in groups, by what somebody wants to do; the first of a group starts it. */
const groups = {
  decide: 'Decide about an upgrade:',
  look: 'Look into your own instance:',
  automate: 'Automate it:',
  query: 'Merge queries and their parts:',
} as const;

/** Every command, in the order of the help. Only the file of the one that a command line names is loaded. */
export const listed: Commands = {
  'upgrade-check': {
    group: 'decide',
    description: 'Check one step: is it allowed, and can it roll?',
    load: () => import('./upgrade-check.js'),
  },
  'upgrade-plan': {
    group: 'decide',
    description: 'Plan the shortest proven route, hop by hop',
    load: () => import('./upgrade-plan.js'),
  },
  'upgrade-report': {
    group: 'decide',
    description: 'Write a report for change approval',
    load: () => import('./upgrade-report.js'),
  },
  release: {
    group: 'decide',
    description: 'Show what one release brings',
    commands: {
      show: {
        description:
          'Show the artifact of a release (verdict, migrations, breaking changes, variables) and its known issues',
        load: () => import('./release-show.js'),
      },
    },
  },
  'known-issues': {
    group: 'decide',
    description: 'Problems found after a verdict was published',
    commands: {
      list: {
        description: 'List problems found after the verdict of a release was published',
        load: () => import('./known-issues-list.js'),
      },
      show: {
        description: 'Show a known issue: releases, conditions, remedy and evidence',
        load: () => import('./known-issues-show.js'),
      },
      verify: {
        description: 'Name every fault in your own known issues',
        load: () => import('./known-issues-verify.js'),
      },
    },
  },
  explain: {
    group: 'decide',
    description: 'Explain a word of an answer, and what to do',
    load: () => import('./explain.js'),
  },
  'upgrade-preflight': {
    group: 'look',
    description: 'Check your database and deployment; read-only',
    load: () => import('./upgrade-preflight.js'),
  },
  'upgrade-rehearse': {
    group: 'look',
    description: 'Run the migrations on a copy of your database',
    load: () => import('./upgrade-rehearse.js'),
  },
  'upgrade-status': {
    group: 'look',
    description: 'While it migrates: what the migrator does; read-only',
    load: () => import('./upgrade-status.js'),
  },
  'upgrade-verify': {
    group: 'look',
    description: 'After a deploy: wait until the release is served',
    load: () => import('./upgrade-verify.js'),
  },
  init: {
    group: 'automate',
    description: 'Write a lightspan.yaml from your pins',
    load: () => import('./init.js'),
  },
  settings: {
    group: 'automate',
    description: 'Show what lightspan.yaml decides',
    load: () => import('./settings.js'),
  },
  'pin-check': {
    group: 'automate',
    description: 'Check the version pins that a change moves',
    load: () => import('./pin-check.js'),
  },
  'upgrade-bump': {
    group: 'automate',
    description: 'Move a pin by one proven hop',
    load: () => import('./upgrade-bump.js'),
  },
  index: {
    group: 'automate',
    description: 'Verify or mirror the index; feed Renovate',
    commands: {
      status: {
        description: 'Show how old an index is, what it covers, and its newest span that rolls',
        load: () => import('./index-status.js'),
      },
      verify: {
        description: 'Name every fault in an index',
        load: () => import('./index-verify.js'),
      },
      mirror: {
        description:
          'Write an index, artifacts, known issues and their SHA256SUMS to a folder that --index reads, even offline',
        load: () => import('./index-mirror.js'),
      },
      datasource: {
        description:
          'Write a custom datasource for Renovate that lists only releases proven to be one rolling step away',
        load: () => import('./index-datasource.js'),
      },
    },
  },
  completion: {
    group: 'automate',
    description: 'Write the completion script of your shell',
    load: () => import('./completion.js'),
  },
  merge: {
    group: 'query',
    description: 'Validate and submit merge queries',
    commands: {
      validate: {
        description: 'Check merges without sending them: their shape and every rule that needs no server',
        load: () => import('./merge-validate.js'),
      },
      submit: {
        description: 'Submit a merge, and with --wait fetch its result',
        load: () => import('./merge-submit.js'),
      },
    },
  },
  query: {
    group: 'query',
    description: 'Compile a metric query, or fetch a result',
    commands: {
      compile: {
        description: 'Compile a metric query to SQL',
        load: () => import('./query-compile.js'),
      },
      results: {
        description: 'Fetch the result of a query submitted earlier',
        load: () => import('./query-results.js'),
      },
    },
  },
  chart: {
    group: 'query',
    description: 'Show a saved chart',
    commands: {
      get: {
        description: 'Show a saved chart, or the metric query in it',
        load: () => import('./chart-get.js'),
      },
    },
  },
  catalog: {
    group: 'query',
    description: 'List the metrics of a project',
    commands: {
      metrics: {
        description: 'List the metrics of the catalog',
        load: () => import('./catalog-metrics.js'),
      },
    },
  },
  org: {
    group: 'query',
    description: 'List the users of the organization',
    commands: {
      users: {
        description: 'List the users of the organization',
        load: () => import('./org-users.js'),
      },
    },
  },
};

const examples = [
  'lightspan plan --from 1.198.1 --to latest',
  'lightspan check --from 1.121.0 --to 1.156.0 --json',
  'lightspan preflight --from-database --database env --kubernetes',
];

/** What the help of the program ends with. */
function programFooter(width: number): string {
  const more = [
    'Exit codes: 0 yes, 1 no, 2 wrong request, 3 no answer, 4 not to be trusted.',
    'Options of a command: lightspan <command> --help',
  ];
  return [
    'Start here: lightspan init',
    listOfExamples(examples, width),
    more.map((line) => wrap(line, width)).join('\n'),
  ].join('\n\n');
}

/**
 * What its commands take is declared for the one that the words name, and by default for all. Behind a name no other
 * command can stand, so none is declared.
 */
export async function declareProgram(
  act: RunParsed,
  argv?: readonly string[],
  connect: (program: Command) => void = () => {},
): Promise<Command> {
  const program = new Command('lightspan')
    .option('-V, --version', 'print the version, with no other argument')
    .description('Safe upgrades for self-hosted Lightdash, decided by its public release-safety index.')
    .option('--debug', 'print the stack trace of an error')
    // A command may have an option of the same name: an option after the command's name is its own.
    .enablePositionalOptions()
    .helpCommand('help [command...]', 'show the help of a command')
    .helpOption('-h, --help', 'show this help; with --all, every option')
    .configureHelp(wholeHelp);
  addFooter(program, programFooter);
  connect(program);
  const words = argv?.filter((word) => word !== 'help' && !word.startsWith('-'));
  const [first = ''] = argv ?? [];
  const named = Object.entries(listed).filter(([name]) => name === first);
  await addCommands(program, named.length > 0 ? Object.fromEntries(named) : listed, words, act);
  return program;
}

async function addCommands(
  parent: Command,
  some: Commands,
  words: readonly string[] | undefined,
  act: RunParsed,
): Promise<void> {
  for (const [name, { group, description, load, commands = {} }] of Object.entries(some)) {
    const command = new CommandWithUsage(name).copyInheritedSettings(parent).description(description);
    if (group !== undefined) command.helpGroup(groups[group]);
    const [short] = Object.entries(shortNames).find(([, long]) => long === name) ?? [];
    if (short !== undefined) command.alias(short);
    const isNamed = words === undefined || words[0] === name;
    if (load !== undefined && isNamed) (await load()).command(command, act);
    await addCommands(command, commands, isNamed ? words?.slice(1) : [], act);
    command.addOption(new Option('--debug').hideHelp());
    parent.addCommand(takesSettings(command) ? declareOptions(command, settings) : command);
  }
}

/** Settings may decide the options of what judges by an index; a mirror is made of the publisher's. */
function takesSettings(command: Command): boolean {
  return command.options.some(({ long }) => long === '--index') && command.name() !== 'mirror';
}
