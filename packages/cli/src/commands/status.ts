/** `core status`: prints the state of a deployment. */
import { commandLine } from "../../../../tools/lib/commandLine.ts";
import { connect } from "../chain/connect.ts";
import { readDeployment } from "../chain/deployment.ts";
import { BLOCKS_OPTION, readBlocksPerRequest } from "../chain/events.ts";
import { attention } from "../status/attention.ts";
import { readStatus } from "../status/read.ts";
import { renderStatus, section } from "../status/screen.ts";
import { readSolvency, solvencyLines } from "../status/solvency.ts";
import { NODE_OPTIONS } from "../write/options.ts";

export async function statusCommand(args: readonly string[]): Promise<void> {
  const { values } = commandLine(
    {
      usage: "pnpm core status",
      summary: `Shows roles, pauses, prices with their ages, rates with missing days, custody balances with their approvals, and used
caps, all at one block.`,
      options: {
        ...NODE_OPTIONS,
        ...BLOCKS_OPTION,
        json: { type: "boolean", default: false, help: "print JSON; integers are strings" },
        solvency: { type: "boolean", default: false, help: "with the reserve of the treasury token: reads all events" },
      },
    },
    args,
  );
  const deployment = readDeployment(values.network);
  const client = await connect(deployment, values["rpc-url"]);
  const blocksPerRequest = readBlocksPerRequest(values);
  const status = await readStatus(deployment, client);
  const solvency = values.solvency
    ? await readSolvency(client, deployment, status.blockNumber, blocksPerRequest)
    : null;
  if (!values.json) {
    const lines = solvency === null ? [] : section("Solvency", solvencyLines(solvency, deployment));
    console.log([renderStatus(status), ...lines].join("\n"));
    return;
  }
  const json = { ...status, ...(solvency === null ? {} : { solvency }), attention: attention(status) };
  console.log(JSON.stringify(json, (_key, value: unknown) => (typeof value === "bigint" ? String(value) : value), 2));
}
