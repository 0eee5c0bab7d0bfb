{{/* `.`: root and name. */}}
{{- define "sealwright.scaleTarget" -}}
scaleTargetRef:
  apiVersion: apps/v1
  kind: Deployment
  name: {{ include "sealwright.fullname" .root }}-{{ .name }}
{{- end -}}

{{/* Every worker process reports the same value, so the largest, never the sum. See docs/scale.md. */}}
{{- define "sealwright.waitingSealsQuery" -}}
max(sealwright_work_waiting_seconds{role="seal",namespace={{ .Release.Namespace | quote }}})
{{- end -}}
