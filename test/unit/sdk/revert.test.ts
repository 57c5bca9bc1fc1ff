import { revertData } from "@coreswap/sdk";
import { createPublicClient, custom, encodeErrorResult, parseAbi } from "viem";
import { expect, it } from "vitest";

const data = encodeErrorResult({ abi: parseAbi(["error Error(string)"]), args: ["no"] });

/** How nodes answer a call that reverts, and the revert data. */
it.each([
  [{ code: 3, message: "execution reverted: no", data }, data],
  [{ code: -32000, message: "execution reverted", data: { data } }, data],
  [{ code: -32000, message: "execution reverted" }, "0x"],
  [{ code: -32015, message: "VM execution error.", data: `Reverted ${data}` }, data],
  [{ code: -32015, message: "VM execution error.", data: "Reverted 0x" }, "0x"],
  [{ code: -32000, message: "header not found" }, null],
])("finds the revert data of %j", async (answer, expected) => {
  const request = () => Promise.reject(Object.assign(new Error(answer.message), answer));
  const client = createPublicClient({ transport: custom({ request }, { retryCount: 0 }) });
  const error = await client.call({ to: `0x${"11".repeat(20)}`, data: "0x01" }).catch((reason: unknown) => reason);
  expect(revertData(error)).toBe(expected);
});
