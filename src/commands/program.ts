import { Command, Option } from 'commander';
import type { Act } from '../cli/context.js';
import { type Declare, take } from '../cli/declare.js';
import { shortNames } from '../cli/invocation.js';
import { settings } from '../cli/options.js';

interface Listed {
  readonly description: string;
  readonly load?: () => Promise<{ readonly command: Declare }>;
  readonly commands?: Commands;
}

type Commands = Readonly<Record<string, Listed>>;

/** Every command, in the order of the help. Only the file of the one that a command line names is loaded. */
const listed: Commands = {
  'upgrade-check': {
    description:
      'May this upgrade be one step, and may old and new pods overlap? Exits 0 only if both are proven.',
    load: () => import('./upgrade-check.js'),
  },
  'upgrade-plan': {
    description:
      'The shortest certified route to a release, hop by hop, and how to run it. Nothing is executed.',
    load: () => import('./upgrade-plan.js'),
  },
  'upgrade-report': {
    description:
      'Everything to know about an upgrade before you approve it, from the index and the artifacts, as a document to read and attach.',
    load: () => import('./upgrade-report.js'),
  },
  'upgrade-preflight': {
    description:
      'Check your own database and deployment before an upgrade: reads them, changes nothing, and says go, go with care, or stop.',
    load: () => import('./upgrade-preflight.js'),
  },
  'upgrade-bump': {
    description:
      'Move a pinned version to the next release that is proven safe to roll to, and print the verdict as one line of JSON.',
    load: () => import('./upgrade-bump.js'),
  },
  'upgrade-verify': {
    description: 'After a deploy, wait until the instance is ready and serves the version that was deployed.',
    load: () => import('./upgrade-verify.js'),
  },
  'pin-check': {
    description: 'May a change move its pins as it does? Exits 0 only if each pin is proven, or stays.',
    load: () => import('./pin-check.js'),
  },
  index: {
    description:
      'Inspect the release-safety index, verify it, mirror it, or make a datasource for Renovate from it.',
    commands: {
      status: {
        description: 'Show how old an index is, what it covers, and its newest green span.',
        load: () => import('./index-status.js'),
      },
      verify: {
        description: 'Name every fault of an index.',
        load: () => import('./index-verify.js'),
      },
      mirror: {
        description:
          'Write an index, artifacts, known issues and their SHA256SUMS to a folder that --index reads, also offline.',
        load: () => import('./index-mirror.js'),
      },
      datasource: {
        description:
          'Write a custom datasource for Renovate that lists only releases to which a rolling step is proven.',
        load: () => import('./index-datasource.js'),
      },
    },
  },
  'known-issues': {
    description: 'Problems of releases that came to light after their verdict was published.',
    commands: {
      list: {
        description: 'List problems of releases that came to light after their verdict was published.',
        load: () => import('./known-issues-list.js'),
      },
      show: {
        description: 'Show a known issue: releases, conditions, what to do, and the evidence.',
        load: () => import('./known-issues-show.js'),
      },
      verify: {
        description: 'Name every fault of known issues that you keep yourself.',
        load: () => import('./known-issues-verify.js'),
      },
    },
  },
  release: {
    description: 'Inspect what one release brings.',
    commands: {
      show: {
        description:
          'Show what the artifact of a release contains (verdict, migrations, breaking changes, variables), and known issues.',
        load: () => import('./release-show.js'),
      },
    },
  },
  merge: {
    description: 'Merge queries of a Lightdash project (compose merge query).',
    commands: {
      validate: {
        description: 'Check merges without sending them: their shape, and every rule that needs no server.',
        load: () => import('./merge-validate.js'),
      },
      submit: {
        description: 'Submit a merge, and with --wait fetch its result.',
        load: () => import('./merge-submit.js'),
      },
    },
  },
  chart: {
    description: 'Saved charts of a Lightdash instance.',
    commands: {
      get: {
        description: 'Show a saved chart, or the metric query in it.',
        load: () => import('./chart-get.js'),
      },
    },
  },
  query: {
    description: 'Metric queries of a Lightdash project.',
    commands: {
      compile: {
        description: 'Compile a metric query to SQL.',
        load: () => import('./query-compile.js'),
      },
      results: {
        description: 'Fetch the result of a query that was submitted before.',
        load: () => import('./query-results.js'),
      },
    },
  },
  catalog: {
    description: 'The metrics catalog of a Lightdash project.',
    commands: {
      metrics: {
        description: 'List the metrics of the catalog.',
        load: () => import('./catalog-metrics.js'),
      },
    },
  },
  org: {
    description: 'The organization of a Lightdash instance.',
    commands: {
      users: {
        description: 'List the users of the organization.',
        load: () => import('./org-users.js'),
      },
    },
  },
  init: {
    description: 'Write a lightspan.yaml for this folder, from the pins that are in it.',
    load: () => import('./init.js'),
  },
  settings: {
    description:
      'Show what the nearest lightspan.yaml decides for the commands of an instance, and what decides the rest.',
    load: () => import('./settings.js'),
  },
  explain: {
    description: 'Explain a word of an answer: the rule behind a reason, and what to do about it.',
    load: () => import('./explain.js'),
  },
  completion: {
    description: 'Write the completion script of a shell to standard output.',
    load: () => import('./completion.js'),
  },
};

/**
 * What its commands take is declared for the one that the words name, and by default for all. Behind a name no other
 * command can stand, so none is declared.
 */
export async function declareProgram(
  act: Act,
  argv?: readonly string[],
  connect: (program: Command) => void = () => {},
): Promise<Command> {
  const program = new Command('lightspan')
    .option('-V, --version', 'print the version, with no other argument')
    .description('Upgrade decisions for self-hosted Lightdash, from its public release-safety index.')
    .option('--debug', 'print the stack trace of an error')
    // A command may have an option of the same name: an option after the command's name is its own.
    .enablePositionalOptions()
    .helpCommand('help [command...]', 'display help for command')
    .configureHelp({ showGlobalOptions: true, minWidthToWrap: 20 });
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
  act: Act,
): Promise<void> {
  for (const [name, { description, load, commands = {} }] of Object.entries(some)) {
    const command = new Command(name).copyInheritedSettings(parent).description(description);
    const [short] = Object.entries(shortNames).find(([, long]) => long === name) ?? [];
    if (short !== undefined) command.alias(short);
    const isNamed = words === undefined || words[0] === name;
    if (load !== undefined && isNamed) (await load()).command(command, act);
    await addCommands(command, commands, isNamed ? words?.slice(1) : [], act);
    command.addOption(new Option('--debug').hideHelp());
    parent.addCommand(takesSettings(command) ? take(command, settings) : command);
  }
}

/** Settings may decide the options of what judges by an index; a mirror is made of the publisher's. */
function takesSettings(command: Command): boolean {
  return command.options.some(({ long }) => long === '--index') && command.name() !== 'mirror';
}
