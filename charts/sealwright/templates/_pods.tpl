{{/* What all pods have in common. `.` is root and name, unless a comment says otherwise. */}}

{{- define "sealwright.podSecurityContext" -}}
runAsNonRoot: true
{{- with .root.Values.podSecurityContext.runAsUser }}
runAsUser: {{ . }}
{{- end }}
{{- with .root.Values.podSecurityContext.runAsGroup }}
runAsGroup: {{ . }}
{{- end }}
{{- with .root.Values.podSecurityContext.fsGroup }}
fsGroup: {{ . }}
fsGroupChangePolicy: OnRootMismatch
{{- end }}
seccompProfile:
  type: RuntimeDefault
{{- end -}}

{{- define "sealwright.containerSecurityContext" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end -}}

{{/* The head of a pod's spec. Service links would add variables that the processes refuse. */}}
{{- define "sealwright.podHead" -}}
serviceAccountName: {{ include "sealwright.fullname" .root }}-{{ .name }}
automountServiceAccountToken: false
enableServiceLinks: false
{{- if kindIs "bool" .root.Values.hostUsers }}
hostUsers: {{ .root.Values.hostUsers }}
{{- end }}
{{- with .root.Values.imagePullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
securityContext:
  {{- include "sealwright.podSecurityContext" . | nindent 2 }}
{{- end -}}

{{/* A token for the API server of Kubernetes, which is replaced every hour, where clients expect it. */}}
{{- define "sealwright.tokenVolume" -}}
- name: kube-api-access
  projected:
    defaultMode: 0440
    sources:
      - serviceAccountToken:
          path: token
          expirationSeconds: 3600
      - configMap:
          name: kube-root-ca.crt
          items:
            - {key: ca.crt, path: ca.crt}
      - downwardAPI:
          items:
            - path: namespace
              fieldRef:
                fieldPath: metadata.namespace
{{- end -}}

{{- define "sealwright.tokenMount" -}}
- name: kube-api-access
  mountPath: /var/run/secrets/kubernetes.io/serviceaccount
  readOnly: true
{{- end -}}

{{/* Whether the component speaks to the API server of Kubernetes. */}}
{{- define "sealwright.hasToken" -}}
{{- if has .name (list "worker" "controller" "migrate" "prepare" "preflight") }}true{{ end -}}
{{- end -}}

{{- define "sealwright.volumes" -}}
- name: data
  emptyDir: {}
{{- if include "sealwright.secrets" . | trim }}
{{ include "sealwright.secretsVolume" . }}
{{- end }}
{{- if include "sealwright.hasToken" . }}
{{ include "sealwright.tokenVolume" . }}
{{- end }}
{{- with .root.Values.extraVolumes }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{- define "sealwright.volumeMounts" -}}
- name: data
  mountPath: {{ (include "sealwright.settings" . | fromYaml).DATA_DIR }}
{{- if include "sealwright.secrets" . | trim }}
- name: secrets
  mountPath: /etc/sealwright/secrets
  readOnly: true
{{- end }}
{{- if include "sealwright.hasToken" . }}
{{ include "sealwright.tokenMount" . }}
{{- end }}
{{- with .root.Values.extraVolumeMounts }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{/* Spread as far as there are nodes and zones: a cluster with one node is possible. */}}
{{- define "sealwright.topologySpread" -}}
{{- $selector := include "sealwright.componentSelector" . -}}
{{- range (index .root.Values .name).topologySpread }}
- maxSkew: 1
  topologyKey: {{ . }}
  whenUnsatisfiable: ScheduleAnyway
  labelSelector:
    matchLabels:
      {{- $selector | nindent 6 }}
{{- end }}
{{- end -}}

{{/* Where a component may run. */}}
{{- define "sealwright.placement" -}}
{{- $values := index .root.Values .name -}}
{{- with $values.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $values.affinity }}
affinity:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $values.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- if $values.topologySpread }}
topologySpreadConstraints:
  {{- include "sealwright.topologySpread" . | trim | nindent 2 }}
{{- end }}
{{- end -}}
