-- Roles of a database that holds nothing but CoreSwap's index. Run it once as a superuser, in that database:
--   psql --single-transaction --set ON_ERROR_STOP=1 --file ops/roles.sql coreswap
-- Afterwards give coreswap_indexer, coreswap_api and coreswap_export a way to log in: \password, or a certificate in
-- pg_hba.conf.

CREATE ROLE coreswap_owner NOLOGIN;
CREATE ROLE coreswap_indexer LOGIN;
CREATE ROLE coreswap_api LOGIN;
CREATE ROLE coreswap_export LOGIN IN ROLE coreswap_api;

-- What a replica sets for its connections. Behind a pooler, not every session of the server gets that.
ALTER ROLE coreswap_api SET statement_timeout = '2s';

DO $$
DECLARE
  locking_or_writing regprocedure;
BEGIN
  EXECUTE format('ALTER DATABASE %I OWNER TO coreswap_owner', current_database());
  EXECUTE format('REVOKE ALL ON DATABASE %I FROM PUBLIC', current_database());
  -- The indexer creates its schemas at the start.
  EXECUTE format('GRANT CONNECT, CREATE, TEMPORARY ON DATABASE %I TO coreswap_indexer', current_database());
  EXECUTE format('GRANT CONNECT ON DATABASE %I TO coreswap_api', current_database());
  -- Any role could fill the disk with large objects, and keep an indexer from starting by its locks.
  FOR locking_or_writing IN
    SELECT oid FROM pg_proc
    WHERE pronamespace = 'pg_catalog'::regnamespace AND proname ~ '^(lo_|pg_(try_)?advisory_)'
  LOOP
    EXECUTE format('REVOKE EXECUTE ON FUNCTION %s FROM PUBLIC', locking_or_writing);
    EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO coreswap_indexer', locking_or_writing);
  END LOOP;
END
$$;

-- `pnpm export` locks its folder. Locks of two integers are apart from those of one, by which indexers wait for each other.
GRANT EXECUTE ON FUNCTION pg_advisory_lock(integer, integer) TO coreswap_export;

-- A server that was upgraded from PostgreSQL 14 or earlier lets any role create tables here.
REVOKE CREATE ON SCHEMA public FROM PUBLIC;

-- The cache of fetched blocks. It is created before the default privileges, so that the API cannot use it.
CREATE SCHEMA ponder_sync AUTHORIZATION coreswap_indexer;

-- Whatever the indexer creates from now on, in any schema, the API can read: a new version needs no new grants.
ALTER DEFAULT PRIVILEGES FOR ROLE coreswap_indexer GRANT USAGE ON SCHEMAS TO coreswap_api;
ALTER DEFAULT PRIVILEGES FOR ROLE coreswap_indexer GRANT SELECT ON TABLES TO coreswap_api;
