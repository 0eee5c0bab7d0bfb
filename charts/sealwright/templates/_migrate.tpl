{{/* The Job that migrates. `.` is the root. */}}

{{- define "sealwright.migrateRules" -}}
# A rule with names cannot allow create.
- apiGroups: ['']
  resources: [secrets]
  verbs: [create]
- apiGroups: ['']
  resources: [secrets]
  resourceNames:
    - {{ include "sealwright.installationKeySecret" . }}
    {{- if .Values.evaluation.enabled }}
    - {{ include "sealwright.evaluationSecret" . }}
    - {{ include "sealwright.fullname" . }}-first-run
    {{- end }}
  verbs: [get]
{{- end -}}

{{/* An existing key of the user's is only checked, so it is not named here. */}}
{{- define "sealwright.migrateArgs" -}}
- migrate
- --wait
- 5m
{{- if not .Values.installationKey.existingSecret }}
- --installation-key-secret
- {{ include "sealwright.installationKeySecret" . }}
{{- end }}
{{- end -}}

{{- define "sealwright.migrateContainers" -}}
{{- $migrate := dict "root" . "name" "migrate" "container" "migrate" "args" (include "sealwright.migrateArgs" . | fromYamlArray) -}}
{{- if .Values.evaluation.enabled -}}
{{- include "sealwright.evaluationContainers" (dict "root" . "migrate" (include "sealwright.hookContainer" $migrate)) -}}
{{- else -}}
containers:
  {{- include "sealwright.hookContainer" $migrate | nindent 2 }}
{{- end -}}
{{- end -}}
