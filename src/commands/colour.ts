import { colourPalette, type Palette, plainPalette } from '../render/palette.js';
import type { CommandContext } from './context.js';
import type { OutputOptions } from './options.js';

/**
 * The palette for standard output: the flag decides, then `NO_COLOR`, `FORCE_COLOR`, `TERM`, and whether it is a
 * terminal.
 */
export async function choosePalette(
  { color }: Pick<OutputOptions, 'color'>,
  { env, stdout }: Pick<CommandContext, 'env' | 'stdout'>,
): Promise<Palette> {
  const coloured = color ?? colourOfEnvironment(env) ?? stdout.isTTY === true;
  return coloured ? colourPalette : plainPalette;
}

/**
 * By the conventions of no-color.org and force-color.org: set and not empty; `FORCE_COLOR=0` and `=false` turn it off.
 */
function colourOfEnvironment(env: CommandContext['env']): boolean | undefined {
  if (env.NO_COLOR) return false;
  if (env.FORCE_COLOR) return env.FORCE_COLOR !== '0' && env.FORCE_COLOR !== 'false';
  return env.TERM === 'dumb' ? false : undefined;
}
