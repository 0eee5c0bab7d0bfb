#!/usr/bin/env bash
# Creates a kind cluster from our own node image, and builds what is missing. Usage: up.sh [CLUSTER]   Prints the path of its kubeconfig.
# WORKERS=n adds worker nodes.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
name=${1:-sealwright}
cache=${SEALWRIGHT_CACHE_DIR:-$HOME/.cache/sealwright}
export KUBECONFIG=$cache/kind/kubeconfig-$name
image=$("$here/node-image.sh" | tail -1)
if ! "$cache/bin/kind" get clusters 2>/dev/null | grep -qx "$name"; then
  {
    cat "$here/kind-config.yaml"
    for ((i = 0; i < ${WORKERS:-0}; i++)); do echo "  - role: worker"; done
  } | "$cache/bin/kind" create cluster --name "$name" --image "$image" --config - --wait 180s >&2
fi
echo "$KUBECONFIG"
