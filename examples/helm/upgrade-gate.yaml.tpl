{{- /*
templates/upgrade-gate.yaml of a chart that has the chart of Lightdash as a dependency. A pre-upgrade hook: helm does not run
it on a first install. It judges what that chart will deploy: its tag, or its appVersion if it has none, with the strategy
that it will use, and asks the service that it creates.
*/}}
{{- /* The image of lightspan, named here and nowhere else. */}}
{{- $image := "OWNER/lightspan:0.2.0" }}
{{- /* The name of the dependency, or its alias. If it is switched off, nothing is deployed, and nothing is judged. */}}
{{- $dependency := "lightdash" }}
{{- with index .Subcharts $dependency }}
{{- $name := .Values.nameOverride | default .Chart.Name }}
{{- $fullname := contains $name .Release.Name | ternary .Release.Name (printf "%s-%s" .Release.Name $name) }}
{{- $fullname = .Values.fullnameOverride | default $fullname | trunc 63 | trimSuffix "-" }}
{{- $tag := .Values.image.tag | default .Chart.AppVersion }}
{{- /* Charts before 2.16.361 might not know upgrade.mode: a setting without effect counts for nothing. */}}
{{- $mode := "" }}
{{- if semverCompare ">=2.16.361-0" .Chart.Version }}{{ $mode = (.Values.upgrade | default dict).mode | default "" }}{{ end }}
{{- if and $mode (not (has $mode (list "RollingUpdate" "Recreate"))) }}
{{- fail "upgrade.mode must be RollingUpdate or Recreate" }}
{{- end }}
{{- /* Without a mode, each Deployment has its own strategy, and one that rolls is enough for pods to overlap. */}}
{{- if not $mode }}
{{- $mode = ternary "Recreate" "RollingUpdate" (eq (dig "strategy" "type" "" (.Values.lightdashBackend | default dict)) "Recreate") }}
{{- range $key, $worker := .Values }}
{{- if and (kindIs "map" $worker) (ne $key "lightdashBackend") }}
{{- if and (hasKey $worker "strategy") (get $worker "enabled") (ne (dig "strategy" "type" "" $worker) "Recreate") }}
{{- $mode = "RollingUpdate" }}
{{- end }}
{{- end }}
{{- end }}
{{- end }}
{{- /*
The instance reports the running version. If it is down, and the upgrade is to repair it, run
helm upgrade --set upgradeGate.from=deployment: the version is then taken from the image of the Deployment.
*/}}
{{- $running := printf "--instance=http://%s:%v" $fullname ((.Values.service | default dict).port | default 8080) }}
{{- if eq (($.Values.upgradeGate | default dict).from | default "instance") "deployment" }}
{{- $deployment := lookup "apps/v1" "Deployment" .Release.Namespace (printf "%s-backend" $fullname) }}
{{- $running = "--from=of no Deployment" }}
{{- range (dig "spec" "template" "spec" "containers" list $deployment) }}
{{- if eq .name "lightdash" }}{{ $running = printf "--from=v%s" (regexReplaceAll "^.*:([^:/]+)$" (regexReplaceAll "@.*$" .image "") "${1}") }}{{ end }}
{{- end }}
{{- end }}
apiVersion: batch/v1
kind: Job
metadata:
  name: {{ printf "%s-upgrade-gate" $fullname | trunc 63 | quote }}
  annotations:
    helm.sh/hook: pre-upgrade
    # Before the hooks of the chart, one of which migrates.
    helm.sh/hook-weight: "-10"
    helm.sh/hook-delete-policy: before-hook-creation,hook-succeeded
spec:
  backoffLimit: 0
  activeDeadlineSeconds: 300
  template:
    spec:
      restartPolicy: Never
      automountServiceAccountToken: false
      securityContext:
        runAsNonRoot: true
        runAsUser: 65532
        runAsGroup: 65532
        seccompProfile:
          type: RuntimeDefault
      containers:
        - name: lightspan
          image: {{ $image | quote }}
          args:
            {{- if eq $mode "Recreate" }}
            # Pods do not overlap, and the step must still be one that may be taken at once.
            - upgrade-plan
            - --max-hops=1
            {{- else }}
            - upgrade-check
            {{- end }}
            - {{ $running | quote }}
            - --allow-http
            # With the v, a tag is a version or refused: latest is the newest in the index, not what would be deployed.
            - {{ printf "--to=v%v" $tag | quote }}
            - --max-age=7d
            - --no-cache
          securityContext:
            allowPrivilegeEscalation: false
            readOnlyRootFilesystem: true
            capabilities:
              drop: [ALL]
          resources:
            requests: {cpu: 100m, memory: 128Mi}
            limits: {memory: 512Mi}
{{- end }}
