/** How words are coloured. Every renderer takes a palette; the plain one leaves text unchanged. */
export interface Palette {
  readonly good: (text: string) => string;
  readonly bad: (text: string) => string;
  readonly warn: (text: string) => string;
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
}

const asItIs = (text: string) => text;

export const plainPalette: Palette = {
  good: asItIs,
  bad: asItIs,
  warn: asItIs,
  bold: asItIs,
  dim: asItIs,
};

/** The coloured palette. chalk is loaded only here, so that piped output never waits for it. */
export async function loadColourPalette(): Promise<Palette> {
  const { Chalk } = await import('chalk');
  const chalk = new Chalk({ level: 1 });
  return {
    good: chalk.green,
    bad: chalk.red,
    warn: chalk.yellow,
    bold: chalk.bold,
    dim: chalk.dim,
  };
}
