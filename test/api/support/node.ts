/** Runs an anvil node with price adapters whose price is set by a storage write. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { type Address, createTestClient, type Hex, http, numberToHex, publicActions, type TestClient } from "viem";
import { foundryBinary } from "../../../tools/lib/foundry.ts";

/** Bytecode that answers any call with the word in storage slot 0. */
const STORED_PRICE_CODE: Hex = "0x5f545f5260205ff3";
const REVERTING_CODE: Hex = "0x5f5ffd";

export async function startAdapterNode() {
  const port = await freePort();
  const child = spawn(foundryBinary("anvil"), ["--host", "127.0.0.1", "--port", String(port), "--silent"], {
    stdio: "ignore",
  });
  const client = createTestClient({
    mode: "anvil",
    transport: http(`http://127.0.0.1:${port}`, { retryCount: 0 }),
  }).extend(publicActions);
  await untilAnswers(child, client);
  return {
    client,
    setPrice: async (adapter: Address, price: bigint) => {
      await client.setCode({ address: adapter, bytecode: STORED_PRICE_CODE });
      await client.setStorageAt({ address: adapter, index: 0, value: numberToHex(price, { size: 32 }) });
      await client.mine({ blocks: 1 });
    },
    setReverting: async (adapter: Address) => {
      await client.setCode({ address: adapter, bytecode: REVERTING_CODE });
      await client.mine({ blocks: 1 });
    },
    stop: async () => {
      child.kill();
      if (child.exitCode === null) await once(child, "exit");
    },
  };
}

async function untilAnswers(child: ChildProcess, client: TestClient & { getChainId(): Promise<number> }) {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`anvil ended with status ${child.exitCode}`);
    try {
      await client.getChainId();
      return;
    } catch {
      // The node does not listen yet. The timeout of the test ends a wait that takes too long.
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  if (address === null || typeof address === "string") throw new Error("no free port");
  return address.port;
}
