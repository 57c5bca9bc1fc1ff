/**
 * The state of the model. Everything mutable is in cells and tables whose writes can be undone, so that an operation
 * that fails leaves no trace, like a transaction. Their values are never changed in place.
 */
import type { Address } from "viem";

/** An event, with its arguments in the order of its declaration. */
export interface ModelEvent {
  readonly contract: Address;
  readonly name: string;
  readonly args: readonly unknown[];
}

/** The revert of an operation, with the name and arguments of the custom error. */
export class Revert extends Error {
  readonly errorName: string;
  readonly args: readonly unknown[];

  constructor(errorName: string, args: readonly unknown[]) {
    super(`${errorName}(${args.map(String).join(", ")})`);
    this.errorName = errorName;
    this.args = args;
  }
}

/** @throws Revert always */
function revert(errorName: string, ...args: readonly unknown[]): never {
  throw new Revert(errorName, args);
}

/** @throws Revert unless the condition holds */
export function demand(condition: boolean, errorName: string, ...args: readonly unknown[]): asserts condition {
  if (!condition) revert(errorName, ...args);
}

export interface Cell<V> {
  value: V;
}

/** Values by key. A key that was never written has the fallback. Parts of a compound key are joined with `/`. */
export interface Table<V> {
  get(...key: readonly string[]): V;
  set(key: string | readonly string[], value: V): void;
}

export class State {
  /** Time of the current block, in seconds since 1970. */
  now = 0n;
  /** Sender of the current transaction. */
  caller: Address = "0x0000000000000000000000000000000000000000";
  readonly #undo: (() => void)[] = [];
  readonly #events: ModelEvent[] = [];

  cell<V>(initial: V): Cell<V> {
    const undo = this.#undo;
    let current = initial;
    return {
      get value() {
        return current;
      },
      set value(next: V) {
        const previous = current;
        undo.push(() => {
          current = previous;
        });
        current = next;
      },
    };
  }

  table<V>(fallback: V): Table<V> {
    const values = new Map<string, V>();
    return {
      get: (...key) => values.get(key.join("/")) ?? fallback,
      set: (key, value) => {
        const joined = typeof key === "string" ? key : key.join("/");
        const previous = values.get(joined);
        this.#undo.push(() => (previous === undefined ? values.delete(joined) : values.set(joined, previous)));
        values.set(joined, value);
      },
    };
  }

  emit(contract: Address, name: string, ...args: readonly unknown[]): void {
    this.#events.push({ contract, name, args });
  }

  /** Runs an operation. When the operation throws, its writes and events are undone. Calls can be nested. */
  atomically<T>(operation: () => T): T {
    const writes = this.#undo.length;
    const events = this.#events.length;
    try {
      return operation();
    } catch (error) {
      for (const undo of this.#undo.splice(writes).reverse()) undo();
      this.#events.length = events;
      throw error;
    }
  }

  /** Returns the events since the last call. Earlier effects can no longer be undone. */
  takeEvents(): ModelEvent[] {
    this.#undo.length = 0;
    return this.#events.splice(0);
  }
}
