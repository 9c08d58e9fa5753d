import * as z from 'zod/mini';
import { dateTime } from '../../release-safety/patterns.js';
import { isRecord } from '../../shared/is-record.js';

/** The parts of Kubernetes objects that facts need. Another form is refused, further fields are ignored. */

export const text = z.string({ error: 'expected text' });
export const whole = z
  .int({ error: 'expected a whole number' })
  .check(z.nonnegative({ error: 'expected a whole number from 0' }));
export const flag = z.boolean({ error: 'expected true or false' });
/** A point in time, ISO 8601. */
export const moment = text.check(z.regex(dateTime, { error: 'expected a time' }));
export const words = z.record(z.string(), z.unknown(), { error: 'expected a map' });
export const listOf = <T extends z.core.$ZodType>(item: T) => z.array(item, { error: 'expected a list' });
export const map = <T extends z.core.$ZodShape>(shape: T) => z.object(shape, { error: 'expected a map' });

const variableName = text.check(
  z.regex(/^[^\p{Cc}=]{1,500}$/u, { error: 'expected the name of a variable' }),
);

const probeSchema = map({
  httpGet: z.nullish(map({ path: z.nullish(text) })),
  exec: z.nullish(words),
  tcpSocket: z.nullish(words),
  grpc: z.nullish(words),
  initialDelaySeconds: z.nullish(whole),
  periodSeconds: z.nullish(whole),
  timeoutSeconds: z.nullish(whole),
  failureThreshold: z.nullish(whole),
});

const keyOf = map({ name: text, key: text, optional: z.nullish(flag) });

export const containerSchema = map({
  name: text,
  image: text.check(z.regex(/^[^\s\p{Cc}]{1,1000}$/u, { error: 'expected an image' })),
  imagePullPolicy: z.nullish(text),
  command: z.nullish(listOf(text)),
  args: z.nullish(listOf(text)),
  env: z.nullish(
    listOf(
      map({
        name: variableName,
        value: z.nullish(text),
        valueFrom: z.nullish(
          map({
            secretKeyRef: z.nullish(keyOf),
            configMapKeyRef: z.nullish(keyOf),
            fieldRef: z.nullish(words),
            resourceFieldRef: z.nullish(words),
            fileKeyRef: z.nullish(words),
          }),
        ),
      }),
    ),
  ),
  envFrom: z.nullish(
    listOf(
      map({
        prefix: z.nullish(text),
        secretRef: z.nullish(map({ name: text })),
        configMapRef: z.nullish(map({ name: text })),
      }),
    ),
  ),
  startupProbe: z.nullish(probeSchema),
  livenessProbe: z.nullish(probeSchema),
  readinessProbe: z.nullish(probeSchema),
  resources: z.nullish(map({ limits: z.nullish(words) })),
  restartPolicy: z.nullish(text),
});

export const podSpecSchema = map({
  containers: listOf(containerSchema).check(z.minLength(1, { error: 'expected a container' })),
  initContainers: z.nullish(listOf(containerSchema)),
});

export const podTemplateSchema = map({
  metadata: z.nullish(map({ labels: z.nullish(words) })),
  spec: podSpecSchema,
});

export type Container = z.infer<typeof containerSchema>;
export type Probe = z.infer<typeof probeSchema>;

/** The images of all containers of an object, for kinds that are not read otherwise, such as a Workflow of Argo. */
export function imagesIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(imagesIn);
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([key, part]) => {
    const containers = ofContainers.has(key) ? [part].flat().filter(isRecord) : [];
    const images = containers.flatMap(({ image }) => (typeof image === 'string' ? [image] : []));
    return [...images, ...imagesIn(part)];
  });
}

/** The keys under which containers are, in pods and in the kinds of Argo and Tekton that make pods. */
const ofContainers: ReadonlySet<string> = new Set([
  ...['containers', 'initContainers', 'ephemeralContainers'],
  ...['container', 'script', 'sidecars', 'steps'],
]);
