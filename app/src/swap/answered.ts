/** A wallet's node answers within seconds, or not at all. */
const ANSWER_MS = 20_000;

/** Waits for what a wallet reads from its node. @throws Error when the node does not answer in time */
export async function answered<Answer>(reading: Promise<Answer>): Promise<Answer> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("Its node does not answer.")), ANSWER_MS);
  });
  try {
    return await Promise.race([silence, reading]);
  } finally {
    clearTimeout(timer);
  }
}
