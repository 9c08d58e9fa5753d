import { isRecord } from '../../../core/json/is-record.js';
import { type KubernetesObject, labelOf } from './kubernetes-object.js';

/**
 * The name of the Secret that an operator makes from an object, and its keys: those of a SealedSecret, and of an
 * ExternalSecret of the External Secrets Operator. Their values are elsewhere, or encrypted.
 *
 * @returns undefined for every other object; `keys` is null if the object does not name them all
 */
export function operatorSecretOf(
  object: KubernetesObject,
): { readonly name: string; readonly keys: readonly string[] | null } | undefined {
  const { group, kind, name, value } = object;
  const spec = recordOf(value.spec);
  if (group === 'bitnami.com' && kind === 'SealedSecret') return { name, keys: keysOfSealed(spec) };
  if (group !== 'external-secrets.io' || kind !== 'ExternalSecret') return undefined;
  const target = recordOf(spec.target);
  return {
    name: typeof target.name === 'string' && target.name !== '' ? target.name : name,
    keys: keysOfExternal(spec, target),
  };
}

function keysOfSealed({ encryptedData, template }: Spec): readonly string[] | null {
  const { metadata, data } = recordOf(template);
  const patches = labelOf(recordOf(recordOf(metadata).annotations), 'sealedsecrets.bitnami.com/patch');
  // What patches a Secret leaves its other keys there.
  if (!isRecord(encryptedData) || patches === 'true') return null;
  return [...Object.keys(encryptedData), ...Object.keys(recordOf(data))];
}

function keysOfExternal({ data, dataFrom }: Spec, target: Spec): readonly string[] | null {
  const { creationPolicy = 'Owner', template } = target;
  const { data: templates, templateFrom, mergePolicy = 'Replace' } = recordOf(template);
  const isWhole = creationPolicy === 'Owner' || creationPolicy === 'Orphan';
  // Which keys these bring is only known to the store, or to the template.
  if (!isWhole || mergePolicy !== 'Replace' || !isNone(dataFrom) || !isNone(templateFrom)) return null;
  // A template with data replaces what was fetched.
  if (isRecord(templates) && Object.keys(templates).length > 0) return Object.keys(templates);
  const keys = Array.isArray(data) ? data.map((entry: unknown) => recordOf(entry).secretKey) : [];
  const named = keys.filter((key) => typeof key === 'string');
  return named.length === keys.length && named.length > 0 ? named : null;
}

type Spec = Readonly<Record<string, unknown>>;

function recordOf(value: unknown): Spec {
  return isRecord(value) ? value : {};
}

function isNone(list: unknown): boolean {
  return list == null || (Array.isArray(list) && list.length === 0);
}
