/** Runs `core` on a real anvil, with a real deployment behind a timelock. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { Wallet } from "ethers";
import { encodeFunctionData, erc20Abi, type Hex, parseUnits, toHex, zeroAddress } from "viem";
import { afterAll, beforeAll, expect, test } from "vitest";
import { coreSwapAbi, navPriceAdapterAbi, treasuryDelegateAbi } from "../../abis/index.ts";
import { WALLETS } from "../../localnet/wallets.ts";
import { createNodeClient } from "../../packages/cli/src/chain/connect.ts";
import { attention } from "../../packages/cli/src/status/attention.ts";
import { readStatus } from "../../packages/cli/src/status/read.ts";
import { startFaultyNode } from "../support/faultyNode.ts";
import { startProductionNode } from "../upgrade/productionNode.ts";
import {
  call,
  core,
  coreAlone,
  type Deployed,
  deploy,
  executeBatch,
  NAV_MAX_AGE_SECONDS,
  TIMELOCK_DELAY_SECONDS,
} from "./support/deployed.ts";

/** Accounts of the example configuration. */
const NAV_POSTER = WALLETS.blacklister;
const RATE_POSTER = WALLETS.usdcIssuerAdmin.address;
const GUARDIAN = WALLETS.admin.address;
const PROPOSER = WALLETS.operator.address;
const STRANGER = WALLETS.outsider.address;
const DAY_SECONDS = 86_400;
const WAD = 10n ** 18n;

let deployed: Deployed;

beforeAll(async () => {
  deployed = await deploy("cli");
});

afterAll(async () => {
  await deployed?.node.stop();
});

const run = (...args: string[]) => core(deployed, args);
const unlocked = (from: string) => ["--broadcast", "--unlocked", "--from", from];
const nonceOf = (address: Hex) => deployed.sender.client.getTransactionCount({ address });

function navOf(index: 0 | 1): Promise<bigint> {
  const address = deployed.deployment.rwas[index]?.priceAdapter ?? zeroAddress;
  return deployed.sender.client.readContract({ address, abi: navPriceAdapterAbi, functionName: "navWad" });
}

function isPaused(): Promise<boolean> {
  const address = deployed.deployment.coreSwap;
  return deployed.sender.client.readContract({ address, abi: coreSwapAbi, functionName: "paused" });
}

function netRateOf(dayNumber: bigint) {
  const address = deployed.deployment.treasuryStablecoin.delegate;
  const args = [dayNumber] as const;
  return deployed.sender.client.readContract({ address, abi: treasuryDelegateAbi, functionName: "getDailyRate", args });
}

async function passTime(seconds: number): Promise<void> {
  await deployed.sender.client.increaseTime({ seconds });
  await deployed.sender.client.mine({ blocks: 1 });
}

test("status shows one block, as text and as JSON", async () => {
  const { status, stdout } = await run("status", "--json");
  expect(status).toBe(0);
  const json = JSON.parse(stdout);
  expect(json).toMatchObject({ network: "mainnet", chainId: 1, timelock: { address: deployed.deployment.timelock } });
  expect(json.rwas[0]).toMatchObject({ symbol: "TBILL", priceWad: { value: String(await navOf(0)) } });
  expect(json.roles).toContainEqual({
    contract: "coreswap",
    role: "OPERATOR_ROLE",
    holders: [deployed.deployment.timelock],
  });
  expect(json.attention).toContain("no daily rate was ever posted: core rate post");
  const screen = await run("status");
  expect(screen.stdout).toMatch(/^ {2}TBILL +1\.0523 USD +.+ old +of 1 d +moves .+% per post, .+% left today$/m);
  expect(screen.stdout).toMatch(/^ {2}CREDIT .+ no age limit /m);
});

test("status shows the reserve of auto-liquidity, and takes no token for missing that an LP does not keep", async () => {
  const { deployment, node } = deployed;
  expect((await run("status")).stdout).toMatch(/^ {4}TRSY +0 TRSY +approved unlimited TRSY +reserve +in 0x/m);
  const status = await readStatus(deployment, createNodeClient(node.rpcUrl));
  const read = status.lps.flatMap((lp) => ("error" in lp ? [] : [lp]));
  expect(read).toHaveLength(3);
  const linesWith = (balance: bigint) => {
    const lps = read.map(({ reserve, ...lp }) => ({ ...lp, reserve: reserve && { ...reserve, balance } }));
    return attention({ ...status, lps }, []).filter((line) => /^lp:(USDX|TRSY) has n\w+ (USDX|TRSY)/.test(line));
  };
  const custodyOf = (name: string) => read.find(({ symbol }) => symbol === name)?.stablecoinCustody;
  const ofTreasury = `lp:TRSY has no USDX in custody ${custodyOf("TRSY")}`;
  const empty = `lp:USDX has neither USDX nor TRSY, its reserve, in custody ${custodyOf("USDX")}`;
  expect(linesWith(0n)).toEqual([empty, ofTreasury]);
  expect(linesWith(1n)).toEqual([ofTreasury]);
});

test("quote returns the result of quoteSwap, or names its error", async () => {
  const { status, stdout } = await run("quote", "1000", "TBILL", "USDX", "--json");
  expect(status).toBe(0);
  const [rwa] = deployed.deployment.rwas;
  const [stablecoin] = deployed.deployment.stablecoins;
  if (!rwa || !stablecoin) throw new Error("the deployment lacks assets");
  const ids = { assetInID: rwa.id, assetOutID: stablecoin.id, stablecoinDelegateID: stablecoin.id };
  const expected = await deployed.sender.client.readContract({
    address: deployed.deployment.coreSwap,
    abi: coreSwapAbi,
    functionName: "quoteSwap",
    args: [zeroAddress, { routeId: 1n, ...ids, assetInAmt: 1_000_000_000n, assetOutAmt: 0n }],
  });
  const tokenOf = ({ symbol, id, token: address, decimals }: typeof stablecoin | typeof rwa) =>
    ({ symbol, id, address, decimals }) as const;
  const at = await deployed.sender.client.getBlock();
  expect(JSON.parse(stdout)).toEqual({
    chainId: deployed.deployment.chainId,
    blockNumber: String(at.number),
    timestamp: String(at.timestamp),
    user: zeroAddress,
    routeId: "1",
    stablecoinDelegateID: stablecoin.id,
    tokenInAmt: "1000000000",
    tokenOutAmt: String(expected.tokenOutAmt),
    issuerFeeAmt: String(expected.issuerFeeAmt),
    spreadFeeAmt: String(expected.spreadFeeAmt),
    lpFeeAmt: String(expected.lpFeeAmt),
    delegate: stablecoin.delegate,
    tokenIn: tokenOf(rwa),
    tokenOut: tokenOf(stablecoin),
    stablecoin: tokenOf(stablecoin),
  });
  const zero = await run("quote", "0", "TBILL", "USDX");
  expect(zero).toMatchObject({ status: 1, stdout: "", stderr: expect.stringContaining("InsufficientRWAInput()") });
});

test("the example of docs/command-line.md posts a NAV from a keystore", async () => {
  const home = resolve(deployed.directory, "home");
  mkdirSync(join(home, ".foundry", "keystores"), { recursive: true });
  const key = NAV_POSTER.getHdKey().privateKey;
  if (!key) throw new Error("the account has no key");
  const keystore = await new Wallet(toHex(key)).encrypt("a password");
  writeFileSync(join(home, ".foundry", "keystores", "nav-poster"), keystore);
  writeFileSync(join(home, "password"), "a password\n");
  const env = { HOME: home, DEPLOYMENTS_DIR: deployed.directory, RPC_URL: deployed.node.rpcUrl };
  const [example = ""] = readFileSync("docs/command-line.md", "utf8").match(/^pnpm --silent core .+\n(?:.+\n)+/m) ?? [];
  const lines = example.match(/^pnpm --silent core .+$/gm) ?? [];
  expect(lines).toHaveLength(3);
  const before = await nonceOf(NAV_POSTER.address);
  for (const line of lines) {
    const words = line.replace("pnpm --silent core ", "").replaceAll("~", home).split(" ");
    const outcome = await coreAlone(words, { ...env, XDG_STATE_HOME: join(home, "state") });
    expect(outcome, line).toMatchObject({ status: 0, stderr: "" });
    if (line.includes("nav post")) expect(outcome.stdout).toContain("NAV of TBILL: 1.0523 USD → 1.053 USD");
  }
  // The first line prints the transaction, and the second sends it.
  expect(await navOf(0)).toBe((1_053n * WAD) / 1_000n);
  expect(await nonceOf(NAV_POSTER.address)).toBe(before + 1);
});

test("a wrong password, a sender without the role and a move beyond its bound send nothing", async () => {
  const before = await nonceOf(NAV_POSTER.address);
  const home = resolve(deployed.directory, "home");
  writeFileSync(join(home, "wrong"), "another password");
  const keystore = ["--keystore", join(home, ".foundry", "keystores", "nav-poster")];
  const wrong = await run(
    "nav",
    "post",
    "TBILL",
    "1.054",
    "--broadcast",
    ...keystore,
    "--password-file",
    join(home, "wrong"),
  );
  expect(wrong).toMatchObject({
    status: 1,
    stderr: expect.stringMatching(/^.+cannot be opened: incorrect password\n$/),
  });
  const stranger = await run("nav", "post", "TBILL", "1.054", ...unlocked(STRANGER));
  expect(stranger).toMatchObject({
    status: 1,
    stderr: expect.stringContaining(`${NAV_POSTER.address} (NAV_POSTER_ROLE)`),
  });
  const far = await run("nav", "post", "TBILL", "2", ...unlocked(NAV_POSTER.address));
  expect(far).toMatchObject({
    status: 1,
    stderr: expect.stringMatching(/^the call would revert: NavMoveTooLarge\(.+ Check the NAV\. .+\n$/),
  });
  expect(await nonceOf(NAV_POSTER.address)).toBe(before);
});

test("--unlocked is refused on a node other than anvil", async () => {
  const node = await startProductionNode(deployed.node.rpcUrl, "Geth/v1.16.7");
  try {
    const args = ["nav", "post", "TBILL", "1.0531", ...unlocked(NAV_POSTER.address)];
    const { status, stderr } = await core(deployed, args, node.rpcUrl);
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: "--unlocked is for local chains: the node has to be anvil, and it is Geth/v1.16.7\n",
    });
  } finally {
    await node.stop();
  }
});

test("a Safe executes the batch that --safe writes", async () => {
  const { safe, sender, directory } = deployed;
  const path = join(directory, "batch.json");
  const missing = join(directory, "missing", "batch.json");
  const unwritten = await run("nav", "post", "CREDIT", "107.5", "--safe", missing);
  expect(unwritten).toMatchObject({ status: 1, stderr: expect.stringMatching(`^cannot write ${missing}: ENOENT`) });
  const { status, stdout } = await run("nav", "post", "CREDIT", "107.5", "--safe", path);
  expect(status).toBe(0);
  expect(stdout).toContain("NAV of CREDIT: 107.45 USD → 107.5 USD");
  const file = JSON.parse(readFileSync(path, "utf8"));
  expect(file).toMatchObject({ version: "1.0", chainId: "1", meta: { createdFromSafeAddress: safe } });

  await executeBatch(sender, path);
  expect(await navOf(1)).toBe((1_075n * WAD) / 10n);
});

test("a guardian pauses at once, and the timelock unpauses after its delay", async () => {
  const paused = await run("pause", "coreswap", ...unlocked(GUARDIAN));
  expect(paused, paused.stderr).toMatchObject({ status: 0 });
  expect(await isPaused()).toBe(true);
  expect((await run("status")).stdout).toContain("coreswap is paused");

  const unscheduled = await run("unpause", "coreswap", "--execute", ...unlocked(PROPOSER));
  expect(unscheduled).toMatchObject({ status: 1, stderr: expect.stringContaining("is not scheduled") });
  const scheduled = await run("unpause", "coreswap", "--schedule", ...unlocked(PROPOSER));
  expect(scheduled, scheduled.stderr).toMatchObject({ status: 0 });
  const twice = await run("unpause", "coreswap", "--schedule", ...unlocked(PROPOSER));
  expect(twice).toMatchObject({ status: 1, stderr: expect.stringContaining("is scheduled already") });
  const early = await run("unpause", "coreswap", "--execute", ...unlocked(PROPOSER));
  expect(early).toMatchObject({ status: 1, stderr: expect.stringContaining("still waits") });
  expect(await isPaused()).toBe(true);

  await passTime(TIMELOCK_DELAY_SECONDS + 1);
  const executed = await run("unpause", "coreswap", "--execute", ...unlocked(PROPOSER));
  expect(executed, executed.stderr).toMatchObject({ status: 0 });
  expect(await isPaused()).toBe(false);
});

test("--calldata prints the call that grants a role, and that call works", async () => {
  const { deployment, sender } = deployed;
  const role = ["roles", "grant", "coreswap", "BLACKLISTER_ROLE", STRANGER, "--from", PROPOSER];
  const send = async (step: string) => {
    const { status, stdout, stderr } = await run(...role, step, "--calldata");
    expect(status, stderr).toBe(0);
    const [transaction] = JSON.parse(stdout) as { to: Hex; data: Hex }[];
    expect(transaction?.to).toBe(deployment.timelock);
    await call(sender, "operator", transaction?.to ?? "0x", transaction?.data ?? "0x");
    return coreAlone(["decode", transaction?.data ?? "0x"]);
  };
  const decoded = await send("--schedule");
  expect(decoded.stdout).toContain(`account: ${STRANGER}`);
  await passTime(TIMELOCK_DELAY_SECONDS + 1);
  await send("--execute");
  const { stdout } = await run("status", "--json");
  const { holders } = JSON.parse(stdout).roles.find((each: { role: string }) => each.role === "BLACKLISTER_ROLE");
  expect(holders).toEqual([GUARDIAN, STRANGER]);
});

test("rate post posts the named days in order, never a rate alone, and rate correct changes one", async () => {
  const { timestamp } = await deployed.sender.client.getBlock();
  const firstDay = timestamp / BigInt(DAY_SECONDS) - 1n;
  const name = (day: bigint) => new Date(Number(day) * DAY_SECONDS * 1000).toISOString().slice(0, 10);
  const first = await run("rate", "post", `${name(firstDay)}=4.5%`, ...unlocked(RATE_POSTER));
  expect(first, first.stderr).toMatchObject({ status: 0 });
  await passTime(3 * DAY_SECONDS);
  const gap = await run("rate", "post", `${name(firstDay + 2n)}=4.6%`);
  expect(gap).toMatchObject({
    status: 1,
    stderr: expect.stringContaining(`the next day to post is ${name(firstDay + 1n)}`),
  });
  const words = [1n, 2n, 3n].map((day) => `${name(firstDay + day)}=4.6%`);
  const shown = await run("rate", "post", "4.6%");
  expect(shown.stdout).toContain(`to send it, name the days: core rate post ${words.join(" ")}\n`);
  const file = join(deployed.directory, "rates.json");
  for (const leaving of [unlocked(RATE_POSTER), ["--safe", file], ["--calldata"], ["--schedule"], ["--execute"]]) {
    const bare = await run("rate", "post", "4.6%", ...leaving);
    expect(bare).toMatchObject({ status: 1, stderr: expect.stringContaining(`core rate post ${words.join(" ")}\n`) });
    expect(bare.stdout).toBe("");
  }
  // As after a run that was interrupted.
  const [nextWord = ""] = words;
  expect(await run("rate", "post", nextWord, ...unlocked(RATE_POSTER))).toMatchObject({ status: 0 });
  await passTime(DAY_SECONDS);
  const rest = await run("rate", "post", ...words, ...unlocked(RATE_POSTER));
  expect(rest, rest.stderr).toMatchObject({ status: 0, stdout: expect.stringContaining("sent     2/2") });
  for (const day of [1n, 2n, 3n]) expect(await netRateOf(firstDay + day)).toEqual([(41n * WAD) / 1_000n, true]);
  expect(await netRateOf(firstDay + 4n)).toMatchObject({ 1: false });
  expect(await run("rate", "post", ...words, ...unlocked(RATE_POSTER))).toMatchObject({
    status: 0,
    stdout: expect.stringContaining("nothing to do"),
  });
  expect(await run("rate", "post", nextWord.replace("4.6", "4.7"))).toMatchObject({
    status: 1,
    stderr: `${name(firstDay + 1n)} has the net rate 4.1% already, and this would be 4.2%: use rate correct\n`,
  });
  const correction = await run("rate", "correct", `${name(firstDay + 1n)}=4%`, ...unlocked(GUARDIAN));
  expect(correction, correction.stderr).toMatchObject({ status: 0 });
  expect(await netRateOf(firstDay + 1n)).toEqual([(35n * WAD) / 1_000n, true]);
});

test("a stale NAV is in the status, and prevents a quote", async () => {
  await passTime(NAV_MAX_AGE_SECONDS);
  expect((await run("status")).stdout).toContain("TBILL has no price, and its swaps revert: StaleNav(");
  const quote = await run("quote", "1", "TBILL", "USDX");
  expect(quote).toMatchObject({ status: 1, stderr: expect.stringContaining("post one (`core nav post`)") });
});

test.each([true, false])(
  "after a node is lost between send and receipt, a second run sends the transaction once (it arrived: %s)",
  async (arrives) => {
    const nav = arrives ? "1.0535" : "1.054";
    const post = ["nav", "post", "TBILL", nav, ...unlocked(NAV_POSTER.address)];
    const before = await nonceOf(NAV_POSTER.address);
    let isLost = false;
    const node = await startFaultyNode(deployed.node.rpcUrl, async ({ method }, result) => {
      if (method === "eth_sendRawTransaction") {
        isLost = true;
        if (arrives) await deployed.sender.waitForReceipt((await result()) as Hex);
      }
      return isLost ? "reset" : { result: await result() };
    });
    try {
      const navBefore = await navOf(0);
      const lost = await core(deployed, [...post, "--wait-seconds", "1"], node.rpcUrl);
      expect(lost.status).toBe(1);
      expect(lost.stderr).toMatch(
        /^transaction 0x[0-9a-f]{64} \(nonce \d+ of 0x\w{40}\) was handed to the node, .+\n$/,
      );
      expect(lost.stderr).not.toContain(node.rpcUrl);
      expect(await nonceOf(NAV_POSTER.address)).toBe(arrives ? before + 1 : before);
      const hash = lost.stderr.slice(12, 78);
      if (!arrives) {
        // This command posts another value, and must not send the first one, too.
        const other = await run("nav", "post", "TBILL", "1.0545", ...unlocked(NAV_POSTER.address));
        expect(other).toMatchObject({
          status: 1,
          stderr: expect.stringMatching(
            new RegExp(
              `^the node has no receipt of transaction ${hash} \\(nonce \\d+ of 0x\\w{40}\\) of an earlier command: .+\\n$`,
            ),
          ),
        });
        expect(await nonceOf(NAV_POSTER.address)).toBe(before);
        expect(await navOf(0)).toBe(navBefore);
      }
      const again = await run(...post);
      expect(again, again.stderr).toMatchObject(
        arrives
          ? { status: 1, stderr: expect.stringContaining("of an earlier command, did postNav(") }
          : { status: 0, stdout: expect.stringContaining("sent     1/1") },
      );
      expect(again.stdout).toContain(hash);
    } finally {
      await node.stop();
    }
    expect(await nonceOf(NAV_POSTER.address)).toBe(before + 1);
    expect(await navOf(0)).toBe(parseUnits(nav, 18));
  },
);

test("only the same command resumes a step of the timelock whose node was lost", async () => {
  const schedule = (holder: Hex) => {
    const grant = ["roles", "grant", "coreswap", "BLACKLISTER_ROLE", holder, "--schedule"];
    return [...grant, ...unlocked(PROPOSER)];
  };
  const before = await nonceOf(PROPOSER);
  const node = await startFaultyNode(deployed.node.rpcUrl, async ({ method }, result) =>
    method === "eth_sendRawTransaction" ? "reset" : { result: await result() },
  );
  try {
    const lost = await core(deployed, [...schedule(RATE_POSTER), "--wait-seconds", "1"], node.rpcUrl);
    const hash = lost.stderr.slice(12, 78);
    expect(lost.stderr).toContain(`transaction ${hash}`);
    const other = await run(...schedule(NAV_POSTER.address));
    expect(other).toMatchObject({
      status: 1,
      stderr: expect.stringContaining(`transaction ${hash} (nonce ${before} of ${PROPOSER}) of an earlier command`),
    });
    expect(await nonceOf(PROPOSER)).toBe(before);
    const again = await run(...schedule(RATE_POSTER));
    expect(again, again.stderr).toMatchObject({ status: 0, stdout: expect.stringContaining(hash) });
    expect(await nonceOf(PROPOSER)).toBe(before + 1);
  } finally {
    await node.stop();
  }
});

test("a node without eth_simulateV1 simulates each call separately, and the output says so", async () => {
  const node = await startFaultyNode(deployed.node.rpcUrl, async ({ method }, result) =>
    method === "eth_simulateV1"
      ? { body: JSON.stringify({ jsonrpc: "2.0", id: 1, error: { code: -32601, message: "Method not found" } }) }
      : { result: await result() },
  );
  try {
    const { status, stdout } = await core(deployed, ["nav", "post", "TBILL", "1.054"], node.rpcUrl);
    expect(status).toBe(0);
    expect(stdout).toContain("NAV of TBILL: 1.054 USD → unknown");
    expect(stdout).toContain("the node has no eth_simulateV1, so each call was simulated alone");
  } finally {
    await node.stop();
  }
});

test("the block that is printed is the one that was simulated, also when blocks come meanwhile", async () => {
  const simulated: unknown[] = [];
  const node = await startFaultyNode(deployed.node.rpcUrl, async ({ method, params }, result) => {
    const answer = await result();
    if (method === "eth_simulateV1") {
      simulated.push(params[1]);
      await deployed.sender.client.mine({ blocks: 3 });
    }
    return { result: answer };
  });
  try {
    const { status, stdout } = await core(deployed, ["nav", "post", "TBILL", "1.054"], node.rpcUrl);
    expect(status).toBe(0);
    const [, block] = /, chain \d+, block (\d+), /.exec(stdout) ?? [];
    expect(simulated).toEqual([toHex(Number(block))]);
  } finally {
    await node.stop();
  }
});

test("decode names the contract that emitted each event of a transaction", async () => {
  const { deployment, sender } = deployed;
  const [rwa] = deployment.rwas;
  if (rwa === undefined) throw new Error("the deployment lacks an RWA");
  const data = encodeFunctionData({ abi: erc20Abi, functionName: "approve", args: [STRANGER, 5n] });
  const hash = await sender.send({ from: "client4", to: rwa.token, data, gas: 100_000n });
  await sender.waitForReceipt(hash);
  const args = (owner: string) => `owner: ${owner}, spender: ${STRANGER}, value: 5`;
  const event = `event  Approval(${args(WALLETS.client4.address)})`;
  const { status, stdout, stderr } = await run("decode", hash);
  expect(status, stderr).toBe(0);
  expect(stdout).toContain("  [TBILL]\nevent ");
  expect(stdout).toContain(`${event}  [TBILL]\n`);
  const json = await run("decode", hash, "--json");
  expect(JSON.parse(json.stdout).at(-1)).toMatchObject({ name: "Approval", at: "TBILL" });
  const env = { DEPLOYMENTS_DIR: join(deployed.directory, "none") };
  const nameless = await coreAlone(["decode", hash, "--rpc-url", deployed.node.rpcUrl], env);
  expect(nameless.stdout).toContain(`${event}  [${rwa.token}]\n`);
});

test("decode says that a transaction reverted, and why", async () => {
  const { deployment, sender } = deployed;
  const token = deployment.rwas[0]?.token ?? zeroAddress;
  const data = encodeFunctionData({ abi: erc20Abi, functionName: "transfer", args: [STRANGER, 2n ** 200n] });
  const hash = await sender.send({ from: "client4", to: token, data, gas: 100_000n });
  const { blockNumber } = await sender.waitForReceipt(hash);
  const { status, stdout, stderr } = await run("decode", hash);
  expect(status, stderr).toBe(0);
  const text = `transaction ${hash} was mined in block ${BigInt(blockNumber)} and reverted: `;
  expect(stdout).toContain(`\nerror  ${text}ERC20InsufficientBalance(`);
  const json = await run("decode", hash, "--json");
  expect(JSON.parse(json.stdout)).toMatchObject([
    { kind: "call", name: "transfer" },
    { kind: "error", name: "reverted", text: expect.stringContaining(text) },
  ]);
});

test("--replace sends what an earlier run has sent with a higher fee, and nothing when there is no such transaction", async () => {
  const post = ["nav", "post", "TBILL", "1.0525", ...unlocked(NAV_POSTER.address)];
  const idle = await run(...post, "--replace");
  expect(idle).toMatchObject({
    status: 1,
    stderr: "--replace: no transaction of an earlier command has no receipt. Nothing was sent.\n",
  });
  const unsent = await run("nav", "post", "TBILL", "1.0525", "--from", NAV_POSTER.address, "--replace");
  expect(unsent).toMatchObject({ status: 1, stderr: "--replace needs --broadcast\n" });

  const before = await nonceOf(NAV_POSTER.address);
  await deployed.sender.client.setAutomine(false);
  try {
    const stuck = await run(...post, "--wait-seconds", "1");
    const hash = stuck.stderr.slice(12, 78) as Hex;
    expect(stuck).toMatchObject({ status: 1, stderr: expect.stringContaining("With --replace it raises the fee") });
    const replacing = run(...post, "--replace");
    const isOver = replacing.then(() => true);
    let replacement: Hex | undefined;
    while (replacement === undefined) {
      if (await Promise.race([pause(50, false), isOver])) throw new Error((await replacing).stderr);
      const { pending } = await deployed.sender.client.getTxpoolContent();
      const [sent] = Object.values(pending).flatMap((byNonce) => Object.values(byNonce));
      if (sent !== undefined && sent.hash !== hash) replacement = sent.hash;
    }
    await deployed.sender.client.mine({ blocks: 1 });
    const replaced = await replacing;
    expect(replaced, replaced.stderr).toMatchObject({ status: 0, stdout: expect.stringContaining(replacement) });
  } finally {
    await deployed.sender.client.setAutomine(true);
  }
  expect(await nonceOf(NAV_POSTER.address)).toBe(before + 1);
  expect(await navOf(0)).toBe(parseUnits("1.0525", 18));
});

test("an urgent call takes the place of a stuck transaction of another command", async () => {
  const [lowered, paused] = [
    ["cap", "set", "USDX", "TBILL", "5"],
    ["pause", "lp:USDY"],
  ].map((words) => [...words, ...unlocked(GUARDIAN)]) as [string[], string[]];
  const before = await nonceOf(GUARDIAN);
  const { client } = deployed.sender;
  await client.setAutomine(false);
  try {
    const stuck = await run(...lowered, "--wait-seconds", "1");
    const [hash] = /0x\w{64}/.exec(stuck.stderr) ?? [];
    const refused = await run(...paused);
    const replaced = `transaction ${hash} (nonce ${before} of ${GUARDIAN}) of an earlier command: setIntakeCap(`;
    expect(refused).toMatchObject({ status: 1, stdout: "" });
    expect(refused.stderr).toContain(`the node has no receipt of ${replaced}`);
    expect(refused.stderr).toContain("or this one with --replace to have it take its place. Nothing was sent.");
    const replacing = await run(...paused, "--replace", "--wait-seconds", "1");
    expect(replacing.stdout).toContain(`replaces ${replaced}`);
    expect(replacing.stdout).toContain("only one of the two is mined; what another command has not sent stays unsent");
    await client.mine({ blocks: 1 });
    const again = await run(...paused);
    expect(again, again.stderr).toMatchObject({ status: 0, stdout: expect.stringContaining("nothing to do") });
    expect(await nonceOf(GUARDIAN)).toBe(before + 1);

    expect(await run(...lowered, "--wait-seconds", "1")).toMatchObject({ status: 1 });
    const idle = await run(...paused, "--replace");
    expect(idle).toMatchObject({ status: 1, stdout: "" });
    expect(idle.stderr).toMatch(/: nothing to do, so nothing takes the place of transaction 0x\w+ .+setIntakeCap\(/);
    await client.mine({ blocks: 1 });
    const late = await run(...lowered);
    expect(late, late.stderr).toMatchObject({
      status: 0,
      stdout: expect.stringContaining("Sent by an earlier run: 0x"),
    });
  } finally {
    await client.setAutomine(true);
  }
});

test("a node of another chain and one that does not respond are refused in one line", async () => {
  const other = join(deployed.directory, "other.json");
  writeFileSync(other, readFileSync(deployed.file, "utf8").replace('"chainId": 1,', '"chainId": 5,'));
  const wrong = await core({ ...deployed, file: other }, ["status"]);
  expect(wrong).toMatchObject({
    status: 1,
    stderr: "the node serves chain 1, and the deployment file is for chain 5\n",
  });
  const silent = await core(deployed, ["status"], "http://127.0.0.1:1/secret-key");
  expect(silent).toMatchObject({ status: 1, stdout: "" });
  expect(silent.stderr).toMatch(/^the node failed: it did not answer \([^\n]+\)\n$/);
  expect(silent.stderr).not.toContain("secret-key");
});
