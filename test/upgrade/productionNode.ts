/** Makes a local chain look like a node of a live network. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface ProductionNode {
  readonly rpcUrl: string;
  /** Settles when the node no longer accepts requests. */
  stop(): Promise<void>;
}

/** Forwards every request to a chain, except `web3_clientVersion`, which it answers itself. */
export async function startProductionNode(chainUrl: string, clientVersion: string): Promise<ProductionNode> {
  const server = createServer(async (request, response) => {
    const body = await new Response(request).text();
    const { method, id } = JSON.parse(body) as { readonly method?: string; readonly id?: number };
    response.setHeader("content-type", "application/json");
    if (method === "web3_clientVersion") {
      response.end(JSON.stringify({ jsonrpc: "2.0", id, result: clientVersion }));
      return;
    }
    const answer = await fetch(chainUrl, { method: "POST", headers: { "content-type": "application/json" }, body });
    response.end(await answer.text());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    rpcUrl: `http://127.0.0.1:${port}`,
    stop: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error === undefined ? resolve() : reject(error)));
        server.closeAllConnections();
      }),
  };
}
