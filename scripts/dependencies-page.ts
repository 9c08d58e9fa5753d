import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import packageJson from '../package.json' with { type: 'json' };

/** Why each package is there. One that ships without a reason fails the page, and a reason without a package too. */
const reasons: Readonly<Record<string, string>> = {
  chalk: 'Colour of the text, loaded only where there is colour',
  commander: 'Reads the command line, and writes the help',
  'fastest-levenshtein': '"Did you mean" in the messages about a merge request',
  semver: 'Orders chart versions of Helm',
  undici: 'Goes through a proxy, loaded only where the environment names one',
  yaml: "Reads a field of a values file, and the Lightdash CLI's own settings",
  zod: 'Holds the index, the artifacts and what a server answers to their schemas (`zod/mini`)',
};

interface BillOfMaterials {
  readonly components: readonly {
    readonly name: string;
    readonly version: string;
    readonly licenses: readonly { readonly license: { readonly id: string } }[];
    readonly properties: readonly { readonly name: string }[];
  }[];
}

/** `docs/dependencies.md`, from the bill of materials of the last build. */
export function dependenciesPage(): string {
  const { components }: BillOfMaterials = JSON.parse(readFileSync('dist/sbom.cdx.json', 'utf8'));
  const unused = Object.keys(reasons).filter((name) => !components.some((one) => one.name === name));
  if (unused.length > 0) throw new Error(`${unused.join(', ')}: a reason, and no such package ships`);
  const rows = components.map(({ name, version, licenses, properties }) => {
    const reason = reasons[name];
    if (reason === undefined)
      throw new Error(`${name} ships, and scripts/dependencies-page.ts has no reason for it`);
    const places = [
      ...(properties.some((property) => property.name === 'cdx:npm:package:bundled') ? ['program'] : []),
      ...(Object.hasOwn(packageJson.dependencies, name) ? ['library'] : []),
    ];
    const licence = licenses.map(({ license }) => license.id).join(', ');
    return `| ${name} | ${version} | ${reason} | ${places.join(', ')} | ${kilobytes(join('node_modules', name))} | ${licence} |`;
  });
  return `# Dependencies

Every package that reaches a user. \`npm run docs:dependencies\` writes this page from the bill of materials of a build, and a
test fails where the two differ.

| package | version | why | in | kB installed | licence |
| --- | --- | --- | --- | --- | --- |
${rows.join('\n')}

What is in the **program** is bundled into \`dist/program\`, only as much of it as is used, and is not installed again: its
licences ship in \`dist/THIRD-PARTY-LICENSES.txt\`. What is in the **library** is in \`dependencies\`, which npm installs;
a program alone would need none of it. The others are \`devDependencies\`.

None of them, and nothing they need in turn, runs a script when it is installed: a test reads the lock file for that.
The bill of materials ships as \`dist/sbom.cdx.json\` (CycloneDX, by \`npm sbom\`). Two builds give the same bytes: a test
builds twice. \`npm run audit\` asks the registry for advisories on what ships; it needs the network, fails where the
registry gives no answer, and is no part of the tests.

## Tried and left

- **http-cache-semantics** (4.x, 36 kB) for the rules of freshness: it repairs what it cannot read, and answers then that
  the copy may be used. By it \`Expires: 3600\` is fresh for 1,573 years, \`max-age=300x\` and an \`Age\` or a \`Date\` that
  cannot be read for 300 s, \`max-age\` twice by the longer one, and an answer of tomorrow (a clock that was set back) is
  fresh; a \`Date\` of yesterday and the time on the way do not count. Here each of them is asked about again. What it
  would take over is 60 lines of \`src/sources/freshness.ts\`, and the rows of its test would have to be checked before it
  is asked.
- **@commander-js/extra-typings** for the types of options: it follows a chain of calls, and options that commands share are
  added by functions.
`;
}

function kilobytes(folder: string): string {
  const bytes = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((file) => statSync(join(folder, file)))
    .filter((stats) => stats.isFile())
    .reduce((sum, { size }) => sum + size, 0);
  return String(Math.ceil(bytes / 1000));
}
