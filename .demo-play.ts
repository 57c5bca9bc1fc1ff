import { deploy } from "./test/cli/support/deployed.ts";
import { writeFileSync } from "node:fs";
const d = await deploy("play");
writeFileSync("/tmp/cli-play.json", JSON.stringify({ file: d.file, rpc: d.node.rpcUrl, safe: d.safe }));
setInterval(() => {}, 1000);
