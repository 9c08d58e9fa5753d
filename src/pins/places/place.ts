import type { Pin } from '../yaml/pin-at.js';

/** A place that pins a release, as every command reads it. */
export interface Place {
  readonly pin: Pin;
  /** What is written, and where: in the file of the pin, or in the `.env` beside a compose file. */
  readonly name: string;
  readonly file: string;
  readonly text: string;
  /** The text of that file with another release, as the index writes it, and what it then pins. */
  readonly move: (version: string) => Promise<Pick<Place, 'text' | 'pin'>>;
}

export interface PlaceRequest {
  readonly read: (file: string) => Promise<string>;
  /** The option that names it, for messages. */
  readonly option: string;
  /** Where `COMPOSE_ENV_FILES` may name the file of variables that docker compose reads. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly tagSuffix?: string | undefined;
  readonly giveFrom?: string | undefined;
}
