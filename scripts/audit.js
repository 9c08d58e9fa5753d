import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * Advisories on what ships: `npm run audit`, after a build. Those on tools of development are not asked about. Exits 0
 * if there are none, 1 if there are, 3 if the registry gave no answer.
 */
const { components } = JSON.parse(readFileSync('dist/sbom.cdx.json', 'utf8'));
const shipped = components.map(({ name }) => name);

const { stdout } = spawnSync('npm', ['audit', '--json'], {
  encoding: 'utf8',
  maxBuffer: 64e6,
  shell: process.platform === 'win32',
});
const { vulnerabilities, message } = answerIn(stdout);
if (vulnerabilities === undefined) {
  process.stderr.write(
    `Not audited: the registry gave no answer (${message ?? 'none at all'}). This is no all-clear.\n`,
  );
  process.exitCode = 3;
} else {
  const found = Object.values(vulnerabilities).filter(({ name }) => shipped.includes(name));
  for (const { name, severity, range } of found) process.stdout.write(`${name} ${range}: ${severity}\n`);
  process.stdout.write(`${found.length} of the ${shipped.length} packages that ship have advisories.\n`);
  if (found.length > 0) process.exitCode = 1;
}

function answerIn(text) {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}
