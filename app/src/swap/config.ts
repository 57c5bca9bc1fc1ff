/** How the page reaches a wallet: whichever the browser announces (EIP-6963), and nothing else. */
import { createConfig, unstable_connector } from "wagmi";
import { injected } from "wagmi/connectors/injected";
import type { Network } from "../api/queries.ts";

// Every wallet knows these chains. The list of all chains that comes with viem would be loaded as a whole.
const nativeCurrency = { name: "Ether", symbol: "ETH", decimals: 18 };
const rpcUrls = { default: { http: [] } };
const mainnet = { id: 1, name: "Ethereum", nativeCurrency, rpcUrls } as const;
const sepolia = { id: 11155111, name: "Sepolia", nativeCurrency, rpcUrls } as const;

/** Requests go to the connected wallet, so the page asks no node of its own. */
const transport = unstable_connector(injected);

export const wagmiConfig = createConfig({
  chains: [mainnet, sepolia],
  transports: { [mainnet.id]: transport, [sepolia.id]: transport },
});

/** Chain of each network of the API. */
export const CHAIN_IDS = { "evm-mainnet": mainnet.id, "evm-sepolia": sepolia.id } as const satisfies Record<
  Network,
  number
>;
