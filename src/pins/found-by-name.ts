import { posix } from 'node:path';
import { folderOf, type PinTree } from './pin-tree.js';

/**
 * As what tools find a file by its name, without being told: equal for names that they read alike. So a file that only
 * gets another name may begin or end to count: `values.yaml` of a chart, `a_override.tf`, `.argocd-source-bi.yaml`.
 *
 * @returns undefined for a name that no tool looks for
 */
export function foundAs(file: string, tree: PinTree): string | undefined {
  const name = posix.basename(file);
  if (name === 'values.yaml' && tree.files.has(`${folderOf(file)}Chart.yaml`)) return 'the values of a chart';
  // Each host, group and stack has its own.
  if (/(?:^|\/)(?:host|group)_vars\//.test(file) || /^Pulumi\.[\w.-]+\.ya?ml$/.test(name)) return file;
  return known.find(([form]) => form.test(file))?.[1];
}

const known: readonly (readonly [RegExp, string])[] = [
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
