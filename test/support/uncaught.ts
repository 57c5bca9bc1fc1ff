/** Runs a task, and returns the messages of the exceptions meanwhile that would end a process. */
export async function uncaughtDuring(task: () => Promise<void>): Promise<string[]> {
  const messages: string[] = [];
  const note = ({ message }: Error) => void messages.push(message);
  process.on("uncaughtExceptionMonitor", note);
  try {
    await task();
  } finally {
    process.off("uncaughtExceptionMonitor", note);
  }
  return messages;
}
