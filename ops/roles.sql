-- Roles of a database that holds nothing but CoreSwap's index. Run it once as a superuser, in that database:
--   psql --single-transaction --set ON_ERROR_STOP=1 --file ops/roles.sql coreswap
-- Afterwards give coreswap_indexer and coreswap_api a way to log in: \password, or a certificate in pg_hba.conf.

CREATE ROLE coreswap_owner NOLOGIN;
CREATE ROLE coreswap_indexer LOGIN;
CREATE ROLE coreswap_api LOGIN;

DO $$
BEGIN
  EXECUTE format('ALTER DATABASE %I OWNER TO coreswap_owner', current_database());
  EXECUTE format('REVOKE ALL ON DATABASE %I FROM PUBLIC', current_database());
  -- The indexer creates its schemas at the start.
  EXECUTE format('GRANT CONNECT, CREATE, TEMPORARY ON DATABASE %I TO coreswap_indexer', current_database());
  EXECUTE format('GRANT CONNECT ON DATABASE %I TO coreswap_api', current_database());
END
$$;

-- The cache of fetched blocks. It is created before the default privileges, so that the API cannot use it.
CREATE SCHEMA ponder_sync AUTHORIZATION coreswap_indexer;

-- Whatever the indexer creates from now on, in any schema, the API can read: a new version needs no new grants.
ALTER DEFAULT PRIVILEGES FOR ROLE coreswap_indexer GRANT USAGE ON SCHEMAS TO coreswap_api;
ALTER DEFAULT PRIVILEGES FOR ROLE coreswap_indexer GRANT SELECT ON TABLES TO coreswap_api;
