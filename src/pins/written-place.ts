/** A tag, or an image with its tag, where it stands in a text that is neither YAML nor JSON. */
export interface WrittenPlace {
  /** What it is called in its file, on both sides of a change: shown after `#`. */
  readonly name: string;
  readonly written: string;
  readonly offset: number;
  /** The whole image, where a tag alone is written. */
  readonly image?: string | undefined;
  /** Why it shows no release of Lightdash, whatever is written there. */
  readonly fault?: string | undefined;
  /** Whether it pins no Lightdash by itself: it is listed because the other side has a pin there, or it is named. */
  readonly isOther?: boolean;
}
