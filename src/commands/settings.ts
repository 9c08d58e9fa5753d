import { columnsOf, renderTable, wrapWords } from '../answer/formats/wrap.js';
import { renderDocument } from '../answer/json/document.js';
import type { SettingsResult } from '../answer/json/settings-schemas.js';
import { settingsInForce, settingsName, shownPath } from '../app/settings/in-force.js';
import { acceptancesIn, type Settings } from '../app/settings/read.js';
import { valuesIn } from '../app/settings/values-in.js';
import { isLapsed } from '../core/accepted.js';
import { printable } from '../core/text/printable.js';
import type { CommandContext } from '../door/context.js';
import { defineCommand, type OptionsOf, type OptionTable } from '../door/declare.js';
import { type ExitCode, exitCodes } from '../door/exit-codes.js';
import { settings } from '../door/options/evidence-options.js';
import { json } from '../door/options/options.js';
import { writeResult } from '../door/write-answer.js';
import { publicIndexUrl } from '../gather/publisher/publisher-urls.js';
import { indexVariable, knownIssuesVariable } from '../question/option-settings.js';
import { type AcceptedRisk, factOfAcceptance } from '../words/evidence/accepted.js';

const takes = { ...settings, ...json } as const satisfies OptionTable;

export const command = defineCommand({
  takes,
  notes:
    'A flag wins over the environment, the environment over the file, the file over the default. Known ' +
    'issues from all of them count.',
  exitCodes: {
    0: 'the settings are shown; without a file, the defaults',
    2: 'the file has a fault, or the request is wrong',
    3: 'the file cannot be read',
  },
  examples: ['lightspan settings', 'lightspan settings --settings deploy/lightspan.yaml --json'],
  run: showSettings,
});

async function showSettings(options: OptionsOf<typeof takes>, context: CommandContext): Promise<ExitCode> {
  const { env, now } = context;
  const inForce = await settingsInForce(options, env);
  const { $schema, accept, ignore = [], ...keys }: Settings = inForce?.settings ?? {};
  const { [indexVariable]: index, [knownIssuesVariable]: issues } = env;
  const file = shownPath(inForce?.file ?? '');
  const inFile = valuesIn(keys).map(([key, value]) => ({ key, value, from: file }));
  const inEnvironment: readonly Row[] = index ? [{ key: 'index', value: index, from: indexVariable }] : [];
  const defaults: readonly Row[] = [
    { key: 'index', value: publicIndexUrl, from: 'default' },
    { key: 'to', value: 'latest', from: 'default' },
  ];
  // What stands further down wins.
  const last = new Map([...defaults, ...inFile, ...inEnvironment].map((row) => [row.key, row]));
  const also = issues ? [{ key: 'knownIssues', value: issues, from: knownIssuesVariable }] : [];
  const accepted = acceptancesIn({ accept }).map(
    ({ kind: _, ...acceptance }): AcceptedRisk => ({
      ...acceptance,
      state: isLapsed(acceptance, now()) ? 'lapsed' : 'counts',
    }),
  );
  await writeResult(options, context, {
    json: () =>
      renderDocument<SettingsResult>({
        file: inForce?.shown ?? null,
        settings: [...last.values(), ...also],
        ignore,
        accept: accepted,
      }),
    text: ({ width }) =>
      renderSettings(
        inForce?.shown,
        [
          ...last.values(),
          ...also.map((row) => ({ ...row, key: `${row.key}, too` })),
          ...ignore.map(({ path, reason }, i) => {
            return { key: `ignore.${i + 1}`, value: `${path}: ${reason}`, from: file };
          }),
          ...accepted.map((risk, i) => {
            const { label, text } = factOfAcceptance(risk);
            return { key: `accept.${i + 1}`, value: `${label}: ${text}`, from: file };
          }),
        ],
        width,
      ),
  });
  return exitCodes.yes;
}

type Row = SettingsResult['settings'][number];

function renderSettings(
  file = `none (no ${settingsName} here or above)`,
  rows: readonly Row[],
  width: number | undefined,
): string {
  const cells = rows.map(({ key, value, from }) => [key, [value].flat().join(', '), from] as const);
  const title = wrapWords(`Settings: ${printable(file)}`, width, '  ');
  const table = renderTable(['KEY', 'VALUE', 'FROM'], cells);
  const fits = width === undefined || table.split('\n').every((line) => columnsOf(line) <= width);
  if (fits) return `${title}\n${table}`;
  // A key that is long, or a value, would break the lines of a table: here each has lines of its own.
  const lines = cells.map(([key, value, from]) =>
    wrapWords(printable(`${key}: ${value} (${from})`), width, '  '),
  );
  return `${[title, ...lines].join('\n')}\n`;
}
