/** Ends a process that has stopped indexing, so that its supervisor restarts it. */

/**
 * Ends the process with a message. Ponder catches an uncaught exception, logs it, releases the lock of its schema and
 * exits with 75 ("temporary failure") within five seconds. Without Ponder, Node.js exits with 1.
 */
export function endProcess(message: string): void {
  setImmediate(() => {
    throw new Error(message);
  });
}
