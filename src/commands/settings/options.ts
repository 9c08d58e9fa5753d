import type { Acceptance } from '../../release-safety/accepted.js';

/** What the command line says of settings, and what they have changed. */
export interface SettingsOptions {
  /** Another file, or none; undefined for the nearest. */
  readonly settings?: string | false | undefined;
  /** The settings that changed an option, as an answer names them. */
  readonly settingsUsed?: string;
  readonly settingsAccept?: readonly Acceptance[] | undefined;
  /** The pins before a change and of it, from the root of the repository. */
  readonly settingsPins?: readonly string[];
  /** Why the index and the known issues that they name may not be read. */
  readonly settingsRefused?: string | undefined;
}
