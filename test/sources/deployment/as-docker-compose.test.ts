import { describe, expect, it } from 'vitest';
import { composeCases } from '../../support/compose-cases.js';
import { read, seen, write } from '../../support/compose-facts.js';

describe('the facts of compose files', () => {
  it.each(composeCases)('are those of docker compose: $name', async (one) => {
    const folder = write(one);
    const [own, ofDocker] = [await read(one, false, folder), await read(one, true, folder)];
    expect(ofDocker.compose).toMatchObject({ value: { readBy: 'docker-compose' } });
    expect(seen(own)).toEqual(seen(ofDocker));
  });

  it.each([
    [{}, true],
    [{ COMPOSE_PROFILES: 'a' }, true],
    [{ COMPOSE_PROFILES: 'a,w' }, null],
    [{ COMPOSE_PROFILES: '*' }, null],
  ])('are of every profile, which may hold back a service: %j', async (env, suspended) => {
    const compose =
      'services:\n  lightdash: {image: "a:1"}\n  worker: {image: "lightdash/lightdash:1", profiles: [w]}';
    const one = { name: 'profiles', compose: ['compose.yaml'], env, files: { 'compose.yaml': compose } };
    const { workloads } = seen(await read(one, true));
    expect(workloads).toMatchObject([
      { name: 'lightdash', suspended: null },
      { name: 'worker', suspended },
    ]);
  });
});
