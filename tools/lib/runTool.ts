/** An error that the user has to fix: only its message is shown. */
export class UsageError extends Error {}

/** Runs a tool: prints a `UsageError` in one line, and exits with 1 when the tool throws. */
export async function runTool(tool: () => Promise<void>): Promise<void> {
  try {
    await tool();
  } catch (error) {
    console.error(error instanceof UsageError ? error.message : error);
    process.exitCode = 1;
  }
}
