{{/* What the evaluation profile changes. */}}

{{/* Settings of all components. `.` is root and name. Webhooks may go to private addresses: those of receivers in the cluster. */}}
{{- define "sealwright.evaluationSettings" -}}
PUBLIC_URL: {{ .root.Values.publicUrl | default "http://127.0.0.1:8080" }}
ALLOW_SELF_SIGNED_KEYS: 'true'
WEBHOOK_ALLOWED_CIDRS: 10.0.0.0/8,172.16.0.0/12,192.168.0.0/16
{{- if not .root.Values.smtp.existingSecret }}
MAIL_KEEP: 'true'
{{- end }}
{{- if eq .name "relay" }}
WEBHOOK_CA_FILE: /etc/sealwright/secrets/receiver-ca.crt
{{- end }}
{{- if has .name (list "api" "worker" "controller" "test") }}
S3_ENDPOINT: http://{{ include "sealwright.fullname" .root }}-object-store:7070
S3_PUBLIC_ENDPOINT: http://127.0.0.1:7070
S3_BUCKET: sealwright
S3_REGION: us-east-1
S3_FORCE_PATH_STYLE: 'true'
{{- end }}
{{- end -}}

{{/* Files of the Secret that the migration creates. `.` is root and name. The migration itself starts without it, see evaluationVariables. */}}
{{- define "sealwright.evaluationSecrets" -}}
{{- $secret := include "sealwright.evaluationSecret" .root -}}
{{- if has .name (list "api" "worker" "relay" "controller" "preflight" "test") }}
- {secret: {{ $secret }}, key: databaseUrl, file: database-url, variable: DATABASE_URL_FILE}
{{- end }}
{{- if has .name (list "api" "worker" "controller" "test") }}
- {secret: {{ $secret }}, key: secretAccessKey, file: s3-secret-access-key, variable: S3_SECRET_ACCESS_KEY_FILE}
{{- end }}
{{- if eq .name "relay" }}
- {secret: {{ $secret }}, key: receiver-ca.crt, file: receiver-ca.crt}
{{- end }}
{{- if eq .name "test" }}
- {secret: {{ $secret }}, key: receiver.pem, file: receiver.pem}
{{- end }}
{{- end -}}

{{/* Kubernetes reads a Secret for a variable when the container starts, for a volume before the first container of the pod. `.` is root and name. */}}
{{- define "sealwright.evaluationVariables" -}}
{{- if eq .name "migrate" }}
- name: SEALWRIGHT_DATABASE_URL
  valueFrom:
    secretKeyRef: {name: {{ include "sealwright.evaluationSecret" .root }}, key: databaseUrl}
{{- end }}
{{- end -}}

{{/*
The steps of an evaluation: the Secret of its servers and the bucket, the migration, an organisation with what a person needs to sign in, and last the
installation key, for which all components wait. So when they are ready, everything is. `.`: root and migrate, the container of the last step.
*/}}
{{- define "sealwright.evaluationContainers" -}}
{{- $name := include "sealwright.fullname" .root -}}
{{- $prepare := list "evaluation" "prepare" "--secret" (include "sealwright.evaluationSecret" .root) "--database-host" (printf "%s-postgres" $name) "--receiver-host" (include "sealwright.receiverHost" .root) "--object-store" (printf "http://%s-object-store:7070" $name) "--bucket" "sealwright" -}}
{{- $schema := list "migrate" "--wait" "5m" -}}
{{- $firstRun := list "evaluation" "first-run" "--secret" (printf "%s-first-run" $name) "--evaluation-secret" (include "sealwright.evaluationSecret" .root) -}}
initContainers:
  {{- include "sealwright.hookContainer" (dict "root" .root "name" "prepare" "container" "prepare" "args" $prepare) | nindent 2 }}
  {{- include "sealwright.hookContainer" (dict "root" .root "name" "migrate" "container" "schema" "args" $schema) | nindent 2 }}
  {{- include "sealwright.hookContainer" (dict "root" .root "name" "migrate" "container" "first-run" "args" $firstRun) | nindent 2 }}
containers:
  {{- .migrate | nindent 2 }}
{{- end -}}

{{/* Where the test of an evaluation receives webhooks. */}}
{{- define "sealwright.receiverHost" -}}
{{- printf "%s-test.%s.svc" (include "sealwright.fullname" .) .Release.Namespace -}}
{{- end -}}

{{/* A server with one volume for its data. `.`: root, name, image, port, data (a path), user, containers' fields as YAML in `fields`. */}}
{{- define "sealwright.evaluationServer" -}}
{{- $name := printf "%s-%s" (include "sealwright.fullname" .root) .name -}}
# For an evaluation only: one server without backups.
apiVersion: v1
kind: Service
metadata:
  name: {{ $name }}
  namespace: {{ .root.Release.Namespace }}
  labels:
    {{- include "sealwright.componentLabels" . | nindent 4 }}
spec:
  selector:
    {{- include "sealwright.componentSelector" . | nindent 4 }}
  ports:
    - {name: server, port: {{ .port }}, targetPort: server}
---
apiVersion: apps/v1
kind: StatefulSet
metadata:
  name: {{ $name }}
  namespace: {{ .root.Release.Namespace }}
  labels:
    {{- include "sealwright.componentLabels" . | nindent 4 }}
  annotations:
    sealwright.io/evaluation-only: 'true'
spec:
  serviceName: {{ $name }}
  replicas: 1
  selector:
    matchLabels:
      {{- include "sealwright.componentSelector" . | nindent 6 }}
  template:
    metadata:
      # Without the version of the chart: an upgrade does not restart the server.
      labels:
        {{- include "sealwright.componentSelector" . | nindent 8 }}
        {{- with .root.Values.commonLabels }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
    spec:
      serviceAccountName: {{ include "sealwright.fullname" .root }}-evaluation
      automountServiceAccountToken: false
      enableServiceLinks: false
      {{- with .root.Values.imagePullSecrets }}
      imagePullSecrets:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      securityContext:
        {{- include "sealwright.evaluationUser" . | nindent 8 }}
      containers:
        - name: {{ .name }}
          image: {{ include "sealwright.image" (dict "root" .root "image" .image) }}
          imagePullPolicy: {{ .root.Values.image.pullPolicy }}
          {{- .fields | nindent 10 }}
          ports:
            - {name: server, containerPort: {{ .port }}}
          resources:
            requests: {cpu: 50m, memory: 128Mi}
            limits: {memory: 512Mi}
          securityContext:
            {{- include "sealwright.containerSecurityContext" . | nindent 12 }}
          volumeMounts:
            {{- range $volume, $path := .data }}
            - {name: {{ $volume }}, mountPath: {{ $path }}}
            {{- end }}
            {{- range $volume, $path := .scratch }}
            - {name: {{ $volume }}, mountPath: {{ $path }}}
            {{- end }}
      volumes:
        {{- range $volume, $_ := .scratch }}
        - {name: {{ $volume }}, emptyDir: {}}
        {{- end }}
        {{- if not .root.Values.evaluation.persistence }}
        {{- range $volume, $_ := .data }}
        - {name: {{ $volume }}, emptyDir: {}}
        {{- end }}
        {{- end }}
  {{- if .root.Values.evaluation.persistence }}
  volumeClaimTemplates:
    {{- range $volume, $_ := .data }}
    - apiVersion: v1
      kind: PersistentVolumeClaim
      metadata:
        name: {{ $volume }}
        labels:
          {{- include "sealwright.componentSelector" $ | nindent 10 }}
      spec:
        accessModes: [ReadWriteOnce]
        resources:
          requests: {storage: {{ $.root.Values.evaluation.storageSize }}}
    {{- end }}
  {{- end }}
{{- if .root.Values.networkPolicy.enabled }}
---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata:
  name: {{ $name }}
  namespace: {{ .root.Release.Namespace }}
  labels:
    {{- include "sealwright.componentLabels" . | nindent 4 }}
spec:
  podSelector:
    matchLabels:
      {{- include "sealwright.componentSelector" . | nindent 6 }}
  policyTypes: [Ingress, Egress]
  ingress:
    - ports:
        - {protocol: TCP, port: server}
      from:
        - podSelector:
            matchLabels:
              {{- include "sealwright.selectorLabels" .root | nindent 14 }}
{{- end }}
{{- end -}}

{{/* The image's own user where it needs one, unless the cluster assigns users. `.`: root and user. */}}
{{- define "sealwright.evaluationUser" -}}
runAsNonRoot: true
{{- if .root.Values.podSecurityContext.runAsUser }}
runAsUser: {{ .user }}
runAsGroup: {{ .user }}
fsGroup: {{ .user }}
{{- end }}
seccompProfile:
  type: RuntimeDefault
{{- end -}}
