/** A stolen proposer of the timelock is removed by the recovery, and `core verify` and `core steps` name its roles. */
import { concat, encodeFunctionData, type Hex, keccak256, toHex, zeroAddress, zeroHash } from "viem";
import { afterAll, beforeAll, expect, test } from "vitest";
import { timelockControllerAbi as abi } from "../../abis/index.ts";
import { WALLETS } from "../../localnet/wallets.ts";
import { startFaultyNode } from "../support/faultyNode.ts";
import { call, core, type Deployed, deploy, TIMELOCK_DELAY_SECONDS } from "./support/deployed.ts";
import { ACCOUNTS, unlocked } from "./support/firstDays.ts";

const PROPOSER = WALLETS.operator.address;
const GUARDIAN = ACCOUNTS.guardian;
const roleId = (name: string) => keccak256(toHex(name));

let deployed: Deployed;

beforeAll(async () => {
  deployed = await deploy("timelockRoles");
});

afterAll(() => deployed?.node.stop());

test("a contract that other code created is named, although its code and its roles are as configured", async () => {
  const { deployment, node, configuration } = deployed;
  const words = ["verify", "--config", configuration, "--creations"];
  expect(await core(deployed, words)).toMatchObject({ status: 0, stderr: "" });
  const [adapter] = deployment.rwas;
  const { input: creation } = await creationOf(deployment.timelock);
  const { input: adapterCreation } = await creationOf(adapter?.priceAdapter);
  const otherNode = await startFaultyNode(node.rpcUrl, async ({ method }, result) => {
    const answer = (await result()) as { input: Hex };
    const isOther = method === "eth_getTransactionByHash" && [creation, adapterCreation].includes(answer.input);
    // Stores a word before it runs the constructor.
    return { result: isOther ? { ...answer, input: concat(["0x5f5f55", answer.input]) } : answer };
  });
  try {
    const { status, stdout } = await core(deployed, words, otherNode.rpcUrl);
    expect(status).toBe(1);
    expect([...stdout.matchAll(/^differs {2}(.+)$/gm)].map(([, text]) => text)).toEqual([
      "timelock was not created by the compiled TimelockController",
      `nav:${adapter?.symbol} was not created by the compiled NavPriceAdapter`,
    ]);
    expect(await core(deployed, words.slice(0, -1), otherNode.rpcUrl)).toMatchObject({ status: 0 });
  } finally {
    await otherNode.stop();
  }
});

/** The transaction that created a contract. */
async function creationOf(address: Hex | undefined) {
  const { client } = deployed.sender;
  const fromBlock = BigInt(deployed.deployment.startBlock);
  const [first] = await client.getLogs({ address: address ?? zeroAddress, fromBlock });
  if (first === undefined) throw new Error(`${address} has no events`);
  return client.getTransaction({ hash: first.transactionHash });
}

test("a stolen proposer cannot keep calls from being scheduled by scheduling them for another century", async () => {
  const { deployment, sender } = deployed;
  const { timelock, treasury } = deployment;
  if (timelock === undefined) throw new Error("the deployment has no timelock");
  const words = ["roles", "grant", "treasury", "MINTER_ROLE", WALLETS.outsider.address];
  const args = [roleId("MINTER_ROLE"), WALLETS.outsider.address] as const;
  const payload = encodeFunctionData({ abi, functionName: "grantRole", args });
  const century = 36_500n * 86_400n;
  const batch = [[treasury], [0n], [payload], zeroHash, zeroHash] as const;
  const scheduling = encodeFunctionData({ abi, functionName: "scheduleBatch", args: [...batch, century] });
  await call(sender, "beneficiary", timelock, scheduling);
  const scheduled = await core(deployed, [...words, "--schedule", ...unlocked(PROPOSER)]);
  expect(scheduled.status, scheduled.stderr).toBe(0);
  const again = await core(deployed, [...words, "--schedule", "--from", PROPOSER]);
  expect(again.stderr).toContain("is scheduled already");
  await sender.client.request({ method: "evm_increaseTime", params: [toHex(TIMELOCK_DELAY_SECONDS + 1)] } as never);
  await sender.client.request({ method: "evm_mine" } as never);
  const executed = await core(deployed, [...words, "--execute", ...unlocked(PROPOSER)]);
  expect(executed.status, executed.stderr).toBe(0);
  const revoke = ["roles", "revoke", ...words.slice(2)];
  await core(deployed, [...revoke, "--schedule", ...unlocked(PROPOSER)]);
  await sender.client.request({ method: "evm_increaseTime", params: [toHex(TIMELOCK_DELAY_SECONDS + 1)] } as never);
  await sender.client.request({ method: "evm_mine" } as never);
  expect(await core(deployed, [...revoke, "--execute", ...unlocked(PROPOSER)])).toMatchObject({ status: 0 });
});

test("an operation of a stolen proposer that falls due later delays none that is ready, and hides no other in the queue", async () => {
  const { deployment, sender } = deployed;
  const { timelock, treasury } = deployment;
  if (timelock === undefined) throw new Error("the deployment has no timelock");
  const words = ["roles", "grant", "treasury", "PAUSER_ROLE", WALLETS.outsider.address];
  const args = [roleId("PAUSER_ROLE"), WALLETS.outsider.address] as const;
  const payload = encodeFunctionData({ abi, functionName: "grantRole", args });
  const schedule = async (salt: Hex, delay: bigint) => {
    const batch = [[treasury], [0n], [payload], zeroHash, salt] as const;
    const data = encodeFunctionData({ abi, functionName: "scheduleBatch", args: [...batch, delay] });
    await call(sender, "beneficiary", timelock, data);
  };
  const pass = async (seconds: number) => {
    await sender.client.request({ method: "evm_increaseTime", params: [toHex(seconds)] } as never);
    await sender.client.request({ method: "evm_mine" } as never);
  };
  await schedule(zeroHash, BigInt(TIMELOCK_DELAY_SECONDS) + 3_600n);
  // Beyond any time that a calendar has.
  await schedule(toHex(2n ** 200n, { size: 32 }), 10n ** 13n);
  const { status, stdout, stderr } = await core(deployed, ["queue"]);
  expect(status, stderr).toBe(0);
  expect(stdout).toContain("from a time after the year 9999 on");
  expect(await core(deployed, [...words, "--execute", "--from", PROPOSER])).toMatchObject({
    status: 1,
    stderr: expect.stringMatching(
      /is not scheduled: run the command with --schedule first; operation 0x\w{64} has the same calls/,
    ),
  });
  await core(deployed, [...words, "--schedule", ...unlocked(PROPOSER)]);
  await pass(TIMELOCK_DELAY_SECONDS + 1);
  const executed = await core(deployed, [...words, "--execute", ...unlocked(PROPOSER)]);
  expect(executed.status, executed.stderr).toBe(0);
  const revoke = ["roles", "revoke", ...words.slice(2)];
  await core(deployed, [...revoke, "--schedule", ...unlocked(PROPOSER)]);
  await pass(TIMELOCK_DELAY_SECONDS + 1);
  expect(await core(deployed, [...revoke, "--execute", ...unlocked(PROPOSER)])).toMatchObject({ status: 0 });
});

test("the recovery removes a stolen proposer, which cannot cancel that", async () => {
  const { deployment, sender, configuration } = deployed;
  const { timelock } = deployment;
  if (timelock === undefined) throw new Error("the deployment has no timelock");
  const config = ["--config", configuration];
  // What the stolen proposer has scheduled is still queued, and can be executed one day.
  const queued = JSON.parse((await core(deployed, ["queue", "--json"])).stdout) as { id: Hex; calls: string[] }[];
  expect(queued).toHaveLength(3);
  const pending = await core(deployed, ["verify", ...config, "--json"]);
  expect(pending.status).toBe(1);
  const { differences: operations } = JSON.parse(pending.stdout) as { differences: { text: string; event: string }[] };
  expect(operations).toHaveLength(queued.length);
  for (const { id, calls } of queued) {
    expect(operations).toContainEqual(
      expect.objectContaining({
        event: "CallScheduled",
        text: expect.stringMatching(new RegExp(`^operation ${id} of the timelock (waits until|can be executed)`)),
      }),
    );
    expect(operations.find(({ text }) => text.includes(id))?.text).toContain(`: ${calls.join("; ")}`);
    expect(await core(deployed, ["cancel", id, ...unlocked(GUARDIAN)])).toMatchObject({ status: 0 });
  }
  expect(await core(deployed, ["verify", ...config])).toMatchObject({ status: 0, stderr: "" });

  const change = (functionName: "grantRole" | "revokeRole", role: string): Hex =>
    encodeFunctionData({ abi, functionName, args: [roleId(role), PROPOSER] });
  const payloads = [
    change("revokeRole", "PROPOSER_ROLE"),
    change("revokeRole", "EXECUTOR_ROLE"),
    // A mistake, which `core verify` has to find.
    change("grantRole", "CANCELLER_ROLE"),
  ];
  const batch = [payloads.map(() => timelock), payloads.map(() => 0n), payloads, zeroHash, zeroHash] as const;
  const delay = BigInt(TIMELOCK_DELAY_SECONDS);
  const scheduling = encodeFunctionData({ abi, functionName: "scheduleBatch", args: [...batch, delay] });
  await call(sender, "beneficiary", timelock, scheduling);
  const operation = await sender.client.readContract({
    address: timelock,
    abi,
    functionName: "hashOperationBatch",
    args: [...batch],
  });
  const cancelled = await core(deployed, ["cancel", operation, ...unlocked(PROPOSER)]);
  expect(cancelled.status).toBe(1);
  expect(cancelled.stderr).toContain("AccessControlUnauthorizedAccount");

  await sender.client.request({ method: "evm_increaseTime", params: [toHex(TIMELOCK_DELAY_SECONDS + 1)] } as never);
  const execution = encodeFunctionData({ abi, functionName: "executeBatch", args: [...batch] });
  await call(sender, "beneficiary", timelock, execution);

  const { status, stdout } = await core(deployed, ["verify", ...config, "--json"]);
  expect(status).toBe(1);
  const { differences } = JSON.parse(stdout) as { differences: { text: string; event: string }[] };
  expect(differences.map(({ text, event }) => `${event}: ${text}`)).toEqual([
    `RoleRevoked: ${PROPOSER} has PROPOSER_ROLE of the timelock: no, configured yes`,
    `RoleRevoked: ${PROPOSER} has EXECUTOR_ROLE of the timelock: no, configured yes`,
    `RoleGranted: ${PROPOSER} has CANCELLER_ROLE of the timelock, which is not configured`,
  ]);
  const listed = await core(deployed, ["steps", ...config, "--json"]);
  const { steps } = JSON.parse(listed.stdout) as { steps: { by: string; to: string; data: Hex }[] };
  expect(steps).toEqual(
    ["PROPOSER_ROLE", "EXECUTOR_ROLE"].map((role) =>
      expect.objectContaining({
        by: `${timelock} (the timelock itself)`,
        to: timelock,
        data: change("grantRole", role),
      }),
    ),
  );
});

test("verify does not pass with a node that lacks the state before the deployment", async () => {
  const { deployment, configuration, node } = deployed;
  expect(deployment.startBlock).toBeGreaterThan(0);
  const before = toHex(deployment.startBlock - 1);
  const pruned = await startFaultyNode(node.rpcUrl, async ({ method, params }, result) =>
    method === "eth_getCode" && params[1] === before ? "reset" : { result: await result() },
  );
  try {
    const { status, stdout } = await core(deployed, ["verify", "--config", configuration], pruned.rpcUrl);
    expect(status).toBe(1);
    expect(stdout).toContain(
      `differs  cannot tell whether contracts have events before startBlock ${deployment.startBlock} of`,
    );
  } finally {
    await pruned.stop();
  }
});
