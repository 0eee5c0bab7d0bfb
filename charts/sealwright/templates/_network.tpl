{{/* NetworkPolicies: what each component may reach. */}}

{{/* `.`: root, name (component), annotations (YAML, perhaps empty), egress (names of destinations) and ingress (YAML, perhaps empty). */}}
{{- define "sealwright.networkPolicy" -}}
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata:
  name: {{ include "sealwright.fullname" .root }}-{{ .name }}
  namespace: {{ .root.Release.Namespace }}
  labels:
    {{- include "sealwright.componentLabels" . | nindent 4 }}
  {{- with .annotations }}
  {{- . | nindent 2 }}
  {{- end }}
spec:
  podSelector:
    matchLabels:
      {{- include "sealwright.componentSelector" . | nindent 6 }}
  policyTypes: [Ingress, Egress]
  {{- with .ingress }}
  ingress:
    {{- . | nindent 4 }}
  {{- end }}
  {{- if .egress }}
  egress:
    {{- include "sealwright.egressDns" . | nindent 4 }}
    {{- $root := .root }}
    {{- range .egress }}
    {{- with include "sealwright.egress" (dict "root" $root "to" .) | trim }}
    {{- . | nindent 4 }}
    {{- end }}
    {{- end }}
  {{- end }}
{{- if and .root.Values.networkPolicy.cilium (has "apiServer" .egress) }}
---
{{ include "sealwright.ciliumPolicy" . }}
{{- end }}
{{- end -}}

{{/* Cilium knows the API server without its addresses. `.`: as for networkPolicy. */}}
{{- define "sealwright.ciliumPolicy" -}}
apiVersion: cilium.io/v2
kind: CiliumNetworkPolicy
metadata:
  name: {{ include "sealwright.fullname" .root }}-{{ .name }}
  namespace: {{ .root.Release.Namespace }}
  labels:
    {{- include "sealwright.componentLabels" . | nindent 4 }}
  {{- with .annotations }}
  {{- . | nindent 2 }}
  {{- end }}
spec:
  endpointSelector:
    matchLabels:
      {{- include "sealwright.componentSelector" . | nindent 6 }}
  egress:
    - toEntities: [kube-apiserver]
{{- end -}}

{{- define "sealwright.egressDns" -}}
{{- $dns := .root.Values.networkPolicy.dns -}}
{{ include "sealwright.egressTo" (dict "cidrs" $dns.cidrs "peers" $dns.peers "ports" $dns.ports "protocols" (list "UDP" "TCP")) }}
{{- end -}}

{{/* `.`: root and to, the name of a destination. */}}
{{- define "sealwright.egress" -}}
{{- $policy := .root.Values.networkPolicy -}}
{{- if and (eq .to "apiServer") $policy.cilium -}}
{{- else if eq .to "apiServer" -}}
{{ include "sealwright.egressTo" (dict "cidrs" $policy.apiServerCidrs "peers" list "ports" (list 443 6443)) }}
{{- else if eq .to "webhooks" -}}
{{ include "sealwright.egressWebhooks" .root }}
{{- else if eq .to "api" -}}
{{ include "sealwright.egressComponent" (dict "root" .root "component" "api" "port" (include "sealwright.settings" (dict "root" .root "name" "api") | fromYaml).PORT) }}
{{- else if eq .to "receiver" -}}
{{ include "sealwright.egressComponent" (dict "root" .root "component" "test" "port" 8443) }}
{{- else if and .root.Values.evaluation.enabled (has .to (list "database" "nats" "objectStore")) -}}
{{- $server := get (dict "database" (list "postgres" 5432) "nats" (list "nats" 4222) "objectStore" (list "object-store" 7070)) .to -}}
{{ include "sealwright.egressComponent" (dict "root" .root "component" (first $server) "port" (last $server)) }}
{{- else -}}
{{- $destination := index $policy .to -}}
{{ include "sealwright.egressTo" (dict "cidrs" $destination.cidrs "peers" $destination.peers "ports" (include "sealwright.portsOf" . | fromJsonArray)) }}
{{- end -}}
{{- end -}}

{{/* `.`: cidrs, peers, ports and perhaps protocols. */}}
{{- define "sealwright.egressTo" -}}
- ports:
    {{- range $protocol := .protocols | default (list "TCP") }}
    {{- range $.ports }}
    - {protocol: {{ $protocol }}, port: {{ . }}}
    {{- end }}
    {{- end }}
  {{- if or .cidrs .peers }}
  to:
    {{- range .cidrs }}
    - ipBlock: {cidr: {{ . | quote }}}
    {{- end }}
    {{- with .peers }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
  {{- end }}
{{- end -}}

{{/* The ports of a destination, as a JSON list. `.`: root and to. */}}
{{- define "sealwright.portsOf" -}}
{{- $ports := (index .root.Values.networkPolicy .to).ports -}}
{{- if eq .to "nats" }}{{ $ports = concat $ports (include "sealwright.portsOfNats" .root | fromJsonArray) }}{{ end -}}
{{- if eq .to "objectStore" }}{{ $ports = append $ports (include "sealwright.portOfUrl" .root.Values.objectStore.endpoint | int) }}{{ end -}}
{{- $numbers := list -}}
{{- range $ports }}{{ $numbers = append $numbers (int .) }}{{ end -}}
{{- toJson (uniq $numbers) -}}
{{- end -}}

{{/* The destinations besides the API server that are any address on their ports, one sentence in a line. `.` is the root. */}}
{{- define "sealwright.openDestinations" -}}
{{- $values := .Values -}}
{{- $users := dict "dns" "all pods" -}}
{{- if not $values.evaluation.enabled -}}
  {{- $users = merge $users (dict "database" "all pods" "nats" "worker and relay" "objectStore" "api, worker and controller") -}}
  {{- if include "sealwright.sendsMail" . }}{{ $_ := set $users "smtp" "relay" }}{{ end -}}
{{- end -}}
{{- if include "sealwright.hasIdentityProvider" . }}{{ $_ := set $users "identityProvider" "api" }}{{ end -}}
{{- range $to, $who := $users }}
{{- $destination := index $values.networkPolicy $to }}
{{- if not (or $destination.cidrs $destination.peers) }}
- networkPolicy.{{ $to }} has no cidrs and no peers: {{ $who }} may connect to any address on port {{ include "sealwright.portsOf" (dict "root" $ "to" $to) | fromJsonArray | join ", " }}.
{{- end }}
{{- end }}
{{- end -}}

{{- define "sealwright.sendsMail" -}}
{{- if and (not .Values.evaluation.enabled) (ne (toString .Values.settings.mailKeep) "true") }}true{{ end -}}
{{- end -}}

{{- define "sealwright.hasIdentityProvider" -}}
{{- if or .Values.oidc.issuer .Values.tokenIssuers }}true{{ end -}}
{{- end -}}

{{/* To pods of this release. `.`: root, component and port. */}}
{{- define "sealwright.egressComponent" -}}
- ports:
    - {protocol: TCP, port: {{ .port }}}
  to:
    - podSelector:
        matchLabels:
          {{- include "sealwright.componentSelector" (dict "root" .root "name" .component) | nindent 10 }}
{{- end -}}

{{/* Public addresses on any port, and the networks that the settings allow. The address check of the service is the first barrier, this the second. */}}
{{- define "sealwright.egressWebhooks" -}}
{{- $private := list "0.0.0.0/8" "10.0.0.0/8" "100.64.0.0/10" "127.0.0.0/8" "169.254.0.0/16" "172.16.0.0/12" "192.0.0.0/24" "192.168.0.0/16" "198.18.0.0/15" "224.0.0.0/4" "240.0.0.0/4" -}}
{{- $denied := .Values.networkPolicy.deniedEgressCidrs -}}
- to:
    - ipBlock:
        cidr: 0.0.0.0/0
        except:
          {{- range $private }}
          - {{ . }}
          {{- end }}
          {{- range $denied }}
          {{- if not (contains ":" .) }}
          - {{ . }}
          {{- end }}
          {{- end }}
    - ipBlock:
        cidr: 2000::/3
        {{- $denied6 := list }}
        {{- range $denied }}{{ if contains ":" . }}{{ $denied6 = append $denied6 . }}{{ end }}{{ end }}
        {{- with $denied6 }}
        except:
          {{- range . }}
          - {{ . | quote }}
          {{- end }}
        {{- end }}
    {{- range include "sealwright.allowedCidrs" . | fromJsonArray }}
    - ipBlock: {cidr: {{ . | quote }}}
    {{- end }}
{{- end -}}

{{/* `settings.webhookAllowedCidrs` as a JSON list of CIDRs; it may be a text with commas, and have single addresses. */}}
{{- define "sealwright.allowedCidrs" -}}
{{- $networks := list -}}
{{- $text := include "sealwright.settingText" (.Values.settings.webhookAllowedCidrs | default "") -}}
{{- range compact (splitList "," $text) -}}
  {{- $entry := trim . -}}
  {{- if not (contains "/" $entry) }}{{ $entry = printf "%s/%s" $entry (ternary "128" "32" (contains ":" $entry)) }}{{ end -}}
  {{- $networks = append $networks $entry -}}
{{- end -}}
{{- toJson $networks -}}
{{- end -}}

{{/* The ports of the NATS servers, as a JSON list. */}}
{{- define "sealwright.portsOfNats" -}}
{{- $ports := list -}}
{{- range splitList "," .Values.nats.url -}}
  {{- $ports = append $ports (regexFind "[0-9]+$" (trim .) | default "4222" | int) -}}
{{- end -}}
{{- toJson $ports -}}
{{- end -}}

{{/* The port of an http or https URL. `.` is the URL. */}}
{{- define "sealwright.portOfUrl" -}}
{{- $url := urlParse . -}}
{{- regexFind "[0-9]+$" (regexFind ":[0-9]+$" $url.host) | default (ternary "443" "80" (eq $url.scheme "https")) -}}
{{- end -}}
