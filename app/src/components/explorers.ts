/** Pages of public block explorers. Nothing is requested from them until a link is followed. */
const EVM_EXPLORERS = new Map([
  ["mainnet", "https://etherscan.io"],
  ["sepolia", "https://sepolia.etherscan.io"],
]);

/** The server says so where the chains are local ones, which no explorer knows (`EXPLORER_LINKS=off`). */
const areOff = document.querySelector('meta[name="explorer-links"]')?.getAttribute("content") === "off";

/** URL of a page about something on an EVM chain. Undefined when no explorer knows the chain. */
export function evmExplorerPage(chain: string, kind: "address" | "tx", value: string): string | undefined {
  const explorer = EVM_EXPLORERS.get(chain);
  return areOff || explorer === undefined ? undefined : `${explorer}/${kind}/${value}`;
}

/** URL of a page about an account on an SVM chain. Undefined when no explorer knows the chain. */
export function svmExplorerPage(chain: string, account: string): string | undefined {
  if (areOff) return undefined;
  const page = `https://explorer.solana.com/address/${account}`;
  return chain === "mainnet" ? page : `${page}?cluster=${chain}`;
}
