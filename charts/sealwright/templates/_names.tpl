{{/* Names and labels. `.` is the root of the chart, unless a comment says otherwise. */}}

{{/* `sealwright` for a release of that name, else `RELEASE-sealwright`. */}}
{{- define "sealwright.fullname" -}}
{{- if contains .Chart.Name .Release.Name -}}
{{- .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" (.Release.Name | trunc 29 | trimSuffix "-") .Chart.Name -}}
{{- end -}}
{{- end -}}

{{- define "sealwright.selectorLabels" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "sealwright.labels" -}}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{ include "sealwright.selectorLabels" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- with .Values.commonLabels }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{/* `.`: root and name. */}}
{{- define "sealwright.componentLabels" -}}
{{ include "sealwright.labels" .root }}
app.kubernetes.io/component: {{ .name }}
{{- end -}}

{{/* `.`: root and name. */}}
{{- define "sealwright.componentSelector" -}}
{{ include "sealwright.selectorLabels" .root }}
app.kubernetes.io/component: {{ .name }}
{{- end -}}

{{/* `.`: root and image. Another registry replaces the first part of the name, if that is one. */}}
{{- define "sealwright.image" -}}
{{- $repository := .image.repository -}}
{{- with .root.Values.imageRegistry -}}
  {{- $parts := splitList "/" $repository -}}
  {{- if and (gt (len $parts) 1) (regexMatch "[.:]|^localhost$" (first $parts)) -}}
    {{- $parts = rest $parts -}}
  {{- end -}}
  {{- $repository = printf "%s/%s" (trimSuffix "/" .) (join "/" $parts) -}}
{{- end -}}
{{- $tag := .image.tag | default .root.Chart.AppVersion -}}
{{- if .image.digest -}}
{{- printf "%s:%s@%s" $repository $tag .image.digest -}}
{{- else -}}
{{- printf "%s:%s" $repository $tag -}}
{{- end -}}
{{- end -}}

{{/* The namespace of signing keys and their Secrets. */}}
{{- define "sealwright.keysNamespace" -}}
{{- .Values.settings.kubeKeysNamespace | default .Release.Namespace -}}
{{- end -}}

{{/* The Secret with the installation key: that of the values, or the one that the migration creates. */}}
{{- define "sealwright.installationKeySecret" -}}
{{- .Values.installationKey.existingSecret | default (printf "%s-installation-key" (include "sealwright.fullname" .)) -}}
{{- end -}}

{{/* The Secret with the passwords of the servers of an evaluation. */}}
{{- define "sealwright.evaluationSecret" -}}
{{- printf "%s-evaluation" (include "sealwright.fullname" .) -}}
{{- end -}}

{{/* The host name of publicUrl. */}}
{{- define "sealwright.publicHost" -}}
{{- (urlParse .Values.publicUrl).hostname -}}
{{- end -}}
