/** A client of the API's server-sent events. */

/** The event that holds nothing but an id. */
const POSITION = "position";

interface ReceivedEvent {
  readonly event: string;
  readonly id: string | undefined;
  readonly data: unknown;
}

export interface EventClient {
  readonly response: Response;
  /** Events in the order of their arrival, without those that hold nothing but an id. */
  readonly received: readonly ReceivedEvent[];
  /** What a browser would send as `Last-Event-ID`. */
  lastEventId(): string | undefined;
  /** Whether the server ended the stream. */
  hasEnded(): boolean;
  stop(): void;
}

/**
 * Opens a stream and reads it until it ends or is stopped.
 * @throws Error when the answer is not a stream
 */
export async function followEvents(url: string, lastEventId?: string): Promise<EventClient> {
  const stopping = new AbortController();
  const headers = lastEventId === undefined ? undefined : { "Last-Event-ID": lastEventId };
  const response = await fetch(url, { signal: stopping.signal, ...(headers && { headers }) });
  if (response.status !== 200 || response.body === null) throw new Error(`${url}: ${response.status}`);
  const received: ReceivedEvent[] = [];
  let hasEnded = false;
  let lastId = lastEventId;
  const read = async (body: NonNullable<Response["body"]>) => {
    let text = "";
    const decoder = new TextDecoder();
    for await (const chunk of body) {
      text += decoder.decode(chunk, { stream: true });
      const messages = text.split("\n\n");
      text = messages.pop() ?? "";
      for (const message of messages) {
        const fields = new Map(message.split("\n").map((line) => line.split(/: (.*)/, 2) as [string, string]));
        const [event, data] = [fields.get("event"), fields.get("data")];
        const id = fields.get("id");
        lastId = id ?? lastId;
        if (event && data && event !== POSITION) received.push({ event, id, data: JSON.parse(data) });
      }
    }
    hasEnded = true;
  };
  // A stream that breaks does not count as ended. Tests check `hasEnded`.
  read(response.body).catch(() => undefined);
  return { response, received, lastEventId: () => lastId, hasEnded: () => hasEnded, stop: () => stopping.abort() };
}
