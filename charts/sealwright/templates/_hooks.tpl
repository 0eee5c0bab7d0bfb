{{/* What the Jobs before an installation or upgrade have in common. */}}

{{/*
The annotations of a hook. `.`: events and weight. What it made is removed when all hooks of the event have succeeded, and stays for a look at it
when one has failed.
*/}}
{{- define "sealwright.hookAnnotations" -}}
annotations:
  helm.sh/hook: {{ .events }}
  helm.sh/hook-weight: {{ .weight | quote }}
  helm.sh/hook-delete-policy: before-hook-creation,hook-succeeded
{{- end -}}

{{/* Newer versions of Helm print the log of a Job that fails. */}}
{{- define "sealwright.hookLog" -}}
helm.sh/hook-output-log-policy: hook-failed
{{- end -}}

{{/* The pod of a Job. `.`: root, name and containers, the YAML of what comes behind the common part. */}}
{{- define "sealwright.hookJobSpec" -}}
backoffLimit: {{ .backoffLimit }}
activeDeadlineSeconds: {{ .deadlineSeconds }}
template:
  metadata:
    labels:
      {{- include "sealwright.componentLabels" . | nindent 6 }}
  spec:
    {{- include "sealwright.podHead" . | nindent 4 }}
    restartPolicy: Never
    {{- .containers | nindent 4 }}
    volumes:
      {{- include "sealwright.volumes" . | nindent 6 }}
{{- end -}}

{{/* One container that runs a command of the image. `.`: root, name, container and args. */}}
{{- define "sealwright.hookContainer" -}}
- name: {{ .container }}
  image: {{ include "sealwright.image" (dict "root" .root "image" .root.Values.image) }}
  imagePullPolicy: {{ .root.Values.image.pullPolicy }}
  args:
    {{- toYaml .args | nindent 4 }}
  env:
    {{- include "sealwright.environment" . | trim | nindent 4 }}
  resources:
    {{- toYaml .root.Values.hooks.resources | nindent 4 }}
  securityContext:
    {{- include "sealwright.containerSecurityContext" . | nindent 4 }}
  volumeMounts:
    {{- include "sealwright.volumeMounts" . | nindent 4 }}
{{- end -}}

{{/* ServiceAccount, Roles and RoleBindings of a Job. `.`: root, name, annotations (YAML, perhaps empty), rules, and namespaces of the rules. */}}
{{- define "sealwright.hookIdentity" -}}
{{- $name := printf "%s-%s" (include "sealwright.fullname" .root) .name -}}
apiVersion: v1
kind: ServiceAccount
metadata:
  name: {{ $name }}
  namespace: {{ .root.Release.Namespace }}
  labels:
    {{- include "sealwright.componentLabels" . | nindent 4 }}
  {{- with .annotations }}
  {{- . | nindent 2 }}
  {{- end }}
automountServiceAccountToken: false
{{- range .namespaces }}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata:
  name: {{ $name }}
  namespace: {{ . }}
  labels:
    {{- include "sealwright.componentLabels" $ | nindent 4 }}
  {{- with $.annotations }}
  {{- . | nindent 2 }}
  {{- end }}
rules:
  {{- $.rules | nindent 2 }}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata:
  name: {{ $name }}
  namespace: {{ . }}
  labels:
    {{- include "sealwright.componentLabels" $ | nindent 4 }}
  {{- with $.annotations }}
  {{- . | nindent 2 }}
  {{- end }}
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: Role
  name: {{ $name }}
subjects:
  - kind: ServiceAccount
    name: {{ $name }}
    namespace: {{ $.root.Release.Namespace }}
{{- end }}
{{- end -}}
