import { namesLightdash } from '../../core/lightdash-name.js';
import { isValuesFile } from '../pin-pattern.js';

/** Whether a file may be of Lightdash although it does not have the word: values of a chart that has no name here. */
export function mayBeOfLightdash(file: string): boolean {
  return namesLightdash(file) || isValuesFile(file);
}
