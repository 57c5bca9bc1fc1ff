/** Undoes preparations in the end, whether a run ends normally, by a failure or by Ctrl-C. */
type Undo = () => Promise<void>;

const pending: Undo[] = [];

/** Runs a task and then undoes its preparations, whether or not the task succeeded. */
export async function undoing(undo: Undo, task: () => Promise<void>): Promise<void> {
  pending.push(undo);
  try {
    await task();
  } finally {
    const place = pending.indexOf(undo);
    // It is no longer in the list if everything was undone in the meantime.
    if (place >= 0) {
      pending.splice(place, 1);
      await undo();
    }
  }
}

/** Undoes everything now, newest first. A failure is reported and does not prevent the rest. */
export async function undoEverything(): Promise<void> {
  for (const undo of pending.splice(0).reverse()) {
    await undo().catch((error: unknown) => console.error(`not ended in good order: ${error}`));
  }
}
