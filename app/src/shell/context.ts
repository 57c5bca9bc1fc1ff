/** What the shell provides to every view. */
import { createContext, useContext } from "react";
import { type Directory, directoryOf } from "../api/directory.ts";
import type { Network } from "../api/queries.ts";

interface ShellState {
  readonly network: Network;
  readonly directory: Directory;
}

export const ShellContext = createContext<ShellState>({
  network: "evm-mainnet",
  directory: directoryOf(undefined, "evm-mainnet"),
});

/** The network that the URL names. */
export function useNetwork(): Network {
  return useContext(ShellContext).network;
}

/** The assets and contracts of that network. */
export function useDirectory(): Directory {
  return useContext(ShellContext).directory;
}
