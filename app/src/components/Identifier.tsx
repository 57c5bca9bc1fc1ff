import { Link } from "@tanstack/react-router";
import { shortened } from "../format/names.ts";
import { useDirectory } from "../shell/context.ts";
import { Copy } from "./Copy.tsx";

interface IdentifierProps {
  readonly value: string;
  readonly what: string;
  /** Shows every digit. */
  readonly isLong?: boolean;
  /** URL of its page in a block explorer. */
  readonly page?: string | undefined;
}

/** A hash, address or ID with a button that copies it, and a link to its page in a block explorer if it has one. */
export function Identifier({ value, what, isLong = false, page }: IdentifierProps) {
  const text = (
    <code title={value} className={isLong ? "long" : undefined}>
      {isLong ? value : shortened(value)}
    </code>
  );
  return (
    <span className="identifier">
      {page === undefined ? (
        text
      ) : (
        <a href={page} target="_blank" rel="noreferrer">
          {text}
        </a>
      )}
      <Copy text={value} what={what} />
    </span>
  );
}

interface AddressProps {
  readonly value: string;
  /** Whether it is or was that of an LP. */
  readonly isLp?: boolean;
}

/** An address: an LP links to its page, an account to the wallet page; other contracts only have a name. */
export function Address({ value, isLp = false }: AddressProps) {
  const { contractName, lpName, lpAddresses } = useDirectory();
  const name = isLp ? lpName(value) : contractName(value);
  return (
    <span className="identifier">
      {isLp || lpAddresses.includes(value) ? (
        <Link
          to="/lps/$address"
          params={{ address: value }}
          search={(before) => ({ network: before.network })}
          title={value}
        >
          {name ?? <code>{shortened(value)}</code>}
        </Link>
      ) : name === undefined ? (
        <Link to="/wallet" search={(before) => ({ network: before.network, address: value })} title={value}>
          <code>{shortened(value)}</code>
        </Link>
      ) : (
        <span title={value}>{name}</span>
      )}
      <Copy text={value} what="address" />
    </span>
  );
}

/** A transaction hash as a link to its page. */
export function TransactionLink({ hash }: { readonly hash: string }) {
  return (
    <Link to="/transactions/$hash" params={{ hash }} search={(before) => ({ network: before.network })} title={hash}>
      <code>{shortened(hash)}</code>
    </Link>
  );
}
