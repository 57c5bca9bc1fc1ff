/** `core bridge add|limit|remove`: manages contracts that mint and burn the treasury token for another chain. */
import { treasuryAbi as abi } from "@coreswap/abi";
import { type Address, encodeFunctionData, type Hex } from "viem";
import { contractNamed, roleId } from "../chain/contracts.ts";
import { Failure } from "../failure.ts";
import { dailyLimitText, NO_DAILY_LIMIT, readAddress, readAmount, yesOrNo } from "../text.ts";
import { type WriteOptions, writeCommand } from "../write/options.ts";
import { type Authority, callsOn, observe } from "../write/plan.ts";
import { runPlan } from "../write/run.ts";

const bridgeCommand = (name: string, summary: string) =>
  writeCommand(name, summary).argument("<bridge>", "address", (text) => readAddress("the bridge", text));

export const bridgeCommands = [
  bridgeCommand("add", "let a bridge mint, within a limit")
    .description("Lets a bridge mint at most an amount a day: the limit first, then the role, by the operator.")
    .argument("<amount a day>", "in whole tokens")
    .action((bridge, amount, options) => change("add", bridge, amount, options)),
  bridgeCommand("limit", "change the limit of a bridge")
    .description("Changes how much a bridge may mint in a day. The pauser lowers it at once; the operator raises it.")
    .argument("<amount a day>", "in whole tokens")
    .action((bridge, amount, options) => change("limit", bridge, amount, options)),
  bridgeCommand("remove", "stop a bridge from minting")
    .description("Takes the role from a bridge: it can no longer mint, nor burn.")
    .action((bridge, options) => change("remove", bridge, undefined, options)),
];

async function change(
  action: "add" | "limit" | "remove",
  bridge: Address,
  amount: string | undefined,
  options: WriteOptions,
): Promise<void> {
  await runPlan(options, async ({ client, deployment, contracts }) => {
    const token = deployment.treasuryStablecoin;
    const treasury = contractNamed(contracts, "treasury");
    const hasCode = (await client.getCode({ address: bridge })) !== undefined;
    if (action === "add" && !hasCode) throw new Failure(`${bridge} has no code, so it is not a bridge`);
    const limit = { address: treasury.address, abi, functionName: "bridgeLimit", args: [bridge] } as const;
    const [perDay] = await client.readContract(limit);
    const wanted = amount === undefined ? perDay : readAmount("the amount", amount, token.decimals);
    if (wanted > NO_DAILY_LIMIT) throw new Failure(`the limit is above the largest one, ${NO_DAILY_LIMIT} units`);
    const mayCall: Authority[] = [
      { role: "OPERATOR_ROLE" },
      ...(action === "limit" && wanted <= perDay ? [{ role: "PAUSER_ROLE" }] : []),
    ];
    const calldata: Hex[] = [
      ...(wanted === perDay
        ? []
        : [encodeFunctionData({ abi, functionName: "setBridgeLimit", args: [bridge, wanted] })]),
      ...(action === "add" ? [encodeFunctionData({ abi, functionName: "addBridge", args: [bridge] })] : []),
      ...(action === "remove" ? [encodeFunctionData({ abi, functionName: "removeBridge", args: [bridge] })] : []),
    ];
    const role = { ...limit, functionName: "hasRole", args: [roleId("BRIDGE_ROLE"), bridge] } as const;
    const isBridge = await client.readContract(role);
    const isDone = action === "add" ? isBridge && wanted === perDay : action === "remove" && !isBridge;
    return {
      title: `Bridge ${bridge}: ${action}`,
      whenRunAgain: "skips what is done",
      calls: isDone ? [] : callsOn(treasury, mayCall, calldata),
      observations: [
        observe("may mint and burn", role, yesOrNo),
        observe("mints in a day", limit, ([cap]) => dailyLimitText(cap, token)),
        observe("still mints today", limit, ([, available]) => dailyLimitText(available, token)),
      ],
    };
  });
}
