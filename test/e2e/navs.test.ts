/** Compares the NAVs of every RWA with the logs of its price adapters. */
import { expect, inject, test } from "vitest";
import { ApiClient } from "./harness/api.ts";
import { compareNavs } from "./harness/navs.ts";

const stack = inject("sharedStack");
const api = new ApiClient(stack.baseUrl);

test.each([
  { network: "evm-mainnet", source: stack.networks.mainnet },
  { network: "evm-sepolia", source: stack.networks.sepolia },
] as const)("on $network the answer lists every NAV posted to the adapters in force", async ({ network, source }) => {
  expect(await compareNavs(api, network, source)).toBeGreaterThan(5);
});
