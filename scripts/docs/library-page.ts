import { API, type Checker, SymbolFlags, type Symbol as TsSymbol } from 'typescript/unstable/sync';
import { createTypeText } from './type-text.js';

/** The entries of the library, by what a program imports, each with what it has that no entry before it has. */
const entries = [
  { specifier: 'lightspan/merge', file: 'src/library/merge.ts', about: 'Merge queries. It does no I/O.' },
  { specifier: 'lightspan/client', file: 'src/library/client.ts', about: 'The client of the Lightdash API.' },
  {
    specifier: 'lightspan',
    file: 'src/library/index.ts',
    about: 'The core, which does no I/O, and all of both others.',
  },
];

/** What one entry exports, by name, as the compiler sees it. */
interface Entry {
  readonly specifier: string;
  readonly about: string;
  readonly exported: readonly Export[];
}

interface Export {
  readonly name: string;
  readonly symbol: TsSymbol;
}

/**
 * Everything that the library exports, from its declarations and their docstrings. The compiler's API is that of the
 * release that package-lock.json names: it calls itself unstable.
 */
export function libraryReference(): string {
  const api = new API({ cwd: process.cwd() });
  try {
    const [project] = api.updateSnapshot({ openProjects: ['tsconfig.build.json'] }).getProjects();
    if (project === undefined) throw new Error('tsconfig.build.json is no project');
    const { checker, program } = project;
    const read = entries.map(({ file, ...entry }): Entry => {
      const source = program.getSourceFile(file);
      const module = source && checker.getSymbolAtLocation(source);
      if (module === undefined) throw new Error(`${file} exports nothing`);
      const exported = checker.getExportsOfModule(module).map((symbol) => ({
        name: symbol.name,
        symbol: symbol.flags & SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol,
      }));
      return { ...entry, exported: exported.toSorted((a, b) => (a.name < b.name ? -1 : 1)) };
    });
    return referenceOf(read, checker);
  } finally {
    api.close();
  }
}

function referenceOf(read: readonly Entry[], checker: Checker): string {
  const all = new Map(read.flatMap(({ exported }) => exported.map(({ name, symbol }) => [name, symbol])));
  const { declarationOf } = createTypeText(checker, all);
  const sections = read.map(({ specifier, about, exported }, i) => {
    const earlier = new Set(read.slice(0, i).flatMap((entry) => entry.exported.map(({ name }) => name)));
    const own = exported.filter(({ name }) => !earlier.has(name));
    const [values, types] = [own.filter(isValue), own.filter((entry) => !isValue(entry))];
    const others = exported.filter(({ name }) => earlier.has(name)).map(({ name }) => `\`${name}\``);
    return [
      `## \`${specifier}\``,
      about,
      ...(others.length === 0 ? [] : [`Exported here too: ${others.join(', ')}.`]),
      ...[...values, ...types].map(({ name, symbol }) =>
        [
          `### \`${name}\``,
          `\`\`\`ts\n${declarationOf(name, symbol)}\n\`\`\``,
          describe(symbol, checker),
        ].join('\n\n'),
      ),
    ].join('\n\n');
  });
  return sections.toReversed().join('\n\n');
}

const isValue = ({ symbol }: Export) => (symbol.flags & SymbolFlags.Value) !== 0;

/** The docstring: what it is, then its parameters, its result and its errors, one a line. */
function describe(symbol: TsSymbol, checker: Checker): string {
  const tags = symbol.getJsDocTags(checker).map(({ name, text = '' }) => {
    const said = String(text).replaceAll(/\s+/g, ' ');
    const [, type = '', rest = ''] = /^\{(\w+)\}\s*(.*)$/.exec(said) ?? [];
    if (name === 'throws') return `- throws \`${type}\`: ${rest}`;
    return name === 'param' ? `- ${said.replace(/^(\w+)\s*/, '`$1`: ')}` : `- ${name} ${said}`;
  });
  return [symbol.getDocumentationComment(checker).replaceAll(/ *\n */g, '\n'), tags.join('\n')]
    .filter((part) => part !== '')
    .join('\n\n');
}
