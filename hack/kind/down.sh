#!/usr/bin/env bash
# Deletes the cluster; with --docker also stops the engine that docker-up.sh started. Usage: down.sh [CLUSTER] [--docker]
set -euo pipefail
cache=${SEALWRIGHT_CACHE_DIR:-$HOME/.cache/sealwright}
name=sealwright stop=
for arg in "$@"; do
  if [ "$arg" = --docker ]; then stop=1; else name=$arg; fi
done
KUBECONFIG=$cache/kind/kubeconfig-$name "$cache/bin/kind" delete cluster --name "$name"
rm -f "$cache/kind/kubeconfig-$name"
if [ -n "$stop" ] && [ -f "$cache/kind/dockerd.pid" ]; then
  pid=$(cat "$cache/kind/dockerd.pid")
  kill "$pid"
  while kill -0 "$pid" 2>/dev/null; do sleep 0.2; done
  rm -f "$cache/kind/dockerd.pid"
fi
