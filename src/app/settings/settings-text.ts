import { stringify } from 'yaml';

/** What a key is for, in the file that `init` writes. */
const comments: Readonly<Record<string, string>> = {
  instance: 'The running instance; it is asked for its version.',
  pins: 'The places that say which release runs. pin-check judges a change of them.',
  tagSuffix: 'What stands behind the version in tags.',
  to: 'The release to upgrade to: recommended, latest, latest-rolling or a version.',
  index: 'The release-safety index to judge by.',
  deploy: 'How Lightdash is deployed: helm or compose.',
  helm: 'The release of Helm and its values, in order; a later file wins.',
  compose: 'The files of the project, in order; a later file wins.',
  database: 'The database that preflight looks at; env takes the PG* variables.',
};

/** An editor completes and checks the file by its schema, which the installed package has. */
function headOf(schema: string | undefined): string {
  return schema === undefined
    ? '# For an editor, the schema of this file is schemas/settings.json of the npm package lightspan.\n'
    : `# yaml-language-server: $schema=${schema}\n`;
}

const example = `
# A risk that somebody decided to live with: a release, a known issue or a finding.
# accept:
#   - release: 1.122.0
#     reason: it ran for a week in staging
#     by: the platform team
#     until: 2027-01-31
`;

/**
 * @param schema where an editor finds the schema, as seen from the file; undefined where the package is not installed
 * @returns the text of a settings file, or undefined if nothing is set
 */
export function settingsText(
  settings: Readonly<Record<string, unknown>>,
  schema: string | undefined,
): string | undefined {
  const parts = Object.entries(settings).flatMap(([key, value]) =>
    value === undefined ? [] : [`\n# ${comments[key]}\n${stringify({ [key]: value }, { lineWidth: 0 })}`],
  );
  return parts.length === 0 ? undefined : `${headOf(schema)}${parts.join('')}${example}`;
}
