/** Whether another process serves on a port. */
import { once } from "node:events";
import { connect } from "node:net";

/** How long a peer that neither takes nor refuses a connection is waited for. */
const ANSWER_MS = 1_000;

/**
 * Connects for a moment. Nothing listens meanwhile: a client that retries would be accepted, and lose its request.
 * @param port a port
 * @param hostname address to be served on; any, when left out
 */
export async function isTaken(port: number, hostname = "localhost"): Promise<boolean> {
  const socket = connect({ port, host: hostname });
  try {
    await once(socket, "connect", { signal: AbortSignal.timeout(ANSWER_MS) });
    return true;
  } catch {
    // Refused, or no such address: what is wrong with it is said when it is listened on.
    return false;
  } finally {
    socket.destroy();
  }
}
