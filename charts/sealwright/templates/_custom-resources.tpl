{{/* Not empty if another release of the cluster installed the definition. `.`: root and name. Without a cluster, as in `helm template`, it is empty. */}}
{{- define "sealwright.isOwnedElsewhere" -}}
{{- $existing := lookup "apiextensions.k8s.io/v1" "CustomResourceDefinition" "" .name -}}
{{- with ($existing.metadata | default dict).annotations -}}
{{- $namespace := get . "meta.helm.sh/release-namespace" -}}
{{- if and $namespace (ne (printf "%s/%s" $namespace (get . "meta.helm.sh/release-name")) (printf "%s/%s" $.root.Release.Namespace $.root.Release.Name)) }}true{{ end -}}
{{- end -}}
{{- end -}}
