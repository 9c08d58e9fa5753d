import { type ExitCode, exitCodes } from '../../exit-codes.js';
import { planBump } from '../../release-safety/bump.js';
import { renderUpgradeCheckJson } from '../../render/json/upgrade-check.js';
import { renderBump } from '../../render/text/bump.js';
import { readFileText } from '../../sources/input-text.js';
import { movePin } from '../../sources/moved-pin.js';
import { parsePinLocation, readPin } from '../../sources/pinned-version.js';
import type { CommandContext } from '../context.js';
import { readIndex } from '../read-index.js';
import { fileSink } from '../text-sink.js';
import type { UpgradeBumpOptions } from './declaration.js';

const hint = 'upgrade-bump moves one exact release that stands in the file itself.';

/** `lightspan upgrade-bump`: the verdict goes to standard output, what became of the pin to standard error. */
export async function upgradeBump(options: UpgradeBumpOptions, context: CommandContext): Promise<ExitCode> {
  const { tagSuffix = '', check = false } = options;
  const location = parsePinLocation(options.file);
  const text = await readFileText(location.file);
  const { version } = readPin(text, location, tagSuffix, hint);
  const { index } = await readIndex(options, context);
  const bump = planBump(index, {
    pinnedVersion: version,
    to: options.to,
    allowRecreate: options.allowRecreate === true,
  });
  const { result, decision } = bump;
  if (decision === 'rolling' || decision === 'recreate') {
    const moved = movePin(text, location, tagSuffix, result.toVersion);
    if (!check) await replaceText(location.file, moved);
  }
  context.stderr.write(renderBump(bump, { pin: options.file, check }));
  context.stdout.write(renderUpgradeCheckJson(result));
  return decision === 'refused' ? exitCodes.no : exitCodes.yes;
}

async function replaceText(file: string, text: string): Promise<void> {
  const sink = await fileSink(file);
  try {
    await sink.write(text);
    await sink.commit();
  } catch (error) {
    await sink.abandon();
    throw error;
  }
}
