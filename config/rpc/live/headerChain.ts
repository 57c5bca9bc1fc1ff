/** The blocks that Ponder has taken and that are not yet final. */
import type { Hash } from "viem";

export interface Header {
  readonly hash: Hash;
  readonly parentHash: Hash;
  readonly number: number;
}

/** A chain of headers from the newest final block, each the parent of the next. */
export class HeaderChain {
  readonly #finalityBlockCount: number;
  #headers: [Header, ...Header[]];

  /** @param finalityBlockCount Ponder's value for the chain */
  constructor(finalized: Header, finalityBlockCount: number) {
    this.#headers = [finalized];
    this.#finalityBlockCount = finalityBlockCount;
  }

  get finalized(): Header {
    return this.#headers[0];
  }

  get newest(): Header {
    return this.#headers.at(-1) ?? this.#headers[0];
  }

  has({ hash, number }: Pick<Header, "hash" | "number">): boolean {
    return this.#headers[number - this.finalized.number]?.hash === hash;
  }

  /** Whether the header can be appended to a block of this chain. */
  fits({ parentHash, number }: Header): boolean {
    return this.has({ hash: parentHash, number: number - 1 });
  }

  /** Removes every block at or above a number. The newest final block is kept. */
  cutFrom(number: number): void {
    const [finalized, ...others] = this.#headers;
    this.#headers = [finalized, ...others.filter((header) => header.number < number)];
  }

  /**
   * Appends a block to its parent, replacing any blocks that followed the parent, and makes blocks final by Ponder's
   * rule: when the newest final block is followed by twice the finality length, the first half becomes final.
   * @throws Error when the parent is not in the chain
   */
  put(header: Header): void {
    if (!this.fits(header)) throw new Error(`block ${header.number} does not follow any block of the chain`);
    this.cutFrom(header.number);
    this.#headers.push(header);
    if (header.number < this.finalized.number + 2 * this.#finalityBlockCount) return;
    const finalized = header.number - this.#finalityBlockCount;
    const [first, ...others] = this.#headers.filter(({ number }) => number >= finalized);
    if (first) this.#headers = [first, ...others];
  }
}
