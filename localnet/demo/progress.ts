/** Progress as plain lines, which read as well in a file as on a terminal. */

const REMINDER_MS = 10_000;
const startedAt = Date.now();

/** Prints a line with the seconds since the start. */
export function say(text: string): void {
  console.log(`[${((Date.now() - startedAt) / 1000).toFixed(1).padStart(6)} s] ${text}`);
}

/**
 * Announces a piece of work, reminds of it while it lasts and says how long it took.
 * @param work is handed a function by which it tells how far it is; the reminders repeat that
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
