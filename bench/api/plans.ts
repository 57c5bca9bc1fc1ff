/** Plans of both endpoints on every data set, after a check of the data. */
import { Client } from "pg";
import type { ApiNetwork } from "../../src/api/shared/networks.ts";
import { Explainer } from "../../test/support/explain.ts";
import { assertConsistent, assertSameVolume } from "./consistency.ts";
import { explainPages, type PagePlans } from "./pages.ts";
import { type Distribution, distributionOf } from "./statistics.ts";
import { blocksOfRange, plainSumStatement, volumeStatement } from "./volume.ts";

/** From the sixth execution on, the server chooses between a plan for the values and a generic one. */
const WARM_UPS = 8;
const VOLUME_RUNS = 101;
const PLAIN_RUNS = 5;

export interface SizePlans {
  readonly legs: number;
  readonly volume: { readonly executionMs: Distribution; readonly buffers: number };
  readonly plainSum: { readonly executionMs: Distribution; readonly buffers: number };
  readonly pages: PagePlans;
}

export async function explainSizes(
  databases: readonly [legs: number, url: string][],
  network: ApiNetwork,
): Promise<SizePlans[]> {
  const clients = databases.map(([legs, connectionString]) => ({ legs, client: new Client({ connectionString }) }));
  try {
    for (const { client } of clients) await client.connect();
    return await explainOver(clients, network);
  } finally {
    for (const { client } of clients) await client.end();
  }
}

async function explainOver(
  clients: readonly { readonly legs: number; readonly client: Client }[],
  network: ApiNetwork,
): Promise<SizePlans[]> {
  const sizes = [];
  for (const { legs, client } of clients) {
    await assertConsistent(client, legs);
    const { statement, reading } = await volumeStatement(client, network);
    const blocks = await blocksOfRange(client);
    await assertSameVolume(client, reading, blocks);
    sizes.push({
      legs,
      client,
      explainer: new Explainer(client),
      volume: statement,
      plainSum: plainSumStatement(blocks),
    });
  }

  const measured = sizes.map(() => ({ volumeMs: [] as number[], plainMs: [] as number[], volume: 0, plain: 0 }));
  // In turn, so that other load on the machine affects all sizes.
  for (let run = -WARM_UPS; run < VOLUME_RUNS; run++) {
    for (const [index, { explainer, volume }] of sizes.entries()) {
      const { executionMs, buffers } = await explainer.explain(volume, "auto");
      const figures = measured[index];
      if (figures === undefined || run < 0) continue;
      figures.volumeMs.push(executionMs);
      figures.volume = buffers;
    }
  }
  for (let run = -1; run < PLAIN_RUNS; run++) {
    for (const [index, { explainer, plainSum }] of sizes.entries()) {
      const { executionMs, buffers } = await explainer.explain(plainSum, "auto");
      const figures = measured[index];
      if (figures === undefined || run < 0) continue;
      figures.plainMs.push(executionMs);
      figures.plain = buffers;
    }
  }

  const plans: SizePlans[] = [];
  for (const [index, { legs, client, explainer }] of sizes.entries()) {
    const figures = measured[index];
    if (figures === undefined) continue;
    plans.push({
      legs,
      volume: { executionMs: distributionOf(figures.volumeMs), buffers: figures.volume },
      plainSum: { executionMs: distributionOf(figures.plainMs), buffers: figures.plain },
      pages: await explainPages(client, explainer, network),
    });
  }
  return plans;
}
