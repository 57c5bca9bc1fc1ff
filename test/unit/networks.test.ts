import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { configuredNetworks } from "../../config/networks.ts";

const address = (digit: string) => `0x${digit.repeat(40)}`;
const deployment = (chainId: number) => ({
  chainId,
  startBlock: 7,
  coreSwap: address("A"),
  treasury: address("b"),
  more: "kept for others",
});

let directory: string;
const write = (network: string, content: unknown) =>
  writeFileSync(join(directory, "evm", `${network}.json`), JSON.stringify(content));
const configure = (env: Record<string, string>) => configuredNetworks({ DEPLOYMENTS_DIR: directory, ...env });

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "deployments-"));
  mkdirSync(join(directory, "evm"));
});
afterEach(() => rmSync(directory, { recursive: true }));

describe("configured networks", () => {
  it("are those with a deployment file and an RPC URL", () => {
    write("mainnet", deployment(1));
    write("sepolia", deployment(11155111));
    expect(configure({ PONDER_RPC_URL_1: "http://a, https://b" })).toEqual([
      {
        name: "mainnet",
        chainId: 1,
        rpcUrls: ["http://a", "https://b"],
        deployment: { chainId: 1, startBlock: 7, coreSwap: address("a"), treasury: address("b") },
      },
    ]);
  });

  it("are narrowed by PONDER_NETWORKS, in canonical order", () => {
    write("mainnet", deployment(1));
    write("sepolia", deployment(11155111));
    const urls = { PONDER_RPC_URL_1: "http://a", PONDER_RPC_URL_11155111: "http://b" };
    const names = (networks: string) => configure({ ...urls, PONDER_NETWORKS: networks }).map(({ name }) => name);
    expect(names("")).toEqual(["mainnet", "sepolia"]);
    expect(names("sepolia")).toEqual(["sepolia"]);
    expect(names("sepolia,mainnet")).toEqual(["mainnet", "sepolia"]);
  });

  it("are refused with an error that names what is missing", () => {
    expect(() => configure({ PONDER_RPC_URL_1: "http://a" })).toThrow(/No network is enabled.*evm.*PONDER_RPC_URL_1/);
    write("mainnet", deployment(1));
    expect(() => configure({ PONDER_NETWORKS: "mainnet" })).toThrow(/mainnet.*lacks an RPC URL in PONDER_RPC_URL_1/);
    expect(() => configure({ PONDER_NETWORKS: "goerli" })).toThrow(/unknown network "goerli".*mainnet, sepolia/);
  });

  it("are refused for a bad URL without repeating it", () => {
    write("mainnet", deployment(1));
    const attempt = () => configure({ PONDER_RPC_URL_1: "http://a,ftp://secret" });
    expect(attempt).toThrow("PONDER_RPC_URL_1: entry 2");
    expect(attempt).not.toThrow("secret");
  });

  it("have the WebSocket of their own variable, which is refused for a bad URL without repeating it", () => {
    write("mainnet", deployment(1));
    const attempt = (url: string) => configure({ PONDER_RPC_URL_1: "http://a", PONDER_WS_URL_1: url })[0]?.wsUrl;
    expect(attempt("wss://a/key")).toBe("wss://a/key");
    expect(attempt("")).toBeUndefined();
    for (const url of ["http://secret", "secret", "wss://a/secret#b"]) {
      expect(() => attempt(url)).toThrow("PONDER_WS_URL_1 is not a ws(s) URL");
      expect(() => attempt(url)).not.toThrow("secret");
    }
  });

  it.each([
    [{ ...deployment(1), coreSwap: "0x12" }, "coreSwap"],
    [{ ...deployment(1), startBlock: -1 }, "startBlock"],
    [{ ...deployment(1), treasury: undefined }, "treasury"],
    [deployment(5), "chainId is 5, expected 1"],
  ])("are refused for a bad deployment file, naming file and field", (content, message) => {
    write("mainnet", content);
    const attempt = () => configure({ PONDER_RPC_URL_1: "http://a" });
    expect(attempt).toThrow(join(directory, "evm", "mainnet.json"));
    expect(attempt).toThrow(message);
  });
});
