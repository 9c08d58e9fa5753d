import { posix } from 'node:path';
import { namesLightdash } from '../core/lightdash-name.js';
import { isValuesFile } from './pin-pattern.js';
import { folderOf, type PinTree } from './pin-tree.js';

/**
 * Whether a file may take part in a deployment by what it is. Prose, pictures, packages and their locks, and what tells
 * a forge or a linter about a repository, do not, whatever they name. No folder and no suffix exempts a file: an
 * environment may be called `test`.
 */
export function isDeployed(file: string): boolean {
  return isOfAnsible.test(file) || !noDeployment.some((form) => form.test(file));
}

/** Variables of Ansible, whose files are called as the hosts are: `host_vars/bi.example.org`. */
const isOfAnsible = /(?:^|\/)(?:host|group)_vars\//;

const noDeployment: readonly RegExp[] = [
  /\.(?:mdx?|markdown|rst|adoc|asciidoc|org|tex|svg|png|jpe?g|gif|ico|webp|pdf|woff2?|ttf|parquet|ipynb|sql|snap|patch|diff|log|map|po|lcov|[1-8])$/i,
  /(?:^|\/)(?:README|CHANGELOG|CHANGES|HISTORY|LICEN[CS]E|NOTICE|AUTHORS|CONTRIBUTORS|CODEOWNERS|OWNERS|SECURITY|CONTRIBUTING)(?:\.txt)?$/i,
  /(?:^|\/)\.(?:git(?:ignore|attributes|-blame-ignore-revs|keep)|dockerignore|npmignore|prettier\w*|eslint\w*|editorconfig|mailmap)$/i,
  /(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|poetry\.lock|requirements[\w.-]*\.txt|Pipfile\.lock|uv\.lock|Cargo\.lock|go\.(?:mod|sum)|Gemfile\.lock|composer\.lock|renovate\.json5?|\.renovaterc(?:\.json5?)?|dependabot\.ya?ml|\.terraform\.lock\.hcl)$/i,
  // Settings of forges and linters.
  /(?:^|\/)(?:\.github\/(?:labeler|stale|release|auto_assign)\.ya?ml|\.pre-commit-config\.yaml|\.?codecov\.ya?ml|\.yamllint(?:\.ya?ml)?|\.gitleaks\.toml|\.tflint\.hcl)$/,
  /(?:^|\/)(?:biome|tsconfig[\w.-]*|jsconfig|knip|stryker\.\w+|lerna|nx|turbo)\.jsonc?$/i,
  /(?:^|\/)lightspan(?:\.pins)?\.yaml$/,
  /(?:^|\/)dbt_project\.yml$/,
];

/**
 * Whether a text is a unit test, or describes a form of data: by what it says, in the words of the frameworks, and not by
 * its name.
 */
export function isTestOrSchema(file: string, text: string): boolean {
  if (isSourceCode(file)) return unitTest.test(text);
  if (/\.ya?ml$/i.test(file) && /^tests:/m.test(text) && /^ {1,12}(?:- )?asserts:/m.test(text))
    return [...text.matchAll(/^([\w-]{1,80}):/gm)].every(([, key = '']) => keysOfSuite.has(key));
  return file.endsWith('.json') && /"\$schema"\s{0,3}:\s{0,3}"https?:\/\/json-schema\.org\//.test(text);
}

/** What a suite of helm-unittest may have at its top; a manifest or a file of values has something else too. */
const keysOfSuite = new Set(
  'suite tests templates excludeTemplates values set release capabilities chart kubernetesProvider skip documentSelector postRenderer'.split(
    ' ',
  ),
);

const unitTest =
  /^\s{0,8}(?:describe|it|test|expect)(?:\.\w{1,20})?\(|^\s{0,8}(?:async )?def test_\w|^class \w{1,80}\((?:unittest\.)?TestCase\)|^func Test[A-Z]\w{0,80}\(\w{1,20} \*testing\.|^\s{0,8}#\[test\]|^\s{0,8}@Test\b/m;

/** Objects of Kubernetes that run no image, and from which nothing takes a value. */
export const runsNothing =
  /^(?:Namespace|Service|Ingress|IngressRoute|HTTPRoute|Certificate|NetworkPolicy|PodDisruptionBudget|HorizontalPodAutoscaler|VerticalPodAutoscaler|(?:Cluster)?Role(?:Binding)?|ServiceAccount|PersistentVolumeClaim|ResourceQuota|LimitRange|PriorityClass|ServiceMonitor|PodMonitor|PrometheusRule)\//;

/** Programs that may name an image in a text without deploying it. */
export function isSourceCode(file: string): boolean {
  return /\.(?:[cm]?[jt]sx?|py|rb|go|rs|java|kt|scala|cs|php|swift|c|h|cpp|html?|css|scss|vue|svelte)$/i.test(
    file,
  );
}

/** Whether a file may be of Lightdash although it does not have the word: values of a chart that has no name here. */
export function mayBeOfLightdash(file: string): boolean {
  return namesLightdash(file) || isValuesFile(file);
}

/**
 * What tools take a file for because of its name alone, such as `values.yaml` of a chart, `a_override.tf` or
 * `.argocd-source-bi.yaml`; equal for names that they treat alike. So a rename can bring a file into effect, or end it.
 *
 * @returns undefined for a name that no tool looks for
 */
export function foundAs(file: string, tree: PinTree): string | undefined {
  const name = posix.basename(file);
  if (name === 'values.yaml' && tree.files.has(`${folderOf(file)}Chart.yaml`)) return 'the values of a chart';
  // Each host, group and stack has its own.
  if (/(?:^|\/)(?:host|group)_vars\//.test(file) || /^Pulumi\.[\w.-]+\.ya?ml$/.test(name)) return file;
  return kindsByName.find(([form]) => form.test(file))?.[1];
}

const kindsByName: readonly (readonly [RegExp, string])[] = [
  [/(?:^|\/)\.env$/, 'variables of compose'],
  [/(?:^|\/)(?:docker-)?compose\.ya?ml$/, 'a compose file'],
  [/(?:^|\/)(?:docker-)?compose\.override\.ya?ml$/, 'an override of a compose file'],
  [/(?:^|\/)(?:override|[^/]{1,120}_override)\.(?:tf|tofu)(?:\.json)?$/, 'an override of Terraform'],
  [/(?:^|\/)terraform\.tfvars(?:\.json)?$/, 'variables of Terraform'],
  [/\.auto\.tfvars(?:\.json)?$/, 'variables that Terraform takes'],
  [/\.(?:tf|tofu)(?:\.json)?$/, 'a module of Terraform'],
  [/(?:^|\/)kustomization(?:\.ya?ml)?$|(?:^|\/)Kustomization$/, 'a kustomization'],
  [/(?:^|\/)\.argocd-source(?:-[^/]{1,120})?\.yaml$/, 'what Argo CD adds to a source'],
  [/(?:^|\/)(?:Chart|requirements)\.(?:yaml|lock)$/, 'the list of a chart'],
  [/(?:^|\/)\.helmignore$/, 'what Helm leaves out'],
  [/(?:^|\/)templates\/(?:[^/]{1,120}\/){0,8}[^/]{1,120}\.(?:ya?ml|tpl|txt|json)$/, 'a template of a chart'],
  [/(?:^|\/)helmfile(?:\.d\/[^/]{1,120})?\.ya?ml(?:\.gotmpl)?$/, 'a helmfile'],
  [/(?:^|\/)(?:Docker|Container)file$/, 'a Dockerfile'],
  [/(?:^|\/)(?:GNUm|M|m)akefile$/, 'a Makefile'],
  [/\.(?:container|kube|pod)$/, 'a quadlet'],
  // What stands in a folder that is applied, or searched, as a whole.
  [/\.ya?ml$/, 'YAML'],
  [/\.json$/, 'JSON'],
];
