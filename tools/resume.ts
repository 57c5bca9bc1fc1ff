/** `pnpm contracts:resume`: continues a deployment of contracts that was interrupted. */
import { afterDoubleDash, beforeDoubleDash, commandLine, refuse } from "./lib/commandLine.ts";
import { resumeScript } from "./lib/resume.ts";

const { values } = commandLine(
  {
    usage: "pnpm contracts:resume --rpc-url <url> --sender <address> [-- <forge options>]",
    summary: `Sends what an interrupted run of contracts/script/Deploy.s.sol has not sent, with the same DEPLOY_CONFIG. Options of forge
say how to sign: --ledger, --unlocked. Ends with 1 if something fails.`,
    options: {
      "rpc-url": { type: "string", value: "<url>", help: "node to send to" },
      sender: { type: "string", value: "<address>", help: "account that deploys" },
    },
  },
  beforeDoubleDash(process.argv.slice(2)),
);
const { "rpc-url": rpcUrl, sender } = values;
if (rpcUrl === undefined || sender === undefined) refuse("--rpc-url and --sender are needed");
try {
  const forgeOptions = afterDoubleDash(process.argv.slice(2));
  process.exitCode = await resumeScript({ name: "Deploy", rpcUrl, sender, forgeOptions, env: process.env });
} catch (error) {
  refuse(error instanceof Error ? error.message : String(error));
}
