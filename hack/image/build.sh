#!/usr/bin/env bash
# Makes the image without any registry: base and product as one tree, imported into the local Docker engine with the configuration of the Dockerfile.
# Usage: build.sh [NAME]   Prints the name. TREE=FOLDER keeps the tree.
set -euo pipefail
cd "$(dirname "$0")/../.."
name=${1:-sealwright:dev}
tree=${TREE:-$(mktemp -d)}
[ -n "${TREE:-}" ] || trap 'rm -rf "$tree"' EXIT

hack/image/base.sh "$tree" >&2
node hack/run.mjs hack/image/assemble.ts "$tree" >&2
chmod 755 "$tree"

# The last stage of the Dockerfile, without the instructions that make its tree.
changes=()
while IFS= read -r instruction; do changes+=(--change "$instruction"); done \
  < <(sed -n '/^FROM \${BASE_IMAGE}/,$p' hack/image/Dockerfile | grep -v '^FROM\|^COPY\|^$')
tar --create --numeric-owner --owner=0 --group=0 --sort=name --directory "$tree" . | docker import "${changes[@]}" - "$name" >/dev/null
echo "$name"
