import { Identifier } from "../components/Identifier.tsx";

const EVM_EXPLORERS = new Map([
  ["mainnet", "https://etherscan.io"],
  ["sepolia", "https://sepolia.etherscan.io"],
]);

interface AccountProps {
  readonly chain: string;
  readonly value: string;
  readonly what: string;
}

/** An address of an EVM network, with its page in a block explorer. Nothing is requested there until it is followed. */
export function EvmAccount({ chain, value, what }: AccountProps) {
  const explorer = EVM_EXPLORERS.get(chain);
  return <Identifier value={value} what={what} page={explorer && `${explorer}/address/${value}`} />;
}

/** An account of an SVM network, with its page in a block explorer. */
export function SvmAccount({ chain, value, what }: AccountProps) {
  const page = `https://explorer.solana.com/address/${value}`;
  return <Identifier value={value} what={what} page={chain === "mainnet" ? page : `${page}?cluster=${chain}`} />;
}
