import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { releasedSchemasFile, schemasToRelease } from './released-schemas.js';

/**
 * Whether the repository is fit to be released as the version that is named: every reason against it on standard error,
 * and exit 1. `npm run release-check -- 0.2.0`.
 */

const [version] = process.argv.slice(2);
const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
const lock = JSON.parse(readFileSync('package-lock.json', 'utf8'));

const reasons = [
  ...placeholders(manifest),
  ...examplesWithPlaceholders(),
  ...unreleasedSchemas(),
  ...(/^\d+\.\d+\.\d+$/.test(version ?? '') ? [] : [`"${version ?? ''}" is not a version such as 0.2.0`]),
  ...[
    ['package.json', manifest.version],
    ['package-lock.json', lock.version],
  ].flatMap(([file, found]) => (found === version ? [] : [`${file} is version ${found}`])),
  ...(releaseNotes(version) === undefined ? [`CHANGELOG.md has no section "## [${version}] - <date>"`] : []),
];
for (const reason of reasons) process.stderr.write(`not fit for a release: ${reason}\n`);
if (reasons.length > 0) process.exitCode = 1;
else process.stdout.write(releaseNotes(version));

/** Addresses of the project that nobody has filled in. Only package.json and the examples have any. */
function placeholders({ repository, bugs, homepage }) {
  return Object.entries({ repository: repository?.url, bugs: bugs?.url, homepage }).flatMap(
    ([key, address]) =>
      address === undefined || /(^|[./])example\.invalid([/:]|$)/.test(address)
        ? [`package.json#${key} is ${address ?? 'missing'}, a placeholder`]
        : [],
  );
}

function examplesWithPlaceholders() {
  return filesIn('examples')
    .filter((file) => /\bOWNER\/|\bexample\.invalid\b/.test(readFileSync(file, 'utf8')))
    .map((file) => `${file} names a placeholder`);
}

/** The next release is compared with the schemas of this one. */
function unreleasedSchemas() {
  return readFileSync(releasedSchemasFile, 'utf8') === schemasToRelease()
    ? []
    : [`${releasedSchemasFile} does not hold the schemas of this version`];
}

function filesIn(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

/** What CHANGELOG.md says of the version, without its heading. */
function releaseNotes(wanted) {
  const sections = readFileSync('CHANGELOG.md', 'utf8').split(/^(?=## )/m);
  const section = sections.find((text) =>
    new RegExp(`^## \\[${wanted}\\] - \\d{4}-\\d\\d-\\d\\d\\n`).test(text),
  );
  return section?.split('\n').slice(1).join('\n').trim().concat('\n');
}
