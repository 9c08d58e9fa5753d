import { type Command, InvalidArgumentError, Option } from 'commander';
import { type FactName, type FactValue, factNames, readFact } from '../facts/fact-names.js';
import type { AcceptOptions } from './acceptances.js';
import { once, readSource, several } from './shared-options.js';

/** What counts besides the index, and what is known of the instance. */
export interface KnownIssueOptions extends AcceptOptions {
  /** In the given order; `LIGHTSPAN_KNOWN_ISSUES` adds one more. */
  readonly knownIssues?: readonly string[];
  readonly fact?: ReadonlyMap<FactName, FactValue>;
  /** A facts file, or `-` for standard input. */
  readonly facts?: string;
  readonly publisherOnly?: true;
}

export function addKnownIssueOptions(command: Command): Command {
  return addIssueExceptions(addFactOptions(addKnownIssueSources(command)));
}

/** Options for what is to block nothing. */
export function addIssueExceptions(command: Command): Command {
  return command
    .addOption(
      new Option(
        '--accept <risk>',
        `a risk that you accept, which then blocks nothing and stays in the answer: the id of a known issue, a check (with its subject after a slash, if it has one), or a release whose verdict is no yes${command.name() === 'pin-check' ? '; also recreate (one direct upgrade with a short downtime), added (a new installation), removed, renamed (the same deployment, in a file of another name)' : ''}; may be given several times`,
      ).argParser(several(readSource)),
    )
    .addOption(
      new Option('--accept-issue <id>', 'the same as --accept').argParser(several(String)).hideHelp(),
    )
    .option(
      '--publisher-only',
      'leave known issues out: use only what the publisher said at the time of each release',
    );
}

export function addKnownIssueSources(command: Command): Command {
  return command.option(
    '--known-issues <source>',
    'known issues in addition to the built-in ones and those of a mirror: a URL, a file, a folder of them or a mirror folder; may be given several times (env LIGHTSPAN_KNOWN_ISSUES names one more)',
    several(readSource),
  );
}

export function addFactOptions(command: Command): Command {
  return command
    .addOption(factOption())
    .option(
      '--facts <file>',
      'or: a facts file, as JSON, or - for standard input, no older than --max-age; --fact takes precedence',
      once(readSource),
    );
}

/** What a person states; it takes precedence over the same fact in a file. */
export function factOption(): Option {
  return new Option(
    '--fact <name=value>',
    `what is known of the instance, such as edition=community; may be given several times; names: ${factNames.join(', ')}`,
  ).argParser(addFact);
}

function addFact(
  text: string,
  before: ReadonlyMap<FactName, FactValue> = new Map(),
): ReadonlyMap<FactName, FactValue> {
  const [, name = '', written = ''] = /^([^=]*)=(.*)$/s.exec(text) ?? [];
  if (name === '') throw new InvalidArgumentError('Write it as name=value, such as edition=community.');
  const fact = readFact(name, written);
  if (!fact.ok) {
    throw new InvalidArgumentError(
      fact.expected === undefined
        ? `There is no such fact. The facts are ${factNames.join(', ')}.`
        : `${name} is ${fact.expected}.`,
    );
  }
  if (before.has(fact.name)) throw new InvalidArgumentError('It is given twice.');
  return new Map([...before, [fact.name, fact.value]]);
}
