/** The transport that Ponder uses for a network: it also follows the head (see the patch of `rpc/index.js`). */
import type { Transport } from "viem";
import type { Network } from "../../networks.ts";
import { indexedDataOf } from "../indexedData.ts";
import type { NetworkReport } from "../networkReport.ts";
import { type FollowRequest, followHead } from "./followHead.ts";
import { openHeadSocket } from "./headSocket.ts";
import { createNodes } from "./nodes.ts";
import { answerFrom, type PreparedBlock } from "./preparedBlock.ts";

interface HeadFollower {
  /** Passes verified blocks to Ponder until the signal, and then settles. */
  followHead(request: FollowRequest): Promise<void>;
}

/**
 * Adds head following to a transport, whose other properties are kept. Ponder's requests about the block that it
 * received are answered from memory, and all others by the transport.
 */
export function liveTransport<Inner extends Transport>(
  inner: Inner,
  { name, rpcUrls, wsUrl, deployment }: Pick<Network, "name" | "rpcUrls" | "wsUrl" | "deployment">,
  report: NetworkReport,
): Inner & HeadFollower {
  let held: PreparedBlock | null = null;
  const transport: Transport = (parameters) => {
    const built = inner(parameters);
    // The cast keeps viem's generic request signature, which a wrapper function cannot restate.
    const request = (async (...args: Parameters<typeof built.request>) => {
      const answer = held === null ? undefined : answerFrom(held, args[0]);
      return answer === undefined ? built.request(...args) : answer;
    }) as typeof built.request;
    return { ...built, request };
  };
  return Object.assign(transport, inner, {
    async followHead(request: FollowRequest): Promise<void> {
      // The report is closed at the signal rather than when `followHead` settles, because Ponder may never say whether
      // it took the last block.
      const { signal, warn } = request;
      signal.addEventListener("abort", report.close, { once: true });
      await followHead(request, {
        network: name,
        nodes: createNodes(rpcUrls),
        indexed: indexedDataOf(deployment),
        hold: (prepared) => {
          held = prepared;
        },
        publish: report.followed,
        wait:
          wsUrl === undefined
            ? undefined
            : openHeadSocket({ url: wsUrl, signal, warn: (message) => warn(`${name}: ${message}`) }),
      });
    },
  });
}
