/** Errors of the API: a JSON body with `error` and `status`, never more than the client may know. */
import { z } from "@hono/zod-openapi";

/** A request that the API refuses. The message names the parameter and what it accepts. */
export class BadRequest extends Error {}

export const errorBody = z
  .strictObject({
    error: z.string().openapi({ description: "What is wrong and, for a parameter, what it accepts" }),
    status: z.int().openapi({ description: "The HTTP status", example: 400 }),
  })
  .openapi("Error");
