/**
 * A worker that all pages of the dashboard in a browser share, so that they take one connection for the events of a
 * network: over HTTP/1.1 a browser has six to a server. Runs as a `SharedWorker`.
 */
import { openStream, type StreamNews } from "./eventStream.ts";
import { type FollowMessage, PORT_SILENCE_MS } from "./workerProtocol.ts";

/** The pages that follow a network, by their ports, with the time at which each last said that it is there. */
interface Group {
  readonly seenAt: Map<MessagePort, number>;
  readonly stop: () => void;
  isOpen: boolean;
}

const groups = new Map<string, Group>();

addEventListener("connect", (event) => {
  const [port] = (event as MessageEvent).ports;
  port?.addEventListener("message", ({ data }: MessageEvent<FollowMessage>) => {
    if (data.kind === "stop") leave(port);
    else join(port, data.network);
  });
  port?.start();
});

// A page that crashed says nothing.
setInterval(() => {
  const oldest = Date.now() - PORT_SILENCE_MS;
  for (const { seenAt } of groups.values()) {
    for (const [port, at] of seenAt) if (at < oldest) leave(port);
  }
}, PORT_SILENCE_MS);

function join(port: MessagePort, network: string): void {
  const group = groups.get(network) ?? begin(network);
  const isNew = !group.seenAt.has(port);
  group.seenAt.set(port, Date.now());
  if (isNew && group.isOpen) port.postMessage({ kind: "open" } satisfies StreamNews);
}

function begin(network: string): Group {
  const seenAt = new Map<MessagePort, number>();
  const stop = openStream(network, (news) => {
    group.isOpen = news.kind !== "lost";
    for (const port of seenAt.keys()) port.postMessage(news);
  });
  const group: Group = { seenAt, stop, isOpen: false };
  groups.set(network, group);
  return group;
}

function leave(port: MessagePort): void {
  for (const [network, { seenAt, stop }] of groups) {
    if (!seenAt.delete(port) || seenAt.size > 0) continue;
    groups.delete(network);
    stop();
  }
}
