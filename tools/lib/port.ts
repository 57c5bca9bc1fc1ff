/** Ports in settings. */

/**
 * Reads a port.
 * @param name name of the setting
 * @throws Error naming the setting and what it accepts
 */
export function parsePort(name: string, text: string): number {
  if (/^[1-9]\d{0,4}$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw new Error(`${name} is "${text}", expected a port: 1 to 65535`);
}

/** Ponder's default. */
const DEFAULT_PORT = 42_069;

/**
 * The port to serve on: from the environment, else from the command line, else the default. An empty text is unset.
 * @throws Error when the text is not a port
 */
export function servingPort(env: NodeJS.ProcessEnv, option: string | undefined): number {
  if (env.PORT) return parsePort("PORT", env.PORT);
  return option ? parsePort("--port", option) : DEFAULT_PORT;
}
