/** The API as one Hono app over the dependencies given. */
import { OpenAPIHono } from "@hono/zod-openapi";
import type { ApiDependencies } from "./dependencies.ts";
import { BadRequest } from "./http/errors.ts";
import { transactionsHandler } from "./routes/transactions.handler.ts";
import { transactionsRoute } from "./routes/transactions.route.ts";
import { volumeHandler } from "./routes/volume.handler.ts";
import { volumeRoute } from "./routes/volume.route.ts";

/** Builds the app. It ends in a catch-all, because Ponder mounts it and ignores its `notFound`. */
export function createApp(dependencies: ApiDependencies): OpenAPIHono {
  const app = new OpenAPIHono({
    defaultHook: (result) => {
      if (result.success) return;
      throw new BadRequest(result.error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`).join("; "));
    },
  });

  app.use(async (c, next) => {
    await next();
    c.header("X-Content-Type-Options", "nosniff");
    c.header("Access-Control-Expose-Headers", "ETag, Retry-After");
  });
  app.onError((error, c) => {
    const isRefusal = error instanceof BadRequest;
    if (!isRefusal) dependencies.logError(`${c.req.method} ${c.req.path} failed`, error);
    const status = isRefusal ? 400 : 500;
    c.header("Cache-Control", "no-store");
    return c.json({ error: isRefusal ? error.message : "internal error", status }, status);
  });

  app.openapi(transactionsRoute, transactionsHandler(dependencies));
  app.openapi(volumeRoute, volumeHandler(dependencies));
  return app;
}
