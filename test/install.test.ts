import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import packageJson from '../package.json' with { type: 'json' };
import { fetchPackage } from '../scripts/fetch-package.js';
import { environmentOfNode } from './support/node-under-test.js';
import { temporaryFolder } from './support/temporary-folder.js';
import { copyTree } from './support/tree.js';

const { version } = packageJson;
const tarball = `lightspan-${version}.tgz`;

/** The lines of the README that install lightspan, or run it from where it was not installed. */
const installLines = [...readFileSync('README.md', 'utf8').matchAll(/^\$ (.+)$/gm)]
  .map(([, line = '']) => line)
  .filter((line) => /\bnpm (ci|install|pack)\b|\.tgz\b/.test(line));

/** Where a line is pasted, and how one sees that it did what it is for. */
const outcomes: readonly { line: RegExp; fresh: boolean; see: string; output: string }[] = [
  { line: /^npm ci && npx lightspan upgrade-check /, fresh: false, see: '', output: 'Verdict: SAFE\n' },
  {
    line: /^npm install --global \.$/,
    fresh: false,
    see: 'cd / && lightspan --version && upgrade-check --version && source <(lightspan completion bash) && complete -p lightspan',
    output: `\n${version}\n${version}\ncomplete -F _lightspan lightspan\n`,
  },
  { line: /^npm pack$/, fresh: false, see: '', output: tarball },
  { line: /^npm install --global \S+\.tgz$/, fresh: true, see: 'lightspan --version', output: version },
  { line: /^npx --yes \S+\.tgz --version$/, fresh: true, see: '', output: version },
];

/** How this machine reaches the registry. */
const wayOut = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => /^(https?_proxy|no_proxy|node_extra_ca_certs)$/i.test(name)),
);

interface Component {
  readonly name: string;
  readonly properties: readonly { readonly name: string }[];
}
const componentsOf = (dist: string): readonly Component[] =>
  JSON.parse(readFileSync(join(dist, 'sbom.cdx.json'), 'utf8')).components;
/** Inside the program or the library, and not only needed by what is. */
const isBundled = ({ properties }: Component) =>
  properties.some(({ name }) => name === 'cdx:npm:package:bundled');

it('every line of the README that installs lightspan is one that is tried below', () => {
  const seen = outcomes.map(({ line }) => installLines.filter((one) => line.test(one)).length);
  expect(seen).toEqual(outcomes.map(() => 1));
  expect(installLines).toHaveLength(outcomes.length);
});

/** Every line with the newest npm, which leaves the tarball behind in its clone; with the other what users of it run. */
let clone = '';
const withNpm: readonly (readonly [npm: string, lines: readonly string[]])[] = [
  ['11', installLines],
  ['10', installLines.filter((line) => line.includes('.tgz'))],
];

describe('in an empty home', { shuffle: false }, () => {
  it.each(withNpm)(
    'with npm %s, every line of its own installs what it says',
    (npm, lines) => {
      const bin = join(dirname(fetchPackage('npm', npm)), '.bin');
      const folder = temporaryFolder();
      if (clone === '') clone = copyTree(join(folder, 'clone'));
      // Packages that were fetched before are not fetched again. With an empty home npm knows no other place for them.
      const setting = (key: string) =>
        execFileSync('npm', ['config', 'get', key], { encoding: 'utf8' }).trim();
      const [npm_config_cache, npm_config_registry] = ['cache', 'registry'].map(setting);

      const paste = (script: string, cwd: string, offline: boolean) => {
        const home = mkdtempSync(join(folder, 'home-'));
        const { status, stdout, stderr } = spawnSync('bash', ['--noprofile', '--norc', '-ec', script], {
          cwd,
          encoding: 'utf8',
          env: {
            ...wayOut,
            HOME: home,
            PATH: [join(home, 'prefix', 'bin'), bin, environmentOfNode.PATH].join(delimiter),
            npm_config_prefix: join(home, 'prefix'),
            npm_config_cache,
            npm_config_registry,
            npm_config_update_notifier: 'false',
            [offline ? 'npm_config_offline' : 'npm_config_prefer_offline']: 'true',
          },
        });
        return { status, stdout, stderr };
      };

      expect(paste('npm --version', clone, true).stdout).toMatch(new RegExp(`^${npm}\\.`));
      for (const line of lines) {
        const { fresh, see = '', output = '' } = outcomes.find((one) => one.line.test(line)) ?? {};
        const cwd = fresh ? mkdtempSync(join(folder, 'empty-')) : clone;
        if (fresh) copyFileSync(join(clone, tarball), join(cwd, tarball));
        const isFirst = line === installLines[0];
        // Once is enough to install what the clone is built with: that fetches.
        const script = `${isFirst ? line : line.replace(/^npm ci && /, '')}\n${see}`;
        const result = paste(script, cwd, !isFirst);
        expect({ line, ...result }).toEqual({
          line,
          status: 0,
          stdout: expect.stringContaining(output),
          // Of the tools that a clone is built with, npm may warn.
          stderr: expect.not.stringMatching(isFirst ? /npm error/ : /npm (warn|error)/),
        });
      }
      expect(componentsOf(join(clone, 'dist'))).toEqual(componentsOf('dist'));
    },
    600_000,
  );
});

describe('the bill of materials', () => {
  it.each([
    ['npm_config_global', 'true'],
    ['npm_config_location', 'global'],
    ['npm_config_omit', 'dev'],
    ['NODE_ENV', 'production'],
  ])('is the same where npm hands on %s=%s', (name, value) => {
    const bundled = componentsOf('dist')
      .filter(isBundled)
      .map((one) => one.name);
    const program = `import { billOfMaterials } from './scripts/third-party.js';
process.stdout.write(JSON.stringify(billOfMaterials(${JSON.stringify(bundled)})));`;
    const bill = execFileSync(process.execPath, ['--input-type=module', '--eval', program], {
      env: { ...environmentOfNode, [name]: value },
      encoding: 'utf8',
      maxBuffer: 64e6,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    expect(JSON.parse(bill)).toEqual(JSON.parse(readFileSync('dist/sbom.cdx.json', 'utf8')));
  });
});
