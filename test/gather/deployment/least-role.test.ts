import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod/mini';
import { resources } from '../../../src/gather/deployment/kubernetes/kubernetes-object.js';

const roleSchema = z.object({
  kind: z.literal('Role'),
  rules: z.array(
    z.object({
      apiGroups: z.array(z.string()),
      resources: z.array(z.string()),
      verbs: z.tuple([z.literal('get'), z.literal('list')]),
    }),
  ),
});

it('the documented Role is for what is asked for, and for no more', () => {
  const page = readFileSync('docs/prose/upgrade-preflight.md', 'utf8');
  const [, text = ''] = /```yaml\n(.*?)```/s.exec(page) ?? [];
  const { rules } = roleSchema.parse(parse(text));
  const allowed = rules.flatMap(({ apiGroups: [group = ''], resources: names }) =>
    names.map((name) => (group === '' ? name : `${name}.${group}`)),
  );
  expect(allowed.toSorted()).toEqual(Object.values(resources).toSorted());
});
