#!/bin/sh
# Runs once, when the data directory of the primary is created: the roles with their passwords, and who may replicate.
set -eu
psql --quiet --set ON_ERROR_STOP=1 --single-transaction --dbname coreswap --username postgres --file /etc/coreswap/roles.sql
for role in indexer api; do
  psql --quiet --set ON_ERROR_STOP=1 --dbname coreswap --username postgres \
    --set role="coreswap_$role" --set password="$(cat "/run/secrets/${role}_password")" <<'SQL'
ALTER ROLE :"role" PASSWORD :'password';
SQL
done
psql --quiet --set ON_ERROR_STOP=1 --dbname coreswap --username postgres \
  --set password="$(cat /run/secrets/replication_password)" <<'SQL'
CREATE ROLE coreswap_replication LOGIN REPLICATION PASSWORD :'password';
SELECT pg_create_physical_replication_slot('standby_1');
SQL
echo 'host replication coreswap_replication all scram-sha-256' >>"$PGDATA/pg_hba.conf"
