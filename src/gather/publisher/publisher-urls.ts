import { LightspanError } from '../../core/lightspan-error.js';
import { describeAddress, isWrittenAsUrl, looksLikeUrl } from '../http/address.js';

export const publicArtifactUrl =
  'https://github.com/lightdash/lightdash/releases/download/{version}/release-safety.json';

export function isUrlOrTemplate(place: string): boolean {
  return looksLikeUrl(place) || place.includes(placeholder);
}

/** The URL of a release's artifact, by a template. */
export function artifactUrl(template: string, version: string): URL {
  const filled = template.replaceAll(placeholder, version);
  const url = isWrittenAsUrl(filled) && URL.canParse(filled) ? new URL(filled) : undefined;
  if (filled !== template && (url?.protocol === 'https:' || url?.protocol === 'http:')) return url;
  throw new LightspanError(
    'usage',
    `${describeAddress(template)} is not an address that artifacts can be fetched from`,
    {
      hint:
        `--artifact-url takes an http or https URL with ${placeholder} in it, such as ${publicArtifactUrl}, or ` +
        'a mirror folder.',
    },
  );
}

const placeholder = '{version}';

export const publicIndexUrl =
  'https://raw.githubusercontent.com/lightdash/lightdash/main/release-safety-index.json';
