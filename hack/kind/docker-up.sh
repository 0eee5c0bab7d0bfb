#!/usr/bin/env bash
# Starts a Docker engine if none is running, and installs Debian's if there is none. Needs root.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
cache=${SEALWRIGHT_CACHE_DIR:-$HOME/.cache/sealwright}
folder=$cache/kind
mkdir -p "$folder"

if docker info >/dev/null 2>&1; then
  exit 0
fi
if ! command -v dockerd >/dev/null || ! command -v iptables >/dev/null; then
  apt-get update -q
  DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends docker.io containerd runc iptables python3-minimal
fi

# Where CAP_SYS_RESOURCE is withheld, privileged containers do not start without our runtime.
bounding=$(sed -n 's/^CapBnd:\s*//p' /proc/self/status)
if (( (0x$bounding >> 24) & 1 )); then
  echo '{}' > "$folder/daemon.json"
else
  install -m 755 "$here/runc-nosysres" "$folder/runc-nosysres"
  cat > "$folder/daemon.json" <<JSON
{ "default-runtime": "nosysres", "runtimes": { "nosysres": { "path": "$folder/runc-nosysres" } }, "oom-score-adjust": 0 }
JSON
fi
setsid nohup dockerd --config-file "$folder/daemon.json" > "$folder/dockerd.log" 2>&1 < /dev/null &
echo $! > "$folder/dockerd.pid"
for _ in $(seq 60); do
  docker info >/dev/null 2>&1 && exit 0
  sleep 0.5
done
tail -20 "$folder/dockerd.log" >&2
echo "dockerd did not start" >&2
exit 1
