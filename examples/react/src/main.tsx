/**
 * Mounts the widget. In the repository, against `pnpm demo`:
 *
 *     pnpm --filter @coreswap/example-react install
 *     pnpm --dir examples/react dev
 *
 * In another project, copy this folder and put versions in place of `workspace:*` in package.json. `VITE_API_URL`,
 * `VITE_NETWORK` and `VITE_RPC_URL` name another deployment, when the page is built.
 */
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { http } from "viem";
import { mainnet, sepolia } from "viem/chains";
import { createConfig, WagmiProvider } from "wagmi";
import type { Network } from "./market.ts";
import "./style.css";
import { Widget } from "./Widget.tsx";

const { VITE_API_URL, VITE_NETWORK, VITE_RPC_URL } = import.meta.env;
const settings = {
  apiUrl: VITE_API_URL ?? "http://127.0.0.1:42069",
  network: networkOf(VITE_NETWORK ?? "evm-mainnet"),
  rpcUrl: VITE_RPC_URL ?? "http://127.0.0.1:8545",
};

const chain = settings.network === "evm-mainnet" ? mainnet : sepolia;
// Browsers announce their wallets (EIP-6963), so no connector is named here.
const wagmiConfig = createConfig({
  chains: [chain],
  transports: { [mainnet.id]: http(settings.rpcUrl), [sepolia.id]: http(settings.rpcUrl) },
});

const element = document.getElementById("widget");
if (element === null) throw new Error("the page has no #widget");
createRoot(element).render(
  <StrictMode>
    <WagmiProvider config={wagmiConfig}>
      <QueryClientProvider client={new QueryClient()}>
        <Widget settings={settings} />
      </QueryClientProvider>
    </WagmiProvider>
  </StrictMode>,
);

function networkOf(name: string): Network {
  if (name === "evm-mainnet" || name === "evm-sepolia") return name;
  throw new Error(`${name} is not a network: accepted are evm-mainnet and evm-sepolia`);
}
