#!/bin/sh
# Starts Postgres as its usual image does: PGDATA is set up at the first start, with the user, password and database of POSTGRES_USER, _PASSWORD and _DB.
set -eu
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  umask 077
  mkdir -p "$PGDATA"
  printf '%s' "$POSTGRES_PASSWORD" > /tmp/password
  initdb --pgdata "$PGDATA" --username "$POSTGRES_USER" --pwfile /tmp/password --auth-host scram-sha-256 --auth-local trust --encoding UTF8 --locale C
  rm /tmp/password
  echo 'host all all all scram-sha-256' >> "$PGDATA/pg_hba.conf"
  echo "create database \"$POSTGRES_DB\";" | postgres --single -D "$PGDATA" postgres
fi
exec postgres -D "$PGDATA" -c listen_addresses='*' -c unix_socket_directories=/tmp "$@"
