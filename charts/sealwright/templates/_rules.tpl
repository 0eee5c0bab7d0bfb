{{/* The rules of files/alerts.yaml for this release. `.` is the root. */}}
{{- define "sealwright.rules" -}}
{{- $source := .Files.Get "files/alerts.yaml" | fromYaml -}}
{{- $selector := printf "namespace=%q" .Release.Namespace -}}
{{- range $source.alerts }}
- alert: {{ .alert }}
  expr: {{ .expr | replace "SELECTOR" $selector | quote }}
  {{- with .for }}
  for: {{ . }}
  {{- end }}
  labels:
    severity: {{ .severity }}
  annotations:
    summary: {{ .summary | quote }}
    runbook_url: {{ $.Values.metrics.prometheusRule.runbookUrl | trimSuffix "/" }}/{{ .alert }}.md
{{- end }}
{{- end -}}
