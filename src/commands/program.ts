import { Command, CommanderError, Help, Option } from 'commander';
import { exitCodes } from '../exit-codes.js';
import type { Act } from './context.js';
import { addSettingsOptions } from './settings/options.js';

type Load = () => Promise<(act: Act) => Command>;

/** The declaration of each command, in the order of the help. */
const declarations: Readonly<Record<string, Load>> = {
  'upgrade-check': async () => (await import('./upgrade-check/declaration.js')).declareUpgradeCheck,
  'upgrade-plan': async () => (await import('./upgrade-plan/declaration.js')).declareUpgradePlan,
  'upgrade-report': async () => (await import('./upgrade-report/declaration.js')).declareUpgradeReport,
  'upgrade-preflight': async () =>
    (await import('./upgrade-preflight/declaration.js')).declareUpgradePreflight,
  'upgrade-bump': async () => (await import('./upgrade-bump/declaration.js')).declareUpgradeBump,
  'upgrade-verify': async () => (await import('./upgrade-verify/declaration.js')).declareUpgradeVerify,
  'pin-check': async () => (await import('./pin-check/declaration.js')).declarePinCheck,
  index: group(
    'index',
    'Inspect the release-safety index, verify it, mirror it, or make a datasource for Renovate from it.',
    async () => (await import('./index-status/declaration.js')).declareIndexStatus,
    async () => (await import('./index-verify/declaration.js')).declareIndexVerify,
    async () => (await import('./index-mirror/declaration.js')).declareIndexMirror,
    async () => (await import('./index-datasource/declaration.js')).declareIndexDatasource,
  ),
  'known-issues': group(
    'known-issues',
    'Problems of releases that came to light after their verdict was published.',
    async () => (await import('./known-issues/declaration.js')).declareKnownIssuesList,
    async () => (await import('./known-issues/declaration.js')).declareKnownIssuesShow,
    async () => (await import('./known-issues/declaration.js')).declareKnownIssuesVerify,
  ),
  release: group(
    'release',
    'Inspect what one release brings.',
    async () => (await import('./release-show/declaration.js')).declareReleaseShow,
  ),
  merge: group(
    'merge',
    'Merge queries of a Lightdash project (compose merge query).',
    async () => (await import('./merge-validate/declaration.js')).declareMergeValidate,
    async () => (await import('./merge-submit/declaration.js')).declareMergeSubmit,
  ),
  chart: group(
    'chart',
    'Saved charts of a Lightdash instance.',
    async () => (await import('./chart-get/declaration.js')).declareChartGet,
  ),
  query: group(
    'query',
    'Metric queries of a Lightdash project.',
    async () => (await import('./query-compile/declaration.js')).declareQueryCompile,
    async () => (await import('./query-results/declaration.js')).declareQueryResults,
  ),
  catalog: group(
    'catalog',
    'The metrics catalog of a Lightdash project.',
    async () => (await import('./catalog-metrics/declaration.js')).declareCatalogMetrics,
  ),
  org: group(
    'org',
    'The organization of a Lightdash instance.',
    async () => (await import('./org-users/declaration.js')).declareOrgUsers,
  ),
  init: async () => (await import('./init/declaration.js')).declareInit,
  settings: async () => (await import('./settings/declaration.js')).declareSettings,
  explain: async () => (await import('./explain/declaration.js')).declareExplain,
  completion: async () => (await import('./completion/declaration.js')).declareCompletion,
};

function group(name: string, description: string, ...subcommands: readonly Load[]): Load {
  return async () => {
    const declared = await Promise.all(subcommands.map((load) => load()));
    return (act) =>
      declared.reduce(
        (command, declare) => command.addCommand(declare(act)),
        new Command(name).description(description),
      );
  };
}

/** The commands of the program's first level, in the order of its help. */
export const commandNames: readonly string[] = Object.keys(declarations);

/** The code of the error that is thrown for the version option. */
export const versionAsked = 'lightspan.version';

/** Declares the program with the given commands, and loads only those; by default with all. */
export async function declareProgram(act: Act, names = commandNames): Promise<Command> {
  const program = takeVersion(new Command('lightspan'), versionOption())
    .description('Upgrade decisions for self-hosted Lightdash, from its public release-safety index.')
    .option('--debug', 'print the stack trace of an error')
    // A command may have an option of the same name: an option after the command's name is its own.
    .enablePositionalOptions()
    .helpCommand('help [command...]', 'display help for command')
    .configureHelp({
      showGlobalOptions: true,
      visibleGlobalOptions,
      minWidthToWrap: 20,
      formatItem,
      styleUsage,
    });
  for (const name of names) {
    const declare = await declarations[name]?.();
    if (declare !== undefined) program.addCommand(takeProgramOptions(declare(act)));
  }
  return program;
}

/** Makes a command accept the options of the program, except those for which it has an option of the same name. */
function takeProgramOptions(command: Command): Command {
  command.addOption(new Option('--debug').hideHelp());
  if (!command.options.some(({ long }) => long === '--version')) {
    takeVersion(command, versionOption().hideHelp());
  }
  if (takesSettings(command)) addSettingsOptions(command);
  for (const subcommand of command.commands) takeProgramOptions(subcommand);
  return command;
}

/** Settings may decide the options of what judges by an index; a mirror is made of the publisher's. */
function takesSettings(command: Command): boolean {
  return command.options.some(({ long }) => long === '--index') && command.name() !== 'mirror';
}

const versionOption = () => new Option('-V, --version', 'print the version, with no other argument');

/** Ends parsing. `run` decides by the whole command line whether to show the version. */
function takeVersion(command: Command, option: Option): Command {
  return command.addOption(option).on(`option:${option.name()}`, () => {
    throw new CommanderError(exitCodes.yes, versionAsked, '');
  });
}

/** The options of the program that a command does not show as its own. */
function visibleGlobalOptions(command: Command): Option[] {
  const help = Object.assign(new Help(), { showGlobalOptions: true });
  const own = help.visibleOptions(command).map(({ long }) => long);
  return help.visibleGlobalOptions(command).filter(({ long }) => !own.includes(long));
}

/** If there is little space next to the terms, puts their descriptions below them. */
function formatItem(term: string, termWidth: number, description: string, helper: Help): string {
  const width = helper.helpWidth ?? 80;
  if (description === '' || width - termWidth >= 44)
    return Help.prototype.formatItem.call(helper, term, termWidth, description, helper);
  const indent = '      ';
  return `  ${term}\n${indent}${helper.boxWrap(description, width - indent.length).replaceAll('\n', `\n${indent}`)}`;
}

/** The text after `Usage: `. */
function styleUsage(this: Help, usage: string): string {
  const indent = '       ';
  return this.boxWrap(usage, (this.helpWidth ?? 80) - indent.length).replaceAll('\n', `\n${indent}`);
}
