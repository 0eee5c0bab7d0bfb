{{/* How the servers of an evaluation are started. `.` is the root. */}}

{{- define "sealwright.postgresFields" -}}
env:
  - {name: POSTGRES_USER, value: sealwright}
  - {name: POSTGRES_DB, value: sealwright}
  - {name: PGDATA, value: /var/lib/postgresql/data/pgdata}
  - name: POSTGRES_PASSWORD
    valueFrom:
      secretKeyRef: {name: {{ include "sealwright.evaluationSecret" . }}, key: databasePassword}
startupProbe:
  tcpSocket: {port: server}
  periodSeconds: 2
  failureThreshold: 60
readinessProbe:
  tcpSocket: {port: server}
  periodSeconds: 5
livenessProbe:
  tcpSocket: {port: server}
  periodSeconds: 20
  failureThreshold: 6
{{- end -}}

{{- define "sealwright.natsFields" -}}
args: [--jetstream, --store_dir, /data, --http_port, '8222']
startupProbe:
  httpGet: {path: /healthz, port: 8222}
  periodSeconds: 2
  failureThreshold: 60
readinessProbe:
  httpGet: {path: /healthz, port: 8222}
  periodSeconds: 5
livenessProbe:
  httpGet: {path: '/healthz?js-server-only=true', port: 8222}
  periodSeconds: 20
  failureThreshold: 6
{{- end -}}

{{/* Any origin may read: browsers read documents from the store, and the URL is the secret. */}}
{{- define "sealwright.objectStoreFields" -}}
args: [--port, ':7070', --health, /healthz, --cors-allow-origin, '*', posix, --sidecar, /metadata, /data]
env:
  - name: ROOT_ACCESS_KEY
    valueFrom:
      secretKeyRef: {name: {{ include "sealwright.evaluationSecret" . }}, key: accessKeyId}
  - name: ROOT_SECRET_KEY
    valueFrom:
      secretKeyRef: {name: {{ include "sealwright.evaluationSecret" . }}, key: secretAccessKey}
startupProbe:
  httpGet: {path: /healthz, port: server}
  periodSeconds: 2
  failureThreshold: 60
readinessProbe:
  httpGet: {path: /healthz, port: server}
  periodSeconds: 5
livenessProbe:
  httpGet: {path: /healthz, port: server}
  periodSeconds: 20
  failureThreshold: 6
{{- end -}}
