/** What Safes do: one is the proposer of the timelock, others sign permits. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  type Address,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  maxUint256,
  parseUnits,
  type TypedDataDefinition,
  zeroHash,
} from "viem";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { stablecoinDelegateAbi, timelockControllerAbi } from "../../abis/index.ts";
import { WALLETS } from "../../localnet/wallets.ts";
import { safeBatch } from "../../packages/cli/src/write/safeBatch.ts";
import { documentedArguments } from "../support/documented.ts";
import { startFaultyNode } from "../support/faultyNode.ts";
import {
  call,
  core,
  create,
  createSafe,
  type Deployed,
  deploy,
  executeBatch,
  safeArtifact,
  TIMELOCK_DELAY_SECONDS,
} from "./support/deployed.ts";
import { testToken } from "./support/firstDays.ts";

/** Also cancels operations of the timelock. */
const GUARDIAN = WALLETS.admin.address;
const OWNER = WALLETS.client1.address.toLowerCase();
const CAP = ["cap", "set", "USDX", "TBILL", "20000000"];

interface Operation {
  readonly id: Hex;
  readonly state: string;
  readonly due: string;
  readonly openPredecessor: Hex | null;
  readonly transactionHash: Hex;
  readonly scheduledBy: Address;
  readonly calls: readonly string[];
}

let deployed: Deployed;
let safe: Address;
let timelock: Address;

beforeAll(async () => {
  deployed = await deploy("timelock", async (usual, newSafe) => {
    safe = await newSafe();
    return {
      ...usual,
      timelock: { delaySeconds: TIMELOCK_DELAY_SECONDS, proposer: safe },
      rwas: usual.rwas.map((rwa) => ({ ...rwa, maxAgeSeconds: 0 })),
    };
  });
  timelock = deployed.deployment.timelock ?? "0x";
});

afterAll(() => deployed?.node.stop());

async function succeed(...args: readonly string[]): Promise<string> {
  const outcome = await core(deployed, args);
  expect(outcome, `${args.join(" ")}: ${outcome.stderr}`).toMatchObject({ status: 0, stderr: "" });
  return outcome.stdout;
}

/** The queue, in which the status has to agree. */
async function queue(): Promise<readonly Operation[]> {
  const status = JSON.parse(await succeed("status", "--json"));
  expect(JSON.parse(await succeed("queue", "--json"))).toEqual(status.queue);
  return status.queue;
}

async function throughSafe(...args: readonly string[]): Promise<void> {
  const path = join(deployed.directory, "batch.json");
  await succeed(...args, "--from", safe, "--safe", path);
  await executeBatch(deployed.sender, path);
}

/** Has the Safe make a call that `core` does not offer. */
async function callFromSafe(to: Address, data: Hex, from = safe): Promise<void> {
  const path = join(deployed.directory, "call.json");
  writeFileSync(path, JSON.stringify(safeBatch(1, from, "call", [{ to, data }], 0)));
  await executeBatch(deployed.sender, path);
}

async function passDelay(): Promise<void> {
  await deployed.sender.client.increaseTime({ seconds: TIMELOCK_DELAY_SECONDS + 1 });
  await deployed.sender.client.mine({ blocks: 1 });
}

/** A call that is scheduled on its own, to be executed after another operation. */
function following(predecessor: Hex) {
  const delegate = deployed.deployment.stablecoins[0]?.delegate ?? "0x";
  const token = deployed.deployment.rwas[0]?.token ?? "0x";
  const data = encodeFunctionData({ abi: stablecoinDelegateAbi, functionName: "setIntakeCap", args: [token, 7n] });
  const args = [delegate, 0n, data, predecessor, zeroHash, BigInt(TIMELOCK_DELAY_SECONDS)] as const;
  return encodeFunctionData({ abi: timelockControllerAbi, functionName: "schedule", args });
}

test("status and queue show the same operations, by name, with what they still wait for", async () => {
  expect(await queue()).toEqual([]);
  await throughSafe(...CAP, "--schedule");
  const [first] = await queue();
  if (first === undefined) throw new Error("nothing is queued");
  const { timestamp } = await deployed.sender.client.getBlock();
  expect(first).toMatchObject({ state: "waits", openPredecessor: null, scheduledBy: OWNER });
  expect(BigInt(first.due) - timestamp).toBe(BigInt(TIMELOCK_DELAY_SECONDS));
  const token = deployed.deployment.rwas[0]?.token;
  expect(first.calls).toEqual([`lp:USDX setIntakeCap(asset: ${token}, cap: 20000000000000)`]);

  await callFromSafe(timelock, following(first.id));
  const [, second] = await queue();
  if (second === undefined) throw new Error("the second operation is not queued");
  expect(second).toMatchObject({ state: "waits", openPredecessor: first.id });
  const waiting = await succeed("status");
  expect(waiting).toContain(`  operation ${first.id} of the timelock waits\n`);
  expect(waiting).toContain(`  lp:USDX setIntakeCap(asset: ${token}, cap: 7)`);

  await passDelay();
  const due = await succeed("status");
  expect(due).toContain(`  operation ${first.id} of the timelock can be executed\n`);
  expect(due).toMatch(new RegExp(`${second.id} {2}waits: since .+, and after operation ${first.id}\n`));
  await throughSafe(...CAP, "--execute");
  expect(await queue()).toMatchObject([{ id: second.id, state: "can be executed", openPredecessor: null }]);

  await succeed("cancel", second.id, "--broadcast", "--unlocked", "--from", GUARDIAN);
  expect(await queue()).toEqual([]);
  await callFromSafe(timelock, following(first.id));
  const [again, ...others] = await queue();
  expect(others).toEqual([]);
  expect(again).toMatchObject({ id: second.id, state: "waits", calls: second.calls });
  expect(again?.transactionHash).not.toBe(second.transactionHash);
  await succeed("cancel", second.id, "--broadcast", "--unlocked", "--from", GUARDIAN);
});

test("a node that gives no events leaves the queue unknown, and the status says so", async () => {
  const node = await startFaultyNode(deployed.node.rpcUrl, async ({ method }, result) =>
    method === "eth_getLogs"
      ? { body: JSON.stringify({ jsonrpc: "2.0", id: 1, error: { code: -32005, message: "too many blocks" } }) }
      : { result: await result() },
  );
  try {
    const status = await core(deployed, ["status"], node.rpcUrl);
    expect(status.status, status.stderr).toBe(0);
    expect(status.stdout).toContain("what the timelock has queued is unknown: too many blocks");
    expect(status.stdout).toMatch(/\nTimelock\n {2}0x\w{40}, delay 1 d\n {2}unknown: too many blocks\n/);
    const queued = await core(deployed, ["queue"], node.rpcUrl);
    expect(queued).toMatchObject({ status: 1, stderr: expect.stringContaining("too many blocks") });
  } finally {
    await node.stop();
  }
});

describe("a permit of a Safe", () => {
  const { relayer, client1 } = WALLETS;
  const request = () => join(deployed.directory, "request.json");
  const asset = () => {
    const [rwa] = deployed.deployment.rwas;
    const [stablecoin] = deployed.deployment.stablecoins;
    if (rwa === undefined || stablecoin === undefined) throw new Error("the deployment lacks assets");
    return { rwa, stablecoin };
  };

  /** A Safe that has 10 TBILL, and lets the LP of USDX take them. */
  async function funded(handler?: Address): Promise<Address> {
    const { rwa, stablecoin } = asset();
    const wallet = await createSafe(deployed.sender, "client1", handler);
    const { abi } = testToken();
    const custody = await deployed.sender.client.readContract({
      address: stablecoin.delegate,
      abi: stablecoinDelegateAbi,
      functionName: "stablecoinCustodyAddress",
    });
    for (const [token, to] of [
      [rwa.token, wallet],
      [stablecoin.token, custody],
    ] as const) {
      const mint = encodeFunctionData({ abi, functionName: "mint", args: [to, parseUnits("100", 6)] });
      await call(deployed.sender, "outsider", token, mint);
    }
    const approval = { abi: erc20Abi, functionName: "approve", args: [stablecoin.delegate, maxUint256] } as const;
    await callFromSafe(rwa.token, encodeFunctionData(approval), wallet);
    return wallet;
  }

  /** The words of the command on docs/command-line.md that has an option, with the values of its variables and files. */
  const documented = (option: string, values: Readonly<Record<string, string>>) =>
    documentedArguments("docs/command-line.md", new RegExp(`pnpm --silent core (?=.*${option} )`), values);

  /** Asks what a wallet has to sign for a swap of 10 TBILL, for a day. */
  async function requestOf(wallet: Address): Promise<{ readonly safeMessage: TypedDataDefinition }> {
    const words = ["sign-permit", "10", "TBILL", "USDX", "--operator", relayer.address];
    expect((await core(deployed, words)).stderr).toContain("for a contract wallet --request with --from");
    const stdout = await succeed(...documented("--request", { $OPERATOR: relayer.address, $WALLET: wallet }));
    writeFileSync(request(), stdout);
    return JSON.parse(stdout);
  }

  function refusal(signature: Hex): Promise<string> {
    return core(deployed, ["sign-permit", "--signed", request(), "--signature", signature]).then(
      ({ status, stderr }) => {
        expect({ status, lines: stderr.split("\n").length }).toEqual({ status: 1, lines: 2 });
        return stderr;
      },
    );
  }

  test("is swapped once an owner has signed what was printed", async () => {
    const fallback = safeArtifact("handler/CompatibilityFallbackHandler.sol/CompatibilityFallbackHandler.json");
    const wallet = await funded(await create(deployed.sender, fallback, []));
    const { safeMessage } = await requestOf(wallet);
    const signature = await client1.signTypedData(safeMessage);
    expect(await refusal(await relayer.signTypedData(safeMessage))).toContain("does not accept this signature");
    const words = documented("--signed", { "request.json": request(), $SIGNATURE: signature });
    const { to, data } = JSON.parse(await succeed(...words));
    const { rwa, stablecoin } = asset();
    await call(deployed.sender, "relayer", to, data);
    expect(await balanceOf(rwa.token, wallet)).toBe(parseUnits("90", 6));
    expect(await balanceOf(stablecoin.token, wallet)).toBeGreaterThan(parseUnits("10.4", 6));
    expect(await refusal(signature)).toContain("has used nonce 0 for another permit");

    const altered = readFileSync(request(), "utf8").replace('"nonce": "0"', '"nonce": "1"');
    writeFileSync(request(), altered);
    expect(await refusal(signature)).toContain("its message was changed");
    await requestOf(wallet);
    await deployed.sender.client.increaseTime({ seconds: 1441 * 60 });
    await deployed.sender.client.mine({ blocks: 1 });
    expect(await refusal(signature)).toContain("the request was valid until");
  });

  test("is refused without the handler that checks signatures, with what is missing", async () => {
    const { safeMessage } = await requestOf(await funded());
    expect(await refusal(await client1.signTypedData(safeMessage))).toContain("needs a fallback handler");
  });
});

function balanceOf(token: Address, account: Address): Promise<bigint> {
  return deployed.sender.client.readContract({
    address: token,
    abi: erc20Abi,
    functionName: "balanceOf",
    args: [account],
  });
}
