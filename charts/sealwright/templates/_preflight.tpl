{{/* The Job that checks before an upgrade. `.` is the root. */}}

{{- define "sealwright.preflightRules" -}}
- apiGroups: [sealwright.io]
  resources: [webhooksubscriptions, signingkeys]
  verbs: [get, list]
{{- end -}}

{{- define "sealwright.preflightContainers" -}}
containers:
  {{- include "sealwright.hookContainer" (dict "root" . "name" "preflight" "container" "preflight" "args" (list "preflight")) | nindent 2 }}
{{- end -}}
