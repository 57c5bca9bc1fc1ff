import { defineConfig } from "vite";

/** Where `pnpm --dir app dev` finds an API. */
const API = process.env.API_URL ?? "http://127.0.0.1:42069";

export default defineConfig({
  base: "/app/",
  build: {
    target: "es2022",
    // The content security policy allows no data: script or font, and files are served compressed anyway.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // Libraries mark modules for server components, which nothing here has.
    rolldownOptions: { onLog: (level, log, next) => log.code === "MODULE_LEVEL_DIRECTIVE" || next(level, log) },
  },
  oxc: { jsx: { runtime: "automatic" } },
  server: { host: "127.0.0.1", proxy: { "/v1": API } },
  preview: { host: "127.0.0.1", proxy: { "/v1": API } },
});
