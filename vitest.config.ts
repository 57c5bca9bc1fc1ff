import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { defineConfig } from "vitest/config";

// These only end what hangs: on a busy machine, each process that a test starts takes up to twenty seconds.
const shortTimeouts = { hookTimeout: 240_000, testTimeout: 180_000 };

/** Tests of Ponder's patch that start a PostgreSQL, which the default install leaves out. */
const NEEDS_POSTGRES = ["ponderDatabase", "ponderPatch"].map((name) => testFile(`test/unit/${name}.test.ts`));

/** Tests of the API that do not depend on the database, or open none. They run on the embedded one. */
const ANY_DATABASE = [
  "apiKeys",
  "client",
  "clientAnswers",
  "clientPrograms",
  "clientSilence",
  "dashboard",
  "document",
  "forkedUrls",
  "guide",
  "http",
  "limits",
  "quote",
].map((name) => testFile(`test/api/${name}.test.ts`));

/** Refuses the name of a file that was renamed, with which Vitest would exclude nothing. */
function testFile(path: string): string {
  if (existsSync(path)) return path;
  throw new Error(`vitest.config.ts names ${path}, which does not exist`);
}

export default defineConfig({
  test: {
    // Much of the end-to-end time is waiting: two at once pay off even on two cores.
    maxWorkers: 2,
    projects: [
      {
        // What handlers import of Ponder's generated modules, for tests of their helpers.
        resolve: { alias: { "ponder:schema": resolve("ponder.schema.ts") } },
        test: {
          name: "unit",
          include: ["test/unit/**/*.test.ts"],
          exclude: NEEDS_POSTGRES,
          // Most of the time went into loading the same modules for each file.
          isolate: false,
          // Files share a global object, so that what one test sets would be there for those of other files.
          unstubGlobals: true,
          ...shortTimeouts,
        },
      },
      {
        test: {
          name: "tools",
          include: ["test/tools/**/*.test.ts"],
          ...shortTimeouts,
        },
      },
      {
        test: {
          name: "api",
          include: ["test/api/*.test.ts"],
          provide: { testDatabase: { kind: "pglite" } },
          isolate: false,
          ...shortTimeouts,
        },
      },
      {
        test: {
          name: "postgres",
          include: ["test/api/**/*.test.ts", ...NEEDS_POSTGRES],
          exclude: ANY_DATABASE,
          globalSetup: ["test/api/support/postgresSetup.ts"],
          isolate: false,
          ...shortTimeouts,
        },
      },
      {
        test: {
          name: "model",
          include: ["test/model/**/*.test.ts"],
          // A history takes ten seconds on a machine of its own, and several times that on a busy one.
          hookTimeout: 240_000,
          testTimeout: 600_000,
        },
      },
      {
        test: {
          name: "upgrade",
          include: ["test/upgrade/**/*.test.ts"],
          testTimeout: 600_000,
          hookTimeout: 600_000,
        },
      },
      {
        test: {
          name: "cli",
          include: ["test/cli/**/*.test.ts"],
          // Deadlines inside the tests give the reasons; these only end what hangs.
          testTimeout: 1_800_000,
          hookTimeout: 1_800_000,
        },
      },
      {
        test: {
          name: "packages",
          include: ["test/packages/**/*.test.ts"],
          globalSetup: ["test/packages/globalSetup.ts"],
          testTimeout: 600_000,
          hookTimeout: 600_000,
        },
      },
      {
        test: {
          name: "e2e",
          include: ["test/e2e/**/*.test.ts"],
          globalSetup: ["test/e2e/harness/globalSetup.ts"],
          // Each file would load the same modules again, for four seconds of CPU time.
          isolate: false,
          // Of tests that run at once, more would start more indexers than two cores can serve in time.
          maxConcurrency: 2,
          // Deadlines inside the tests give the reasons; these only end what hangs.
          testTimeout: 1_800_000,
          hookTimeout: 1_800_000,
        },
      },
    ],
  },
});
