import { helmfileKind } from './helmfile.js';
import type { Kind } from './kind.js';
import { textKinds } from './text-kinds.js';
import { variablesKind } from './variables.js';
import { yamlKind } from './yaml.js';

/** The kinds of files that are read, in the order in which they count. */
export const kinds: readonly Kind[] = [yamlKind, variablesKind, helmfileKind, ...textKinds];
