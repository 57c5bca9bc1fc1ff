/** A wallet's node answers within seconds, or not at all. */
const TIMEOUT_MS = 20_000;

/** Waits for what a wallet reads from its node. @throws Error when the node does not answer within 20 seconds */
export async function withNodeTimeout<Answer>(reading: Promise<Answer>): Promise<Answer> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("The node of the wallet does not answer.")), TIMEOUT_MS);
  });
  try {
    return await Promise.race([silence, reading]);
  } finally {
    clearTimeout(timer);
  }
}
