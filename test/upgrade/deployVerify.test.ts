/** The deployment script as operators run it: sent to a node, then checked by `verify()`. */
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { encodeFunctionData, getAddress } from "viem";
import { afterAll, beforeAll, expect, test } from "vitest";
import { stablecoinDelegateAbi } from "../../abis/index.ts";
import { configuredNetworks } from "../../config/networks.ts";
import { buildContracts } from "../../localnet/deployment.ts";
import { type ChainNode, startNode } from "../../localnet/nodes.ts";
import { Sender } from "../../localnet/sender.ts";
import { WALLETS, type WalletName } from "../../localnet/wallets.ts";
import { foundryBinary } from "../../tools/lib/foundry.ts";

const DIRECTORY = join(".demo", "e2e-deploy");
const CONFIGURATION = "contracts/script/config/local.example.json";

let node: ChainNode;
let otherNode: ChainNode;

beforeAll(async () => {
  rmSync(DIRECTORY, { recursive: true, force: true });
  mkdirSync(DIRECTORY, { recursive: true });
  await buildContracts(join(DIRECTORY, "build.log"));
  node = await startNode({ chainId: 1, logFile: join(DIRECTORY, "node.log") });
  otherNode = await startNode({ chainId: 11155111, logFile: join(DIRECTORY, "other.log") });
}, 300_000);

afterAll(async () => {
  await node?.stop();
  await otherNode?.stop();
});

test("a chain whose id differs from the file's is refused, and nothing is sent", async () => {
  const { status, output } = deployScript(otherNode, "--broadcast", "--unlocked");
  expect(status).not.toBe(0);
  expect(output).toContain("WrongChain");
  expect(await new Sender(otherNode).client.getBlockNumber()).toBe(0n);
});

test("what is sent verifies, the indexer reads its file, and a drift is named", async () => {
  const { status, output } = deployScript(node, "--broadcast", "--unlocked");
  expect(status, output).toBe(0);
  expect(verifyScript()).toMatchObject({ status: 0 });

  const [network] = configuredNetworks({ DEPLOYMENTS_DIR: DIRECTORY, PONDER_RPC_URL_1: node.rpcUrl });
  const file = JSON.parse(readFileSync(join(DIRECTORY, "evm", "mainnet.json"), "utf8"));
  expect(network?.deployment).toEqual({
    chainId: 1,
    startBlock: file.startBlock,
    coreSwap: file.coreSwap.toLowerCase(),
    treasury: file.treasury.toLowerCase(),
  });

  // One more issuer admin, whom no role list shows.
  const { delegate, issuerAdmin } = file.treasuryStablecoin;
  const names = Object.keys(WALLETS) as WalletName[];
  const from = names.find((name) => WALLETS[name].address === getAddress(issuerAdmin));
  if (from === undefined) throw new Error(`${issuerAdmin} is none of the accounts`);
  const stranger = WALLETS.outsider.address;
  const data = encodeFunctionData({ abi: stablecoinDelegateAbi, functionName: "addIssuerAdmin", args: [stranger] });
  const sender = new Sender(node);
  await sender.waitForReceipt(await sender.send({ from, to: delegate, data, gas: 200_000n }));
  const drifted = verifyScript();
  expect(drifted.status).not.toBe(0);
  expect(drifted.output).toContain(`TRSY delegate's issuer admin is ${stranger}`);
});

function verifyScript() {
  return deployScript(node, "--sig", "verify()");
}

function deployScript({ rpcUrl }: ChainNode, ...options: string[]): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync(
    foundryBinary("forge"),
    [
      ...["script", "contracts/script/Deploy.s.sol", "--rpc-url", rpcUrl],
      ...["--sender", WALLETS.deployer.address, ...options],
    ],
    {
      encoding: "utf8",
      env: {
        ...process.env,
        DEPLOY_CONFIG: CONFIGURATION,
        DEPLOYMENTS_DIR: DIRECTORY,
        FOUNDRY_BROADCAST: join(DIRECTORY, "broadcast"),
      },
    },
  );
  return { status, output: stdout + stderr };
}
