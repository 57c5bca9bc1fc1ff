/** Tests what the command line reads, decodes and writes without a chain. */
import {
  encodeErrorResult,
  encodeEventTopics,
  encodeFunctionData,
  erc20Abi,
  keccak256,
  maxUint96,
  maxUint256,
  parseAbi,
  toHex,
} from "viem";
import { describe, expect, it } from "vitest";
import { timelockControllerAbi } from "../../abis/index.ts";
import {
  CONTRACT_ABIS,
  coreSwapAbi,
  ERROR_NAMES,
  EVENT_NAMES,
  navPriceAdapterAbi,
} from "../../packages/abi/src/index.ts";
import { readDeployment } from "../../packages/cli/src/chain/deployment.ts";
import { decodeBytes, decodeCall, decodeLog } from "../../packages/cli/src/decode.ts";
import { finiteApproval } from "../../packages/cli/src/desired/approvals.ts";
import { COMMANDS } from "../../packages/cli/src/errors/advice.ts";
import { decodeRevert } from "../../packages/cli/src/errors/revert.ts";
import { intakeNotices } from "../../packages/cli/src/status/attention.ts";
import {
  percent,
  readAddress,
  readAmount,
  readDay,
  readPercentWad,
  readSlippageBps,
  showDay,
  showDuration,
} from "../../packages/cli/src/text.ts";
import { describeHolders } from "../../packages/cli/src/write/authority.ts";
import { batchGasNote, safeBatch } from "../../packages/cli/src/write/safeBatch.ts";
import { isStepOf } from "../../packages/cli/src/write/timelock.ts";
import { ADVICE } from "../../packages/sdk/src/errors/advice.ts";

const ADDRESS = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";

describe("A finite approval", () => {
  const expectationWith = (intakeCap: bigint) => {
    const asset = { symbol: "TBILL", subject: "rwa:TBILL", address: ADDRESS, decimals: 6, intakeCap } as const;
    const lp = { symbol: "USDX", contract: { name: "lp:USDX", address: ADDRESS, abi: [] } } as const;
    return finiteApproval(lp, ADDRESS, asset);
  };
  const fixOf = (intakeCap: bigint) => expectationWith(intakeCap).fix?.data;

  it("is proposed as the intake cap, unless that would not meet the expectation", () => {
    const approve = (amount: bigint) =>
      encodeFunctionData({ abi: erc20Abi, functionName: "approve", args: [ADDRESS, amount] });
    expect(fixOf(1n)).toBe(approve(1n));
    expect(fixOf(2n ** 96n - 2n)).toBe(approve(2n ** 96n - 2n));
    expect(fixOf(0n)).toBeUndefined();
    expect(fixOf(maxUint96)).toBeUndefined();
  });

  it("is not an unlimited one, which some tokens keep in 96 bits, and not none", () => {
    const { view, expected } = expectationWith(1n);
    const isMet = (amount: bigint) => view.show(toHex(amount, { size: 32 })) === expected;
    expect([0n, 1n, 2n ** 96n - 2n, maxUint96, maxUint256].map(isMet)).toEqual([false, true, true, false, false]);
  });
});

describe("An intake cap", () => {
  const noticesWith = (cap: bigint, used: bigint) =>
    intakeNotices({ symbol: "USDX", assets: [{ symbol: "TBILL", decimals: 1, intake: { cap, used } }] });

  it("is reported when nine tenths of it are used, with what is left, and never when it lets nothing in", () => {
    expect(noticesWith(100n, 89n)).toEqual([]);
    const text = "lp:USDX has used 90% of its intake cap of TBILL (1 TBILL left)";
    expect(noticesWith(100n, 90n)).toEqual([{ key: "intake:USDX:TBILL", text }]);
    expect(noticesWith(1_000n, 1_000n)[0]?.text).toContain("has used 100% of");
    expect(noticesWith(0n, 0n)).toEqual([]);
  });
});

describe("The table of errors", () => {
  it("has every error of every contract and no other", () => {
    const declared = Object.values(CONTRACT_ABIS).flatMap((abi) =>
      abi.flatMap((item) => (item.type === "error" ? [item.name] : [])),
    );
    expect(Object.keys(ADVICE).sort()).toEqual([...new Set(declared)].sort());
    expect(ERROR_NAMES).toEqual(Object.keys(ADVICE).sort());
  });

  it.each(Object.entries(CONTRACT_ABIS))("decodes every error of %s by its name, with advice", (_name, abi) => {
    for (const item of abi) {
      if (item.type !== "error") continue;
      const args = item.inputs.map(({ type }) => sample(type));
      const data = encodeErrorResult({ abi: [item], errorName: item.name, args } as never);
      const { name, text, advice } = decodeRevert(data);
      expect({ name, isShown: text.startsWith(`${item.name}(`), advice }).toEqual({
        name: item.name,
        isShown: true,
        advice: COMMANDS[item.name] ?? ADVICE[item.name],
      });
    }
  });

  it("decodes reasons in words, no data and unknown data", () => {
    const reason = encodeErrorResult({ abi: parseAbi(["error Error(string)"]), args: ["no"] });
    expect(decodeRevert(reason).text).toBe('Error(message: "no")');
    expect(decodeRevert("0x").text).toBe("a revert without data");
    expect(decodeRevert("0x12345678").text).toBe("an unknown error, 0x12345678");
  });
});

describe("Decoding", () => {
  it("names a call, its arguments and the contracts that have it", () => {
    const data = encodeFunctionData({ abi: navPriceAdapterAbi, functionName: "postNav", args: [5n] });
    expect(decodeCall(data)).toEqual([
      { kind: "call", name: "postNav", text: "postNav(newNavWad: 5)", contracts: ["NavPriceAdapter"] },
    ]);
  });

  it("shows the calls of a timelock's operation", () => {
    const pause = encodeFunctionData({ abi: coreSwapAbi, functionName: "pause" });
    const args = [[ADDRESS], [0n], [pause], `0x${"0".repeat(64)}`, `0x${"0".repeat(64)}`, 5n] as const;
    const data = encodeFunctionData({ abi: timelockControllerAbi, functionName: "scheduleBatch", args });
    expect(decodeBytes(data)[0]?.inner?.[0]).toMatchObject({ name: "pause", text: "pause()" });
  });

  it("names a log with its indexed arguments", () => {
    const topics = encodeEventTopics({ abi: navPriceAdapterAbi, eventName: "NavPosted", args: { poster: ADDRESS } });
    const [log] = decodeLog(topics as [`0x${string}`], toHex(7n, { size: 32 }));
    expect(log).toMatchObject({ name: "NavPosted", text: `NavPosted(navWad: 7, poster: ${ADDRESS})` });
    expect(EVENT_NAMES).toContain("NavPosted");
  });

  it("finds nothing in bytes that do not belong to the contracts", () => {
    expect(decodeBytes("0xdeadbeef")).toEqual([]);
    expect(decodeBytes("0x")).toEqual([]);
  });
});

describe("Text", () => {
  it("reads amounts exactly, and refuses digits that the token does not have", () => {
    expect(readAmount("it", "1.000001", 6)).toBe(1_000_001n);
    for (const text of ["1.0000001", "-1", "1e3", "", ".5", "1,5"]) {
      expect(() => readAmount("it", text, 6), text).toThrow(`it is "${text}"`);
    }
    expect(readAmount("it", String(maxUint256), 0)).toBe(maxUint256);
    expect(() => readAmount("it", String(maxUint256 + 1n), 0)).toThrow("more than a contract can hold");
  });

  it("reads rates only with a percent sign", () => {
    expect(readPercentWad("it", "4.5%")).toBe(45n * 10n ** 15n);
    expect(() => readPercentWad("it", "4.5")).toThrow("expected a percentage");
    expect(percent(readPercentWad("it", "4.567%"))).toBe("4.567%");
  });

  it("reads only days of the calendar", () => {
    expect(showDay(readDay("it", "2028-02-29"))).toBe("2028-02-29");
    expect(readDay("it", "1970-01-01")).toBe(0n);
    for (const day of ["2027-02-29", "2027-2-1", "today", "1969-12-31"]) {
      expect(() => readDay("it", day)).toThrow(`it is "${day}"`);
    }
  });

  it("refuses an address whose capitals contradict its digits", () => {
    expect(readAddress("it", ADDRESS.toLowerCase())).toBe(ADDRESS);
    expect(() => readAddress("it", ADDRESS.replace("C", "c"))).toThrow("capitals as in its checksum");
  });

  it("shows durations in two units", () => {
    expect([0n, 59n, 3_600n, 93_784n].map(showDuration)).toEqual(["0 s", "59 s", "1 h", "1 d 2 h"]);
  });
});

describe("A file for the Safe Transaction Builder", () => {
  const file = safeBatch(1, ADDRESS, "a title", [{ to: ADDRESS, data: "0x1234" }], 5);

  it("has a checksum of everything but its name", () => {
    const renamed = safeBatch(1, ADDRESS, "another", [{ to: ADDRESS, data: "0x1234" }], 5);
    const changed = safeBatch(1, ADDRESS, "a title", [{ to: ADDRESS, data: "0x1235" }], 5);
    expect(renamed.meta.checksum).toBe(file.meta.checksum);
    expect(changed.meta.checksum).not.toBe(file.meta.checksum);
  });

  it("has the checksum that the app computes from its own serialization", () => {
    const transaction = `{["contractInputsValues","contractMethod","data","to","value"]null,null,"0x1234","${ADDRESS}","0",}`;
    const meta = `{["createdFromOwnerAddress","createdFromSafeAddress","description","name","txBuilderVersion"]"","${ADDRESS}","",null,"1.18.2",}`;
    const whole = `{["chainId","createdAt","meta","transactions","version"]"1",5,${meta},[${transaction}],"1.0",}`;
    expect(file.meta.checksum).toBe(keccak256(toHex(whole)));
  });
});

function sample(type: string): unknown {
  if (type === "address") return ADDRESS;
  if (type === "string") return "text";
  if (type === "bool") return true;
  const bytes = /^bytes(\d*)$/.exec(type);
  if (bytes) return `0x${"ab".repeat(Number(bytes[1] || 3))}`;
  return Number(type.replace(/\D/g, "")) <= 48 ? 7 : 7n;
}

describe("A slippage", () => {
  it("is read in percent, to a hundredth of one", () => {
    expect(readSlippageBps("--slippage", "0.5%")).toBe(50n);
    expect(readSlippageBps("--slippage", "99.99%")).toBe(9_999n);
  });

  it.each(["0.5", "100%", "0.001%", "-1%"])("is not %s", (text) => {
    expect(() => readSlippageBps("--slippage", text)).toThrow("--slippage is");
  });
});

describe("A step of the timelock", () => {
  const pause = { to: ADDRESS, data: "0x8456cb59" } as const;
  const args = [[ADDRESS], [0n], [pause.data], toHex(0, { size: 32 }), toHex(0, { size: 32 })] as const;
  const execution = encodeFunctionData({ abi: timelockControllerAbi, functionName: "executeBatch", args });

  it("belongs to calls with the same data to the same contracts", () => {
    expect(isStepOf(execution, "execute", [pause])).toBe(true);
    expect(isStepOf(execution, "schedule", [pause])).toBe(false);
    expect(isStepOf("0x", "execute", [pause])).toBe(false);
    expect(isStepOf(execution, "execute", [{ ...pause, data: "0x3f4ba83a" }])).toBe(false);
    expect(isStepOf(execution, "execute", [pause, pause])).toBe(false);
  });

  it("does not belong to the same call of another contract", () => {
    const other = "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC";
    expect(isStepOf(execution, "execute", [{ ...pause, to: other }])).toBe(false);
  });
});

describe("Accounts that may make a call", () => {
  it("are named once each, with all of their roles", () => {
    const other = "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC";
    const holders = ["DEFAULT_ADMIN_ROLE", "PAUSE_ROLE"].map((as) => ({ account: ADDRESS, as }) as const);
    expect(describeHolders([...holders, { account: other, as: "issuer admin" }])).toBe(
      `${ADDRESS} (DEFAULT_ADMIN_ROLE, PAUSE_ROLE), ${other} (issuer admin)`,
    );
  });
});

describe("A deployment file that does not exist", () => {
  it("is told with what names another one", () => {
    expect(() => readDeployment("nowhere")).toThrow(
      /^there is no deployment file .*nowhere\.json: .*--network <file>.*DEPLOYMENTS_DIR$/,
    );
  });
});

describe("A batch", () => {
  it("is warned of if it needs more gas than a transaction can have", () => {
    expect(batchGasNote(16_777_217n)).toContain("more gas than the 16777216 of a transaction");
    for (const gasUsed of [16_777_216n, null]) expect(batchGasNote(gasUsed)).toBeNull();
  });
});
