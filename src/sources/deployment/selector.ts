import * as z from 'zod/mini';
import { parsePart } from './kubernetes-object.js';
import { listOf, map, text } from './pod-template.js';

const selectorSchema = map({
  matchLabels: z.nullish(z.record(z.string(), text, { error: 'expected a map' })),
  matchExpressions: z.nullish(
    listOf(
      map({
        key: text,
        operator: z.enum(['In', 'NotIn', 'Exists', 'DoesNotExist'], {
          error: 'expected In, NotIn, Exists or DoesNotExist',
        }),
        values: z.nullish(listOf(text)),
      }),
    ),
  ),
});

type Labels = Readonly<Record<string, unknown>>;

/** What a Kubernetes label selector selects: nothing if there is none, everything if it is empty. */
export function selects(
  selector: Readonly<Record<string, unknown>> | undefined,
  where: string,
): (labels: Labels) => boolean {
  if (selector === undefined) return () => false;
  const { matchLabels, matchExpressions } = parsePart(selectorSchema, selector, where);
  return (labels) =>
    Object.entries(matchLabels ?? {}).every(([key, value]) => labelOf(labels, key) === value) &&
    (matchExpressions ?? []).every(({ key, operator, values }) => {
      const value = labelOf(labels, key);
      if (operator === 'Exists') return value !== undefined;
      if (operator === 'DoesNotExist') return value === undefined;
      const isListed = typeof value === 'string' && (values ?? []).includes(value);
      return operator === 'In' ? isListed : !isListed;
    });
}

function labelOf(labels: Labels, key: string): unknown {
  return Object.hasOwn(labels, key) ? labels[key] : undefined;
}
