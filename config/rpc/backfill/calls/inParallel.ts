/**
 * Runs a task for each number, in order, and no more than so many at once.
 * @throws the first error of a task, after which no other task is started
 */
export async function inParallel(
  numbers: readonly number[],
  atOnce: number,
  task: (number: number) => Promise<void>,
): Promise<void> {
  const waiting = [...numbers];
  const work = async () => {
    try {
      for (let number = waiting.shift(); number !== undefined; number = waiting.shift()) await task(number);
    } finally {
      waiting.length = 0;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
}
