#!/bin/sh
# Copies the primary when the data directory is empty, then runs the given server on it. A copy that was interrupted
# leaves no PG_VERSION in place: it is made in a folder of its own and moved when it is complete.
set -eu
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  rm -rf "${PGDATA:?}"/* "$PGDATA"/.copy
  password=$(cat /run/secrets/replication_password)
  export PGPASSWORD="$password"
  pg_basebackup --host "$PRIMARY_HOST" --port "${PRIMARY_PORT:-5432}" --username coreswap_replication \
    --pgdata "$PGDATA/.copy" --wal-method stream --checkpoint fast --slot standby_1 --write-recovery-conf --no-password
  chmod 700 "$PGDATA"
  mv "$PGDATA"/.copy/PG_VERSION "$PGDATA"/.PG_VERSION
  mv "$PGDATA"/.copy/* "$PGDATA"/
  rmdir "$PGDATA"/.copy
  mv "$PGDATA"/.PG_VERSION "$PGDATA"/PG_VERSION
  unset PGPASSWORD
fi
exec "$@"
