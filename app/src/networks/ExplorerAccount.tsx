import { evmExplorerPage, svmExplorerPage } from "../components/explorers.ts";
import { Identifier } from "../components/Identifier.tsx";

interface AccountProps {
  readonly chain: string;
  readonly value: string;
  readonly what: string;
}

/** An address of an EVM network, with its page in a block explorer. */
export function EvmAccount({ chain, value, what }: AccountProps) {
  return <Identifier value={value} what={what} page={evmExplorerPage(chain, "address", value)} />;
}

/** An account of an SVM network, with its page in a block explorer. */
export function SvmAccount({ chain, value, what }: AccountProps) {
  return <Identifier value={value} what={what} page={svmExplorerPage(chain, value)} />;
}
