import { connectionsAtOnce } from '../../instance/pods-at-once.js';
import { countOf } from '../../words/phrase.js';
import { defineCheck, lacks, ok, stop, warn } from '../check.js';

/** A migrator needs one to migrate and a separate one for the heartbeat of its lease. */
const forMigrator = 2;

interface Connections {
  /** What has this limit; a role and a database may have one of their own. */
  readonly of: 'server' | 'role' | 'database';
  readonly left: number;
  readonly used: number;
  readonly max: number;
}

export const connections = defineCheck({
  id: 'connections',
  momentary: true,
  needs: ['server', 'migrator'],
  mayNeed: ['activity', 'deployment', 'workloads', 'autoscalers'],
  *judge({ line, facts: { server, migrator, deployment, workloads, autoscalers } }) {
    const { maxConnections: max, reservedConnections: reserved, usedConnections: used } = server;
    const ofServer: Connections = { of: 'server', left: Math.max(0, max - reserved - used), used, max };
    const limited = migrator.connectionLimits.map(
      (limit): Connections => ({ ...limit, left: Math.max(0, limit.max - limit.used) }),
    );
    // Old and new pods are connected at once only where the upgrade rolls.
    const overlaps = line.rolling && deployment?.kind !== 'compose';
    const pools = connectionsAtOnce(workloads ?? [], autoscalers, overlaps);
    const { hiddenConnections: hidden = 0 } = server;
    for (const room of [ofServer, ...limited]) {
      if (room.left < forMigrator && room === ofServer && max - reserved - used + hidden >= forMigrator)
        yield hiddenRoom(hidden);
      else if (room.left < forMigrator)
        yield stop(subjects[room.of], { kind: 'no-connections-left', needed: forMigrator, ...room });
      else if (overlaps && room.left < room.used)
        yield warn(subjects[room.of], { kind: 'few-connections-left', ...room });
      const most = room.of === 'server' ? max - reserved : room.max;
      if (pools !== undefined && pools.connections + forMigrator > most)
        yield warn(subjects[room.of], { kind: 'pools-exceed-limit', ...pools, needed: forMigrator, most });
    }
    const least = limited.reduce((least, room) => (room.left < least.left ? room : least), ofServer);
    return ok({ kind: 'connections-left', ...least }, subjects[least.of]);
  },
})({
  label: 'Connections',
  meaning:
    'Whether enough connections are left for the migrator, and for new pods next to the old ones. What it ' +
    'looks at: max_connections minus those reserved and those that clients use, and any limits of the ' +
    'migrating role and the database. A migrator needs two; where the upgrade rolls, new pods may need as many ' +
    'as the old ones. Where the deployment was read and PGMAXCONNECTIONS is set: all pods at once, with every ' +
    'autoscaler at its maximum and the surge of a rolling update, each with a full pool.',
  finds: {
    'no-connections-left': {
      meaning: 'The server, role or database has too few connections left for a migrator.',
      remedy: 'Stop what is not needed, or raise the limit.',
      describe: ({ needed, ...room }) => `${describeRoom(room)}, and a migrator needs ${needed}`,
    },
    'few-connections-left': {
      meaning: 'If as many new pods start as now run, some may get no connection.',
      remedy: 'Use Recreate, or raise the limit before a rolling update.',
      describe: (room) => `${describeRoom(room)}: fewer than are in use now`,
    },
    'pools-exceed-limit': {
      meaning:
        'If all pods fill their pools, with every autoscaler at its maximum, the limit leaves nothing for the ' +
        'migrator, or for some of them.',
      remedy:
        'Lower PGMAXCONNECTIONS or the maximum of the autoscaler, or raise the limit. Where a pool such as ' +
        'PgBouncer is in between, its own limits count instead.',
      describe: ({ pods, connections, needed, most }) =>
        `${countOf(pods, 'pod')} may open ${countOf(connections, 'connection')} at once, and a migrator ` +
        `${needed} more; the limit leaves ${most}`,
    },
    'connections-left': describeRoom,
  },
});

/** They may be parallel workers, which need no connection. */
function hiddenRoom(hidden: number) {
  const detail = `whether ${countOf(hidden, 'hidden session is one of a client', 'hidden sessions are those of clients')}`;
  return lacks('activity', { why: 'not-permitted', detail });
}

const subjects = {
  server: 'max_connections',
  role: 'CONNECTION LIMIT of the role',
  database: 'CONNECTION LIMIT of the database',
} as const;

function describeRoom({ of, left, used, max }: Connections): string {
  const whose = of === 'server' ? '' : ` by the ${of}`;
  return `${left} left (${used} of ${max} in use${whose})`;
}
