{{/* The Deployment of a component. `.` is root and name. */}}

{{/* A process stops within 25 s. The API first waits until load balancers have taken it out. */}}
{{- define "sealwright.shutdown" -}}
{{- $before := ternary 5 0 (eq .name "api") -}}
terminationGracePeriodSeconds: {{ add $before 25 5 }}
beforeSeconds: {{ $before }}
{{- end -}}

{{- define "sealwright.isScaled" -}}
{{- if and (eq .name "api") .root.Values.api.autoscaling.enabled }}true{{ end -}}
{{- if and (eq .name "worker") (ne .root.Values.worker.autoscaling.mode "none") }}true{{ end -}}
{{- end -}}

{{- define "sealwright.probes" -}}
startupProbe:
  httpGet: {path: /livez, port: metrics}
  periodSeconds: 2
  timeoutSeconds: 5
  failureThreshold: 60
livenessProbe:
  httpGet: {path: /livez, port: metrics}
  periodSeconds: 10
  timeoutSeconds: 5
  failureThreshold: 6
readinessProbe:
  httpGet: {path: /readyz, port: {{ ternary "http" "metrics" (eq .name "api") }}}
  periodSeconds: 5
  timeoutSeconds: 5
  failureThreshold: 2
{{- end -}}

{{- define "sealwright.container" -}}
{{- $settings := include "sealwright.settings" . | fromYaml -}}
{{- $shutdown := include "sealwright.shutdown" . | fromYaml -}}
- name: {{ .name }}
  image: {{ include "sealwright.image" (dict "root" .root "image" .root.Values.image) }}
  imagePullPolicy: {{ .root.Values.image.pullPolicy }}
  args: [{{ .name }}]
  env:
    {{- include "sealwright.environment" . | trim | nindent 4 }}
  ports:
    {{- if eq .name "api" }}
    - name: http
      containerPort: {{ $settings.PORT }}
    {{- end }}
    - name: metrics
      containerPort: {{ $settings.METRICS_PORT }}
  {{- include "sealwright.probes" . | nindent 2 }}
  {{- if $shutdown.beforeSeconds }}
  lifecycle:
    preStop:
      sleep:
        seconds: {{ $shutdown.beforeSeconds }}
  {{- end }}
  resources:
    {{- toYaml (index .root.Values .name).resources | nindent 4 }}
  securityContext:
    {{- include "sealwright.containerSecurityContext" . | nindent 4 }}
  volumeMounts:
    {{- include "sealwright.volumeMounts" . | nindent 4 }}
{{- end -}}

{{- define "sealwright.deployment" -}}
{{- $values := index .root.Values .name -}}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ include "sealwright.fullname" .root }}-{{ .name }}
  namespace: {{ .root.Release.Namespace }}
  labels:
    {{- include "sealwright.componentLabels" . | nindent 4 }}
spec:
  {{- if not (include "sealwright.isScaled" .) }}
  replicas: {{ $values.replicas }}
  {{- end }}
  revisionHistoryLimit: 5
  strategy:
    type: RollingUpdate
    rollingUpdate:
      maxUnavailable: 0
      maxSurge: 1
  selector:
    matchLabels:
      {{- include "sealwright.componentSelector" . | nindent 6 }}
  template:
    metadata:
      labels:
        {{- include "sealwright.componentLabels" . | nindent 8 }}
        sealwright.io/metrics: 'true'
        {{- with $values.podLabels }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
      {{- with $values.podAnnotations }}
      annotations:
        {{- toYaml . | nindent 8 }}
      {{- end }}
    spec:
      {{- include "sealwright.podHead" . | nindent 6 }}
      terminationGracePeriodSeconds: {{ (include "sealwright.shutdown" . | fromYaml).terminationGracePeriodSeconds }}
      {{- if eq .name "relay" }}
      # A webhook's name is absolute: the search list would ask for it in the cluster first.
      dnsConfig:
        options:
          - {name: ndots, value: '1'}
      {{- end }}
      {{- include "sealwright.placement" . | trim | nindent 6 }}
      containers:
        {{- include "sealwright.container" . | nindent 8 }}
      volumes:
        {{- include "sealwright.volumes" . | nindent 8 }}
{{- end -}}
