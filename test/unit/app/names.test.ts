import { stringToHex } from "viem";
import { expect, it } from "vitest";
import { directoryOf } from "../../../app/src/api/directory.ts";
import { assetNames } from "../../../app/src/format/names.ts";

const idOf = (text: string) => stringToHex(text, { size: 32 });
const namesOf = (...assets: readonly (readonly [id: string, symbol: string | null])[]) => [
  ...assetNames(assets.map(([id, symbol]) => ({ id, symbol }))).values(),
];

it("names an asset by its symbol, and by what its ID spells where it has none", () => {
  expect(namesOf([idOf("USDC"), "USDC"], [idOf("GOLD"), null])).toEqual(["USDC", "GOLD"]);
});

it("adds what the ID spells to a symbol that several assets have, also if one of them has it from its ID", () => {
  const names = namesOf([idOf("USDC"), "USDC"], [idOf("USDC.e"), "USDC"], [idOf("TBILL"), "TBILL"]);
  expect(names).toEqual(["USDC (USDC)", "USDC (USDC.e)", "TBILL"]);
  expect(namesOf([idOf("USDC"), null], [idOf("USDC.e"), "USDC"])).toEqual(["USDC (USDC)", "USDC (USDC.e)"]);
});

it("never gives two assets the same name, whatever their symbols and IDs are", () => {
  const [one, other] = [`0x1234${"0".repeat(56)}abcd`, `0x1234${"f".repeat(56)}abcd`];
  expect(namesOf([one, "USDC"], [other, "USDC"])).toEqual([`USDC (${one})`, `USDC (${other})`]);
  const posing = namesOf([idOf("USDC"), "USDC"], [idOf("USDC.e"), "USDC"], [idOf("FAKE"), "USDC (USDC)"]);
  expect(new Set(posing).size).toBe(3);
  expect(posing[2]).toBe("USDC (USDC) (FAKE)");
});

it("names assets and LPs of the directory so that those of the same symbol differ", () => {
  const asset = (text: string, token: string) => ({
    stablecoin_id: idOf(text),
    symbol: "USDC",
    name: null,
    token_address: token,
    decimals: 6,
  });
  const delegate = (text: string, address: string) => ({ stablecoin_id: idOf(text), delegate_address: address });
  const deployment = {
    swap_contract: "0x05",
    stable_assets: [asset("USDC", "0x01"), asset("USDC.e", "0x02")],
    rwa_assets: [],
    stablecoin_delegate_contracts: [delegate("USDC", "0x03"), delegate("USDC.e", "0x04")],
  };
  const info = { evm: { mainnet: deployment } } as unknown as Parameters<typeof directoryOf>[0];
  const { symbolOf, assetByToken, contractName } = directoryOf(info, "evm-mainnet");
  expect([idOf("USDC"), idOf("USDC.e")].map(symbolOf)).toEqual(["USDC (USDC)", "USDC (USDC.e)"]);
  expect(assetByToken("0x02")?.symbol).toBe("USDC (USDC.e)");
  expect(["0x01", "0x03", "0x04"].map(contractName)).toEqual(["USDC (USDC)", "USDC (USDC) LP", "USDC (USDC.e) LP"]);
});
