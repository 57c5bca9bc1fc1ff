/** How a child process ended, and what it wrote. */
import type { ChildProcessByStdio } from "node:child_process";
import { once } from "node:events";
import type { Readable } from "node:stream";

export interface Outcome {
  /** Null when a signal ended the process. */
  readonly status: number | null;
  /** Standard output and standard error, in the order of their arrival. */
  readonly output: string;
}

/** Settles when a process has ended. Must be called at once, before it has written anything. */
export async function outcomeOf(child: ChildProcessByStdio<null, Readable, Readable>): Promise<Outcome> {
  const chunks: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (data: Buffer) => chunks.push(data));
  const [status] = (await once(child, "close")) as [number | null];
  return { status, output: Buffer.concat(chunks).toString() };
}
