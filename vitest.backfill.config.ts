import { defineConfig } from "vitest/config";
export default defineConfig({ test: { include: ["test/e2e/faultyNodes.test.ts"], testTimeout: 400_000, hookTimeout: 400_000 } });
