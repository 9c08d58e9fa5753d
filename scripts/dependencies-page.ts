import { readFileSync } from 'node:fs';

/** Why each package is there. One that ships without a reason fails the page, and a reason without a package too. */
const reasons: Readonly<Record<string, string>> = {
  chalk: 'Colours text, loaded only where colour is written',
  commander: 'Reads the command line, and writes the help',
  'dockerfile-ast': 'Finds images and arguments in a Dockerfile, loaded only to read one',
  'fast-string-truncated-width': 'Of fast-string-width: measures the text',
  'fast-string-width': 'How many columns Chinese, Japanese, Korean and emoji take in a table',
  'fastest-levenshtein': '"Did you mean" in the messages about a merge request',
  'lossless-json': 'Keeps every number that an instance writes or is sent, digit for digit',
  pg: 'Connects to a PostgreSQL server, loaded only to inspect a database; the client that Lightdash itself uses',
  'pg-cloudflare': 'Of pg, empty here: replaces a socket on another platform',
  'pg-connection-string': 'Of pg: reads the URL of a database',
  'pg-copy-streams': 'Restores rows by the COPY of PostgreSQL, loaded only to rehearse; by the authors of pg',
  'pg-int8': 'Of pg: reads large integers',
  'pg-pool': 'Of pg: keeps connections, only one here',
  'pg-protocol': 'Of pg: the messages of the protocol',
  'pg-types': 'Of pg: reads the types of columns',
  pgpass: 'Of pg: reads a password file, which lightspan has read before by the rules of libpq',
  picomatch: 'Matches the files that a glob of `pin-check` names',
  'postgres-array': 'Of pg: reads arrays',
  'postgres-bytea': 'Of pg: reads bytes',
  'postgres-date': 'Of pg: reads dates',
  'postgres-interval': 'Of pg: reads intervals',
  re2js: 'Runs the expression of a pin, which a repository brings, in linear time (RE2); loaded only for one',
  semver: 'Reads the version of a chart',
  split2: 'Of pg: reads lines of a password file',
  undici: 'Goes through a proxy, loaded only if the environment names one',
  'vscode-languageserver-textdocument': 'Of dockerfile-ast: lines of a text',
  'vscode-languageserver-types': 'Of dockerfile-ast: places in a text',
  xtend: 'Of pg: copies objects',
  yaml: "Reads a field of a values file, and the Lightdash CLI's own settings",
  zod: 'Checks the index, the artifacts and server responses against their schemas (`zod/mini`)',
};

interface BillOfMaterials {
  readonly components: readonly {
    readonly name: string;
    readonly version: string;
    readonly licenses: readonly { readonly license: { readonly id: string } }[];
  }[];
}

/** `docs/dependencies.md`, from the bill of materials of the last build. */
export function dependenciesPage(): string {
  const { components }: BillOfMaterials = JSON.parse(readFileSync('dist/sbom.cdx.json', 'utf8'));
  const unused = Object.keys(reasons).filter((name) => !components.some((one) => one.name === name));
  if (unused.length > 0) throw new Error(`${unused.join(', ')}: a reason, and no such package ships`);
  const rows = components.map(({ name, version, licenses }) => {
    const reason = reasons[name];
    if (reason === undefined)
      throw new Error(`${name} ships, and scripts/dependencies-page.ts has no reason for it`);
    const licence = licenses.map(({ license }) => license.id).join(', ');
    return `| ${name} | ${version} | ${reason} | ${licence} |`;
  });
  return `# Dependencies

Every package that reaches a user. \`npm run generate -- dependencies\` writes this page from the bill of materials of a build, and a
test fails if the two differ.

| package | version | why | licence |
| --- | --- | --- | --- |
${rows.join('\n')}

They are bundled into the program and the library, only the parts that are used. Their licences ship in
\`dist/THIRD-PARTY-LICENSES.txt\`. \`dependencies\` of package.json is empty: npm installs nothing besides lightspan, and
builds nothing. All packages that the build takes them from are \`devDependencies\`.

None of them, and nothing they need in turn, runs a script when it is installed: a test checks the lock file for that.
The bill of materials ships as \`dist/sbom.cdx.json\` (CycloneDX, by \`npm sbom\`). Two builds give the same bytes: a test
builds twice. \`npm run audit\` asks the registry for advisories on what ships; it needs the network, fails if the
registry gives no answer, and is not part of the tests.

## Tried and rejected

- **hcl2-parser** and **@cdktf/hcl2json** for Terraform: each is a Go program of several MB as JavaScript or WebAssembly, and
  neither says where in the file a value stands, which a bump needs. Blocks, attributes, strings and heredocs are read here;
  anything else has no value, and a change of it is not judged.
- **A time limit around RegExp** in place of RE2: the same expression would have an answer on one machine and none on another.
- **@commander-js/extra-typings** for the types of options: it follows a chain of calls, but functions add the options that
  commands share.
- **pgpass** for the password file: a password with a bare colon ends there for libpq, and an entry for \`localhost\` serves
  the usual socket, too.
`;
}
