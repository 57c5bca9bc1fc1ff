/** The dashboard of the demo: built each time, because that takes only a second or two. */
import { runProcess } from "../processes.ts";

/**
 * Builds what the API serves at `/app`.
 * @throws Error with the builder's messages
 */
export async function buildDashboard(logFile: string): Promise<void> {
  const args = ["app/node_modules/vite/bin/vite.js", "build", "app"];
  await runProcess({ name: "vite build", command: process.execPath, args, logFile });
}
