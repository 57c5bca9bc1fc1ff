/** The event streams of mainnet, for an API of tests. */
import { type EventStreams, eventStreams } from "../../../src/api/transactions/events.ts";
import type { TestEngine } from "./engine.ts";
import { networkOf } from "./world.ts";

/** Makes the streams over the tables of an engine. They end with `end`. A failure of a reading fails the test. */
export function streamsOf(engine: TestEngine): EventStreams {
  return eventStreams({
    database: engine.database,
    networks: [networkOf(engine, "mainnet")],
    onFailure: (error) => {
      throw error;
    },
  });
}
