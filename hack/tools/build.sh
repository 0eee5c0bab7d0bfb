#!/usr/bin/env bash
# Builds test servers and tools from Go modules that go.sum pins, all in one module so that they share compiled packages. Usage: build.sh
# OUTPUT-FOLDER NAME...
set -euo pipefail
[ $# -ge 2 ] || { echo "usage: build.sh OUTPUT-FOLDER NAME..." >&2; exit 2; }
mkdir -p "$1"
out=$(cd "$1" && pwd)
shift
cd "$(dirname "$0")"

version() { go list -m -f '{{.Version}}' "$1"; }
kube=$(version k8s.io/kubernetes)
flags="-s -w -X helm.sh/helm/v3/internal/version.version=$(version helm.sh/helm/v3)"
for p in k8s.io/component-base/version k8s.io/client-go/pkg/version; do
  flags+=" -X $p.gitVersion=$kube -X $p.gitMajor=1 -X $p.gitMinor=$(cut -d. -f2 <<<"$kube")"
  flags+=" -X $p.gitTreeState=clean -X $p.buildDate=1970-01-01T00:00:00Z"
done

for name in "$@"; do
  case $name in
    kubeconform) package=github.com/yannh/kubeconform/cmd/kubeconform ;;
    kube*) package=k8s.io/kubernetes/cmd/$name ;;
    etcd) package=go.etcd.io/etcd/server/v3 ;;
    nats-server) package=github.com/nats-io/nats-server/v2 ;;
    versitygw) package=github.com/versity/versitygw/cmd/versitygw ;;
    helm) package=helm.sh/helm/v3/cmd/helm ;;
    kind) package=sigs.k8s.io/kind ;;
    local-path-provisioner) package=github.com/rancher/local-path-provisioner ;;
    coredns | crictl | netd | pause | probe) package=./$name ;;
    *) echo "unknown: $name" >&2; exit 2 ;;
  esac
  started=$SECONDS extra=
  # The version variable of two of these is in package main. Helm renders for this version of Kubernetes where there is no cluster.
  case $name in
    versitygw) extra="-X main.Version=$(version github.com/versity/versitygw)" ;;
    helm)
      for p in chartutil lint/rules; do
        extra+=" -X helm.sh/helm/v3/pkg/$p.k8sVersionMajor=1 -X helm.sh/helm/v3/pkg/$p.k8sVersionMinor=$(cut -d. -f2 <<<"$kube")"
      done ;;
    kubeconform) extra="-X main.version=$(version github.com/yannh/kubeconform)" ;;
  esac
  CGO_ENABLED=0 GOTOOLCHAIN=local go build -mod=readonly -buildvcs=false -trimpath -ldflags "$flags $extra" -o "$out/$name" "$package" \
    2> >(grep -v '^go: downloading' >&2)
  echo "$name $((SECONDS - started)) s"
done
