/** Commands of `core` that the first days of a protocol do not need, on a real anvil with a real deployment. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  type Abi,
  type Address,
  encodeAbiParameters,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  keccak256,
  parseAbiParameters,
  parseUnits,
  stringToHex,
  zeroAddress,
} from "viem";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import {
  coreSwapAbi,
  erc4626PriceAdapterAbi,
  stablecoinDelegateAbi,
  tBillRateAdapterAbi,
  treasuryAbi,
} from "../../abis/index.ts";
import { WALLETS } from "../../localnet/wallets.ts";
import { createNodeClient } from "../../packages/cli/src/chain/connect.ts";
import { readDeployment } from "../../packages/cli/src/chain/deployment.ts";
import { Failure } from "../../packages/cli/src/failure.ts";
import { minimumsOf } from "../../packages/cli/src/keeper/config.ts";
import { decide } from "../../packages/cli/src/keeper/decide.ts";
import { readStatus } from "../../packages/cli/src/status/read.ts";
import { type FaultyNode, startFaultyNode } from "../support/faultyNode.ts";
import {
  type Artifact,
  call,
  core,
  create,
  type Deployed,
  deploy,
  type Outcome,
  TIMELOCK_DELAY_SECONDS,
} from "./support/deployed.ts";

const PROPOSER = WALLETS.operator.address;
/** The whitelister and blacklister of the example. */
const GUARDIAN = WALLETS.admin.address;
/** Sends by the command line only: nonces of the other accounts are counted in this process. */
const TRADER = WALLETS.trader1.address;
const OUTSIDER = WALLETS.outsider.address;
const WAD = 10n ** 18n;

let deployed: Deployed;

beforeAll(async () => {
  deployed = await deploy("commands");
});

afterAll(async () => {
  await deployed?.node.stop();
});

const run = (...args: string[]) => core(deployed, args);
const unlocked = (from: string) => ["--broadcast", "--unlocked", "--from", from];
const reads = () => deployed.sender.client;

async function succeed(...args: string[]): Promise<Outcome> {
  const outcome = await run(...args);
  expect(outcome, `${args.join(" ")}: ${outcome.stderr}`).toMatchObject({ status: 0, stderr: "" });
  return outcome;
}

/** Runs a command that must be refused, and returns its message. */
async function refusal(...args: string[]): Promise<string> {
  const outcome = await run(...args);
  expect(outcome, args.join(" ")).toMatchObject({ status: 1, stderr: expect.stringMatching(/^[^\n]+\n$/) });
  return outcome.stderr;
}

/** Lets the timelock execute the calls of a command. */
async function throughTimelock(...args: string[]): Promise<void> {
  await succeed(...args, "--schedule", ...unlocked(PROPOSER));
  await reads().increaseTime({ seconds: TIMELOCK_DELAY_SECONDS + 1 });
  await reads().mine({ blocks: 1 });
  await succeed(...args, "--execute", ...unlocked(PROPOSER));
}

function artifact(name: string): Artifact {
  const { abi, bytecode } = JSON.parse(readFileSync(`out/${name}.sol/${name}.json`, "utf8"));
  return { abi, bytecode: bytecode.object };
}

function send(to: Address, abi: Abi, functionName: string, args: readonly unknown[]): Promise<void> {
  return call(deployed.sender, "outsider", to, encodeFunctionData({ abi, functionName, args: [...args] }));
}

function balanceOf(token: Address, account: Address): Promise<bigint> {
  return reads().readContract({ address: token, abi: erc20Abi, functionName: "balanceOf", args: [account] });
}

describe("a swap of an exact amount out", () => {
  const exactOut = (amount: string) => ["swap", amount, "TBILL", "USDX", "--exact-out"];

  async function quotedIn(amount: string): Promise<bigint> {
    const { stdout } = await succeed("quote", amount, "TBILL", "USDX", "--exact-out", "--json");
    const quote = JSON.parse(stdout);
    expect(quote).toMatchObject({ routeId: "2", tokenOutAmt: String(parseUnits(amount, 6)) });
    return BigInt(quote.tokenInAmt);
  }

  function parties() {
    const [rwa] = deployed.deployment.rwas;
    const [stablecoin] = deployed.deployment.stablecoins;
    if (rwa === undefined || stablecoin === undefined) throw new Error("the deployment lacks assets");
    return { rwa, stablecoin };
  }

  function allowance(): Promise<bigint> {
    const { rwa, stablecoin } = parties();
    const args = [TRADER, stablecoin.delegate] as const;
    return reads().readContract({ address: rwa.token, abi: erc20Abi, functionName: "allowance", args });
  }

  beforeAll(async () => {
    const { rwa, stablecoin } = parties();
    const { abi } = artifact("TestToken");
    await send(rwa.token, abi, "mint", [TRADER, parseUnits("1000", 6)]);
    const custody = await reads().readContract({
      address: stablecoin.delegate,
      abi: stablecoinDelegateAbi,
      functionName: "stablecoinCustodyAddress",
    });
    await send(stablecoin.token, abi, "mint", [custody, parseUnits("1000", 6)]);
  });

  test("pays exactly that amount, and takes what was quoted", async () => {
    const { rwa, stablecoin } = parties();
    const amountIn = await quotedIn("10");
    const before = await balanceOf(rwa.token, TRADER);
    const { stdout } = await succeed(...exactOut("10"), "--slippage", "1%", ...unlocked(TRADER));
    expect(stdout).toMatch(/^Swap at most 9\.\d+ TBILL for 10 USDX\n/);
    expect(await balanceOf(stablecoin.token, TRADER)).toBe(parseUnits("10", 6));
    expect(before - (await balanceOf(rwa.token, TRADER))).toBe(amountIn);
    // The delegate is approved for the bound, of which the slippage remains.
    expect(await allowance()).toBe(amountIn / 100n);
  });

  test("takes back an approval that is too small before it approves the bound", async () => {
    expect(await allowance()).toBeGreaterThan(0n);
    const { stdout } = await succeed(...exactOut("20"), "--bound", "20", ...unlocked(TRADER));
    expect(stdout).toMatch(/^Swap at most 20 TBILL for 20 USDX\n/);
    expect(
      [...stdout.matchAll(/approve\(spender: 0x\w{40}, (?:value|amount): (\d+)\)/g)].map(([, value]) => value),
    ).toEqual(["0", String(parseUnits("20", 6))]);
  });

  test("is refused beyond its bound", async () => {
    expect(await refusal(...exactOut("10"), "--bound", "9", "--from", TRADER)).toMatch(
      /^the quote is 9\.\d+ TBILL, beyond the bound of 9 TBILL\n$/,
    );
    expect(await refusal(...exactOut("10"), "--bound", "0", "--from", TRADER)).toContain("sets no bound");
  });

  test("needs two assets that an LP swaps, and between two RWAs the name of an LP", async () => {
    expect(await refusal("swap", "1", "USDX", "USDX", "--from", TRADER)).toContain("no LP swaps USDX for USDX");
    expect(await refusal("swap", "1", "TBILL", "CREDIT", "--from", TRADER)).toContain("with --lp");
    const { stdout } = await succeed("quote", "1", "TBILL", "CREDIT", "--exact-out", "--lp", "USDX", "--json");
    expect(JSON.parse(stdout)).toMatchObject({ routeId: "6", tokenOutAmt: String(WAD) });
    expect(await refusal("quote", "1", "TBILL", "USDX", "--lp", "USDY")).toMatch(/^no quote: \w+\(/);
  });
});

describe("a deployment file that names former contracts", () => {
  const FORMER = WALLETS.client2.address;

  /** Writes the file, in which one address is another. */
  function fileWith(current: Address, former: Address): string {
    const file = join(deployed.directory, "former.json");
    writeFileSync(file, readFileSync(deployed.file, "utf8").replaceAll(current, former));
    return file;
  }

  function runWith(current: Address, ...args: string[]): Promise<Outcome> {
    return core({ ...deployed, file: fileWith(current, FORMER) }, args);
  }

  test("has a swap approve the delegate that CoreSwap has settle it", async () => {
    const [stablecoin] = deployed.deployment.stablecoins;
    if (stablecoin === undefined) throw new Error("the deployment lacks a stablecoin");
    const { stdout } = await runWith(stablecoin.delegate, "swap", "30", "TBILL", "USDX", "--from", TRADER);
    expect(stdout).toContain(`approve(spender: ${stablecoin.delegate}`);
    expect(stdout).not.toContain(FORMER);
  });

  test("has no NAV posted to an adapter from which CoreSwap takes no price", async () => {
    const [rwa] = deployed.deployment.rwas;
    if (rwa === undefined) throw new Error("the deployment lacks an RWA");
    expect(await runWith(rwa.priceAdapter, "nav", "post", "TBILL", "1.05")).toMatchObject({
      status: 1,
      stderr: `nav:TBILL ${replaced(rwa.priceAdapter, FORMER)}, correct the priceAdapter of TBILL in the file. Nothing was sent.\n`,
    });
  });

  const replaced = (current: Address, former: Address) =>
    `was replaced: CoreSwap uses ${current}, and the deployment file has ${former}. If that was meant (core verify names the transaction)`;

  test("has nothing done to a delegate that CoreSwap no longer has", async () => {
    const [{ delegate } = { delegate: zeroAddress }] = deployed.deployment.stablecoins;
    for (const args of [
      ["pause", "lp:USDX"],
      ["cap", "set", "USDX", "TBILL", "1"],
      ["custody", "set", "USDX", "rwa", OUTSIDER],
      ["roles", "grant", "lp:USDX", "PAUSE_ROLE", OUTSIDER],
    ]) {
      expect(await runWith(delegate, ...args, "--from", GUARDIAN), args.join(" ")).toMatchObject({
        status: 1,
        stdout: "",
        stderr: `lp:USDX ${replaced(delegate, FORMER)}, correct the delegate of USDX in the file. Nothing was sent.\n`,
      });
    }
    const treasury = deployed.deployment.treasuryStablecoin.delegate;
    for (const args of [
      ["rate", "post", "2026-01-31=4.5%"],
      ["accrue", TRADER],
    ]) {
      const { stderr } = await runWith(treasury, ...args, "--from", TRADER);
      expect(stderr, args.join(" ")).toContain(`lp:TRSY ${replaced(treasury, FORMER)}`);
    }
    // What an incident needs first stays possible.
    const paused = await runWith(delegate, "pause", "coreswap", "--from", GUARDIAN);
    expect(paused, paused.stderr).toMatchObject({ status: 0 });
  });

  test("lets a custody withdraw its consent to a delegate that was replaced, and approve nothing to it", async () => {
    const [usdx, usdy] = deployed.deployment.stablecoins;
    if (usdx === undefined || usdy === undefined) throw new Error("the deployment lacks stablecoins");
    const custody = await reads().readContract({
      address: usdx.delegate,
      abi: stablecoinDelegateAbi,
      functionName: "stablecoinCustodyAddress",
    });
    const file = fileWith(usdx.delegate, usdy.delegate);
    const onFile = (...args: string[]) => core({ ...deployed, file }, args);
    const text = `lp:USDX ${replaced(usdx.delegate, usdy.delegate)}, correct the delegate of USDX in the file`;
    const revoked = await onFile("custody", "revoke", "USDX", ...unlocked(custody));
    expect(revoked, revoked.stderr).toMatchObject({ status: 0, stdout: expect.stringContaining(`note     ${text}`) });
    expect(revoked.stdout).toContain(`call     lp:USDX ${usdy.delegate}\n         revokeCustody()`);
    const accepted = await onFile("custody", "accept", "USDX", "--from", custody);
    expect(accepted).toMatchObject({ status: 1, stderr: `${text}. Nothing was sent.\n` });

    const listed = await onFile("steps", "--config", deployed.configuration, "--json");
    expect(listed.status).toBe(1);
    const { steps, notes } = JSON.parse(listed.stdout);
    expect(notes).toEqual([`${text}. Its steps are left out`]);
    const usdyWord = usdy.delegate.slice(2).toLowerCase();
    const toFormer = steps.filter(
      ({ contract, data }: { contract: string; data: Hex }) => contract === "lp:USDX" || data.includes(usdyWord),
    );
    // What is left is the operator's call that would make CoreSwap use the recorded delegate again.
    expect(
      toFormer.map(({ contract, call }: { contract: string; call: string }) => [contract, call.split("(")[0]]),
    ).toEqual([["coreswap", "setStablecoinAcceptance"]]);
    const own = await onFile("steps", "--config", deployed.configuration, "--from", custody);
    expect(own, own.stderr).toMatchObject({
      status: 0,
      stdout: expect.stringContaining(`note     ${text}. Its steps`),
    });
    expect(own.stdout).not.toMatch(/approve\(|acceptCustody/);
  });

  test("is in the attention of status, and no keeper watches a minimum of that LP", async () => {
    const [usdx, usdy] = deployed.deployment.stablecoins;
    if (usdx === undefined || usdy === undefined) throw new Error("the deployment lacks stablecoins");
    const file = fileWith(usdx.delegate, usdy.delegate);
    const text = `lp:USDX ${replaced(usdx.delegate, usdy.delegate)}, correct the delegate of USDX in the file`;
    const { stdout } = await core({ ...deployed, file }, ["status", "--json"]);
    expect(JSON.parse(stdout).attention).toContain(text);
    const client = createNodeClient(deployed.node.rpcUrl);
    const { lps } = await readStatus(readDeployment(file), client);
    const minimums = [{ lp: "USDX", asset: "USDX", amount: 0n }];
    const { alerts } = decide({ now: 0n, navs: [], rates: null, accounts: null, lps, minimums });
    expect(alerts).toEqual([{ key: "minimum:USDX:USDX", text: `the minimum of USDX is not watched: ${text}` }]);
  });
});

test("a contract that has no pause is refused, and so is a minimum of what the deployment lacks, by its field", async () => {
  for (const name of ["foo", "nav:TBILL"]) {
    const expected = "expected coreswap, treasury, lp:USDX, lp:USDY, lp:TRSY";
    expect(await refusal("pause", name)).toBe(`"${name}" has no pause: ${expected}\n`);
  }
  const { deployment } = deployed;
  const minimum = (changes: object) =>
    minimumsOf({ minimums: [{ lp: "USDX", asset: "USDX", amount: "1", ...changes }] }, deployment);
  expect(minimum({ asset: "TRSY" })).toEqual([{ lp: "USDX", asset: "TRSY", amount: WAD }]);
  expect(() => minimum({ lp: "TRSY", asset: "TRSY" })).toThrow(
    "minimums.0.asset: lp:TRSY mints TRSY and burns it, so it keeps none",
  );
  expect(minimum({})).toEqual([{ lp: "USDX", asset: "USDX", amount: 1_000_000n }]);
  const problem = 'the deployment file has no LP "USDQ", only USDX, USDY, TRSY';
  expect(() => minimum({ lp: "USDQ" })).toThrow(new Failure(`minimums.0.lp: ${problem}`));
  expect(() => minimum({ asset: "USDQ" })).toThrow(
    /^minimums\.0\.asset: the deployment file has no asset "USDQ", only /,
  );
  expect(() => minimum({ amount: "x" })).toThrow('minimums.0.amount is "x", expected a number');
});

test("settings that differ by a second differ, although both durations are written as 2 d", async () => {
  const configuration = JSON.parse(readFileSync(deployed.configuration, "utf8"));
  const changed = join(deployed.directory, "changed.json");
  const delaySeconds = TIMELOCK_DELAY_SECONDS + 1;
  writeFileSync(changed, JSON.stringify({ ...configuration, timelock: { ...configuration.timelock, delaySeconds } }));
  const { status, stdout } = await run("verify", "--config", changed);
  expect(status).toBe(1);
  expect(stdout).toContain(`delay: ${TIMELOCK_DELAY_SECONDS} s, configured ${delaySeconds} s`);
});

test("verify names a recipient on the blacklist, and a sweep allowance above the configured one", async () => {
  const { coreSwap, stablecoins } = deployed.deployment;
  const custody = WALLETS.whitelister.address;
  const configured = ["--config", deployed.configuration];
  const differences = async () =>
    [...(await run("verify", ...configured)).stdout.matchAll(/^differs {2}(.+)$/gm)].map(([, text]) => text);
  const args = [coreSwap, stablecoins[0]?.id ?? "0x", 1n, true] as const;
  const data = encodeFunctionData({ abi: coreSwapAbi, functionName: "adjustSwapInputAllowance", args });
  await call(deployed.sender, "whitelister", coreSwap, data);
  const bar = encodeFunctionData({ abi: coreSwapAbi, functionName: "setBlacklisted", args: [custody, true] });
  await call(deployed.sender, "admin", coreSwap, bar);
  await succeed("blacklist", "add", custody, ...unlocked(GUARDIAN));
  const exceeded = `CoreSwap may swap more USDX of ${custody} than sweepAllowance: yes, configured no`;
  expect(await differences()).toEqual([
    `${custody} is blacklisted by CoreSwap: yes, configured no`,
    `${custody} is blacklisted by TRSY: yes, configured no`,
    exceeded,
  ]);
  await succeed("blacklist", "remove", custody, ...unlocked(GUARDIAN));
  await succeed("steps", ...configured, ...unlocked(GUARDIAN));
  // Takes the whole allowance back.
  await succeed("steps", ...configured, ...unlocked(custody));
  expect(await differences()).toEqual([`CoreSwap may swap USDX of ${custody}: no, configured yes`]);
  await succeed("steps", ...configured, ...unlocked(custody));
  await succeed("verify", ...configured);
});

test("a bound that the contracts refuse is refused in the configuration, too", async () => {
  const configuration = JSON.parse(readFileSync(deployed.configuration, "utf8"));
  const path = join(deployed.directory, "bound.json");
  const refused = (changes: object) => {
    writeFileSync(path, JSON.stringify({ ...configuration, treasury: { ...configuration.treasury, ...changes } }));
    return refusal("verify", "--config", path);
  };
  expect(await refused({ maxDailyRateWad: String(WAD + 1n) })).toContain("treasury.maxDailyRateWad: expected");
  expect(await refused({ maxFallbackRateSeconds: "86399" })).toContain(
    "treasury.maxFallbackRateSeconds: expected 0, or",
  );
  expect(await refused({ rwaColdStorage: "0x00" })).toContain("treasury.rwaColdStorage: ");
});

test("a configuration with another token than the deployment is refused", async () => {
  const configuration = JSON.parse(readFileSync(deployed.configuration, "utf8"));
  const changed = join(deployed.directory, "token.json");
  const [usdx, ...others] = configuration.stablecoins;
  writeFileSync(changed, JSON.stringify({ ...configuration, stablecoins: [{ ...usdx, token: OUTSIDER }, ...others] }));
  expect(await refusal("verify", "--config", changed)).toBe(
    `the configuration has USDX at ${OUTSIDER}, and the deployment file at ${deployed.deployment.stablecoins[0]?.token}\n`,
  );
});

test("steps that are to be sent or printed need the account whose steps they are", async () => {
  expect(await refusal("steps", "--config", deployed.configuration, "--calldata")).toBe(
    "name the account whose steps are meant with --from\n",
  );
});

test("--calldata prints an empty list when there is nothing to do", async () => {
  const { treasury } = deployed.deployment;
  expect(await run("whitelist", "add", OUTSIDER, "--calldata", "--from", GUARDIAN)).toMatchObject({
    status: 0,
    stdout: expect.stringContaining(`"to": "${treasury}"`),
  });
  const done = await run("whitelist", "remove", OUTSIDER, "--calldata", "--from", GUARDIAN);
  expect(done).toMatchObject({ status: 0, stdout: "[]\n", stderr: expect.stringContaining("nothing to do") });
});

test("--safe says that it leaves the file as it was when there is nothing to do", async () => {
  const path = join(deployed.directory, "batch.json");
  const { stdout } = await succeed("whitelist", "remove", OUTSIDER, "--safe", path, "--from", GUARDIAN);
  expect(stdout).toMatch(/: nothing to do\n/);
  expect(stdout).toContain(`${path} was not written`);
});

describe("a remote signer", () => {
  let signer: FaultyNode;
  beforeAll(async () => {
    signer = await startFaultyNode(deployed.node.rpcUrl);
  });
  afterAll(() => signer?.stop());
  afterEach(() => signer.spoil(null));

  const signing = (from: Address) => ["--signer-url", signer.rpcUrl, "--from", from];
  const nonceOf = (address: Address) => reads().getTransactionCount({ address });

  test("signs what core sends, and never gets it sent", async () => {
    await succeed("whitelist", "add", OUTSIDER, "--broadcast", ...signing(GUARDIAN));
    const args = [OUTSIDER] as const;
    const { treasury } = deployed.deployment;
    const listed = await reads().readContract({
      address: treasury,
      abi: treasuryAbi,
      functionName: "whitelisted",
      args,
    });
    expect(listed).toBe(true);
    expect(signer.calls.get("eth_signTransaction")).toBe(1);
    expect(signer.calls.get("eth_sendRawTransaction")).toBeUndefined();
  });

  test.each([
    ["of another chain", { chainId: 5 }, "another transaction than it was asked to sign"],
    ["with another call", { data: "0x12345678" }, "another transaction than it was asked to sign"],
    ["that pays", { value: 1n }, "another transaction than it was asked to sign"],
  ] as const)("that signs a transaction %s is refused, and nothing is sent", async (_what, changed, message) => {
    signer.spoil(async ({ method, params }, result) => {
      if (method !== "eth_signTransaction") return { result: await result() };
      return { result: await WALLETS.admin.signTransaction({ ...asked(params[0]), ...changed }) };
    });
    const before = await nonceOf(GUARDIAN);
    const outcome = await refusal("whitelist", "remove", OUTSIDER, "--broadcast", ...signing(GUARDIAN));
    expect(outcome).toContain(message);
    expect(await nonceOf(GUARDIAN)).toBe(before);
  });

  test("that signs with another key is refused, also for a permit", async () => {
    signer.spoil(async ({ method, params }, result) => {
      if (method === "eth_signTransaction") {
        return { result: await WALLETS.outsider.signTransaction(asked(params[0])) };
      }
      if (method === "eth_signTypedData_v4") return { result: `0x${"11".repeat(64)}1b` };
      return { result: await result() };
    });
    const removed = await refusal("whitelist", "remove", OUTSIDER, "--broadcast", ...signing(GUARDIAN));
    expect(removed).toContain(`a signature of ${OUTSIDER} instead of ${GUARDIAN}`);
    const permit = ["sign-permit", "1", "TBILL", "USDX", "--operator", OUTSIDER];
    expect(await refusal(...permit, ...signing(TRADER))).toContain(`is not one of ${TRADER}`);
    signer.spoil(null);
    expect(JSON.parse((await succeed(...permit, ...signing(TRADER))).stdout)).toMatchObject({
      signature: expect.stringMatching(/^0x[0-9a-f]{130}$/),
    });
  });

  test("that fails, lacks the key or could be replaced in transit is named without its URL", async () => {
    const remove = ["whitelist", "remove", OUTSIDER, "--broadcast"];
    signer.spoil(async ({ method }, result) =>
      method === "eth_signTransaction" ? "reset" : { result: await result() },
    );
    const failed = await refusal(...remove, ...signing(GUARDIAN));
    expect(failed).toContain("the signer failed");
    expect(failed).not.toContain("secret-key");
    signer.spoil(async () => ({ result: ["0x1", TRADER] }));
    expect(await refusal(...remove, ...signing(GUARDIAN))).toContain(`does not have the key of ${GUARDIAN}, but of`);
    const open = ["--signer-url", "http://signer.example", "--from", GUARDIAN];
    expect(await refusal(...remove, ...open)).toContain("must be https");
    expect(await refusal(...remove, "--signer-url", signer.rpcUrl)).toContain("--signer-url needs --from");
    expect(await refusal(...remove, ...signing(GUARDIAN), "--unlocked")).toContain("cannot be used with");
  });
});

describe("an adapter of the shares of a vault", () => {
  const REFERENCE_WAD = (105n * WAD) / 100n;
  let vault: Address;
  let rateWad: bigint;

  beforeAll(async () => {
    const token = artifact("TestToken");
    const shares = artifact("TestVault");
    const asset = await create(deployed.sender, token, ["Asset", "AST", 6]);
    vault = await create(deployed.sender, shares, [asset, 12]);
    const deposit = parseUnits("100", 6);
    await send(asset, token.abi, "mint", [OUTSIDER, deposit]);
    await send(asset, token.abi, "approve", [vault, deposit]);
    await send(vault, shares.abi, "deposit", [deposit, OUTSIDER]);
    await send(asset, token.abi, "mint", [vault, parseUnits("5", 6)]);
    // A share has 18 decimals and the asset 6, so this many units of shares are worth the rate in WAD.
    const args = [10n ** 30n] as const;
    rateWad = (await reads().readContract({
      address: vault,
      abi: shares.abi,
      functionName: "convertToAssets",
      args,
    })) as bigint;
    const difference = rateWad - REFERENCE_WAD;
    expect(difference < 0n ? -difference : difference).toBeLessThan(WAD / 1_000_000n);
  });

  const deployment = (assetAdapter: string, reference: string) => [
    ...["adapter", "deploy", "erc4626", vault, "--asset-adapter", assetAdapter],
    ...["--max-move", "1%", "--reference", reference],
  ];

  test("is worth the rate times the price of the asset", async () => {
    const assetAdapter = deployed.deployment.rwas[0]?.priceAdapter ?? zeroAddress;
    const { stdout } = await succeed(...deployment(assetAdapter, "1.05"), ...unlocked(TRADER));
    const address = /Create the erc4626 adapter (0x\w{40})/.exec(stdout)?.[1] as Address;
    expect(stdout).toContain("change   price: no contract → 1.10");
    const view = { address, abi: erc4626PriceAdapterAbi } as const;
    expect(await reads().readContract({ ...view, functionName: "getPrice" })).toBe((rateWad * 10_523n) / 10_000n);
    expect(await reads().readContract({ ...view, functionName: "maxMovePerDayWad" })).toBe(WAD / 100n);
    expect(await reads().readContract({ ...view, functionName: "referenceRateWad" })).toBe(REFERENCE_WAD);
    const again = await succeed(...deployment(assetAdapter, "1.05"), ...unlocked(TRADER));
    expect(again.stdout).toContain("which exists: nothing to do");
  });

  test("counts an asset without an adapter as one USD", async () => {
    const { stdout } = await succeed(...deployment(zeroAddress, "1.05"), ...unlocked(TRADER));
    const address = /Create the erc4626 adapter (0x\w{40})/.exec(stdout)?.[1] as Address;
    expect(await reads().readContract({ address, abi: erc4626PriceAdapterAbi, functionName: "getPrice" })).toBe(
      rateWad,
    );
  });

  test("is refused with the reason of its constructor", async () => {
    expect(await refusal(...deployment(zeroAddress, "1.2"), "--from", TRADER)).toMatch(
      /^the adapter cannot be created: RateMoveTooLarge\(referenceRateWad: 1200000000000000000, /,
    );
    expect(await refusal("adapter", "deploy", "erc4626", vault, "--from", TRADER)).toContain("needs --asset-adapter");
  });
});

describe("an adapter of a yearly rate", () => {
  let feed: Address;

  beforeAll(async () => {
    const settable = artifact("SettableFeed");
    feed = await create(deployed.sender, settable, [8]);
    const { timestamp } = await reads().getBlock();
    await send(feed, settable.abi, "set", [450_000_000n, timestamp]);
  });

  const deployment = (...more: string[]) => {
    const bounds = ["--max-age", "86400", "--min-rate", "0.1%", "--max-rate", "10%"];
    return ["adapter", "deploy", "tbill", feed, ...bounds, ...more];
  };

  test("shows and serves the rate of a feed that answers in percent", async () => {
    const outcome = await succeed(...deployment("--in-percent"), ...unlocked(TRADER));
    expect(outcome.stdout).toContain("change   rate: no contract → 4.5%");
    expect(outcome.stdout).toContain("change   largest rate: no contract → 10%");
    const address = /Create the tbill adapter (0x\w{40})/.exec(outcome.stdout)?.[1] as Address;
    const rateWad = await reads().readContract({ address, abi: tBillRateAdapterAbi, functionName: "getRate" });
    expect(rateWad).toBe((45n * WAD) / 1_000n);
    expect((await succeed(...deployment("--in-percent"), "--from", TRADER)).stdout).toContain("nothing to do");
  });

  test("shows that it refuses the rate when --in-percent is left out", async () => {
    const { stdout } = await succeed(...deployment(), "--from", TRADER);
    expect(stdout).toContain("change   rate: no contract → RateOutOfBounds(rateWad: 4500000000000000000, ");
  });

  test("is refused with bounds that exclude each other", async () => {
    const swapped = ["adapter", "deploy", "tbill", feed, "--max-age", "1", "--min-rate", "5%", "--max-rate", "4%"];
    expect(await refusal(...swapped, "--from", TRADER)).toContain("cannot be created: InvalidRateBounds(");
  });
});

test("an adapter of a price feed is created once, at the announced address", async () => {
  const settable = artifact("SettableFeed");
  const feed = await create(deployed.sender, settable, [8]);
  const { timestamp } = await reads().getBlock();
  await send(feed, settable.abi, "set", [123_000_000n, timestamp]);
  const adapter = ["adapter", "deploy", "chainlink", feed];
  expect(await refusal(...adapter, "--from", TRADER)).toContain("this adapter needs --max-age");
  const { stdout } = await succeed(...adapter, "--max-age", "86400", ...unlocked(TRADER));
  const address = /Create the chainlink adapter (0x\w{40})/.exec(stdout)?.[1] as Address;
  const view = { address, abi: erc4626PriceAdapterAbi, functionName: "getPrice" } as const;
  expect(await reads().readContract(view)).toBe((123n * WAD) / 100n);
  const constructorArgs = encodeAbiParameters(parseAbiParameters("address, uint256"), [feed, 86_400n]);
  expect(stdout).toMatch(
    new RegExp(
      `explorers get its sources by: pnpm forge verify-contract ${address} ` +
        "contracts/src/adapters/ChainlinkPriceAdapter.sol:ChainlinkPriceAdapter --chain 1 " +
        `--compiler-version 0\\.8\\.\\d+\\+commit\\.\\w+ --verifier sourcify --constructor-args ${constructorArgs}$`,
      "m",
    ),
  );
  expect((await succeed(...adapter, "--max-age", "86400", "--from", TRADER)).stdout).toContain("nothing to do");
});

describe("remove", () => {
  test.each([
    ["whitelist", "whitelisted"],
    ["blacklist", "blacklisted"],
  ] as const)("takes an account off the %s, and leaves out those that are not on it", async (list, functionName) => {
    const [first, second] = [WALLETS.client1.address, WALLETS.client2.address];
    const isListed = (account: Address) =>
      reads().readContract({ address: deployed.deployment.treasury, abi: treasuryAbi, functionName, args: [account] });
    await succeed(list, "add", first, ...unlocked(GUARDIAN));
    expect(await isListed(first)).toBe(true);
    expect(await refusal(list, "remove", first, "--from", TRADER)).toContain(GUARDIAN);
    const { stdout } = await succeed(list, "remove", first, second, ...unlocked(GUARDIAN));
    expect(stdout).toContain(`${first} is ${functionName}: yes → no`);
    expect(stdout).toContain("sent     1/1");
    expect(await isListed(first)).toBe(false);
    expect((await succeed(list, "remove", first, "--from", GUARDIAN)).stdout).toContain("nothing to do");
  });

  const withBridges = (...bridges: { readonly address: Address; readonly limitPerDay: string }[]) => {
    const configuration = JSON.parse(readFileSync(deployed.configuration, "utf8"));
    const path = join(deployed.directory, "bridges.json");
    writeFileSync(path, JSON.stringify({ ...configuration, treasury: { ...configuration.treasury, bridges } }));
    return path;
  };
  const verifyWith = (...bridges: Parameters<typeof withBridges>) => run("verify", "--config", withBridges(...bridges));

  test("takes the role from a bridge, whose limit was set before it could mint", async () => {
    // Any contract can be a bridge.
    const bridge = deployed.safe;
    const { treasury } = deployed.deployment;
    const role = [keccak256(stringToHex("BRIDGE_ROLE")), bridge] as const;
    const mayMint = () =>
      reads().readContract({ address: treasury, abi: treasuryAbi, functionName: "hasRole", args: role });
    const limit = { address: treasury, abi: treasuryAbi, functionName: "bridgeLimit", args: [bridge] } as const;
    expect(await refusal("bridge", "add", OUTSIDER, "1000")).toContain("has no code");
    await throughTimelock("bridge", "add", bridge, "1000");
    expect(await mayMint()).toBe(true);
    expect(await reads().readContract(limit)).toEqual([1_000n * WAD, 1_000n * WAD]);
    await succeed("bridge", "limit", bridge, "10", ...unlocked(GUARDIAN));
    const { stdout } = await run("verify", "--config", deployed.configuration);
    expect(stdout).toContain(`treasury BRIDGE_ROLE: ${bridge}, configured nobody`);
    const configured = { address: bridge, limitPerDay: String(1_000n * WAD) };
    expect((await verifyWith(configured)).stdout).toContain(
      `differs  mints of the bridge ${bridge} in a day: 10 TRSY, configured 1000 TRSY`,
    );
    const matching = withBridges({ ...configured, limitPerDay: String(10n * WAD) });
    const verified = await succeed("verify", "--config", matching);
    expect(verified.stdout).toContain(`unknown  the bridge ${bridge} has no owner() to compare`);
    const another = await verifyWith({ ...configured, address: OUTSIDER });
    const json = await run("verify", "--config", withBridges(configured), "--json");
    expect(JSON.parse(json.stdout)).toMatchObject({
      ...{ network: "mainnet", chainId: 1, time: expect.stringMatching(/ UTC$/), events: expect.any(Number) },
      differences: [{ text: expect.stringContaining("mints of the bridge"), origin: "event", event: "BridgeLimitSet" }],
    });
    expect(another.stdout).toContain(`differs  ${OUTSIDER} is a bridge: no, configured yes`);
    await throughTimelock("bridge", "remove", bridge);
    expect(await mayMint()).toBe(false);
    expect((await reads().readContract(limit))[0]).toBe(10n * WAD);
    expect((await succeed("bridge", "remove", bridge)).stdout).toContain("nothing to do");
  });
});

// The last test, because the NAVs are stale after the delay of the timelock.
test("steps make what a configuration sets after the deployment, and verify then finds it as configured", async () => {
  const configuration = JSON.parse(readFileSync(deployed.configuration, "utf8"));
  const path = join(deployed.directory, "later.json");
  const [usdx, ...others] = configuration.stablecoins;
  const later = {
    ...configuration,
    treasury: { ...configuration.treasury, maxDailyRateWad: String(WAD / 10n), maxFallbackRateSeconds: "86400" },
    stablecoins: [
      { ...usdx, furtherIssuerAdmins: [OUTSIDER], rwaColdStorage: [TRADER], stablecoinColdStorage: [TRADER, OUTSIDER] },
      ...others,
    ],
  };
  const configured = ["--config", path];
  writeFileSync(path, JSON.stringify(later));
  expect(await refusal("steps", ...configured)).toContain(
    `furtherIssuerAdmins of USDX ${OUTSIDER} is controlled by a single key: give an account with code, or name it in`,
  );
  const plainAccounts = [...configuration.plainAccounts, OUTSIDER, TRADER];
  writeFileSync(path, JSON.stringify({ ...later, plainAccounts }));
  const before = await run("verify", ...configured);
  expect(before.stdout.match(/^differs {2}.+$/gm)).toEqual([
    `differs  ${TRADER} is RWA cold storage of lp:USDX: no, configured yes`,
    `differs  ${TRADER} is stablecoin cold storage of lp:USDX: no, configured yes`,
    `differs  ${OUTSIDER} is stablecoin cold storage of lp:USDX: no, configured yes`,
    "differs  most gross rate: 20%, configured 10%",
    "differs  fallback window: 259200 s, configured 86400 s",
    `differs  ${OUTSIDER} is issuer admin of lp:USDX: no, configured yes`,
  ]);
  await throughTimelock("steps", ...configured);
  await succeed("steps", ...configured, ...unlocked(usdx.issuerAdmin));
  expect((await succeed("verify", ...configured)).stdout).toMatch(/events: nothing differs$/m);
  expect((await succeed("steps", ...configured)).stdout).toContain("Nothing is left to do");

  const former = await run("verify", "--config", deployed.configuration);
  expect(former.stdout.match(/^differs {2}.+$/gm)).toEqual([
    `differs  other RWA cold storage of lp:USDX: ${TRADER}, configured none`,
    `differs  other stablecoin cold storage of lp:USDX: ${TRADER}, ${OUTSIDER}, configured none`,
    "differs  most gross rate: 10%, configured 20%",
    "differs  fallback window: 86400 s, configured 259200 s",
    `differs  ${OUTSIDER} is issuer admin of lp:USDX, which is not configured`,
  ]);
});

/** The transaction of a request to sign, as a local account signs it. */
function asked(request: unknown) {
  const { to, data, chainId, nonce, gas, maxFeePerGas, maxPriorityFeePerGas } = request as Record<string, Hex>;
  if (!to || !data || !chainId || !nonce || !gas || !maxFeePerGas || !maxPriorityFeePerGas) {
    throw new Error(`incomplete: ${JSON.stringify(request)}`);
  }
  return {
    ...({ type: "eip1559", to, data } as const),
    ...{ chainId: Number(chainId), nonce: Number(nonce), gas: BigInt(gas) },
    ...{ maxFeePerGas: BigInt(maxFeePerGas), maxPriorityFeePerGas: BigInt(maxPriorityFeePerGas) },
  };
}
