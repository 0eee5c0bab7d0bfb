{{/* Who may reach the pods. `.` is the root. */}}

{{- define "sealwright.ingressMetrics" -}}
- ports:
    - {protocol: TCP, port: metrics}
  {{- with .Values.networkPolicy.metricsFrom }}
  from:
    {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end -}}

{{/* The test of this release, too. */}}
{{- define "sealwright.ingressApi" -}}
- ports:
    - {protocol: TCP, port: http}
  {{- with .Values.networkPolicy.apiFrom }}
  from:
    {{- toYaml . | nindent 4 }}
    - podSelector:
        matchLabels:
          {{- include "sealwright.componentSelector" (dict "root" $ "name" "test") | nindent 10 }}
  {{- end }}
{{ include "sealwright.ingressMetrics" . }}
{{- end -}}

{{/* Webhooks of the relay, in an evaluation. */}}
{{- define "sealwright.ingressTest" -}}
{{- if .Values.evaluation.enabled -}}
- ports:
    - {protocol: TCP, port: receiver}
  from:
    - podSelector:
        matchLabels:
          {{- include "sealwright.componentSelector" (dict "root" . "name" "relay") | nindent 10 }}
{{- end -}}
{{- end -}}
