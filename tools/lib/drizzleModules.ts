/**
 * Resolves the imports between the modules of drizzle-orm, for `node --import`, which also applies it to the threads of
 * the process. Node.js parses the package's 170 kB of `exports` once for each of its 400 modules, which was 40 percent
 * of the CPU time of a start on PostgreSQL with a short history. Each import leads to the same file as without it.
 */
import { registerHooks } from "node:module";

registerHooks({
  resolve(specifier, context, nextResolve) {
    const parent = context.parentURL;
    if (
      !parent?.includes("/node_modules/drizzle-orm/") ||
      !/^\.\.?\/.*\.js$/.test(specifier) ||
      !parent.endsWith(".js")
    ) {
      return nextResolve(specifier, context);
    }
    return { url: new URL(specifier, parent).href, format: "module", shortCircuit: true };
  },
});
