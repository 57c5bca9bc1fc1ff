/** Client addresses made from names, for tests of limits that tell clients apart by address. */
import { createHash } from "node:crypto";

/** An IPv4 address that stands for a name. */
export function clientAddress(name: string): string {
  return [...createHash("sha256").update(name).digest().subarray(0, 4)].join(".");
}
