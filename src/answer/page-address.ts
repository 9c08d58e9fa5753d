import packageJson from '../../package.json' with { type: 'json' };

/** The question of the page of the upgrade path: each member is a field of its form, and a parameter of its address. */
export const formFields = ['from', 'to', 'edition', 'deploy', 'chart-version', 'migration-job'] as const;

export type PageQuestion = Readonly<Partial<Record<(typeof formFields)[number], string | undefined>>>;

export function addressOf(typed: PageQuestion): string {
  const filledFields = formFields.flatMap((name) =>
    typed[name] ? [[name, typed[name]] as [string, string]] : [],
  );
  return `#${new URLSearchParams(filledFields)}`;
}

/** Where the project publishes the page, with a question; undefined as long as the project has no home. */
export function pageAddress(
  typed: PageQuestion,
  homepage: string = packageJson.homepage,
): string | undefined {
  if (/^https?:\/\/([^/]*\.)?example\.invalid([:/]|$)/.test(homepage)) return undefined;
  return `${homepage.replace(/#.*$/, '')}/page/${addressOf(typed)}`;
}
