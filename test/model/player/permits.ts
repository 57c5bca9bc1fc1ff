/** Permits signed with the users' keys, and a record by which the model recognizes signatures. */
import type { Address, HDAccount, Hex } from "viem";
import { PERMIT_TYPES } from "../../../packages/sdk/src/actions/permit.ts";
import type { SwapPermit } from "../contracts/coreSwap.ts";
import { textOf } from "./text.ts";

export class Permits {
  readonly #chainId: number;
  readonly #core: Address;
  readonly #signed = new Map<Hex, string>();

  constructor(chainId: number, core: Address) {
    this.#chainId = chainId;
    this.#core = core;
  }

  /** Signs with a user's key, whatever user the permit names. */
  async sign(signer: HDAccount, permit: SwapPermit): Promise<Hex> {
    const signature = await signer.signTypedData({
      domain: { name: "CoreSwap", version: "1", chainId: this.#chainId, verifyingContract: this.#core },
      types: PERMIT_TYPES,
      primaryType: "Swap",
      message: { ...permit, inputs: [...permit.inputs] },
    });
    this.#signed.set(signature, textOf({ signer: signer.address, permit }));
    return signature;
  }

  /** Returns whether the user of a permit signed exactly this permit. */
  readonly verify = (permit: SwapPermit, signature: Hex): boolean =>
    this.#signed.get(signature) === textOf({ signer: permit.user, permit });
}
