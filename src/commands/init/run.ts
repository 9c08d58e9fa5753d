import { readFileSync } from 'node:fs';
import { LightspanError } from '../../errors.js';
import { type ExitCode, exitCodes } from '../../exit-codes.js';
import { printable } from '../../render/printable.js';
import { findPinsOfChange } from '../../sources/changed-pins.js';
import { indexPath } from '../../sources/mirror.js';
import { treeOfTexts } from '../../sources/pin-tree.js';
import { existingFile } from '../../sources/write-file.js';
import type { CommandContext } from '../context.js';
import { findCurrentVersion } from '../current-version.js';
import { settingsName } from '../settings/find.js';
import { filesOf } from '../settings/pins.js';
import { readSettings } from '../settings/read.js';
import type { Settings } from '../settings/schema.js';
import { writeWhole } from '../text-sink.js';

export interface InitOptions {
  readonly instance?: string;
  readonly tagSuffix?: string;
  readonly allowHttp?: true;
}

/** `lightspan init`: only a new file, and only what was found. */
export async function init(options: InitOptions, context: CommandContext): Promise<ExitCode> {
  const { stdout, stderr, env } = context;
  const refuse = (message: string, hint: string) => new LightspanError('usage', message, { hint });
  if (existingFile(settingsName) !== undefined) {
    throw refuse(`there is a ${settingsName} already`, 'lightspan settings shows what it decides.');
  }
  const { instance, tagSuffix, ...rest } = options;
  const asked = instance === undefined ? undefined : { ...rest, instance, timeout: 30_000 };
  const current = asked && (await findCurrentVersion(asked, context));
  const found = await findPinsHere(tagSuffix);
  const { compose, values } = found;
  const settings: Settings = {
    ...(instance === undefined ? {} : { instance }),
    ...(found.pins.length === 0 ? {} : { pins: found.pins }),
    ...(tagSuffix === undefined ? {} : { tagSuffix }),
    ...(existingFile(indexPath) === undefined ? {} : { index: indexPath }),
    // Of two kinds, a person says which one the instance is.
    ...(values.length > 0 && compose.length === 0 ? { deploy: 'helm', helm: { values } } : {}),
    ...(compose.length > 0 && values.length === 0 ? { deploy: 'compose', compose: { files: compose } } : {}),
    ...(env.PGHOST || env.PGSERVICE || env.PGDATABASE ? { database: 'env' } : {}),
  };
  if (Object.keys(settings).length === 0) {
    throw refuse('nothing was found to write', 'Run it where the pins are, or name the --instance.');
  }
  const lines = Object.entries(settings).map(([key, value]) => `${key}: ${JSON.stringify(value)}\n`);
  readSettings(lines.join(''), settingsName);
  await writeWhole(settingsName, lines.join(''));
  const versions = [...new Set([...(current ? [current.version] : []), ...found.versions])].join(', ');
  const lacking = Object.entries({
    'pins: no pin of Lightdash is here': found.pins.length === 0,
    [`one version: ${versions} (leave the pins of one instance)`]: versions.includes(','),
    [`a release in ${found.unread.join(', ')}`]: found.unread.length > 0,
    'instance: not named (--instance)': instance === undefined,
    'deploy: neither values of the chart alone nor compose files alone': settings.deploy === undefined,
    'helm.release, helm.namespace, helm.context: no file says them': settings.deploy === 'helm',
    'database: no PG* variable is set': settings.database === undefined,
  }).flatMap(([what, isLacking]) => (isLacking ? [`  - ${what}`] : []));
  stdout.write(printableAll(lines));
  stderr.write(printableAll([`Written to ${settingsName}. Not found:`, ...lacking]));
  return exitCodes.yes;
}

function printableAll(lines: readonly string[]): string {
  return lines.map((line) => `${printable(line.trimEnd())}\n`).join('');
}

/** The pins of Lightdash in the files below this folder, as if a change had added them all. */
async function findPinsHere(tagSuffix: string | undefined) {
  const files = filesOf(
    {
      matches: (file) => /\.(ya?ml|json|env)$|(^|\/)\.env$/.test(file),
      leadsThrough: (folder) => !/(^|\/)(\.[^/]+|node_modules|templates)$/.test(folder),
    },
    '.',
  );
  const texts = files.map((file) => [file, readFileSync(file, 'utf8')]);
  const { after } = await findPinsOfChange(treeOfTexts({}), treeOfTexts(Object.fromEntries(texts)), {
    tagSuffix,
  });
  const pinned = after.flatMap(({ side, ...pin }) =>
    side.state === 'pinned' ? [{ ...pin, release: side.release }] : [],
  );
  const filesWith = (path: RegExp) => [
    ...new Set(pinned.filter((pin) => path.test(pin.path.join('.'))).map(({ file }) => file)),
  ];
  return {
    pins: pinned.map(({ file, path }) => `${file}#${path.join('.')}`),
    versions: pinned.map(({ release }) => release.version),
    unread: after.filter(({ side }) => side.state === 'unreadable').map(({ file }) => file),
    compose: filesWith(/^services\./),
    values: filesWith(/^image\.tag$/),
  };
}
