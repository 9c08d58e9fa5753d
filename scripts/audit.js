import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Advisories on what ships: `npm run audit`, after a build. Those on tools of development are not asked about. */
const { components } = JSON.parse(readFileSync('dist/sbom.cdx.json', 'utf8'));
const shipped = components.map(({ name }) => name);

const { stdout } = spawnSync('npm', ['audit', '--json'], {
  encoding: 'utf8',
  maxBuffer: 64e6,
  shell: process.platform === 'win32',
});
const { vulnerabilities, message } = JSON.parse(stdout || '{}');
if (vulnerabilities === undefined) {
  process.stdout.write(
    `Not audited: the registry gave no answer (${message ?? 'none at all'}). This is no all-clear.\n`,
  );
} else {
  const found = Object.values(vulnerabilities).filter(({ name }) => shipped.includes(name));
  for (const { name, severity, range } of found) process.stdout.write(`${name} ${range}: ${severity}\n`);
  process.stdout.write(`${found.length} of the ${shipped.length} packages that ship have advisories.\n`);
  if (found.length > 0) process.exitCode = 1;
}
