import { readdirSync, readFileSync } from 'node:fs';
import type { CheckGroup } from '../../src/checks/check.js';
import type { CheckId } from '../../src/checks/checks.js';
import { deployedAt } from '../support/deployment.js';
import { healthyFacts, type Situation } from '../support/preflight.js';

/**
 * An incident that somebody reported, rebuilt from what could be observed before it: a file in `scenarios/`. Facts that it
 * does not have are those of an instance with nothing remarkable.
 */
export interface Scenario {
  /** The thread, and what happened. */
  readonly source: string;
  /** The check that sees it; `missed` where none does, with the reason. */
  readonly expected: CheckId | { readonly missed: string };
  /** The checks that are asked, as `--only` names them; those of the database where it is not said. */
  readonly asked?: CheckGroup;
  readonly broken: Situation;
  /** The same instance without what caused it. In its file: what differs. */
  readonly healthy: Situation;
}

export const folder = new URL('scenarios/', import.meta.url);

export const scenarios: Readonly<Record<string, Scenario>> = Object.fromEntries(
  readdirSync(folder).map((file) => {
    const scenario: Scenario = JSON.parse(readFileSync(new URL(file, folder), 'utf8'));
    const { asked, broken, healthy } = scenario;
    const from = broken.from ?? broken.releases?.[0]?.version ?? '';
    const deployed = asked === 'deployment' ? deployedAt(from) : {};
    const whole = (situation: Situation): Situation => ({
      ...situation,
      facts: { ...healthyFacts('20260801000000_ran'), ...deployed, ...situation.facts },
    });
    const rebuilt = { ...scenario, broken: whole(broken), healthy: whole({ ...broken, ...healthy }) };
    return [file.replace('.json', ''), rebuilt];
  }),
);
