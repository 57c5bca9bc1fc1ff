import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: "unit",
          include: ["test/{unit,api,demo}/**/*.test.ts"],
          // Starting an embedded PostgreSQL on a busy machine takes seconds.
          hookTimeout: 60_000,
          testTimeout: 30_000,
        },
      },
    ],
  },
});
