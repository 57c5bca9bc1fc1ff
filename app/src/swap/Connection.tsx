import { useConfig, useConnect, useConnection, useConnectors, useDisconnect, useSwitchChain } from "wagmi";
import { Empty } from "../components/Answer.tsx";
import { Identifier } from "../components/Identifier.tsx";
import { Panel } from "../components/Panel.tsx";
import { networkText } from "../format/names.ts";
import { useNetwork } from "../shell/context.ts";
import { CHAIN_IDS } from "./config.ts";
import { failureOf } from "./failures.ts";
import { Notice } from "./Notice.tsx";

/** The connected wallet, or those that the browser announces. */
export function Connection() {
  const { address, connector, status } = useConnection();
  const { state } = useConfig();
  const { mutate: disconnect } = useDisconnect();
  // Until its first effect has run, wagmi says that a wallet it will reconnect is disconnected.
  const isReturning = status === "reconnecting" || (status === "disconnected" && state.current !== null);
  if (status !== "connected" && !isReturning) {
    return (
      <Panel title="Wallet">
        <Wallets />
      </Panel>
    );
  }
  // Both states have the same height, so that the form below does not move when the wallet answers.
  return (
    <Panel
      title="Wallet"
      aside={
        <button
          type="button"
          className="plain"
          disabled={status !== "connected"}
          onClick={() => disconnect({ connector })}
        >
          Disconnect
        </button>
      }
    >
      {status === "connected" ? (
        <>
          <p>
            {connector.name}, account <Identifier value={address.toLowerCase()} what="address of the account" />
          </p>
          <WrongNetwork />
        </>
      ) : (
        <p className="muted">Connecting to the wallet …</p>
      )}
    </Panel>
  );
}

function Wallets() {
  const connectors = useConnectors();
  const { mutate: connect, isPending, error } = useConnect();
  if (connectors.length === 0) {
    return (
      <Empty>
        No wallet found. Install a browser wallet that announces itself to pages (EIP-6963), then load this page again.
        You can quote without a wallet.
      </Empty>
    );
  }
  return (
    <>
      <div className="actions">
        {connectors.map((connector) => (
          <button
            key={connector.uid}
            type="button"
            className="plain"
            disabled={isPending}
            onClick={() => connect({ connector })}
          >
            Connect {connector.name}
          </button>
        ))}
      </div>
      {isPending && (
        <p role="status" className="muted">
          Confirm in your wallet.
        </p>
      )}
      {error !== null && <Notice {...failureOf(error)} />}
    </>
  );
}

/** Says that the wallet is on another network than the page, and offers to switch. */
function WrongNetwork() {
  const { chainId } = useConnection();
  const network = useNetwork();
  const { mutate: switchChain, isPending, error } = useSwitchChain();
  const wanted = CHAIN_IDS[network];
  if (chainId === wanted) return null;
  return (
    <>
      <div className="notice stale" role="status">
        <strong>Wrong network.</strong> The wallet is on chain {chainId}, this page shows {networkText(network)} (chain{" "}
        {wanted}).{" "}
        <button type="button" className="plain" disabled={isPending} onClick={() => switchChain({ chainId: wanted })}>
          Switch the wallet to {networkText(network)}
        </button>
      </div>
      {error !== null && <Notice {...failureOf(error)} />}
    </>
  );
}
