/** The sources of the repository's own `ponder.config.ts` on one network, nothing else. */
import { createConfig } from "ponder";
import { coreSwapAbi, stablecoinDelegateAbi, treasuryAbi, treasuryDelegateAbi } from "../../../abis/index.ts";
import { rpcTransport } from "../../../config/rpcTransport.ts";

const setting = (name: string): string => {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set`);
  return value;
};
const startBlock = Number(setting("BARE_START_BLOCK"));
const coreSwap = setting("BARE_CORE_SWAP") as `0x${string}`;
const treasury = setting("BARE_TREASURY") as `0x${string}`;

export default createConfig({
  ordering: "experimental_isolated",
  database: { kind: "postgres", connectionString: setting("DATABASE_URL") },
  chains: { mainnet: { id: 1, rpc: rpcTransport([setting("BARE_RPC_URL")]) } },
  contracts: {
    CoreSwap: {
      abi: coreSwapAbi,
      chain: "mainnet",
      address: coreSwap,
      startBlock,
      includeTransactionReceipts: true,
    },
    Treasury: { abi: treasuryAbi, chain: "mainnet", address: treasury, startBlock, includeTransactionReceipts: true },
    StablecoinDelegate: { abi: stablecoinDelegateAbi, chain: "mainnet", startBlock },
    TreasuryDelegate: { abi: treasuryDelegateAbi, chain: "mainnet", startBlock },
  },
  accounts: {
    CoreSwapCalls: { chain: "mainnet", address: coreSwap, startBlock },
    TreasuryCalls: { chain: "mainnet", address: treasury, startBlock },
  },
});
