/**
 * Mounts the widget. In the repository, against `pnpm demo`:
 *
 *     pnpm --filter @coreswap/example-react install
 *     pnpm --dir examples/react dev
 *
 * In another project, copy this folder and put versions in place of `workspace:*` in package.json. `VITE_API_URL`,
 * `VITE_NETWORK` and `VITE_RPC_URL` name another deployment, when the page is built.
 */
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import type { Network } from "./market.ts";
import "./style.css";
import { Widget } from "./Widget.tsx";

const { VITE_API_URL, VITE_NETWORK, VITE_RPC_URL } = import.meta.env;
const settings = {
  apiUrl: VITE_API_URL ?? "http://127.0.0.1:42069",
  network: networkOf(VITE_NETWORK ?? "evm-mainnet"),
  rpcUrl: VITE_RPC_URL ?? "http://127.0.0.1:8545",
};

const element = document.getElementById("widget");
if (element === null) throw new Error("the page has no #widget");
createRoot(element).render(
  <StrictMode>
    <Widget settings={settings} />
  </StrictMode>,
);

function networkOf(name: string): Network {
  if (name === "evm-mainnet" || name === "evm-sepolia") return name;
  throw new Error(`${name} is no network: accepted are evm-mainnet and evm-sepolia`);
}
