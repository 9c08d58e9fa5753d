import type { SettingsAcceptances } from '../acceptances.js';
import type { Settings } from './schema.js';

/** What the command line says of settings, and what they have changed. */
export interface SettingsOptions {
  /** Another file, or none; undefined for the nearest. */
  readonly settings?: string | false | undefined;
  /** The settings that changed an option, as an answer names them. */
  readonly settingsUsed?: string;
  readonly settingsAccept?: SettingsAcceptances | undefined;
  /** For a command that reads both sides of a change itself. */
  readonly settingsOfHead?: SettingsOfHead;
}

/** The settings of the working folder. */
export interface SettingsOfHead {
  /** From the root of the repository. */
  readonly path: string;
  readonly settings: Settings;
}
