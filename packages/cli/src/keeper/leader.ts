/**
 * Elects the leader among several keepers of one account: the keeper whose session holds an advisory lock in
 * PostgreSQL. The server releases the lock when the session ends, for whatever reason.
 */
import { createHash } from "node:crypto";
import pg from "pg";
import type { Address } from "viem";
import { hasOwnSession } from "../../../../config/ownSession.ts";
import { Failure } from "../failure.ts";

/** Time after which a server that has not answered counts as lost. */
const TIMEOUT_MS = 5_000;

export type Standing =
  | { readonly kind: "leader" }
  | { readonly kind: "standby" }
  /** The database does not answer. */
  | { readonly kind: "unknown"; readonly reason: string };

/**
 * What a keeper may do with the lock: take it if it is free, only keep it, or give it up. One that cannot observe the
 * chain must not keep another one from acting.
 */
type Claim = "take" | "keep" | "give-up";

export interface Leadership {
  /** Whether this keeper is the leader now. */
  standing(claim: Claim): Promise<Standing>;
  /** @throws Failure unless the lock is held at this moment */
  require(): Promise<void>;
}

/** Leadership of a keeper that runs alone: it is always the leader. */
export const SOLE_LEADER: Leadership = {
  standing: async () => ({ kind: "leader" }),
  require: async () => {},
};

export class LockLeadership implements Leadership {
  readonly #databaseUrl: string;
  /** The key of the lock, as two 32-bit numbers, as PostgreSQL lists them. */
  readonly #lock: readonly [number, number];
  readonly #silenceSeconds: number;
  #client: pg.Client | null = null;

  /**
   * @param silenceSeconds time after which the server ends the session of a keeper that does not ask for its standing. The
   * lock of a keeper that stalls, or whose machine is gone without closing its connection, would otherwise stay taken.
   */
  constructor(databaseUrl: string, chainId: number, account: Address, silenceSeconds: number) {
    this.#databaseUrl = databaseUrl;
    this.#silenceSeconds = silenceSeconds;
    const hash = createHash("sha256").update(`coreswap-keeper:${chainId}:${account.toLowerCase()}`).digest();
    this.#lock = [hash.readInt32BE(0), hash.readInt32BE(4)];
  }

  async standing(claim: Claim): Promise<Standing> {
    try {
      const client = this.#client ?? (await this.#connect());
      const isHeld = await this.#holds(client);
      if (isHeld && claim !== "give-up") return { kind: "leader" };
      if (isHeld) await client.query("SELECT pg_advisory_unlock($1, $2)", [...this.#lock]);
      if (claim !== "take") return { kind: "standby" };
      const { rows } = await client.query("SELECT pg_try_advisory_lock($1, $2) AS taken", [...this.#lock]);
      return { kind: rows[0]?.taken === true ? "leader" : "standby" };
    } catch (error) {
      this.#drop();
      return { kind: "unknown", reason: messageOf(error) };
    }
  }

  async require(): Promise<void> {
    const client = this.#client;
    try {
      if (client !== null && (await this.#holds(client))) return;
    } catch {
      this.#drop();
    }
    throw new Failure("this keeper does not hold the lock in PostgreSQL, so it sends nothing");
  }

  async #connect(): Promise<pg.Client> {
    const client = new pg.Client({
      connectionString: this.#databaseUrl,
      application_name: "coreswap_keeper",
      connectionTimeoutMillis: TIMEOUT_MS,
      query_timeout: TIMEOUT_MS,
      keepAlive: true,
    });
    // Without this listener, a connection that breaks between two queries would end the process.
    client.on("error", () => {
      if (this.#client === client) this.#client = null;
    });
    await client.connect();
    this.#client = client;
    // Several keepers might share the session that holds the lock.
    if (!(await hasOwnSession(client))) {
      throw new Failure("databaseUrl leads to a pooler such as pgbouncer: connect directly to PostgreSQL");
    }
    await client.query("SELECT set_config('idle_session_timeout', $1, false)", [`${this.#silenceSeconds}s`]);
    return client;
  }

  /** Whether this session holds the lock according to the server. */
  async #holds(client: pg.Client): Promise<boolean> {
    const { rows } = await client.query(
      `SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND granted AND pid = pg_backend_pid()
       AND classid = ($1::bigint & 4294967295)::oid AND objid = ($2::bigint & 4294967295)::oid
       AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
      [...this.#lock],
    );
    return rows.length === 1;
  }

  #drop(): void {
    const client = this.#client;
    this.#client = null;
    // The session may be dead already, so errors are ignored.
    client?.end().catch(() => {});
  }
}

/** Of a host with several addresses, Node.js gives one error for each of them, and only a code for all. */
function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.message || `it did not answer (${(error as NodeJS.ErrnoException).code})`;
}
