import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What the packages inside the program and the library oblige us to ship with them. */

/**
 * @param {readonly { inputs: Record<string, unknown> }[]} metafiles of esbuild
 * @returns {string[]} the names of the packages that went into the bundles
 */
export function packagesIn(metafiles) {
  const inputs = metafiles.flatMap((metafile) => Object.keys(metafile.inputs));
  const names = inputs.flatMap((input) => /.*\bnode_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1] ?? []);
  return [...new Set(names)].sort();
}

/** The licence of every one of these packages, whole. A package without one cannot be shipped. */
export function licenceTexts(names) {
  const texts = names.map((name) => {
    const folder = join('node_modules', name);
    const { version, license } = readPackage(folder);
    const files = readdirSync(folder).filter((file) => /^(licen[cs]e|copying|notice)/i.test(file));
    const text =
      files.length === 0
        ? licenceInReadme(name, folder)
        : files.sort().map((file) => readFileSync(join(folder, file), 'utf8').trim());
    return `${name} ${version} (${license})\n\n${text.join('\n\n')}\n`;
  });
  return `The program and the library in this folder contain these packages.\n\n${texts.join(`\n${'-'.repeat(80)}\n\n`)}`;
}

/** Some packages keep their licence at the end of what is to be read first. */
function licenceInReadme(name, folder) {
  const text = readFileSync(join(folder, 'README.md'), 'utf8');
  const [, licence] = /^#+ licen[cs]e\s+(.*permission is hereby granted.*)$/ims.exec(text) ?? [];
  if (licence === undefined) throw new Error(`${name} is bundled, and has no licence`);
  return [licence.trim()];
}

/**
 * The software bill of materials (CycloneDX, from npm): the packages that are inside the program and the library, and
 * what these need. Number and time are left out, so that two builds are alike.
 *
 * @param {readonly string[]} bundled the packages inside
 */
export function billOfMaterials(bundled) {
  const {
    serialNumber: _number,
    metadata,
    components,
    dependencies,
    ...bom
  } = JSON.parse(
    execFileSync('npm', ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only', ...ofThisPackage], {
      encoding: 'utf8',
      maxBuffer: 64e6,
      stdio: ['ignore', 'pipe', 'pipe'],
      shell: process.platform === 'win32',
    }),
  );
  const { timestamp: _time, component, ...origin } = metadata;
  const needs = new Map(dependencies.map(({ ref, dependsOn }) => [ref, dependsOn]));
  needs.set(component['bom-ref'], bundled.map(refOf));
  const shipped = new Set([component['bom-ref']]);
  // What is added while the set is walked is walked too.
  for (const ref of shipped) for (const needed of needs.get(ref) ?? []) shipped.add(needed);
  return {
    ...bom,
    // npm calls it after the folder.
    metadata: { ...origin, component: { ...component, name: readPackage('.').name } },
    components: components
      .filter((one) => shipped.has(one['bom-ref']))
      .map((one) => ({
        ...one,
        scope: 'required',
        properties: bundled.includes(one.name) ? [{ name: 'cdx:npm:package:bundled', value: 'true' }] : [],
      })),
    dependencies: [...shipped].map((ref) => ({ ref, dependsOn: needs.get(ref) ?? [] })),
  };
}

/**
 * npm hands its own options on to what it runs: of `npm install --global .` came the bill of a global folder without a
 * lock file, and with `--omit=dev`, or NODE_ENV=production, come fewer packages than are in the program.
 */
const ofThisPackage = ['--no-global', '--location', 'project', '--include', 'dev'];

function refOf(name) {
  return `${name}@${readPackage(join('node_modules', name)).version}`;
}

function readPackage(folder) {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
}
