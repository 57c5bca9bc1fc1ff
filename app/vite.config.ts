import { defineConfig } from "vite";

/** The API that `pnpm --dir app dev` uses. */
const API = process.env.API_URL ?? "http://127.0.0.1:42069";

export default defineConfig({
  base: "/app/",
  build: {
    target: "es2022",
    // The content security policy forbids data: scripts and fonts, and files are served compressed anyway.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // Libraries mark modules for server components, which this page does not use.
    rolldownOptions: { onLog: (level, log, next) => log.code === "MODULE_LEVEL_DIRECTIVE" || next(level, log) },
  },
  oxc: { jsx: { runtime: "automatic" } },
  server: { host: "127.0.0.1", proxy: { "/v1": API } },
  preview: { host: "127.0.0.1", proxy: { "/v1": API } },
});
