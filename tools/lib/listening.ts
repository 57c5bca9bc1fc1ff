/** Whether this process could serve on a port. */
import { once } from "node:events";
import { createServer } from "node:net";

/**
 * Listens for a moment.
 * @param port a port
 * @param hostname address to listen on; all of them when left out, as Ponder does
 * @returns why it is not possible, in the system's words; null when it is
 */
export async function refusalToListen(port: number, hostname?: string): Promise<string | null> {
  const server = createServer();
  try {
    server.listen({ port, ...(hostname === undefined ? {} : { host: hostname }), exclusive: true });
    await once(server, "listening");
  } catch (error) {
    return (error as Error).message;
  }
  server.close();
  await once(server, "close");
  return null;
}
