/** What must be undone however a run ends, by its own end, a failure or Ctrl-C. */
type Undo = () => Promise<void>;

const pending: Undo[] = [];

/** Runs a task, and then undoes what was done for it, whatever came of the task. */
export async function undoing(undo: Undo, task: () => Promise<void>): Promise<void> {
  pending.push(undo);
  try {
    await task();
  } finally {
    const place = pending.indexOf(undo);
    // Not there any more when everything has been undone meanwhile.
    if (place >= 0) {
      pending.splice(place, 1);
      await undo();
    }
  }
}

/** Undoes everything now, the newest first. What fails is told and keeps nothing else from being undone. */
export async function undoEverything(): Promise<void> {
  for (const undo of pending.splice(0).reverse()) {
    await undo().catch((error: unknown) => console.error(`not ended in good order: ${error}`));
  }
}
