import { isMap, isSeq } from 'yaml';

/**
 * The data of the ConfigMaps and Secrets of a document. Of two equal keys the last counts there, as for Helm and
 * kubectl: the publisher's chart writes the values of `configMap` behind its defaults.
 */
export function dataOfObjects(root: unknown): ReadonlySet<unknown> {
  if (!isMap(root)) return new Set();
  const items = root.get('items');
  if (isSeq(items)) return new Set(items.items.flatMap((item) => [...dataOfObjects(item)]));
  if (root.get('apiVersion') !== 'v1' || !/^(?:ConfigMap|Secret)$/.test(String(root.get('kind'))))
    return new Set();
  return new Set(['data', 'stringData'].map((key) => root.get(key)));
}
