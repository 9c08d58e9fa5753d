import { namesLightdash } from '../../core/lightdash-name.js';
import { readPinFile } from '../yaml/pin-documents.js';
import type { Kind } from './kind.js';
import { isYaml, yamlKind } from './yaml.js';

/**
 * YAML with lines of a template, such as Helmfile's: these are left out, and the rest is read. Both branches of a
 * condition count.
 */
export const helmfileKind: Kind = {
  matches: (file, text) => isYaml(file) && namesLightdash(text) && templateLine.test(text),
  read: (source) => {
    const text = source.text.replaceAll(templateLines, (line) => ' '.repeat(line.length));
    return yamlKind.read({ ...source, text, yaml: async () => readPinFile(text, source.file) });
  },
};

const templateLine = /^[ \t]{0,200}\{\{[^}\n]{0,400}\}\}[ \t]{0,200}$/m;
const templateLines = new RegExp(templateLine, 'gm');
