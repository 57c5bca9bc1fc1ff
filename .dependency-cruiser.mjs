/**
 * Which module of `src` may import which: `pnpm lint:ts` is red for any other import. From below: `shared`, `http`, the
 * features (every other folder of `src/api`), and `app.ts` and `index.ts`, which put them together. Types count, too.
 */
const FEATURE = "^src/api/(?!http/|shared/)([^/]+)/";

/** @type {import("dependency-cruiser").IConfiguration} */
export default {
  forbidden: [
    { name: "no-circle", severity: "error", from: {}, to: { circular: true } },
    {
      name: "feature-imports-http-shared-and-its-own-room",
      severity: "error",
      from: { path: FEATURE },
      to: { path: "^src/api/", pathNot: "^src/api/($1|http|shared)/" },
    },
    {
      name: "http-imports-shared",
      severity: "error",
      from: { path: "^src/api/http/" },
      to: { path: "^src/api/", pathNot: "^src/api/(http|shared)/" },
    },
    {
      name: "shared-imports-no-room",
      severity: "error",
      from: { path: "^src/api/shared/" },
      to: { path: "^src/api/", pathNot: "^src/api/shared/" },
    },
    {
      name: "indexing-does-not-know-the-api",
      severity: "error",
      from: { path: "^src/(indexing|handlers)/" },
      to: { path: "^src/api/" },
    },
    {
      name: "api-knows-the-stored-classes-alone",
      severity: "error",
      from: { path: "^src/api/" },
      to: { path: "^src/(indexing|handlers)/", pathNot: "^src/indexing/filterClass[.]ts$" },
    },
    {
      name: "handlers-register-through-on",
      comment: "src/indexing/on.ts notes the chain state before a handler writes",
      severity: "error",
      from: { path: "^src/handlers/" },
      to: { path: "^ponder:registry$" },
    },
    {
      name: "indexing-does-not-know-its-handlers",
      severity: "error",
      from: { path: "^src/indexing/" },
      to: { path: "^src/handlers/" },
    },
    { name: "config-does-not-know-src", severity: "error", from: { path: "^config/" }, to: { path: "^src/" } },
    {
      name: "dashboard-knows-the-api-by-its-client",
      severity: "error",
      from: { path: "^app/" },
      to: { path: "^(abis|bench|config|contracts|localnet|src|test|tools)/" },
    },
    {
      name: "sdk-knows-the-abis-alone",
      severity: "error",
      from: { path: "^packages/sdk/" },
      to: { path: "^(app|bench|config|contracts|localnet|src|test|tools|packages/(?!abi/|sdk/))/?" },
    },
    {
      name: "hooks-know-the-sdk-alone",
      severity: "error",
      from: { path: "^packages/react/" },
      to: { path: "^(app|bench|config|contracts|localnet|src|test|tools|packages/(?!react/|sdk/))/?" },
    },
    {
      name: "command-line-knows-the-contracts-alone",
      comment:
        "packages/cli is to run without the indexer; it shares how a URL is requested and taken out of errors, and how a pooler is told",
      severity: "error",
      from: { path: "^packages/cli/" },
      to: {
        path: "^(app|bench|config|localnet|src|test|tools)/",
        pathNot: "^config/(ownSession|urlSecrets|urlTransport)[.]ts$",
      },
    },
    {
      name: "src-needs-no-tool-or-test",
      severity: "error",
      from: { path: "^src/" },
      to: { path: "^(app|bench|localnet|test|tools)/" },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
  },
};
