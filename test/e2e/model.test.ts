import type { Address, Hex } from "viem";
import { describe, expect, inject, test } from "vitest";
import { replayChain } from "../model/replay.ts";
import { timeText } from "../support/time.ts";
import { ApiClient, type VolumeAnswer } from "./harness/api.ts";
import { assertSame } from "./harness/compare.ts";
import { consultOracle } from "./oracle/network.ts";
import { recomputeVolume } from "./oracle/volume.ts";

const stack = inject("sharedStack");
const api = new ApiClient(stack.baseUrl);

describe.each([
  { network: "evm-mainnet", source: stack.networks.mainnet },
  { network: "evm-sepolia", source: stack.networks.sepolia },
] as const)("the model of $network", ({ network, source }) => {
  test("X1: it predicts every Swap event from calldata, and its volume equals the API's, in total and per LP", async () => {
    const oracle = await consultOracle(source);
    const last = oracle.legs.at(-1)?.timestamp ?? 0n;
    const range = { from: last - 300n * 86_400n, to: last + 1n };
    const bounds = { from: timeText(range.from), to: timeText(range.to) };
    const answers: { lpAddress?: Address; answer: VolumeAnswer }[] = [{ answer: await api.volume(network, bounds) }];
    for (const lpAddress of new Set(oracle.legs.map((leg) => leg.lpAddress))) {
      answers.push({ lpAddress, answer: await api.volume(network, { ...bounds, lpAddress }) });
    }

    const { legs } = replayChain(oracle.chain, source.contracts);
    expect(legs.length).toBeGreaterThan(400);
    expect(legs).toEqual(oracle.legs);
    for (const { lpAddress, answer } of answers) {
      const prices = new Map<Hex, bigint>(answer.usedPrices.map((used) => [used.assetId, BigInt(used.priceUsdWad)]));
      const expected = recomputeVolume(legs, range, prices, lpAddress);
      assertSame(
        `volume of ${network} for ${lpAddress ?? "all LPs"}`,
        { pricedVolumeUsd: expected.pricedVolumeUsd, lpVolumes: expected.lpVolumes },
        { pricedVolumeUsd: answer.pricedVolumeUsd, lpVolumes: answer.lpVolumes },
      );
    }
  });
});
