{{- /*
templates/backup.yaml of a chart that has the chart of Lightdash as a dependency. A pre-upgrade hook: before helm or Flux
upgrades, and before a sync of Argo CD, it dumps the database, and stops the upgrade if the dump is not whole. helm does
not run it on a first install; Argo CD does. The claim lightdash-backups is made beforehand. Copy the dumps away, and
delete old ones. It does not hold LIGHTDASH_SECRET or the object store.
Set backup.lightdash to stopped for a hop with Recreate: it then refuses to dump while a session may write, so scale
Lightdash to 0 first; and to running for a hop that rolls, where what is written after the dump is not in it.
*/}}
apiVersion: batch/v1
kind: Job
metadata:
  name: {{ printf "%s-backup" .Release.Name | trunc 63 | quote }}
  annotations:
    helm.sh/hook: pre-upgrade
    # After the gate, and before the hooks of the chart, one of which migrates with the weight 0.
    helm.sh/hook-weight: "-5"
    helm.sh/hook-delete-policy: before-hook-creation
spec:
  backoffLimit: 0
  activeDeadlineSeconds: 14400
  template:
    spec:
      restartPolicy: Never
      automountServiceAccountToken: false
      securityContext:
        runAsNonRoot: true
        runAsUser: 999
        runAsGroup: 999
        fsGroup: 999
        seccompProfile:
          type: RuntimeDefault
      volumes:
        - name: backups
          persistentVolumeClaim: {claimName: lightdash-backups}
      containers:
        - name: backup
          # Its pg_dump must be as new as the server, or newer.
          image: pgvector/pgvector:pg16
          env:
            - name: LIGHTDASH
              value: {{ (.Values.backup | default dict).lightdash | default "stopped" | quote }}
            # The server itself: a pool such as PgBouncer would pass the settings of pg_dump on to Lightdash.
            - {name: PGHOST, value: {{ printf "%s-postgresql" .Release.Name | quote }}}
            - {name: PGUSER, value: lightdash}
            - {name: PGDATABASE, value: lightdash}
            - name: PGPASSWORD
              valueFrom:
                secretKeyRef: {name: {{ printf "%s-postgresql" .Release.Name | quote }}, key: password}
          command: [sh, -euc]
          args:
            - |
              umask 077
              writers() {
                psql -XAtq -v ON_ERROR_STOP=1 -c "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()
                  AND pid <> pg_backend_pid() AND coalesce(backend_type, 'client backend') = 'client backend'
                  AND has_table_privilege(usesysid, 'knex_migrations', 'INSERT')"
              }
              case $LIGHTDASH in
                running) ;;
                stopped)
                  left=$(writers)
                  [ "$left" = 0 ] || { echo "$left sessions may still write: stop all of Lightdash first"; exit 1; } ;;
                *) echo 'LIGHTDASH must be running or stopped'; exit 1 ;;
              esac
              dump=/backups/lightdash-$(date -u +%Y%m%dT%H%M%SZ).dump
              trap 'rm -f "$dump.part"' EXIT
              pg_dump --format=custom --lock-wait-timeout=10min --file="$dump.part"
              # The list is at its beginning, so the rest is read too.
              pg_restore --file=/dev/null "$dump.part"
              pg_restore --list "$dump.part" | grep ' TABLE DATA [^ ]* knex_migrations ' > /dev/null
              mv "$dump.part" "$dump"
              sha256sum "$dump"
          volumeMounts:
            - {name: backups, mountPath: /backups}
          securityContext:
            allowPrivilegeEscalation: false
            readOnlyRootFilesystem: true
            capabilities:
              drop: [ALL]
          resources:
            requests: {cpu: 100m, memory: 256Mi}
            limits: {memory: 1Gi}
