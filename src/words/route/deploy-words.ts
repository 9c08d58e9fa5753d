import type { DeployKind } from '../../instance/facts/fact-names.js';

export interface DeployWords {
  /** Whether old and new ever run side by side. If not, no text about a hop says that it rolls, whatever is proven. */
  readonly canRoll: boolean;
  /** How a step goes that does not roll. */
  readonly downtime: string;
  /** What such a step needs. docker compose replaces one service after the other, which only what rolls bears. */
  readonly needed: string;
  /** What is done for a step with downtime. All stops before the backup, which would lack what is written after it. */
  readonly restart: string;
}

/** What an answer says differently by what deploys Lightdash. Where that is not known, it is that of Helm. */
export const deployWords: Readonly<Record<DeployKind, DeployWords>> = {
  helm: {
    canRoll: true,
    downtime: 'with downtime',
    needed: 'a downtime',
    restart: 'plan downtime, stop the old pods, back up the database, then start the new ones',
  },
  // It stops the old container before it starts the new one. Not `down`, which removes a database that is in no named
  // volume.
  compose: {
    canRoll: false,
    downtime: 'with downtime, as always with docker compose',
    needed: 'all of Lightdash stopped first',
    restart: 'stop Lightdash, back up the database, change the tag, start it again',
  },
};
