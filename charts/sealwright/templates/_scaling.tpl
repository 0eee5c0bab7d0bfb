{{/* `.`: root and name. */}}
{{- define "sealwright.scaleTarget" -}}
scaleTargetRef:
  apiVersion: apps/v1
  kind: Deployment
  name: {{ include "sealwright.fullname" .root }}-{{ .name }}
{{- end -}}

{{/* Seconds of work that wait: waiting seals times the mean duration of one, or 1 s before the first. Every worker has the same count. */}}
{{- define "sealwright.backlogQuery" -}}
{{- $own := printf "namespace=%q" .Release.Namespace -}}
{{- $rate := printf "sum(rate(sealwright_work_duration_seconds_%%s{kind=\"seal\",outcome=\"done\",%s}[15m]))" $own -}}
max(sealwright_work_waiting{kind="seal",{{ $own }}}) * ({{ printf $rate "sum" }} / ({{ printf $rate "count" }} > 0) or vector(1))
{{- end -}}
