import { readFileSync } from "node:fs";
import { type Abi, parseAbi } from "viem";
import { describe, expect, it } from "vitest";
import * as oracle from "../e2e/publishedAbi.ts";
import { abiDifferences } from "./support/abiParity.ts";

const CONTRACTS = ["CoreSwap", "Treasury", "TreasuryDelegate"] as const;

/** Signatures of a contract, one per line; `#` begins a comment. */
function signatures(name: string): string[] {
  const text = readFileSync(`test/fixtures/abi/${name}.txt`, "utf8");
  return text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
}

const published = (name: string): Abi => parseAbi([...signatures("common"), ...signatures(name)]);

/** The compiled ABI, which `pnpm forge build` writes. */
const compiled = (name: string): Abi => JSON.parse(readFileSync(`out/${name}.sol/${name}.json`, "utf8")).abi;

describe("X2: the published interface", () => {
  it.each(CONTRACTS)("is part of the ABI of %s", (name) => {
    expect(published(name).length).toBeGreaterThan(50);
    expect(abiDifferences(published(name), compiled(name))).toEqual([]);
  });

  it("has every signature that the end-to-end oracle decodes with", () => {
    const { tokenFunctions, priceAdapterFunctions, ...ours } = oracle;
    const items = new Set(CONTRACTS.flatMap(published).map((item) => JSON.stringify(item)));
    const unpublished = Object.values(ours)
      .flat()
      .filter((item) => !items.has(JSON.stringify(item)));
    expect(unpublished).toEqual([]);
    expect(abiDifferences(tokenFunctions, published("Treasury"))).toEqual([]);
    expect(priceAdapterFunctions).toHaveLength(1);
  });
});

describe("X2: abiDifferences", () => {
  const base = [
    "struct Leg { uint256 routeId; bytes32 assetInID; }",
    "function quote(address user, Leg leg) view returns (uint256 amountOut)",
    "function name() view returns (string)",
    "event Swap(address indexed user, uint256 amountIn)",
    "error Unsupported(uint256 routeId)",
  ];
  const differences = (...changed: [from: string, to: string][]) => {
    const text = changed.reduce((lines, [from, to]) => lines.replace(from, to), base.join("\n"));
    return abiDifferences(parseAbi(base), parseAbi(text.split("\n").filter((line) => line !== "")) as Abi);
  };

  it("reports nothing about an equal interface, additions and pure reads", () => {
    expect(differences()).toEqual([]);
    expect(differences(["name() view returns (string)", "name() pure returns (string label)"])).toEqual([]);
    expect(abiDifferences(parseAbi(base), parseAbi([...base, "function extra()"]))).toEqual([]);
  });

  it.each([
    ["a function", "function name() view returns (string)", "", "missing: function name()"],
    ["an event", "event Swap(address indexed user, uint256 amountIn)", "", "missing: event Swap(address,uint256)"],
    ["an error", "error Unsupported(uint256 routeId)", "", "missing: error Unsupported(uint256)"],
    ["a parameter's type", "uint256 amountIn", "uint128 amountIn", "missing: event Swap(address,uint256)"],
    ["a field's type", "bytes32 assetInID", "bytes16 assetInID", "missing: function quote(address,(uint256,bytes32))"],
  ])("reports %s that is missing", (_, from, to, expected) => {
    expect(differences([from, to])).toEqual([expected]);
  });

  it.each([
    ["mutability", "view returns (uint256", "returns (uint256", "is nonpayable, published view"],
    ["indexed", "address indexed user", "address user", "parameter 0 is not indexed"],
    ["not indexed", "uint256 amountIn)", "uint256 indexed amountIn)", "parameter 1 is indexed"],
    ["a parameter's name", "address user, Leg", "address account, Leg", "parameter 0 is named account, published user"],
    ["an output's type", "(uint256 amountOut)", "(uint128 amountOut)", "returns (uint128), published (uint256)"],
    ["an output's name", "(uint256 amountOut)", "(uint256)", "output 0 is named nothing, published amountOut"],
    [
      "a field's name",
      "bytes32 assetInID",
      "bytes32 assetID",
      "field of parameter 1, 1 is named assetID, published assetInID",
    ],
    [
      "an error's parameter",
      "Unsupported(uint256 routeId)",
      "Unsupported(uint256 id)",
      "parameter 0 is named id, published routeId",
    ],
  ])("reports a difference in %s", (_, from, to, expected) => {
    expect(differences([from, to])).toEqual([expect.stringMatching(/^differs: /)]);
    expect(differences([from, to])[0]).toContain(expected);
  });
});
