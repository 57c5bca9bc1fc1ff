/** All parts. The longest come first, so that two parts that run at once end at about the same time. */
import type { Part } from "../harness/part.ts";
import { backfill } from "./backfill.ts";
import { ci } from "./ci.ts";
import { fleet } from "./fleet.ts";
import { http } from "./http.ts";
import { kill } from "./kill.ts";
import { postgres } from "./postgres.ts";
import { reorgs } from "./reorgs.ts";
import { replicas } from "./replicas.ts";
import { rpc, rpcBackfill } from "./rpc.ts";
import { soak } from "./soak.ts";

export const PARTS: readonly Part[] = [
  rpc,
  soak,
  rpcBackfill,
  postgres,
  kill,
  reorgs,
  http,
  fleet,
  replicas,
  backfill,
  ci,
];
