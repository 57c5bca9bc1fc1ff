/** Whether another process serves on a port. */
import { once } from "node:events";
import { connect } from "node:net";

/** How long to wait for a peer that neither accepts nor refuses a connection. */
const ANSWER_MS = 1_000;

/**
 * Tests the port by connecting, not by listening: a listener would accept a retrying client and lose its request.
 * @param port a port
 * @param hostname address to serve on; any address by default
 */
export async function isTaken(port: number, hostname = "localhost"): Promise<boolean> {
  const socket = connect({ port, host: hostname });
  try {
    await once(socket, "connect", { signal: AbortSignal.timeout(ANSWER_MS) });
    return true;
  } catch {
    // Refused, or no such address: an error about the address is reported when the server listens on it.
    return false;
  } finally {
    socket.destroy();
  }
}
