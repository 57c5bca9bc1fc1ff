import type { Address } from "viem";

/** There is no contract at an address on the client's chain. A transaction to it would succeed without an effect. */
export class NoContractError extends Error {
  override readonly name = "NoContractError";

  constructor(address: Address, options?: ErrorOptions) {
    super(`no contract at ${address} on this chain: check the address and the chain`, options);
  }
}
