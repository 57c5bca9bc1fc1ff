/** Internet addresses, by which clients are distinguished. */
import { BlockList, isIP, isIPv4 } from "node:net";

/** Networks of this machine and of private networks (RFC 1918, 3927, 4193, 4291, 6598). */
const LOCAL = new BlockList();
for (const [network, bits] of [
  ["127.0.0.0", 8],
  ["10.0.0.0", 8],
  ["172.16.0.0", 12],
  ["192.168.0.0", 16],
  ["169.254.0.0", 16],
  ["100.64.0.0", 10],
] as const) {
  LOCAL.addSubnet(network, bits, "ipv4");
}
LOCAL.addAddress("::1", "ipv6");
LOCAL.addSubnet("fc00::", 7, "ipv6");
LOCAL.addSubnet("fe80::", 10, "ipv6");

/** Whether an address, without a port, is one of this machine or of a private network. */
export function isLocal(address: string): boolean {
  const bare = address.replace(/%.*$/, "");
  return isIP(bare) !== 0 && LOCAL.check(bare, isIPv4(bare) ? "ipv4" : "ipv6");
}

/**
 * Returns the client to which an address belongs: the address itself, or the /64 network of an IPv6 address, because
 * providers assign at least a /64 to each client. An IPv4-mapped IPv6 address counts as the IPv4 address.
 * @param text an address, optionally with a port: `192.0.2.1`, `192.0.2.1:5678`, `2001:db8::1`, `[2001:db8::1]:5678`
 * @returns null for anything else
 */
export function clientOfAddress(text: string): string | null {
  const address = withoutPort(text.trim()).replace(/%.*$/, "");
  if (isIP(address) === 0) return null;
  if (isIPv4(address)) return address;
  const groups = groupsOf(address);
  return isMapped(groups) ? ipv4Of(groups.slice(6)) : `${groups.slice(0, 4).map(hex).join(":")}::/64`;
}

/** Removes the port. Ports are given with IPv4 addresses, and with IPv6 addresses in brackets. */
function withoutPort(text: string): string {
  const [, inBrackets, bare] = /^(?:\[([^\]]*)\](?::\d{1,5})?|([\d.]+):\d{1,5})$/.exec(text) ?? [];
  return inBrackets ?? bare ?? text;
}

/** Returns the eight numbers of an IPv6 address. */
function groupsOf(address: string): number[] {
  // The URL parser also writes the last two groups in hex when they are given as an IPv4 address.
  const [head = "", tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split("::");
  const numbers = (part: string) => (part === "" ? [] : part.split(":").map((group) => Number.parseInt(group, 16)));
  const [first, last] = [numbers(head), numbers(tail ?? "")];
  return [...first, ...Array<number>(8 - first.length - last.length).fill(0), ...last];
}

/** Recognizes `::ffff:192.0.2.1`, the form in which a dual-stack socket shows IPv4. */
function isMapped(groups: readonly number[]): boolean {
  return groups[5] === 0xffff && groups.slice(0, 5).every((group) => group === 0);
}

function ipv4Of(groups: readonly number[]): string {
  return groups.flatMap((group) => [group >> 8, group & 0xff]).join(".");
}

function hex(group: number): string {
  return group.toString(16);
}
