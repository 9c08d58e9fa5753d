import type { DeepReadonly } from '../../core/common/deep-readonly.js';
import type { InstanceStatus } from '../../known-issues/instance-status.js';
import type { IndexStatusResult } from '../json/index-schemas.js';

interface Metric {
  readonly name: string;
  readonly help: string;
  readonly samples: readonly { readonly labels?: Readonly<Record<string, string>>; readonly value: number }[];
}

type Status = DeepReadonly<
  Pick<IndexStatusResult, 'generatedAt' | 'latestVersion'> & { instance: InstanceStatus }
>;

/**
 * The status of an instance for the textfile collector of the node exporter, or any scraper: in the text form that both
 * OpenMetrics and Prometheus read. Times are those of events, so that an age is `time() - …`, and stays right where
 * nobody writes the file any more.
 */
export function renderMetrics(status: Status): string {
  return `${metricsOf(status)
    .filter(({ samples }) => samples.length > 0)
    .map(renderMetric)
    .join('')}# EOF\n`;
}

function metricsOf({ generatedAt, latestVersion, instance }: Status): readonly Metric[] {
  const { runningVersion, recommended, nextHop, knownIssues, knownThrough, acceptances } = instance;
  const release = (version: string | undefined) =>
    version === undefined ? [] : [{ labels: { version }, value: 1 }];
  return [
    metric('running_release_info', 'The release that runs.', release(runningVersion)),
    metric('newest_release_info', 'The newest release in the index.', release(latestVersion)),
    metric(
      'recommended_release_info',
      'The newest release that is old enough, has no known issue and is reached by a complete route. Absent: none is.',
      release(recommended?.version),
    ),
    metric(
      'recommended_release_rolling',
      'Whether every hop to the recommended release rolls (1) or not (0).',
      recommended === null ? [] : [{ value: Number(recommended.rolling) }],
    ),
    metric('releases_behind', 'How many releases are newer than the one that runs.', [
      { value: instance.releasesBehind },
    ]),
    metric(
      'next_hop_rolling',
      'Whether the next hop rolls (1) or needs a downtime (0). Absent: there is none.',
      nextHop === null ? [] : [{ labels: { version: nextHop.version }, value: Number(nextHop.rolling) }],
    ),
    metric('running_release_known_issues', 'How many known issues apply, or may apply, to what runs.', [
      { value: knownIssues.length },
    ]),
    metric(
      'running_release_known_issue_info',
      'A known issue that applies, or may apply, to what runs.',
      knownIssues.map(({ id }) => ({ labels: { id }, value: 1 })),
    ),
    metric('index_generated_timestamp_seconds', 'When the publisher made the index.', [
      secondsOf(generatedAt),
    ]),
    metric(
      'known_issues_checked_timestamp_seconds',
      'The day on which somebody last looked for known issues.',
      knownThrough === null ? [] : [secondsOf(knownThrough.asOf)],
    ),
    metric(
      'acceptance_end_timestamp_seconds',
      'When what is accepted no longer counts.',
      // It counts on its last day.
      acceptances.map(({ name, until }) => ({
        labels: { name },
        value: secondsOf(until).value + 86_400,
      })),
    ),
  ];
}

function metric(name: string, help: string, samples: Metric['samples']): Metric {
  return { name: `lightspan_${name}`, help, samples };
}

function secondsOf(date: string): { readonly value: number } {
  return { value: Math.floor(Date.parse(date) / 1000) };
}

function renderMetric({ name, help, samples }: Metric): string {
  const lines = samples.map(({ labels = {}, value }) => {
    const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escaped(text)}"`);
    return `${name}${pairs.length === 0 ? '' : `{${pairs.join(',')}}`} ${value}\n`;
  });
  return `# HELP ${name} ${help}\n# TYPE ${name} gauge\n${lines.join('')}`;
}

function escaped(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}
