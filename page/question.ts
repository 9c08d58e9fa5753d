import { formFields, type PageQuestion } from '../src/answer/page-address.js';
import { LightspanError } from '../src/core/lightspan-error.js';
import { quote } from '../src/core/text/quote.js';
import { shellWord } from '../src/core/text/quoted-words.js';
import { parseTarget, parseVersion, type Target, type Version } from '../src/core/version.js';
import {
  type DeployKind,
  type FactName,
  type FactValue,
  isDeployKind,
  readFact,
} from '../src/instance/facts/fact-names.js';

/** What is asked, as the program reads it. */
export interface Question {
  readonly from: Version;
  readonly to: Target;
  readonly deploy: DeployKind | undefined;
  readonly stated: ReadonlyMap<FactName, FactValue>;
}

/**
 * @throws {LightspanError} `invalid-version`, `invalid-facts`
 */
export function readQuestion(typed: PageQuestion): Question {
  const { from = '', to = '' } = typed;
  const deploy = isDeployKind(typed.deploy) ? typed.deploy : undefined;
  const facts = statedIn(typed).map(([name, text]) => {
    const fact = readFact(name, text);
    if (fact.ok) return [fact.name, fact.value] as const;
    throw new LightspanError('invalid-facts', `${name} ${quote(text)} is not ${fact.expected}`);
  });
  const stated = new Map([...(deploy === undefined ? [] : [['deployed-by', deploy] as const]), ...facts]);
  return { from: parseVersion(from), to: parseTarget(to.trim()), deploy, stated };
}

/** Chart and migration job are those of Helm. */
function statedIn(typed: PageQuestion): (readonly [name: string, text: string])[] {
  const names = [
    'edition',
    ...(typed.deploy === 'helm' ? (['chart-version', 'migration-job'] as const) : []),
  ] as const;
  return names.flatMap((name) => (typed[name] ? [[name, typed[name].trim()] as const] : []));
}

/** `#from=1.2.0&to=2.0.0`; names that are not asked are left alone. */
export function askedIn(address: string): PageQuestion {
  const given = new URLSearchParams(address.replace(/^#/, ''));
  return Object.fromEntries(
    formFields.flatMap((name) => (given.get(name) ? [[name, given.get(name) ?? '']] : [])),
  );
}

/** The command line that is asked the same. */
export function commandOf(typed: PageQuestion, facts: string | undefined): string {
  const { from = '', to = '', deploy } = typed;
  const options = [
    ...['--from', shellWord(from.trim()), '--to', shellWord(to.trim())],
    ...statedIn(typed).flatMap(([name, text]) => ['--fact', `${name}=${shellWord(text)}`]),
    ...(deploy ? ['--deploy', shellWord(deploy)] : []),
    ...(facts === undefined ? [] : ['--facts', shellWord(facts)]),
  ];
  return ['lightspan upgrade-plan', ...options].join(' ');
}
