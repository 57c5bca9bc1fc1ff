/** Every part. Those that take longest come first, so that two at once end together. */
import type { Part } from "../harness/part.ts";
import { kill } from "./kill.ts";

export const PARTS: readonly Part[] = [kill];
