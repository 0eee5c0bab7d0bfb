{{/* The environment of the processes. `.` is root and name, the component. */}}

{{/* What the values say, as a map of settings: first what the chart sets, then `settings`, which win. */}}
{{- define "sealwright.settings" -}}
{{- $values := .root.Values -}}
{{- $name := include "sealwright.fullname" .root -}}
{{- $own := dict "HOST" "0.0.0.0" "PORT" "8080" "METRICS_PORT" "9464" "DATA_DIR" "/var/lib/sealwright" -}}
{{- $hosts := list -}}
{{- range list "" (printf ".%s" .root.Release.Namespace) (printf ".%s.svc" .root.Release.Namespace) -}}
  {{- $hosts = append $hosts (printf "%s-api%s" $name .) -}}
{{- end -}}
{{- $_ := set $own "ALLOWED_HOSTS" (join "," $hosts) -}}
{{- with $values.publicUrl }}{{ $_ := set $own "PUBLIC_URL" . }}{{ end -}}
{{- with $values.smtp.from }}{{ $_ := set $own "MAIL_FROM" . }}{{ end -}}
{{- with $values.networkPolicy.deniedEgressCidrs }}{{ $_ := set $own "WEBHOOK_DENIED_CIDRS" (join "," .) }}{{ end -}}
{{- if has .name (list "worker" "relay") -}}
  {{- $_ := set $own "NATS_URL" (include "sealwright.natsUrl" .root) -}}
  {{- if $values.nats.existingSecret }}{{ $_ := set $own "NATS_CREDS_FILE" "/etc/sealwright/secrets/nats.creds" }}{{ end -}}
{{- end -}}
{{- if not $values.evaluation.enabled }}{{ $_ := set $own "REQUIRE_TLS" "true" }}{{ end -}}
{{- if and (has .name (list "api" "worker" "controller" "test")) (not $values.evaluation.enabled) -}}
  {{- $own = merge (include "sealwright.storeSettings" .root | fromYaml) $own -}}
{{- end -}}
{{- if and (eq .name "worker") $values.signingKey.existingSecret -}}
  {{- $_ := set $own "SIGNING_KEY_P12_FILE" "/etc/sealwright/secrets/signing-key.p12" -}}
{{- end -}}
{{- if eq .name "controller" }}{{ $_ := set $own "KUBE_DEPLOYMENT" (printf "%s-controller" $name) }}{{ end -}}
{{- if eq .name "api" -}}
  {{- $_ := set $own "SHUTDOWN_DRAIN" "5s" -}}
  {{- with $values.oidc.issuer }}{{ $_ := set $own "OIDC_ISSUER" . }}{{ end -}}
  {{- with $values.oidc.clientId }}{{ $_ := set $own "OIDC_CLIENT_ID" . }}{{ end -}}
  {{- with $values.tokenIssuers }}{{ $_ := set $own "TRUSTED_TOKEN_ISSUERS" (toJson .) }}{{ end -}}
{{- end -}}
{{- if $values.evaluation.enabled -}}
  {{- $own = merge (include "sealwright.evaluationSettings" . | fromYaml) $own -}}
{{- end -}}
{{- range $key, $value := $values.settings -}}
  {{- $_ := set $own (regexReplaceAll "([A-Z])" $key "_${1}" | upper) (include "sealwright.settingText" $value) -}}
{{- end -}}
{{- toYaml $own -}}
{{- end -}}

{{/* A setting as text. Helm reads whole numbers as floating point, which would print 1e+07. `.` is the value. */}}
{{- define "sealwright.settingText" -}}
{{- if kindIs "float64" . -}}{{ printf "%.0f" . }}
{{- else if kindIs "slice" . -}}{{ join "," . }}
{{- else -}}{{ toString . }}{{- end -}}
{{- end -}}

{{- define "sealwright.natsUrl" -}}
{{- if .Values.evaluation.enabled -}}
{{- printf "nats://%s-nats:4222" (include "sealwright.fullname" .) -}}
{{- else -}}
{{- .Values.nats.url -}}
{{- end -}}
{{- end -}}

{{- define "sealwright.storeSettings" -}}
{{- with .Values.objectStore -}}
{{- with .endpoint }}
S3_ENDPOINT: {{ . | quote }}
{{- end }}
{{- with .publicEndpoint }}
S3_PUBLIC_ENDPOINT: {{ . | quote }}
{{- end }}
{{- with .bucket }}
S3_BUCKET: {{ . | quote }}
{{- end }}
S3_REGION: {{ .region | quote }}
S3_FORCE_PATH_STYLE: {{ .forcePathStyle | quote }}
{{- end }}
{{- end -}}

{{/* The variables of a container: settings in the order of their names, then secrets, then the user's. */}}
{{- define "sealwright.environment" -}}
{{- range $key, $value := include "sealwright.settings" . | fromYaml }}
- name: SEALWRIGHT_{{ $key }}
  value: {{ $value | quote }}
{{- end }}
{{- include "sealwright.secretVariables" . }}
# glibc would keep freed memory for each group of threads.
- name: MALLOC_ARENA_MAX
  value: '2'
- name: MALLOC_TRIM_THRESHOLD_
  value: '131072'
- name: NODE_OPTIONS
  value: {{ include "sealwright.nodeOptions" . | quote }}
{{- with .root.Values.extraEnv }}
{{ toYaml . }}
{{- end }}
{{- with (index .root.Values .name | default dict).extraEnv }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{/* 60 % of the memory limit for the heap: buffers, threads and code need the rest. */}}
{{- define "sealwright.nodeOptions" -}}
{{- $resources := (index .root.Values .name | default .root.Values.hooks).resources -}}
{{- $heap := printf "--max-old-space-size=%d" (div (mul (include "sealwright.mebibytes" $resources.limits.memory | int64) 60) 100) -}}
{{- if eq .name "worker" }}--max-semi-space-size=2 {{ end }}{{ $heap -}}
{{- end -}}

{{/* A quantity of memory in MiB. `.` is the quantity. */}}
{{- define "sealwright.mebibytes" -}}
{{- $text := toString . -}}
{{- $number := regexFind "^[0-9.]+" $text | float64 -}}
{{- $unit := regexReplaceAll "^[0-9.]+" $text "" -}}
{{- $factors := dict "Ki" 0.0009765625 "Mi" 1.0 "Gi" 1024.0 "Ti" 1048576.0 "k" 0.00095367 "M" 0.95367432 "G" 953.67432 "T" 953674.32 "" 0.00000095367432 -}}
{{- if not (hasKey $factors $unit) }}{{ fail (printf "The memory limit %s is not a quantity such as 512Mi or 1Gi." $text) }}{{ end -}}
{{- mulf $number (get $factors $unit) | int64 -}}
{{- end -}}
