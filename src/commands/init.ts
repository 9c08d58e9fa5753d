import { readFileSync } from 'node:fs';
import { findCurrentVersion } from '../app/current-version.js';
import { settingsName } from '../app/settings/in-force.js';
import { filesOf } from '../app/settings/pins.js';
import { readSettings } from '../app/settings/read.js';
import type { CommandContext } from '../cli/context.js';
import { defineCommand, type OptionsOf, type OptionTable } from '../cli/declare.js';
import { type ExitCode, exitCodes } from '../cli/exit-codes.js';
import { allowHttp, tagSuffix } from '../cli/options.js';
import { writeWhole } from '../cli/text-sink.js';
import { LightspanError } from '../core/lightspan-error.js';
import { printable } from '../core/text/printable.js';
import { lookAtChange } from '../pins/change.js';
import { treeOfTexts } from '../pins/pin-tree.js';
import { existingFile } from '../read/files/write-file.js';
import { indexPath } from '../read/publisher/mirror.js';

const takes = {
  instance: {
    flags: '--instance <url>',
    description: 'the running instance, which is asked for its version',
  },
  tagSuffix: {
    ...tagSuffix.tagSuffix,
    description: 'what follows the version in tags, such as -custom',
  },
  ...allowHttp,
} as const satisfies OptionTable;

export const command = defineCommand({
  takes,
  exitCodes: {
    0: 'the file is written, and what was not found is named',
    2: 'the request is wrong, there is a file already, or nothing was found',
    3: 'the instance does not answer, or a file cannot be read or written',
    4: 'the answer of the instance cannot be trusted',
  },
  examples: ['lightspan init', 'lightspan init --instance https://lightdash.example.com'],
  run: init,
});

async function init(options: OptionsOf<typeof takes>, context: CommandContext): Promise<ExitCode> {
  const { stdout, stderr, env } = context;
  const refuse = (message: string, hint: string) => new LightspanError('usage', message, { hint });
  if (existingFile(settingsName) !== undefined) {
    throw refuse(`there is a ${settingsName} already`, 'lightspan settings shows what it decides.');
  }
  const { instance, tagSuffix: suffix, ...rest } = options;
  const asked = instance === undefined ? undefined : { ...rest, instance, timeout: 30_000 };
  const running = asked && (await findCurrentVersion(asked, context)).version;
  const { pinned, unread } = await findPinsHere(suffix);
  const filesWith = (path: RegExp) => [
    ...new Set(pinned.filter((pin) => path.test(pin.path.join('.'))).map(({ file }) => file)),
  ];
  const [values, files] = [filesWith(/^image\.tag$/), filesWith(/^services\./)];
  // Of two kinds, a person says which one the instance is.
  const deploy = values.length > 0 === files.length > 0 ? undefined : values.length > 0 ? 'helm' : 'compose';
  const pins = pinned.map(({ file, path }) => `${file}#${path.join('.')}`);
  const settings = {
    instance,
    pins: pins.length === 0 ? undefined : pins,
    tagSuffix: suffix,
    index: existingFile(indexPath) && indexPath,
    deploy,
    helm: deploy === 'helm' ? { values } : undefined,
    compose: deploy === 'compose' ? { files } : undefined,
    database: env.PGHOST || env.PGSERVICE || env.PGDATABASE ? 'env' : undefined,
  };
  const lines = Object.entries(settings).flatMap(([key, value]) =>
    value === undefined ? [] : [`${key}: ${JSON.stringify(value)}\n`],
  );
  if (lines.length === 0) {
    throw refuse('nothing was found to write', 'Run it where the pins are, or name the --instance.');
  }
  readSettings(lines.join(''), settingsName);
  await writeWhole(settingsName, lines.join(''));
  const versions = new Set([...(running ? [running] : []), ...pinned.map(({ version }) => version)]);
  const lacking = Object.entries({
    'pins: no pin of Lightdash is here': pins.length === 0,
    [`one version: ${[...versions].join(', ')} (leave the pins of one instance)`]: versions.size > 1,
    [`a release in ${unread.join(', ')}`]: unread.length > 0,
    'instance: not named (--instance)': instance === undefined,
    'deploy: neither values of the chart alone nor compose files alone': deploy === undefined,
    'helm.release, helm.namespace, helm.context: no file says them': deploy === 'helm',
    'database: no PG* variable is set': settings.database === undefined,
  }).flatMap(([what, isLacking]) => (isLacking ? [`  - ${printable(what)}\n`] : []));
  for (const line of lines) stdout.write(`${printable(line.trimEnd())}\n`);
  stderr.write(`Written to ${settingsName}. Not found:\n${lacking.join('')}`);
  return exitCodes.yes;
}

/** The pins of Lightdash in the files below this folder, as if a change had added them all. */
async function findPinsHere(tagSuffix: string | undefined) {
  const isPossible = (file: string) => /\.(ya?ml|json|env)$|(^|\/)\.env$/.test(file);
  const isOfOthers = (folder: string) => /(^|\/)(\.[^/]+|node_modules|templates)$/.test(folder);
  const files = filesOf({ matches: isPossible, leadsThrough: (folder) => !isOfOthers(folder) }, '.');
  const texts = files.map((file) => [file, readFileSync(file, 'utf8')]);
  const here = treeOfTexts(Object.fromEntries(texts));
  const { after } = await lookAtChange(treeOfTexts({}), here, { tagSuffix });
  return {
    pinned: after.flatMap(({ file, path, side }) =>
      side.state === 'pinned' ? [{ file, path, version: side.release.version }] : [],
    ),
    unread: after.flatMap(({ file, side }) => (side.state === 'unreadable' ? [file] : [])),
  };
}
