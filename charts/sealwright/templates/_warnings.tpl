{{/* Values that NOTES.txt points out, one in a line. `.` is the root. */}}
{{- define "sealwright.warnings" -}}
{{- $name := include "sealwright.fullname" . -}}
{{- $values := .Values -}}
{{- if not $values.evaluation.enabled }}
{{- if not $values.installationKey.existingSecret }}
- The key that encrypts the database is in the Secret {{ $name }}-installation-key. Back it up: without it the database cannot be used.
{{- end }}
{{- if and (not $values.smtp.existingSecret) (ne (toString $values.settings.mailKeep) "true") }}
- smtp.existingSecret is not set: the pods do not start without a mail server.
{{- end }}
{{- if eq (toString $values.settings.mailKeep) "true" }}
- settings.mailKeep is true: no email is sent.
{{- end }}
{{- $owners := list -}}
{{- range list "api" "worker" "relay" "controller" }}
{{- if not (index $values .).database.existingSecret }}{{ $owners = append $owners . }}{{ end -}}
{{- end }}
{{- with $owners }}
- {{ join ", " . }}: no database.existingSecret of its own, so the pods sign in to Postgres as the owner of the tables. docs/installation.md makes users for them.
{{- end }}
{{- if not $values.signingKey.existingSecret }}
- signingKey.existingSecret is not set: seals are made with a self-signed key until you create a SigningKey.
{{- end }}
{{- if hasPrefix "http:" $values.publicUrl }}
- publicUrl is not https: links and sessions can be read on their way.
{{- end }}
{{- end }}
{{- if not $values.networkPolicy.enabled }}
- networkPolicy.enabled is false: every pod of the cluster can reach these pods, and they can reach everything.
{{- else }}
{{- if not (or $values.networkPolicy.apiServerCidrs $values.networkPolicy.cilium) }}
- networkPolicy.apiServerCidrs is empty: worker and controller may connect to any address on ports 443 and 6443.
{{- end }}
{{- with include "sealwright.openDestinations" . | trim }}
{{ . }}
{{- end }}
{{- if not $values.networkPolicy.apiFrom }}
- networkPolicy.apiFrom is empty: any address, so every pod of the cluster, may connect to the API.
{{- end }}
{{- if not $values.networkPolicy.metricsFrom }}
- networkPolicy.metricsFrom is empty: any address, so every pod of the cluster, may read the metrics.
{{- end }}
{{- end }}
{{- if not $values.admissionPolicy.enabled }}
- admissionPolicy.enabled is false: changes of what Postgres decides are undone instead of refused.
{{- end }}
{{- if and $values.crds.enabled (not $values.crds.keep) }}
- crds.keep is false: an uninstall deletes all custom resources of the cluster.
{{- end }}
{{- $metrics := $values.metrics }}
{{- if and (or $metrics.serviceMonitor.enabled $metrics.prometheusRule.enabled) (not (.Capabilities.APIVersions.Has "monitoring.coreos.com/v1")) }}
- The cluster has no monitoring.coreos.com/v1: no ServiceMonitor and no PrometheusRule were made.
{{- end }}
{{- if $values.crds.enabled }}
{{- range $definition := list "webhooksubscriptions.sealwright.io" "signingkeys.sealwright.io" }}
{{- if include "sealwright.isOwnedElsewhere" (dict "root" $ "name" $definition) }}
- {{ $definition }} belongs to another release, which has to be upgraded first.
{{- end }}
{{- end }}
{{- end }}
{{- end -}}
