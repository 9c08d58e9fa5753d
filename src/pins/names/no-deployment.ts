/**
 * Whether a file may take part in a deployment by what it is. Prose, lists of owners and of what is ignored, locks of
 * packages, and tests do not, whatever they name; only a link or a submodule of such a name is looked at.
 */
export function isDeployed(file: string): boolean {
  return !isLockOfNpm(file) && !noDeployment.some((form) => form.test(file));
}

/** What npm and the like write of the packages that they fetched. */
export function isLockOfNpm(file: string): boolean {
  return /(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml)$/.test(file);
}

const noDeployment: readonly RegExp[] = [
  /\.(?:mdx?|markdown|rst|adoc|asciidoc|org|tex|svg|png|jpe?g|gif|ico|webp|pdf|woff2?|ttf|parquet|ipynb|sql|snap|patch|diff|log|map|po|lcov)$/i,
  /(?:^|\/)man\d?\/(?:[^/]+\/)*[^/]+\.[1-8]$/,
  /(?:^|\/)(?:README|CHANGELOG|CHANGES|HISTORY|LICEN[CS]E|NOTICE|AUTHORS|CONTRIBUTORS|CODEOWNERS|OWNERS|SECURITY|CONTRIBUTING)(?:\.txt)?$/i,
  /(?:^|\/)\.(?:git(?:ignore|attributes|-blame-ignore-revs|keep)|dockerignore|helmignore|npmignore|prettier\w*|eslint\w*|editorconfig|mailmap)$/i,
  /(?:^|\/)(?:poetry\.lock|requirements[\w.-]*\.txt|Pipfile\.lock|uv\.lock|Cargo\.lock|go\.(?:mod|sum)|Gemfile\.lock|composer\.lock|renovate\.json5?|\.renovaterc(?:\.json5?)?|dependabot\.ya?ml)$/i,
  /(?:^|\/)(?:tests?|__tests__|__snapshots__|__mocks__|testdata|fixtures|e2e)\//i,
  /[._-](?:test|spec)\.\w+$/i,
  // What forges and linters are told about a repository.
  /(?:^|\/)(?:\.github\/(?:labeler|stale|release|auto_assign)\.ya?ml|\.pre-commit-config\.yaml|\.?codecov\.ya?ml|\.yamllint(?:\.ya?ml)?|\.gitleaks\.toml|\.tflint\.hcl)$/,
  // What describes a form of data, and settings of formatters, linters and compilers.
  /(?:^|\/)schemas?\/(?:.*\/)?[\w.-]+\.json$|\.schema\.json$/i,
  /(?:^|\/)(?:biome|tsconfig[\w.-]*|jsconfig|knip|stryker\.\w+|lerna|nx|turbo)\.jsonc?$/i,
  /(?:^|\/)lightspan(?:\.pins)?\.yaml$/,
  // Content as code, models and their data.
  /(?:^|\/)(?:seeds?|data|samples?)\/(?:.*\/)?[^/]+\.[ct]sv$/i,
  /(?:^|\/)(?:dbt_project|packages|profiles)\.yml$/,
];

/** Objects of Kubernetes that run no image, and from which nothing takes a value. */
export const runsNothing =
  /^(?:Namespace|Service|Ingress|IngressRoute|HTTPRoute|Certificate|NetworkPolicy|PodDisruptionBudget|HorizontalPodAutoscaler|VerticalPodAutoscaler|(?:Cluster)?Role(?:Binding)?|ServiceAccount|PersistentVolumeClaim|ResourceQuota|LimitRange|PriorityClass|ServiceMonitor|PodMonitor|PrometheusRule)\//;

/** Programs that may name an image in a text without deploying it. */
export function isSourceCode(file: string): boolean {
  return /\.(?:[cm]?[jt]sx?|py|rb|go|rs|java|kt|scala|cs|php|swift|c|h|cpp|html?|css|scss|vue|svelte)$/i.test(
    file,
  );
}
