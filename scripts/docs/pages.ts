import { firstSentence } from '../../src/answer/outputs/explain.js';
import { checks } from '../../src/checks/checks.js';
import { topics, wordKinds } from '../../src/commands/explain.js';
import { declareProgram } from '../../src/commands/program.js';
import { exitCodeWords } from '../../src/door/exit-codes.js';
import { optionSettings } from '../../src/question/option-settings.js';
import type { OptionSetting } from '../../src/question/settings.js';
import { spanRules } from '../../src/words/answer.js';
import { jsonSchemas, schemasOf } from '../json-schemas.js';
import { checkPage, checkPageName } from './check-page.js';
import {
  commandPage,
  commandsOf,
  commonOptionsName,
  commonOptionsOf,
  commonOptionsPage,
  type PagedCommand,
  pageName,
} from './command-page.js';
import { code, table } from './markdown.js';
import { readProse } from './prose.js';
import { runCommand } from './run-command.js';
import { spanPicture } from './span-picture.js';
import { scenes } from './span-scenes.js';
import { terminalPicture } from './terminal-picture.js';

/** The folder of `docs/` that is written by hand. */
export const keptFolder = 'prose';

/** What somebody reads first. */
const guides = [
  { name: 'your-first-upgrade', title: 'Your first upgrade', more: ', with Helm or docker compose' },
  { name: 'gate-in-five-minutes', title: 'The gate in five minutes', more: '' },
  { name: 'faq', title: 'Why is it not known? Why no, though it is allowed?', more: '' },
] as const;

/** The pages that are prose alone, and what the contents say of each beside its title. */
const prosePages = [
  { name: 'upgrade-page', title: 'The upgrade path as a page', more: '' },
  { name: 'data-sources', title: 'Where the data comes from', more: ': index, artifacts, cache, mirrors' },
  { name: 'known-issues', title: 'Known issues', more: ': problems found since, and your own records' },
  { name: 'corporate-networks', title: 'Corporate networks', more: ': proxies, your own certificates' },
  { name: 'container', title: 'The container image', more: ': docker and Kubernetes' },
  { name: 'merge-queries', title: 'Merge queries', more: '' },
  { name: 'comparison', title: 'Comparison with other tools', more: ', and what lightspan does not do' },
  { name: 'jq', title: 'Recipes for jq', more: ', over the JSON of lightspan' },
] as const;

/** What is looked up, and read by nobody from its beginning. */
const lookedUp = [
  { name: 'incidents', title: 'Incidents', more: ', and how each is handled' },
  { name: 'library', title: 'As a library', more: ', in TypeScript and JavaScript' },
] as const;

/** The files of `docs/` beside the prose, each as its text, by path. */
export async function documentation(): Promise<Readonly<Record<string, string>>> {
  const commands = commandsOf(await declareProgram(async () => {}));
  const prose = await readProse();
  const pages: Record<string, string> = {
    'README.md': contentsPage(commands),
    'exit-codes.md': exitCodesPage(commands, proseOf(prose, 'exit-codes')),
    'json-output.md': jsonOutputPage(commands, proseOf(prose, 'json-output')),
    'span-rules.md': spanRulesPage(proseOf(prose, 'span-rules')),
    'words.md': wordsPage(),
    'images/upgrade-check.svg': await checkPicture(),
  };
  for (const { name, title } of [...guides, ...prosePages, ...lookedUp])
    pages[`${name}.md`] = page(`# ${title}`, proseOf(prose, name));
  for (const [name, releases] of Object.entries(scenes))
    pages[`images/${name}.svg`] = spanPicture(releases).svg;
  const common = commonOptionsOf(commands);
  pages[commonOptionsName] = commonOptionsPage(common);
  for (const command of commands) {
    // What the declaration says is enough for a command that only shows data.
    const text = prose.get(command.name.replaceAll(' ', '-')) ?? '';
    const whole = command.name === 'settings' ? withEveryKey(text) : text;
    pages[pageName(command)] = commandPage(command, whole.trim(), common);
  }
  for (const check of checks) pages[checkPageName(check)] = checkPage(check);
  return pages;
}

/** With a row of each key that stands for an option and that the prose does not explain. */
function withEveryKey(prose: string): string {
  const rows = Object.entries<OptionSetting>(optionSettings)
    .filter(([key]) => !prose.includes(code(key)))
    .map(
      ([key, { description = '' }]) =>
        `| ${code(key)} | ${code(`--${key.replaceAll(/[A-Z]/g, '-$&').toLowerCase()}`)}: ${description} |\n`,
    );
  return prose.replace('| key | what it sets |\n| --- | --- |\n', (header) => `${header}${rows.join('')}`);
}

function proseOf(prose: ReadonlyMap<string, string>, name: string): string {
  const text = prose.get(name);
  if (text === undefined) throw new Error(`docs/${keptFolder}/${name}.md is missing`);
  return text.trim();
}

function contentsPage(commands: readonly PagedCommand[]): string {
  return page(
    '# Documentation',
    '## Guides',
    guides.map(({ name, title, more }) => `- [${title}](${name}.md)${more}`).join('\n'),
    '## Commands',
    table(
      ['command', 'what it does'],
      commands.map((command) => [
        `[lightspan ${command.name}](${pageName(command)})`,
        command.command.description(),
      ]),
    ),
    `[Options of several commands](${commonOptionsName}) has what most of them take.`,
    '## Checks of upgrade-preflight',
    table(
      ['check', 'what it checks'],
      checks.map((check) => [`[${check.id}](${checkPageName(check)})`, firstSentence(check.meaning)]),
    ),
    '## Reference',
    [
      ...prosePages.map(({ name, title, more }) => `- [${title}](${name}.md)${more}`),
      '- [The span rules](span-rules.md), with pictures',
      '- [Exit codes](exit-codes.md)',
      '- [JSON output](json-output.md) and its schemas',
    ].join('\n'),
    '## To look things up',
    [
      '- [Every word](words.md) that `lightspan explain` explains: reasons, errors, rules',
      ...lookedUp.map(({ name, title, more }) => `- [${title}](${name}.md)${more}`),
      '- [Every package that ships](dependencies.md)',
    ].join('\n'),
  );
}

function exitCodesPage(commands: readonly PagedCommand[], prose: string): string {
  return page(
    '# Exit codes',
    prose,
    table(
      ['exit code', 'meaning'],
      Object.entries(exitCodeWords).map(([exitCode, { meaning }]) => [exitCode, meaning]),
    ),
    '## What they mean for each command',
    'The page of each command has the other codes, too: what cannot be answered there (3), and what cannot be trusted (4).',
    table(['command', 'exit code 0', 'exit code 1'], byMeaning(commands)),
  );
}

/** What 0 and 1 mean, a row for the commands for which they mean the same. */
function byMeaning(commands: readonly PagedCommand[]): readonly (readonly string[])[] {
  const found = new Map<string, { readonly names: string[]; readonly meanings: readonly string[] }>();
  for (const command of commands) {
    const { 0: yes = '', 1: no = '' } = command.usage?.exitCodes ?? {};
    const key = `${yes} | ${no}`;
    const row = found.get(key) ?? { names: [], meanings: [yes, no] };
    row.names.push(`[${command.name}](${pageName(command)})`);
    found.set(key, row);
  }
  return [...found.values()].map(({ names, meanings }) => [names.join(', '), ...meanings]);
}

function jsonOutputPage(commands: readonly PagedCommand[], prose: string): string {
  const linked = (file: string) => `[${code(file)}](../schemas/${file})`;
  const written = commands.flatMap((command) => {
    const files = schemasOf(command.name);
    return files.length === 0
      ? []
      : [[`[${command.name}](${pageName(command)})`, files.map(linked).join(', ')]];
  });
  const titles = Object.entries(jsonSchemas).map(([file, text]) => {
    const { title }: { title: string } = JSON.parse(text);
    return [linked(file), title];
  });
  return page(
    '# JSON output',
    prose,
    '## What each command writes',
    table(['command', 'schema of its output'], written),
    '## Schemas',
    table(['schema', 'describes'], titles),
  );
}

function spanRulesPage(prose: string): string {
  const picture = (name: string) => `![${spanPicture(scenes[name] ?? []).alt}](images/${name}.svg)`;
  return page(
    '# The span rules',
    prose,
    picture('all-true'),
    ...Object.entries(spanRules).flatMap(([rule, meaning]) => [
      `## Span rule ${rule}`,
      meaning,
      picture(`rule-${rule}`),
    ]),
  );
}

/** Words that more than one sentence explains on a page of their own. */
const groupsInShort: ReadonlySet<string> = new Set(
  (['checks', 'preflight-findings', 'issues'] as const).map((kind) => wordKinds[kind] ?? ''),
);

function wordsPage(): string {
  const pageOf = new Map<string, string>(checks.map((check) => [check.id, checkPageName(check)]));
  const named = ({ word, group }: (typeof topics)[number]) => {
    const own = group === wordKinds.checks ? pageOf.get(word) : undefined;
    return own === undefined ? code(word) : `[${code(word)}](${own})`;
  };
  return page(
    '# Every word',
    'What reasons, errors and rules mean. `lightspan explain <word>` says more: the rule, the exit code, and what to do. The page of each check has its findings with their remedies; [known issues](known-issues.md) has the records.',
    ...Object.values(wordKinds).flatMap((group) => [
      `## ${group}`,
      table(
        ['word', 'meaning'],
        topics
          .filter((topic) => topic.group === group)
          .map((topic) => [
            named(topic),
            groupsInShort.has(group) ? firstSentence(topic.meaning) : topic.meaning,
          ]),
      ),
    ]),
  );
}

/** The picture of the README: a real run, on the index in `fixtures/`. */
async function checkPicture(): Promise<string> {
  const argv = ['upgrade-check', '--from', '1.111.0', '--to', '1.115.0'];
  const { stdout } = await runCommand([...argv, '--index', 'fixtures/release-safety-index.json'], {
    columns: 100,
  });
  return terminalPicture(`lightspan ${argv.join(' ')}`, wrap(stdout, 100));
}

/** Long lines go on in the next, as they do in a terminal so wide. */
function wrap(text: string, columns: number): string {
  return text
    .split('\n')
    .map((line) =>
      line.includes('\u001b') ? line : line.replaceAll(new RegExp(`(.{${columns}})(?=.)`, 'gu'), '$1\n'),
    )
    .join('\n');
}

function page(...parts: readonly string[]): string {
  return `${parts.join('\n\n')}\n`;
}
