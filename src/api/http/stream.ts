/** Bodies that are read as the client takes them. */

/**
 * Streams texts as UTF-8, each read when the client has taken those before it. A reading that fails ends the stream in
 * an error, which breaks the transfer off, so that no client takes a part for the whole.
 * @param onFailure hears of a reading that fails after the first
 * @throws what the first reading throws, while the status can still say so
 */
export async function streamOf(
  texts: AsyncGenerator<string, void>,
  onFailure: (error: unknown) => void,
): Promise<ReadableStream<Uint8Array>> {
  let next: IteratorResult<string, void> | undefined = await texts.next();
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const text = next ?? (await texts.next());
          next = undefined;
          if (text.done) controller.close();
          else controller.enqueue(encoder.encode(text.value));
        } catch (error) {
          onFailure(error);
          controller.error(error);
        }
      },
      async cancel() {
        await texts.return();
      },
    },
    // Nothing is read ahead of the client.
    { highWaterMark: 0 },
  );
}
