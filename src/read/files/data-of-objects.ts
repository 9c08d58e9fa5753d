import { isMap, isSeq } from 'yaml';

/**
 * What ConfigMaps and Secrets of a document have: there, the last of two equal keys counts, as for Helm and kubectl. The
 * publisher's chart writes what `configMap` overrides behind its defaults.
 */
export function dataOfObjects(root: unknown): ReadonlySet<unknown> {
  if (!isMap(root)) return new Set();
  const items = root.get('items');
  if (isSeq(items)) return new Set(items.items.flatMap((item) => [...dataOfObjects(item)]));
  if (root.get('apiVersion') !== 'v1' || !/^(?:ConfigMap|Secret)$/.test(String(root.get('kind'))))
    return new Set();
  return new Set(['data', 'stringData'].map((key) => root.get(key)));
}
