/** Reports through a webhook what prevents the keeper from working. Posting never waits for the webhook. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Alert } from "./decide.ts";

const TIMEOUT_MS = 10_000;
const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 60_000;
/** Chat services refuse longer messages. A failing node can put a whole page into the reason for an alert. */
const MAX_TEXT_CHARACTERS = 1_000;
/** Statuses that refuse the message itself. After any other one, the message is sent again. */
const REFUSING_STATUSES: ReadonlySet<number> = new Set([400, 413, 422]);
/** Most messages that wait while the webhook fails. Beyond that, the oldest is dropped. */
const MAX_WAITING = 200;

export interface Message {
  /** Text for people, as chat services show it. */
  readonly text: string;
  readonly key: string;
  readonly state: "raised" | "resolved";
  readonly network: string;
}

interface Raised {
  readonly text: string;
  /** When the alert was first seen, in milliseconds of a monotonic clock. */
  readonly since: number;
  /** When the alert was last sent; null during its grace period. */
  sentAt: number | null;
}

interface Failed {
  readonly reason: string;
  /** Whether the webhook will never accept this message. */
  readonly isFinal: boolean;
}

interface BoardOptions {
  readonly network: string;
  readonly graceSeconds: number;
  readonly repeatSeconds: number;
  readonly ignore: readonly string[];
  readonly send: (message: Message) => void;
}

/** Current alerts. Each one is sent once, repeated while it lasts, and reported again when it is resolved. */
export class AlertBoard {
  readonly #options: BoardOptions;
  readonly #raised = new Map<string, Raised>();

  constructor(options: BoardOptions) {
    this.#options = options;
  }

  /** Keys of the alerts that were sent and are not resolved. */
  get active(): readonly string[] {
    return [...this.#raised].filter(([, { sentAt }]) => sentAt !== null).map(([key]) => key);
  }

  /** @param nowMs time of a monotonic clock, such as `performance.now()` */
  update(alerts: readonly Alert[], nowMs: number): void {
    const { network, graceSeconds, repeatSeconds, ignore, send } = this.#options;
    const present = new Map(
      alerts
        .filter(({ key }) => !ignore.includes(key))
        .map((alert) => [alert.key, { ...alert, text: shortened(alert.text) }]),
    );
    const hidden = alerts.flatMap(({ hides = [] }) => hides);
    for (const [key, { sentAt, text }] of this.#raised) {
      if (present.has(key) || hidden.some((start) => key.startsWith(start))) continue;
      this.#raised.delete(key);
      if (sentAt !== null) send({ text: `CoreSwap ${network}: resolved: ${text}`, key, state: "resolved", network });
    }
    for (const [key, { text, isTransient }] of present) {
      const { since, sentAt } = this.#raised.get(key) ?? { since: nowMs, sentAt: null };
      const isDue =
        sentAt === null ? !isTransient || nowMs - since >= graceSeconds * 1000 : nowMs - sentAt >= repeatSeconds * 1000;
      if (isDue) send({ text: `CoreSwap ${network}: ${text}`, key, state: "raised", network });
      this.#raised.set(key, { text, since, sentAt: isDue ? nowMs : sentAt });
    }
  }

  /** Forgets the other alerts without sending anything, because another keeper reports them from now on. */
  silence(kept: readonly string[]): void {
    for (const key of this.#raised.keys()) if (!kept.includes(key)) this.#raised.delete(key);
  }
}

function shortened(text: string): string {
  return text.length > MAX_TEXT_CHARACTERS ? `${text.slice(0, MAX_TEXT_CHARACTERS)}…` : text;
}

/** Posts messages one after the other, and retries each until the webhook accepts it, or refuses it for good. */
export class Webhook {
  readonly #url: string;
  readonly #log: (line: string) => void;
  readonly #countFailure: () => void;
  readonly #countRefusal: () => void;
  readonly #waiting: Message[] = [];
  readonly #stopped = new AbortController();
  #isSending = false;

  /**
   * @param countFailure called after each request that the webhook did not accept
   * @param countRefusal called for each message that it will never accept
   */
  constructor(url: string, log: (line: string) => void, countFailure: () => void, countRefusal: () => void) {
    this.#url = url;
    this.#log = log;
    this.#countFailure = countFailure;
    this.#countRefusal = countRefusal;
  }

  /** Queues a message and returns at once. */
  post(message: Message): void {
    this.#waiting.push(message);
    if (this.#waiting.length > MAX_WAITING) {
      this.#log(`the webhook has failed for too long; dropped the message: ${this.#waiting.shift()?.text}`);
    }
    if (!this.#isSending) void this.#sendAll();
  }

  stop(): void {
    this.#stopped.abort();
  }

  async #sendAll(): Promise<void> {
    this.#isSending = true;
    let retryMs = FIRST_RETRY_MS;
    while (this.#waiting.length > 0 && !this.#stopped.signal.aborted) {
      const [message] = this.#waiting;
      const failure = await this.#send(message);
      if (failure !== null) this.#countFailure();
      if (failure === null || failure.isFinal) {
        // A refused message is dropped, because others wait behind it.
        if (failure !== null) {
          this.#countRefusal();
          this.#log(`the webhook refused the message, ${failure.reason}: ${message?.text}`);
        }
        if (this.#waiting[0] === message) this.#waiting.shift();
        retryMs = FIRST_RETRY_MS;
        continue;
      }
      this.#log(`the webhook failed: ${failure.reason}; next try in ${retryMs / 1000} s`);
      // Throws, and so ends early, when the keeper stops.
      await sleep(retryMs, undefined, { signal: this.#stopped.signal }).catch(() => {});
      retryMs = Math.min(2 * retryMs, LONGEST_RETRY_MS);
    }
    this.#isSending = false;
  }

  /** @returns The failure, whose reason lacks the URL, which can hold a key; null if the message was accepted */
  async #send(message: Message | undefined): Promise<Failed | null> {
    try {
      const response = await fetch(this.#url, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(message),
        redirect: "error",
        signal: AbortSignal.any([this.#stopped.signal, AbortSignal.timeout(TIMEOUT_MS)]),
      });
      await response.body?.cancel();
      const { ok, status } = response;
      return ok ? null : { reason: `HTTP ${status}`, isFinal: REFUSING_STATUSES.has(status) };
    } catch (error) {
      return { reason: error instanceof Error ? error.message : String(error), isFinal: false };
    }
  }
}
