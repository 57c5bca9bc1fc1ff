import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { StorageLayout } from "@openzeppelin/upgrades-core";
import { beforeAll, describe, expect, test } from "vitest";
import {
  type Compilation,
  compile,
  LAYOUT_DIRECTORY,
  layoutReport,
  openReinitializers,
  UPGRADEABLE,
  UPGRADEABLE_NAMES,
} from "../../tools/lib/upgradeSafety.ts";

const VERSIONS = "contracts/test/upgrade/versions";
const NEXT = {
  coreSwap: "NextCoreSwap",
  treasury: "NextTreasuryToken",
  treasuryDelegate: "NextTreasuryDelegate",
  balanceSheetDelegate: "NextBalanceSheetDelegate",
} as const;

let compilation: Compilation;
beforeAll(() => {
  compilation = compile([VERSIONS]);
});

describe.each(UPGRADEABLE_NAMES)("%s", (name) => {
  test("X3: the contract is safe behind a proxy, and its storage layout is the committed one", () => {
    expect(compilation.safetyReport(UPGRADEABLE[name])).toBe("");
    expect(compilation.layout(UPGRADEABLE[name])).toEqual(committed(name));
  });

  test("X3: the storage layout is entirely in ERC-7201 namespaces, and every member has a slot and an offset", () => {
    const { storage, namespaces = {} } = committed(name);
    expect(storage).toEqual([]);
    expect(Object.keys(namespaces).some((id) => id.startsWith("erc7201:coreswap.storage."))).toBe(true);
    for (const item of Object.values(namespaces).flat()) {
      expect(item.slot, item.label).toMatch(/^\d+$/);
      expect(item.offset, item.label).toBeTypeOf("number");
    }
  });

  test("X3: a version that adds a namespace is a safe successor, but not the reverse", () => {
    const next = `${VERSIONS}/NextVersions.sol:${NEXT[name]}`;
    expect(compilation.safetyReport(next)).toBe("");
    expect(layoutReport(committed(name), compilation.layout(next))).toBe("");
    expect(layoutReport(compilation.layout(next), committed(name))).toContain("coreswap.test.NextVersion");
  });

  test("X3: a layout with any member of its own moved, retyped or removed is not a safe successor", () => {
    const before = committed(name);
    const [id, members = []] =
      Object.entries(before.namespaces ?? {}).find(([key]) => key.startsWith("erc7201:coreswap.storage.")) ?? [];
    if (id === undefined || members.length < 2) throw new Error(`${name} has no namespace of two members`);
    for (const index of members.keys()) {
      const removed = members.toSpliced(index, 1);
      expect(layoutReport(before, withNamespace(before, id, removed)), `without ${index}`).not.toBe("");
      const retyped = members.with(index, { ...members[index], type: "t_string_storage" } as (typeof members)[number]);
      expect(layoutReport(before, withNamespace(before, id, retyped)), `retyped ${index}`).not.toBe("");
    }
    expect(layoutReport(before, withNamespace(before, id, members.toReversed()))).not.toBe("");
  });
});

test.each([
  ["ReorderedTreasury", "Deleted `accounts`"],
  ["ShortenedTreasury", "Deleted `totalSupply`"],
])("X3: the storage layout of %s is refused with the reason %s", (contract, reason) => {
  const unsafe = `${VERSIONS}/UnsafeVersions.sol:${contract}`;
  expect(layoutReport(committed("treasury"), compilation.layout(unsafe))).toContain(reason);
});

test("X3: a version that delegates calls is refused for that reason only", () => {
  const unsafe = `${VERSIONS}/UnsafeVersions.sol:DelegatingTreasury`;
  expect(layoutReport(committed("treasury"), compilation.layout(unsafe))).toBe("");
  expect(compilation.safetyReport(unsafe)).toContain("delegatecall");
});

test("X3: an initializer of a later version is found, and is open at proxies below that version", () => {
  expect(UPGRADEABLE_NAMES.flatMap((name) => compilation.reinitializers(UPGRADEABLE[name]))).toEqual([]);
  const found = compilation.reinitializers(`${VERSIONS}/NextVersions.sol:ReinitializedTreasury`);
  expect(found).toEqual([{ name: "initializeV2", version: 2 }]);
  expect(openReinitializers(found, 1)).toEqual(found);
  expect(openReinitializers(found, 2)).toEqual([]);
  const unknown = [{ name: "initializeLater", version: null }];
  expect(openReinitializers(unknown, 2)).toEqual(unknown);
});

function committed(name: string): StorageLayout {
  const path = join(LAYOUT_DIRECTORY, `${name}.json`);
  expect(existsSync(path)).toBe(true);
  return JSON.parse(readFileSync(path, "utf8")) as StorageLayout;
}

function withNamespace(layout: StorageLayout, id: string, members: StorageLayout["storage"]): StorageLayout {
  return { ...layout, namespaces: { ...layout.namespaces, [id]: members } };
}
