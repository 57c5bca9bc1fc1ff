/** Compares the NAVs of every RWA with the logs of its price adapters. */
import type { Schemas } from "@coreswap/client";
import { type Address, parseAbi, parseAbiItem } from "viem";
import { expect } from "vitest";
import { timeText } from "../../support/time.ts";
import { chainClient } from "../oracle/chain.ts";
import type { NetworkSource } from "../oracle/network.ts";
import type { ApiClient } from "./api.ts";

const navPosted = parseAbiItem("event NavPosted(uint256 navWad, address indexed poster)");
const adapterAbi = parseAbi(["function navWad() view returns (uint192)", "function postedAt() view returns (uint64)"]);

/**
 * Checks that the API lists every NAV posted to each adapter in force, and that the newest one is the NAV that the
 * adapter stores. Returns the number of posts.
 */
export async function compareNavs(
  api: ApiClient,
  network: string,
  source: Pick<NetworkSource, "rpcUrl">,
): Promise<number> {
  const client = chainClient(source.rpcUrl);
  const { rwas } = await api.json<Schemas["Assets"]>(`/v1/assets?network=${network}`);
  const now = Math.floor(Date.now() / 1000);
  let posts = 0;
  for (const { rwaId, priceAdapter } of rwas) {
    const range = `from=${timeText(now - 365 * 86_400)}&to=${timeText(now)}`;
    const history = await api.json<Schemas["NavHistory"]>(`/v1/assets/${rwaId}/navs?network=${network}&${range}`);
    expect([history.before, history.hasMore]).toEqual([null, false]);
    const first = history.changes.at(-1);
    expect(first).toMatchObject({ kind: "adapter", priceAdapter });
    const address = priceAdapter as Address;
    const logs = await client.getLogs({ address, event: navPosted, fromBlock: 0n, strict: true });
    const since = (block: bigint, index: number) =>
      block > BigInt(first?.blockNumber ?? 0) ||
      (block === BigInt(first?.blockNumber ?? 0) && index > Number(first?.logIndex));
    const expected = logs
      .filter((log) => since(log.blockNumber, log.logIndex))
      .map((log) => ({
        transactionHash: log.transactionHash,
        navWad: String(log.args.navWad),
        poster: log.args.poster.toLowerCase(),
      }));
    const shown = history.changes
      .filter(({ kind }) => kind === "post")
      .map(({ transactionHash, navWad, poster }) => ({ transactionHash, navWad, poster }));
    expect(shown).toEqual(expected.toReversed());
    posts += shown.length;
    if (logs.length === 0) {
      expect(history.changes[0]).toMatchObject({ navWad: null, navPostedAt: null, poster: null });
      continue;
    }
    const [navWad, postedAt] = await Promise.all([
      client.readContract({ address, abi: adapterAbi, functionName: "navWad" }),
      client.readContract({ address, abi: adapterAbi, functionName: "postedAt" }),
    ]);
    expect(history.changes[0]).toMatchObject({ navWad: String(navWad), navPostedAt: timeText(postedAt) });
  }
  return posts;
}
