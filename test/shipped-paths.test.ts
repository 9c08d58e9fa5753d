import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import packageJson from '../package.json' with { type: 'json' };

/** Files of this repository in the texts of the program, which are what it prints. Comments are for who reads the source. */
function pathsIn(source: string): readonly string[] {
  const code = source.replace(/\/\*\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
  return (
    code.match(/(?<![\w./-])(?:docs|examples|schemas|fixtures|known-issues|scripts)\/[\w./-]*\.[a-z]+/g) ?? []
  );
}

const sources = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((file) =>
  file.endsWith('.ts'),
);
const printed = sources.flatMap((file) =>
  pathsIn(readFileSync(join('src', file), 'utf8')).map((path) => ({ file, path })),
);

describe('a file that the program names', () => {
  it('is found in its texts', () => {
    expect(printed.map(({ path }) => path)).toContain('examples/helm/backup.yaml.tpl');
  });

  it.each(printed)('is in the package: $path ($file)', ({ path }) => {
    expect(() => readFileSync(path)).not.toThrow();
    expect(packageJson.files.some((shipped) => path === shipped || path.startsWith(`${shipped}/`))).toBe(
      true,
    );
  });
});
