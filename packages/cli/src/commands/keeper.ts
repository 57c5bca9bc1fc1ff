/** `core keeper`: posts NAVs and rates and accrues accounts for as long as it runs. */
import { command } from "../commandLine.ts";

export const keeperCommand = command("keeper", "post NAVs and rates and accrue accounts, for as long as it runs")
  .description(
    "Posts NAVs from their sources and the rate of each finished day, and accrues accounts whose queues fill up. " +
      "docs/keeper.md describes the configuration. Without --broadcast it shows what it would do now, and ends.",
  )
  .argument("<configuration>", "file")
  .option("--broadcast", "send, and run until SIGTERM or SIGINT")
  .action(async (path, { broadcast = false }) => {
    // No other command has to load the metrics and the client of PostgreSQL.
    const { startKeeper } = await import("../keeper/start.ts");
    await startKeeper(path, broadcast);
  });
