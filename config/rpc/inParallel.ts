/**
 * Runs a task for each item, in order, and no more than so many at once.
 * @throws the first error of a task, after which no other task is started
 */
export async function inParallel<Item>(
  items: readonly Item[],
  atOnce: number,
  task: (item: Item) => Promise<void>,
): Promise<void> {
  const waiting = [...items];
  const work = async () => {
    try {
      for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await task(item);
    } finally {
      waiting.length = 0;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
}
