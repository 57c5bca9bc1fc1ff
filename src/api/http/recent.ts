/** Readings shared by requests that come within a moment. */

/**
 * How long a reading is shared: far below `max-age`, and long enough that many conditional requests take one look at
 * the database.
 */
const LIFETIME_MS = 100;

/**
 * Wraps a reading, which callers within a moment of each other share. One that fails is shared with those that already
 * wait for it, and not kept.
 * @param now milliseconds of a clock that never goes back
 */
export function recent<T>(read: () => Promise<T>, now = () => performance.now()): () => Promise<T> {
  let reading: Promise<T> | undefined;
  let startedAt = 0;
  return () => {
    if (reading !== undefined && now() - startedAt < LIFETIME_MS) return reading;
    startedAt = now();
    const started = read();
    reading = started;
    started.catch(() => {
      if (reading === started) reading = undefined;
    });
    return started;
  };
}

/** `recent` for each network. */
export function recentByNetwork<Network extends { readonly name: string }, T>(
  networks: readonly Network[],
  read: (network: Network) => Promise<T>,
): (network: Network) => Promise<T> {
  const readings = new Map(networks.map((network) => [network.name, recent(() => read(network))]));
  return (network) => readings.get(network.name)?.() ?? read(network);
}
