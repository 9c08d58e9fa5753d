import type { Acceptance } from '../core/accepted.js';
import type { LightspanError } from '../core/lightspan-error.js';
import type { DeployKind } from '../instance/facts/fact-names.js';

/** What a settings file decided for one command, besides the values of its options. */
export interface SettingsOutcome {
  /** The file, as an answer shows it; undefined if it decided nothing. */
  readonly used: string | undefined;
  /** Why evidence may not be read that it names, or whatever else does: a change brings it itself. */
  readonly refused: LightspanError | undefined;
  readonly accepted: readonly Acceptance[];
  /** The pins that the settings of both sides name; undefined if no settings were looked for. */
  readonly pins: PinsOfSides | undefined;
  readonly ignored: readonly IgnoredPath[];
  /** Whether they name a database, so that a command that looks at one needs no option for it. */
  readonly namesDatabase?: boolean;
  /** What deploys Lightdash, by the settings. */
  readonly deployedBy?: DeployKind | undefined;
}

export const noSettings: SettingsOutcome = {
  used: undefined,
  refused: undefined,
  accepted: [],
  pins: undefined,
  ignored: [],
};

/** The pins that settings name, from the root of the repository. */
export interface PinsOfSides {
  /** Of the base, or of settings that no change of the repository can alter. */
  readonly before: readonly string[];
  /** Of the change itself: they are judged too, and keep nothing from being looked at. */
  readonly after: readonly string[];
}

/** A glob of files, from the root of the repository, whose changes are not judged. */
export interface IgnoredPath {
  readonly path: string;
  readonly reason: string;
}

/** The key of `lightspan.yaml` that stands for an option and has its name. */
export interface OptionSetting {
  /** What is written there; `choices` need none. */
  readonly description?: string;
  /** What the text must look like; by default, it is one line. */
  readonly form?: RegExp;
  readonly choices?: readonly string[];
  /** It is a list. */
  readonly several?: true;
  /** It names a source of evidence: a URL, or a path from the folder of the file. No change may bring it itself. */
  readonly isSource?: true;
  /** The environment variable that takes precedence. */
  readonly variable?: string;
  /** The options beside which it does not count; by default its own. Of none, it adds to what is given. */
  readonly unless?: readonly string[];
  /** A value of the file that the command does not have: its default stays, and the answer says so. */
  readonly lacking?: string;
}

/** Values of options by their names. */
export type OptionValues = Readonly<Record<string, unknown>>;

/** A command line as it was read, before settings. */
export interface GivenOptions {
  readonly options: readonly OptionToFill[];
  /** Defaults too. */
  readonly values: OptionValues;
  /** The names of the options that the command line gave. */
  readonly byCommandLine: ReadonlySet<string>;
  /** Whether the answer itself names the file of the settings. */
  readonly namesSettings: boolean;
}

/** An option that settings may fill. */
interface OptionToFill {
  readonly name: string;
  /** As it is given: `--to`. */
  readonly flag: string;
  /** Reads a text together with the value before; throws for one that it refuses. */
  readonly parse: (text: string, before: unknown) => unknown;
  /** The names of options of which one must be given together with it. */
  readonly needs: readonly string[];
  readonly setting: OptionSetting | undefined;
}
