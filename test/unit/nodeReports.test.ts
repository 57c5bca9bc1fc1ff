import { Worker } from "node:worker_threads";
import { expect, test, vi } from "vitest";
import { createNodeReporter, type NodeReport, onNodeReport } from "../../config/nodeReports.ts";

const WITHIN = { timeout: 60_000 };

test("a report reaches a listener of the same thread, and a listener that starts later", async () => {
  const reporter = createNodeReporter();
  const heard: NodeReport[] = [];
  const stop = onNodeReport((report) => heard.push(report));
  const report: NodeReport = {
    chainId: 1,
    problem: { kind: "damaged", message: "logs of block 7 differ", since: 1_000 },
    reorganizations: 2,
    confirmed: { number: 5, hash: `0x${"5".repeat(64)}` },
  };
  reporter.publish(report);
  await vi.waitFor(() => expect(heard).toContainEqual(report), WITHIN);

  const late: NodeReport[] = [];
  const stopLate = onNodeReport((received) => late.push(received));
  await vi.waitFor(() => expect(late).toContainEqual(report), WITHIN);
  stop();
  stopLate();
  reporter.close();
});

test("a report of a worker thread reaches the main thread", async () => {
  const heard: NodeReport[] = [];
  const stop = onNodeReport((report) => heard.push(report));
  const worker = new Worker(
    `import(${JSON.stringify(new URL("../../config/nodeReports.ts", import.meta.url).href)}).then(({ createNodeReporter }) => {
      createNodeReporter().publish({ chainId: 11155111, problem: null, reorganizations: 0 });
    });
    setTimeout(() => {}, 120_000).ref();`,
    { eval: true },
  );
  const report = { chainId: 11155111, problem: null, reorganizations: 0 };
  await vi.waitFor(() => expect(heard).toContainEqual(report), WITHIN);
  stop();
  await worker.terminate();
});
