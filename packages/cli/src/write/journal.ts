/**
 * Stores on disk, by chain and sender, the transaction that was sent to a node and has no receipt yet, so that a
 * command that is run again knows it and sends nothing twice.
 */
import {
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import type { Address, Hash, Hex } from "viem";
import type { NodeClient } from "../chain/connect.ts";
import { Failure } from "../failure.ts";

export interface SentTransaction {
  readonly hash: Hash;
  readonly nonce: number;
  readonly to: Address;
  readonly data: Hex;
  /** The signed transaction. Sending it again changes nothing, because its nonce is used once. */
  readonly signed: Hex;
  /** Transactions of the same nonce that this one replaces, the newest first. Each may still be mined in its place. */
  readonly replaces?: readonly SentTransaction[];
}

export class Journal {
  /** The file that contains the transaction. */
  readonly path: string;

  private constructor(path: string) {
    this.path = path;
  }

  /**
   * Opens the journal of a sender. Chains are distinguished by their genesis blocks, because local chains share IDs.
   * @throws Failure when the system refuses the folder
   */
  static async open(client: NodeClient, sender: Address): Promise<Journal> {
    const { hash } = await client.getBlock({ blockNumber: 0n });
    const directory = join(process.env.XDG_STATE_HOME || join(homedir(), ".local", "state"), "coreswap");
    try {
      mkdirSync(directory, { recursive: true });
    } catch (error) {
      throw notWritten(directory, error);
    }
    return new Journal(join(directory, `${hash.slice(2, 18)}-${sender.toLowerCase()}.json`));
  }

  /**
   * Returns the transaction without a receipt, or null when there is none.
   * @throws Failure when the file cannot be read
   */
  read(): SentTransaction | null {
    try {
      return JSON.parse(readFileSync(this.path, "utf8")) as SentTransaction;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
      throw new Failure(
        `cannot read ${this.path}, which says what an earlier command sent: ${(error as Error).message}`,
      );
    }
  }

  /**
   * Stores a transaction. It is on disk when this returns.
   * @throws Failure when there is one already: two commands of the sender would otherwise sign for the same nonce. Also
   * when the system refuses the file
   */
  write(transaction: SentTransaction): void {
    const draft = this.#draft(transaction);
    try {
      // Unlike a renaming, a link replaces nothing.
      linkSync(draft, this.path);
      this.#syncFolder();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw notWritten(this.path, error);
      throw this.#taken();
    } finally {
      rmSync(draft);
    }
  }

  /**
   * Stores a replacement of the transaction that is stored. It is on disk when this returns.
   * @throws Failure when another transaction is stored meanwhile: it would be forgotten, and could be sent twice. Also
   * when the system refuses the file
   */
  replace(replacement: SentTransaction & Required<Pick<SentTransaction, "replaces">>): void {
    const draft = this.#draft(replacement);
    if (this.read()?.hash !== replacement.replaces[0]?.hash) {
      rmSync(draft);
      throw this.#taken();
    }
    renameSync(draft, this.path);
    this.#syncFolder();
  }

  /** Removes a transaction. One that another command has stored since stays, because only that command may forget it. */
  clear(hash: Hash): void {
    if (this.read()?.hash === hash) rmSync(this.path, { force: true });
  }

  /** The name of a file is in its folder, which a power loss could otherwise undo. Windows cannot open a folder. */
  #syncFolder(): void {
    if (process.platform === "win32") return;
    const folder = openSync(dirname(this.path), "r");
    fsyncSync(folder);
    closeSync(folder);
  }

  #taken(): Failure {
    return new Failure(`another command of the same account is sending (${this.path}): nothing was sent`);
  }

  #draft(transaction: SentTransaction): string {
    const draft = `${this.path}.${process.pid}`;
    try {
      // Writes until all is written. A single write ends early on a full disk, and reports no error.
      writeFileSync(draft, JSON.stringify(transaction), { mode: 0o600, flush: true });
    } catch (error) {
      rmSync(draft, { force: true });
      throw notWritten(draft, error);
    }
    return draft;
  }
}

function notWritten(path: string, error: unknown): Failure {
  return new Failure(
    `nothing was sent, because ${path} cannot be written: ${(error as Error).message}; set XDG_STATE_HOME to a folder`,
  );
}
