/** Waits until an API has caught up with its chains, and compares it with the oracle at that point. */
import type { NetworkName } from "../../../config/networks.ts";
import { timeText } from "../../support/time.ts";
import { consultOracle, type NetworkOracle, type NetworkSource } from "../oracle/network.ts";
import { type ApiClient, apiNetwork } from "./api.ts";
import { describeDifference, firstDifference } from "./compare.ts";
import { waitUntil } from "./poll.ts";
import { probingRanges, type VolumeExpectation, verifyHistory, verifyVolume } from "./verify.ts";

const RANGE_COUNT = 22;

/**
 * Waits until the newest transaction of the chain appears in the answers and every price has been read. Readiness comes
 * earlier: it waits for neither blocks that are not final nor prices.
 */
export async function waitUntilCaughtUp(api: ApiClient, network: NetworkName, source: NetworkSource): Promise<void> {
  const oracle = await consultOracle(source);
  await waitUntil(`${network} is caught up`, () => missingOf(api, network, oracle));
}

/** Says what the answers still lack: the newest transaction of the chain, or the price of a leg. Null if neither. */
export async function missingOf(
  api: ApiClient,
  network: NetworkName,
  { transactions, legs }: NetworkOracle,
): Promise<string | null> {
  const newest = transactions[0]?.transactionHash;
  const [transaction] = (await api.history(apiNetwork(network), { limit: 1 })).transactions;
  if (transaction?.transactionHash !== newest) return `the newest is ${transaction?.transactionHash}, not ${newest}`;
  const { pricingComplete, missingPriceAssetIds } = await api.volume(apiNetwork(network), {
    from: timeText(legs[0]?.timestamp ?? 0n),
    to: timeText((legs.at(-1)?.timestamp ?? 0n) + 1n),
  });
  return pricingComplete ? null : `there is no price of ${missingPriceAssetIds.join(", ")}`;
}

/** Waits until the whole history equals that of the current chain. Nothing may be sent meanwhile. */
export async function waitForHistory(
  api: ApiClient,
  network: NetworkName,
  source: NetworkSource,
): Promise<NetworkOracle> {
  const oracle = await consultOracle(source);
  const newest = oracle.transactions[0]?.transactionHash;
  await waitUntil(`the history of ${network} equals that of the chain`, async () => {
    // Before the newest transaction is there, reading all others would only keep the machine busy.
    const [transaction] = (await api.history(apiNetwork(network), { limit: 1 })).transactions;
    if (transaction?.transactionHash !== newest) return `the newest is ${transaction?.transactionHash}`;
    const difference = firstDifference(oracle.transactions, await api.wholeHistory(apiNetwork(network)));
    return difference && describeDifference(difference);
  });
  return oracle;
}

/** Checks, without waiting, that the history and the volume over probing ranges equal the oracle's. */
export async function verifyNetwork(
  api: ApiClient,
  network: NetworkName,
  oracle: NetworkOracle,
  expectation: VolumeExpectation = {},
): Promise<void> {
  await verifyHistory(api, apiNetwork(network), oracle);
  const lps = [...new Set(oracle.legs.map(({ lpAddress }) => lpAddress))];
  for (const [index, range] of probingRanges(oracle, RANGE_COUNT, oracle.legs.length).entries()) {
    await verifyVolume(api, apiNetwork(network), oracle, range, undefined, expectation);
    await verifyVolume(api, apiNetwork(network), oracle, range, lps[index % lps.length], expectation);
  }
}
