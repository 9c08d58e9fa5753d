import { wordsOf } from './reference.js';

/** Whether a path goes through a folder or a file that is named after another program. */
export function isNameOfAnother(path: string): boolean {
  return wordsOf(path).some((word) => otherPrograms.has(word));
}

/** Programs that people run beside Lightdash, or build with: the words of their names. */
export const otherPrograms: ReadonlySet<string> = new Set(
  ` adminer airbyte airflow alertmanager alpine ansible argocd argo authelia authentik autoscaler  
  bitnami browserless buildx busybox caddy calico cassandra celery certmanager certbot chrome chromium cilium clickhouse
  cloudflared cloudsql consul coredns  dagster datadog dbt debezium debian dex distroless   dremio duckdb
  elastic elasticsearch envoy etcd  filebeat flink fluentbit fluentd flux  gitea gitlab go golang grafana
  gotenberg gradle hadoop haproxy harbor hasura headless  hive  istio jaeger  jdk jenkins jupyter kafka
  keycloak kibana kong kubectl  kustomize linkerd  localstack logstash loki longhorn mailhog mailpit
  mariadb maven memcached metabase metallb metrics mimir minio mlflow mongo mongodb mongodump mysql nats neo nexus nginx
  node nodejs npm oauth opensearch otel pandas pgadmin pgbackrest pgbouncer pgvector php pip pnpm podman postgres
  postgresql prefect presto prometheus promtail    python rabbitmq rclone redash redis redpanda
   renovate rook ruby rust scylla sentry sftp socat solr sonarqube spark sqlserver supabase superset swagger
  tailscale tempo  terraform thanos timescale timescaledb tomcat traefik trino typescript ubuntu valkey 
  velero victoria wordpress yarn zabbix zookeeper  `.split(/\s+/),
);
