/** `core status`: the state of a deployment. */
import { commandLine } from "../../../../tools/lib/commandLine.ts";
import { connect } from "../chain/connect.ts";
import { readDeployment } from "../chain/deployment.ts";
import { attention } from "../status/attention.ts";
import { readStatus } from "../status/read.ts";
import { renderStatus } from "../status/screen.ts";
import { NODE_OPTIONS } from "../write/options.ts";

export async function statusCommand(args: readonly string[]): Promise<void> {
  const { values } = commandLine(
    {
      usage: "pnpm core status",
      summary: `Shows roles, pauses, prices with their ages, rates with missing days, custody balances with their approvals, and used
caps, all at one block.`,
      options: { ...NODE_OPTIONS, json: { type: "boolean", default: false, help: "print JSON; integers are strings" } },
    },
    args,
  );
  const deployment = readDeployment(values.network);
  const client = await connect(deployment, values["rpc-url"]);
  const status = await readStatus(deployment, client);
  if (!values.json) {
    console.log(renderStatus(status));
    return;
  }
  const json = { ...status, attention: attention(status) };
  console.log(JSON.stringify(json, (_key, value: unknown) => (typeof value === "bigint" ? String(value) : value), 2));
}
