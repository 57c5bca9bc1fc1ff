/** Progress as plain lines, which are readable in a file as well as on a terminal. */

const REMINDER_MS = 10_000;
const startedAt = Date.now();

/** Prints a line with the seconds since the start. */
export function say(text: string): void {
  console.log(`[${((Date.now() - startedAt) / 1000).toFixed(1).padStart(6)} s] ${text}`);
}

/**
 * Announces a task, prints reminders while it runs, and then how long it took.
 * @param work receives a function with which it reports its progress, which the reminders repeat
 */
export async function stage<Result>(
  title: string,
  work: (report: (progress: string) => void) => Promise<Result>,
): Promise<Result> {
  const begin = Date.now();
  const seconds = () => ((Date.now() - begin) / 1000).toFixed(1);
  let reached = "";
  say(`${title} …`);
  const reminder = setInterval(() => say(`${title} … ${reached}${seconds()} s so far`), REMINDER_MS);
  try {
    const result = await work((progress) => {
      reached = `${progress}, `;
    });
    say(`${title}: done in ${seconds()} s`);
    return result;
  } finally {
    clearInterval(reminder);
  }
}
