/** Runs `core` against LPs whose own stablecoin has an intake cap: RWAs in another account, or all in the delegate. */
import { stablecoinDelegateAbi } from "@coreswap/abi";
import { type Address, encodeFunctionData, erc20Abi, type Hex, maxUint256, zeroAddress } from "viem";
import { afterAll, beforeAll, expect, test } from "vitest";
import { WALLETS, type WalletName } from "../../localnet/wallets.ts";
import { NO_DAILY_LIMIT } from "../../packages/cli/src/text.ts";
import { call, core, type Deployed, deploy } from "./support/deployed.ts";

const RWA_CUSTODY = WALLETS.client2.address;

let deployed: Deployed;

beforeAll(async () => {
  deployed = await deploy("separateCustody", async (usual) => ({
    ...usual,
    plainAccounts: [...usual.plainAccounts, RWA_CUSTODY],
    stablecoins: usual.stablecoins.map((each) =>
      each.symbol === "USDX" ? { ...each, rwaCustody: RWA_CUSTODY, intakeCap: NO_DAILY_LIMIT.toString() } : each,
    ),
  }));
});

afterAll(() => deployed?.node.stop());

const configured = () => ["--config", deployed.configuration];

async function noticesOf(symbol: string): Promise<string[]> {
  const { stdout } = await core(deployed, ["status", "--json"]);
  const { attention } = JSON.parse(stdout) as { attention: string[] };
  return attention.filter((line) => line.includes(` ${symbol} of custody`));
}

/** Has a custody account approve an amount to the delegate; by default the RWA custody. */
async function approve(token: Address, amount: bigint, custody: WalletName = "client2"): Promise<void> {
  const [usdx] = deployed.deployment.stablecoins;
  if (usdx === undefined) throw new Error("the deployment lacks USDX");
  const args = [usdx.delegate, amount] as const;
  await call(deployed.sender, custody, token, encodeFunctionData({ abi: erc20Abi, functionName: "approve", args }));
}

test("an unlimited approval of RWAs is warned of, and a finite one is as configured", async () => {
  const [rwa] = deployed.deployment.rwas;
  if (rwa === undefined) throw new Error("the deployment lacks an RWA");
  const warning = `the stablecoin custody's key of lp:USDX can take all TBILL of custody ${RWA_CUSTODY}, which has an unlimited approval: give a finite one; the intake cap of USDX would bound it`;
  // The deployment script, which sends the steps of the parties on a development node, approves the intake cap.
  expect(await noticesOf("TBILL")).toEqual([]);
  expect((await core(deployed, ["verify", ...configured()])).stdout).not.toContain(" TBILL, configured");

  await approve(rwa.token, maxUint256);
  expect(await noticesOf("TBILL")).toEqual([warning]);
  expect((await core(deployed, ["verify", ...configured()])).stdout).toContain(
    "may take: unlimited TBILL, configured a finite amount",
  );

  await approve(rwa.token, 5n);
  expect(await noticesOf("TBILL")).toEqual([]);
  expect((await core(deployed, ["verify", ...configured()])).stdout).not.toContain(" TBILL, configured");

  await approve(rwa.token, 0n);
  expect(await noticesOf("TBILL")).toEqual([`lp:USDX may take no TBILL of custody ${RWA_CUSTODY}`]);
  const { stdout } = await core(deployed, ["steps", ...configured(), "--json"]);
  const { steps } = JSON.parse(stdout) as { steps: { contract: string; data: Hex }[] };
  const [usdx] = deployed.deployment.stablecoins;
  // The intake cap, which is the loss that is acceptable in a day.
  const args = [usdx?.delegate ?? zeroAddress, 10_000_000_000_000n] as const;
  expect(steps.filter(({ contract }) => contract === "token:TBILL").map(({ data }) => data)).toEqual([
    encodeFunctionData({ abi: erc20Abi, functionName: "approve", args }),
  ]);
});

test("any approval of a stablecoin is as configured, and none is warned of", async () => {
  const [usdx] = deployed.deployment.stablecoins;
  if (usdx === undefined) throw new Error("the deployment lacks USDX");
  const verified = async () => (await core(deployed, ["verify", ...configured()])).stdout;
  for (const amount of [5n, maxUint256]) {
    await approve(usdx.token, amount, "whitelister");
    expect(await noticesOf("USDX")).toEqual([]);
    expect(await verified()).not.toContain("any amount");
  }

  await approve(usdx.token, 0n, "whitelister");
  expect(await noticesOf("USDX")).toEqual([`lp:USDX may take no USDX of custody ${WALLETS.whitelister.address}`]);
  expect(await verified()).toContain("may take: 0 USDX, configured any amount");
  await approve(usdx.token, maxUint256, "whitelister");
});

test("the guardian bounds what the stablecoin custody's key can buy", async () => {
  const [rwa] = deployed.deployment.rwas;
  const [usdx] = deployed.deployment.stablecoins;
  if (rwa === undefined || usdx === undefined) throw new Error("the deployment lacks TBILL or USDX");
  await approve(rwa.token, maxUint256);
  const guardian = ["--broadcast", "--unlocked", "--from", WALLETS.admin.address];
  const capped = await core(deployed, ["cap", "set", "USDX", "USDX", "50000", ...guardian]);
  expect(capped).toMatchObject({ status: 0, stderr: "" });
  expect(await noticesOf("TBILL")).toEqual([
    `the stablecoin custody's key of lp:USDX can take TBILL of custody ${RWA_CUSTODY} for up to two intake caps of 50000 USDX within a day`,
  ]);
  expect((await core(deployed, ["status"])).stdout).toContain("intake 0 USDX of 50000 USDX");

  expect((await core(deployed, ["verify", ...configured()])).stdout).toContain(
    "intake cap of lp:USDX for USDX: 50000 USDX, configured no cap",
  );
  const { stdout } = await core(deployed, ["steps", ...configured(), "--json"]);
  const { steps } = JSON.parse(stdout) as { steps: { contract: string; data: Hex }[] };
  const data = encodeFunctionData({
    abi: stablecoinDelegateAbi,
    functionName: "setIntakeCap",
    args: [usdx.token, NO_DAILY_LIMIT],
  });
  expect(steps).toContainEqual(expect.objectContaining({ contract: "lp:USDX", data }));
});

test("status shows the own cap of an LP that keeps all assets in its delegate", async () => {
  expect((await core(deployed, ["status"])).stdout).toMatch(
    /^ {4}USDY +0 USDY +own +intake 0 USDY of 10000000 USDY +in the delegate$/m,
  );
});

test("verify compares the own cap of an LP that keeps all assets in its delegate", async () => {
  expect((await core(deployed, ["verify", ...configured()])).stdout).not.toContain("intake cap of lp:USDY");
  const guardian = ["--broadcast", "--unlocked", "--from", WALLETS.admin.address];
  const lowered = await core(deployed, ["cap", "set", "USDY", "USDY", "5", ...guardian]);
  expect(lowered).toMatchObject({ status: 0, stderr: "" });
  const { stdout } = await core(deployed, ["verify", ...configured()]);
  expect(stdout).toContain("intake cap of lp:USDY for USDY: 5 USDY, configured 10000000 USDY");
  expect(stdout).not.toContain("for its own stablecoin");
});
