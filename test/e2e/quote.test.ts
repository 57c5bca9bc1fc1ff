/** Compares `/v1/quote` with direct reads of the swap contract. */
import type { Schemas } from "@coreswap/client";
import { type Address, type Hex, hexToString, maxUint256, parseAbi } from "viem";
import { expect, inject, test } from "vitest";
import { ApiClient } from "./harness/api.ts";
import { chainClient } from "./oracle/chain.ts";
import { coreSwapFunctions } from "./publishedAbi.ts";

const quoteFunction = parseAbi([
  "struct SwapInputs { uint256 routeId; bytes32 assetInID; bytes32 assetOutID; bytes32 stablecoinDelegateID; uint256 assetInAmt; uint256 assetOutAmt; }",
  "struct SwapResolved { uint256 tokenInAmt; uint256 tokenOutAmt; uint256 issuerFeeAmt; uint256 spreadFeeAmt; uint256 lpFeeAmt; }",
  "function quoteSwap(address user, SwapInputs inputs) view returns (SwapResolved)",
  "error InsufficientRWAInput()",
  "error InsufficientRWAOutput()",
  "error InsufficientStablecoinInput()",
  "error InsufficientStablecoinOutput()",
]);
const UNKNOWN_ID = `0x${"ab".repeat(32)}`;
const ALL_ROUTES = ["1", "2", "3", "4", "5", "6", "7", "8"];

const stack = inject("sharedStack");
const api = new ApiClient(stack.baseUrl);
const { rpcUrl, contracts } = stack.networks.mainnet;
const client = chainClient(rpcUrl);

type Swap = Extract<Schemas["Transaction"]["activities"][number], { readonly type: "swap" }>;

/** The newest leg of each route. */
async function legOfEachRoute(): Promise<Map<string, Swap>> {
  const legs = new Map<string, Swap>();
  for (let cursor = ""; legs.size < ALL_ROUTES.length; ) {
    const page = await api.json<Schemas["TransactionHistory"]>(
      `/v1/transactions?network=evm-mainnet&activity=swap&limit=100${cursor && `&cursor=${cursor}`}`,
    );
    for (const activity of page.transactions.flatMap(({ activities }) => activities)) {
      if (activity.type === "swap" && !legs.has(activity.routeId)) legs.set(activity.routeId, activity);
    }
    if (page.nextCursor === null) break;
    cursor = page.nextCursor;
  }
  return legs;
}

/** The parameters of a quote for the given leg, with the amount that its route takes as exact. */
function parametersOf({ routeId, user, assetInId, assetOutId, stablecoinDelegateId, amountIn, amountOut }: Swap) {
  const amount = Number(routeId) % 2 === 1 ? { amountIn } : { amountOut };
  return { network: "evm-mainnet", user, routeId, assetInId, assetOutId, stablecoinDelegateId, ...amount };
}

/** The symbol that an ID encodes. */
const nameOf = (id: string) => hexToString(id as Hex, { size: 32 });
const pathOf = (parameters: Record<string, string>) => `/v1/quote?${new URLSearchParams(parameters)}`;

test("a quote for every route equals the contract's quote at the block that it names", async () => {
  const legs = await legOfEachRoute();
  expect([...legs.keys()].sort()).toEqual(ALL_ROUTES);
  for (const leg of legs.values()) {
    const quote = await api.json<Schemas["Quote"]>(pathOf(parametersOf(leg)));
    const blockNumber = BigInt(quote.block.blockNumber);
    const block = await client.getBlock({ blockNumber });
    expect([quote.block.blockHash, quote.block.timestamp]).toEqual([block.hash, String(block.timestamp)]);
    const isExactIn = Number(leg.routeId) % 2 === 1;
    const resolved = await client.readContract({
      address: contracts.coreSwap,
      abi: quoteFunction,
      functionName: "quoteSwap",
      args: [
        leg.user as Address,
        {
          routeId: BigInt(leg.routeId),
          assetInID: leg.assetInId as Hex,
          assetOutID: leg.assetOutId as Hex,
          stablecoinDelegateID: leg.stablecoinDelegateId as Hex,
          assetInAmt: isExactIn ? BigInt(leg.amountIn) : 0n,
          assetOutAmt: isExactIn ? 0n : BigInt(leg.amountOut),
        },
      ],
      blockNumber,
    });
    const [, , , delegate] = await client.readContract({
      address: contracts.coreSwap,
      abi: coreSwapFunctions,
      functionName: "stablecoinInfo",
      args: [leg.stablecoinDelegateId as Hex],
      blockNumber,
    });
    expect(quote).toEqual({
      network: "evm-mainnet",
      chainId: 1,
      block: quote.block,
      user: leg.user,
      routeId: leg.routeId,
      assetInId: leg.assetInId,
      assetOutId: leg.assetOutId,
      stablecoinDelegateId: leg.stablecoinDelegateId,
      delegateAddress: delegate.toLowerCase(),
      amountIn: String(resolved.tokenInAmt),
      amountOut: String(resolved.tokenOutAmt),
      issuerFee: String(resolved.issuerFeeAmt),
      spreadFee: String(resolved.spreadFeeAmt),
      lpFee: String(resolved.lpFeeAmt),
    });
    expect(isExactIn ? quote.amountIn : quote.amountOut).toBe(isExactIn ? leg.amountIn : leg.amountOut);
  }
});

const AMOUNT_ADVICE =
  "The amount is too small or too large, or the price or a rate moved: quote again, and widen the bound if the result is right.";

test("a leg that the contract refuses is a 422 with the name and arguments of the error, and advice", async () => {
  const legs = await legOfEachRoute();
  const leg = legs.get("1");
  if (leg === undefined) throw new Error("route 1 has no leg");
  const parameters = parametersOf(leg);
  for (const [change, name] of [
    [
      { assetInId: UNKNOWN_ID },
      "RWANotAccepted(). Use an asset that CoreSwap accepts, and a route that fits the kinds of both assets.",
    ],
    [
      { assetOutId: UNKNOWN_ID, stablecoinDelegateId: UNKNOWN_ID },
      "StablecoinNotAccepted(). Use an asset that CoreSwap accepts, and a route that fits the kinds of both assets.",
    ],
    [
      { stablecoinDelegateId: UNKNOWN_ID },
      `InvalidStablecoinDelegateID(actual: ${UNKNOWN_ID}, expected: ${parameters.stablecoinDelegateId} (${nameOf(parameters.stablecoinDelegateId)})). ` +
        "Name the stablecoin that the error expects as the settling one.",
    ],
    [{ amountIn: "1" }, `InsufficientStablecoinOutput(). ${AMOUNT_ADVICE}`],
    [{ amountIn: maxUint256.toString() }, `InsufficientRWAInput(). ${AMOUNT_ADVICE}`],
  ] as const) {
    const { status, text } = await api.request(pathOf({ ...parameters, ...change }));
    expect([status, JSON.parse(text)]).toEqual([
      422,
      { error: `the swap contract refuses this leg: ${name}`, status: 422 },
    ]);
  }
});
