#!/usr/bin/env bash
# Makes the images of the servers that an evaluation starts, which take the arguments of the public ones: sealwright/postgres, nats and versitygw, tag `test`.
# Usage: server-images.sh   Prints their names. Needs the images of node-image.sh.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
cache=${SEALWRIGHT_CACHE_DIR:-$HOME/.cache/sealwright}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$here/../tools/build.sh" "$cache/bin" nats-server versitygw >&2
for server in nats-server versitygw; do
  mkdir -p "$work/$server/tmp"
  cp "$cache/bin/$server" "$work/$server/"
  printf 'FROM scratch\nCOPY %s /%s\nENTRYPOINT ["/%s"]\n' $server $server $server > "$work/$server/Dockerfile"
done

# The binaries of `npm start`, on the Debian tree that also holds iptables, because that exists already.
mkdir "$work/postgres"
node "$here/../run.mjs" "$here/copy-postgres.ts" "$work/postgres/postgres" >&2
cp "$here/postgres-entrypoint.sh" "$work/postgres/"
base=$(docker images --format '{{.Repository}}:{{.Tag}}' sealwright/net-base | head -1)
cat > "$work/postgres/Dockerfile" <<DOCKERFILE
FROM $base
COPY postgres /opt/postgres
COPY postgres-entrypoint.sh /usr/local/bin/
RUN echo 'postgres:x:999:999::/tmp:/bin/sh' >> /etc/passwd && chmod 755 /usr/local/bin/postgres-entrypoint.sh && chmod -R a+rX /opt/postgres
ENV PATH=/opt/postgres/bin:/usr/bin:/bin
USER 999
ENTRYPOINT ["/usr/local/bin/postgres-entrypoint.sh"]
DOCKERFILE

for name in nats:nats-server versitygw:versitygw postgres:postgres; do
  DOCKER_BUILDKIT=0 docker build --quiet --tag "sealwright/${name%%:*}:test" "$work/${name##*:}" >&2
  echo "sealwright/${name%%:*}:test"
done
