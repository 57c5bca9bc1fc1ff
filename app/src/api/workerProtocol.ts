/** What pages tell the worker that follows events for them. */

/** A page follows a network, which it repeats to say that it is still there, or stops. */
export type FollowMessage = { readonly kind: "follow"; readonly network: string } | { readonly kind: "stop" };

/** How often a page repeats what it follows. */
export const REPEAT_MS = 15_000;

/** Silence after which a page counts as gone. */
export const PORT_SILENCE_MS = 60_000;
