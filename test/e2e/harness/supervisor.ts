/** Starts an indexer again whenever it ends, as a supervisor does in production. */
import { type Indexer, startIndexer } from "../../../localnet/indexer.ts";
import { freePort } from "../../../localnet/ports.ts";

export interface Supervisor {
  /** The same for every run. */
  readonly baseUrl: string;
  /** How each run ended that nobody asked to, with the end of its log. */
  readonly ends: readonly string[];
  /** The run that is on. */
  indexer(): Indexer;
  /** Ends the indexer in good order, and does not start it again. */
  stop(): Promise<void>;
}

export async function supervise(options: Parameters<typeof startIndexer>[0]): Promise<Supervisor> {
  const port = await freePort();
  const start = () => startIndexer({ ...options, port });
  const ends: string[] = [];
  let isStopping = false;
  let indexer = await start();
  const { baseUrl } = indexer;
  const run = async () => {
    for (;;) {
      const end = await indexer.ended;
      if (isStopping) return;
      ends.push(end);
      indexer = await start();
    }
  };
  const running = run();
  return {
    baseUrl,
    ends,
    indexer: () => indexer,
    async stop() {
      isStopping = true;
      await indexer.stop();
      await running;
    },
  };
}
