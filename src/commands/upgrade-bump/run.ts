import { readFile } from 'node:fs/promises';
import { LightspanError } from '../../errors.js';
import { type ExitCode, exitCodes } from '../../exit-codes.js';
import { planBump } from '../../release-safety/bump.js';
import { renderUpgradeCheckJson } from '../../render/json/upgrade-check.js';
import { renderBump } from '../../render/text/bump.js';
import { describeFileFault } from '../../sources/local-file.js';
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
  const text = await readText(location.file);
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

/** With its byte order mark, where it has one: the file is to keep it. */
async function readText(file: string): Promise<string> {
  let bytes: Uint8Array;
  try {
    bytes = await readFile(file);
  } catch (error) {
    throw new LightspanError('unreadable-source', `cannot read ${file}: ${describeFileFault(error)}`, {
      cause: error,
    });
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    throw new LightspanError('invalid-pin', `${file} is not UTF-8 text`, { cause: error });
  }
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
