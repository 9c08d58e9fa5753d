import { isMap, isNode, isScalar, isSeq, type Scalar, type YAMLMap } from 'yaml';
import { memoizeByObject } from '../../core/common/memoize.js';
import { documentsOfValues } from '../../gather/files/yaml.js';
import { isKustomization } from '../paths-in.js';
import { isValuesFile } from '../pin-pattern.js';
import { tagKeys } from './image-places.js';
import type { PinFile } from './pin-documents.js';

/** Why the tool that deploys a file reads it differently, and what to write instead. */
interface OtherReading {
  readonly why: string;
  readonly hint: string;
}

/**
 * Whether values stand in one of several documents. An empty one counts before the values, where Helm 3 takes it, and
 * not behind them.
 */
export function readByVersionOfHelm(
  { file, documents }: Pick<PinFile, 'file' | 'documents'>,
  path: readonly string[],
  at: number,
): OtherReading | undefined {
  const hasOthers = documents.some(
    ({ document: { contents } }, i) =>
      i < at || (i > at && !(contents === null || (isScalar(contents) && contents.value === null))),
  );
  if (!hasOthers) return undefined;
  const root = documents[at]?.document.contents;
  if (!isMap(root) || ofOtherTools.some((key) => root.has(key))) return undefined;
  const [last = '', around = ''] = path.toReversed();
  const isOfImage = /image$/i.test(around) && (tagKeys.includes(last) || last === 'repository');
  if (!isValuesFile(file) && !isOfImage && last !== 'imageTag') return undefined;
  return {
    why: `it is one of several documents, and ${documentsOfValues}`,
    hint: 'Write them as one document.',
  };
}

/**
 * What docker compose takes out of the files before this one, with whatever stands behind the tag; Renovate reads it, and
 * moves it (`findings/renovate-and-compose-read-apart.sh`).
 */
export function takenAwayByCompose(
  pinFile: Pick<PinFile, 'text' | 'documents'>,
  path: readonly string[],
  at: number,
): OtherReading | undefined {
  if (!hasReset(pinFile)) return undefined;
  const { documents } = pinFile;
  const nodes = path.map((_, i) => documents[at]?.document.getIn(path.slice(0, i + 1), true));
  if (!nodes.some((node) => isNode(node) && node.tag === '!reset')) return undefined;
  return {
    why: 'docker compose takes away what is tagged !reset, and does not read the value behind it',
    hint: 'Write !override to set another value, or no tag.',
  };
}

const hasReset = memoizeByObject(({ text }: Pick<PinFile, 'text'>) => text.includes('!reset'));

/** Keys at the top of what Kubernetes, compose and Helmfile read, whose files may have several documents. */
const ofOtherTools = ['kind', 'apiVersion', 'services', 'releases', 'environments', 'spec'];

/** A key of a kustomization that counts although it is spelt otherwise: `findings/kustomize-keys-in-any-case.sh`. */
export function keyOfKustomize(
  { file, documents, lineOf }: Pick<PinFile, 'file' | 'documents' | 'lineOf'>,
  parent: unknown,
  at: number,
): OtherReading | undefined {
  const root = documents[at]?.document.contents;
  const isImage = isMap(parent) && (parent.has('newTag') || parent.has('newName'));
  const key =
    (isImage ? misspeltIn(parent, keysOfImages) : undefined) ??
    (isReadByKustomize(file, root) ? misspeltAtTop(root) : undefined);
  return key === undefined
    ? undefined
    : {
        why: `${key.value} in line ${lineOf(key)} also counts for kustomize, which ignores case`,
        hint: 'Write each key once, as kustomize spells it.',
      };
}

function isReadByKustomize(file: string, root: unknown): root is YAMLMap {
  return isMap(root) && (isKustomization(file) || isForKustomize(root));
}

/** Whether a document is one of kustomize by what it says, whatever its name. */
const isForKustomize = memoizeByObject(
  (root: YAMLMap) =>
    /kustomize/.test(String(root.get('apiVersion'))) ||
    root.items.some(
      ({ key, value }) =>
        isScalar(key) &&
        fold(String(key.value)) === 'images' &&
        isSeq(value) &&
        value.items.some((item) => isMap(item) && (item.has('newTag') || item.has('newName'))),
    ),
);

function misspeltIn(map: unknown, knownKeys: readonly string[]): Scalar | undefined {
  if (!isMap(map)) return undefined;
  const keys = map.items.map(({ key }) => key);
  return keys.find((key): key is Scalar => isScalar(key) && isMisspelt(String(key.value), knownKeys));
}

const misspeltAtTop = memoizeByObject((root: YAMLMap) => misspeltIn(root, keysOfKustomization));

function isMisspelt(key: string, knownKeys: readonly string[]): boolean {
  return !knownKeys.includes(key) && knownKeys.some((knownKey) => fold(knownKey) === fold(key));
}

/** As Go compares keys: ſ is an s, and the sign of Kelvin a k. */
const fold = (key: string) => key.toUpperCase().toLowerCase();

const keysOfImages = ['name', 'newName', 'newTag', 'digest', 'tagSuffix'];
const keysOfKustomization = [
  ...['apiVersion', 'kind', 'metadata', 'resources', 'bases', 'components', 'crds', 'images', 'imageTags'],
  ...['namePrefix', 'nameSuffix', 'namespace', 'commonLabels', 'labels', 'commonAnnotations', 'patches'],
  ...['patchesStrategicMerge', 'patchesJson6902', 'replicas', 'replacements', 'vars', 'configMapGenerator'],
  ...['secretGenerator', 'generatorOptions', 'generators', 'transformers', 'validators', 'configurations'],
  ...['helmCharts', 'helmGlobals', 'helmChartInflationGenerator', 'openapi', 'buildMetadata', 'sortOptions'],
];
