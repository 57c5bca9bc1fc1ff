/** What a writing command wants to do, before anybody asks who signs it and how it is sent. */
import type { Address, Hex } from "viem";
import type { NodeClient } from "../chain/connect.ts";
import type { NamedContract } from "../chain/contracts.ts";
import type { Deployment } from "../chain/deployment.ts";

/** Who a contract lets through: holders of a role, or the issuer admins of an LP. */
export type Authority = { readonly role: string } | "issuer admin";

export interface Call {
  readonly to: Address;
  readonly data: Hex;
}

/** A value that the calls change, read before and after them. */
export interface Observation extends Call {
  readonly label: string;
  /** The result of the call as text. */
  show(result: Hex): string;
}

export interface Plan {
  readonly title: string;
  /** The contract that all calls go to. */
  readonly contract: NamedContract;
  /** Any of these may make the calls. Empty: everybody may. */
  readonly mayCall: readonly Authority[];
  /** In the order in which they have to be made. Empty when there is nothing to do. */
  readonly calls: readonly Call[];
  readonly observations: readonly Observation[];
}

/** What plans are made from. */
export interface Context {
  readonly deployment: Deployment;
  readonly client: NodeClient;
  readonly contracts: readonly NamedContract[];
}
