import type { Format } from './format.js';

/** What the help says of a format, and which commands offer it. */
interface FormatEntry {
  /** Commands: all that answer; those that a pipeline uses as a gate; those whose findings have a place; or the report alone. */
  readonly for: 'all' | 'gate' | 'places' | 'report';
  readonly note?: string;
}

/** Every format, in the order of the help: the only list of them. JSON is the result itself, and has no file here. */
const formats = {
  text: { for: 'all', note: 'default' },
  json: { for: 'all', note: 'as --json' },
  github: { for: 'gate', note: 'annotation, step summary and outputs' },
  junit: { for: 'gate' },
  markdown: { for: 'all' },
  html: { for: 'report' },
  sarif: { for: 'places', note: 'for code scanning' },
} as const satisfies Readonly<Record<string, FormatEntry>>;

type FormatName = keyof typeof formats;
/** Those that a file of this folder writes. */
export type WrittenFormat = Exclude<FormatName, 'json'>;

const files: Readonly<Record<WrittenFormat, () => Promise<Format>>> = {
  text: async () => (await import('./text.js')).textFormat,
  github: async () => (await import('./github.js')).githubFormat,
  junit: async () => (await import('./junit.js')).junitFormat,
  markdown: async () => (await import('./markdown.js')).markdownFormat,
  html: async () => (await import('./html.js')).htmlFormat,
  sarif: async () => (await import('./sarif.js')).sarifFormat,
};

/** Only the one that is wanted is loaded. */
export function loadFormat(name: WrittenFormat): Promise<Format> {
  return files[name]();
}

type Offered = (typeof formats)[FormatName]['for'];
type OfferedBy<Some extends Offered> = {
  [Name in FormatName]: (typeof formats)[Name]['for'] extends Some ? Name : never;
}[FormatName];

const formatNames = Object.keys(formats) as readonly FormatName[];

function offeredBy<Some extends Offered>(...some: readonly Some[]): readonly OfferedBy<Some>[] {
  const isOffered = (name: FormatName): name is OfferedBy<Some> =>
    some.some((offered) => offered === formats[name].for);
  return formatNames.filter(isOffered);
}

/** The formats of an answer that a pipeline can use as a gate. */
export const gateFormats = offeredBy('all', 'gate');
/** Those, and what code scanning reads, of the commands whose findings have a place. */
export const scanFormats = offeredBy('all', 'gate', 'places');
export type GateFormat = (typeof scanFormats)[number];
/** How a report can be written: for people, and for programs. */
export const reportFormats = /* @__PURE__ */ offeredBy('all', 'report');

const endings: { readonly [Name in FormatName]?: readonly string[] } = {
  json: ['.json'],
  markdown: ['.md'],
  html: ['.html', '.htm'],
};

/** The format of a file with this ending. */
export function formatOfEnding<Name extends FormatName>(
  ending: string,
  names: readonly Name[],
): Name | undefined {
  return names.find((name) => endings[name]?.includes(ending));
}

/** Whether a format has a place for the steps of a plan. */
export function hasSteps(name: FormatName): boolean {
  return name !== 'junit';
}

/** `text (default), json or html`, with what the help says of each, or only of the default. */
export function describeFormats(names: readonly FormatName[], isBrief: boolean): string {
  const described = names.map((name) => {
    const { note }: FormatEntry = formats[name];
    return note === undefined || (isBrief && name !== 'text') ? name : `${name} (${note})`;
  });
  return `${described.slice(0, -1).join(', ')} or ${described.at(-1)}`;
}
