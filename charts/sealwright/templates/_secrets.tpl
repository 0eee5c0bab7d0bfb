{{/* Which secrets a component has: one volume with files, and the variables that name them. `.` is root and name. */}}

{{- define "sealwright.secrets" -}}
{{- $values := .root.Values -}}
{{- if $values.evaluation.enabled }}
{{- include "sealwright.evaluationSecrets" . }}
{{- else }}
{{- include "sealwright.serverSecrets" . }}
{{- end }}
{{- if has .name (list "api" "worker" "relay" "controller" "test") }}
- {secret: {{ include "sealwright.installationKeySecret" .root }}, key: {{ $values.installationKey.key }}, file: installation-key, variable: INSTALLATION_KEY_FILE}
{{- with $values.installationKey.previousKey }}
- {secret: {{ include "sealwright.installationKeySecret" $.root }}, key: {{ . }}, file: previous-installation-key, variable: PREVIOUS_INSTALLATION_KEY_FILE}
{{- end }}
{{- with $values.smtp.existingSecret }}
- {secret: {{ . }}, key: {{ $values.smtp.key }}, file: smtp-url, variable: SMTP_URL_FILE}
{{- end }}
{{- end }}
{{- if eq .name "worker" }}
{{- with $values.signingKey.existingSecret }}
- {secret: {{ . }}, key: {{ $values.signingKey.key }}, file: signing-key.p12}
- {secret: {{ . }}, key: {{ $values.signingKey.passwordKey }}, file: signing-key-password, variable: SIGNING_KEY_P12_PASSWORD_FILE}
{{- end }}
{{- end }}
{{- if eq .name "api" }}
{{- with $values.oidc.existingSecret }}
- {secret: {{ . }}, key: {{ $values.oidc.key }}, file: oidc-client-secret, variable: OIDC_CLIENT_SECRET_FILE}
{{- end }}
{{- end }}
{{- end -}}

{{/* Those of Postgres, NATS and the object store. */}}
{{- define "sealwright.serverSecrets" -}}
{{- $values := .root.Values -}}
{{- if has .name (list "api" "worker" "relay" "controller" "migrate" "preflight" "test") }}
{{- $database := include "sealwright.databaseSecret" . | fromYaml }}
- {secret: {{ $database.existingSecret }}, key: {{ $database.key }}, file: database-url, variable: DATABASE_URL_FILE}
{{- end }}
{{- if has .name (list "api" "worker" "controller" "test") }}
- {secret: {{ $values.objectStore.existingSecret }}, key: secretAccessKey, file: s3-secret-access-key, variable: S3_SECRET_ACCESS_KEY_FILE}
{{- end }}
{{- if and (has .name (list "worker" "relay")) $values.nats.existingSecret }}
- {secret: {{ $values.nats.existingSecret }}, key: {{ $values.nats.key }}, file: nats.creds}
{{- end }}
{{- end -}}

{{/* The Secret with the URL of Postgres: the component's own, else the owner's. The test signs in as the controller. `.` is root and name. */}}
{{- define "sealwright.databaseSecret" -}}
{{- $component := ternary "controller" .name (eq .name "test") -}}
{{- $own := (index .root.Values $component | default dict).database | default dict -}}
{{- toYaml (ternary $own .root.Values.database (not (empty $own.existingSecret))) -}}
{{- end -}}

{{- define "sealwright.secretVariables" -}}
{{- if .root.Values.evaluation.enabled }}{{ include "sealwright.evaluationVariables" . }}{{ end }}
{{- range include "sealwright.secrets" . | fromYamlArray }}
{{- if .variable }}
- name: SEALWRIGHT_{{ .variable }}
  value: /etc/sealwright/secrets/{{ .file }}
{{- end }}
{{- end }}
{{- if has .name (list "api" "worker" "controller" "test") }}
- name: SEALWRIGHT_S3_ACCESS_KEY_ID
  valueFrom:
    secretKeyRef:
      name: {{ ternary (include "sealwright.evaluationSecret" .root) .root.Values.objectStore.existingSecret .root.Values.evaluation.enabled }}
      key: accessKeyId
{{- end }}
{{- end -}}

{{/* Readable for the group of the pod's volumes, and for an arbitrary user of OpenShift. */}}
{{- define "sealwright.secretsVolume" -}}
- name: secrets
  projected:
    defaultMode: 0440
    sources:
      {{- range include "sealwright.secrets" . | fromYamlArray }}
      - secret:
          name: {{ .secret }}
          items:
            - {key: {{ .key }}, path: {{ .file }}}
      {{- end }}
{{- end -}}
