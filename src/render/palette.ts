/** How words are painted. Every renderer takes one; the plain one leaves text as it is. */
export interface Palette {
  readonly good: (text: string) => string;
  readonly bad: (text: string) => string;
  readonly doubtful: (text: string) => string;
  readonly strong: (text: string) => string;
  readonly faint: (text: string) => string;
}

const asItIs = (text: string) => text;

export const plainPalette: Palette = {
  good: asItIs,
  bad: asItIs,
  doubtful: asItIs,
  strong: asItIs,
  faint: asItIs,
};

/** The coloured palette; chalk is loaded here, so that piped output never waits for it. */
export async function loadColourPalette(): Promise<Palette> {
  const { Chalk } = await import('chalk');
  const chalk = new Chalk({ level: 1 });
  return {
    good: chalk.green,
    bad: chalk.red,
    doubtful: chalk.yellow,
    strong: chalk.bold,
    faint: chalk.dim,
  };
}
