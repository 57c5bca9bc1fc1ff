import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { compare, type Figures, markdown, profileMarkdown } from "../../bench/gas/report.ts";
import { PROFILED, ROWS } from "../../bench/gas/rows.ts";

/** Every figure that the rows name: ours at the limit, peers' at 50,000, and 2 of everything that profiles count. */
function figures(overrides: Record<string, number> = {}): { ours: Figures; peers: Figures } {
  const ours: Record<string, Record<string, number>> = {};
  const peers: Record<string, number> = {};
  for (const { ours: key, bar, peers: rowPeers } of ROWS) {
    const [group, name] = key;
    ours[group] = { ...ours[group], [name]: overrides[name] ?? bar };
    for (const peer of rowPeers) {
      if ("operation" in peer) peers[`${peer.peer}: ${peer.operation}`] = 50_000;
    }
  }
  const counts = ["calldata gas", "accounts", "slots", "slots changed", "slots filled"];
  ours.StateAccess = Object.fromEntries(PROFILED.flatMap((name) => counts.map((what) => [`${name}: ${what}`, 2])));
  return { ours, peers: { Peers: peers } };
}

describe("compare", () => {
  it("counts a limit as met up to its value, and as missed one above", () => {
    const { ours, peers } = figures({ "mint to a holder": 45_001 });
    const met = Object.fromEntries(compare(ours, peers).rows.map((row) => [row.operation, row.met]));
    expect(met["Treasury mint to a holder"]).toBe(false);
    expect(met["Treasury transfer between holders"]).toBe(true);
  });

  it("divides our gas by the peer's", () => {
    const { ours, peers } = figures({ "transfer between holders": 40_000 });
    const [transfer] = compare(ours, peers).rows;
    expect(transfer?.peers.find(({ peer }) => peer === "solady UUPS")?.ratio).toBe(0.8);
  });

  it("divides our gas by a recorded figure in the same way", () => {
    const { ours, peers } = figures({ "RWA to stablecoin, protocol fee paid to the vault": 90_450 });
    const withFee = compare(ours, peers).rows.find(({ operation }) => operation.endsWith("protocol fee paid out"));
    expect(withFee?.peers.find(({ peer }) => peer === "Balancer v3 stable pool")?.ratio).toBe(0.5);
  });

  it("misses the accrual ratio whichever of the two costs more", () => {
    const { ours, peers } = figures({ "accrual of one day": 50_000, "accrual of 365 days": 55_001 });
    expect(compare(ours, peers).accrualRatio).toEqual({ ratio: 1.1, bar: 1.1, met: false });
    const inverse = figures({ "accrual of one day": 55_001, "accrual of 365 days": 50_000 });
    expect(compare(inverse.ours, inverse.peers).accrualRatio.met).toBe(false);
  });

  it("names a figure that no test measured", () => {
    expect(() => compare(figures().ours, { Peers: {} })).toThrow('no test measured "USDC (FiatTokenV2_2): transfer');
  });

  it("splits the gas of a swap into parts that add up to it", () => {
    const { ours, peers } = figures({ "RWA to stablecoin, exempt": 100_000 });
    const [first] = compare(ours, peers).profiles;
    // 2 accounts, 2 slots read, 2 changed, 2 filled: 2 × (2,600 + 2,100 + 2,900 + 20,000).
    expect(first).toMatchObject({ gas: 100_000, intrinsicGas: 21_002, stateGas: 55_200, executionGas: 23_798 });
    expect(profileMarkdown(compare(ours, peers))).toContain(
      "| RWA to stablecoin, exempt | 100,000 | 21,002 | 2 | 2 | 2 | 2 | 55,200 | 23,798 |",
    );
  });

  it("finds every own figure in the committed snapshots", () => {
    for (const { ours } of ROWS) {
      const [group, name] = ours;
      const committed: unknown = JSON.parse(readFileSync(`contracts/snapshots/${group}.json`, "utf8"));
      expect(committed).toHaveProperty([name]);
    }
  });
});

describe("markdown", () => {
  it("lists missed bars with the reason, where one is known", () => {
    const { ours, peers } = figures({ "mint to a holder": 45_001, "RWA to stablecoin, exempt": 131_510 });
    const lines = markdown(compare(ours, peers)).split("\n");
    const list = lines.slice(lines.indexOf("Bars missed:") + 2).slice(0, 2);
    expect(list[0]).toBe("- Treasury mint to a holder, by 1");
    expect(list[1]).toMatch(/^- One leg RWA to stablecoin, exempt, by 10: an RWA takes two slots/);
  });

  it("has a line for each peer, and the source of each recorded figure", () => {
    const { ours, peers } = figures();
    const lines = markdown(compare(ours, peers)).split("\n");
    expect(lines).toContain("|  |  |  |  | Permit2 | 50,000 | 1.61 | measured |");
    expect(lines).not.toContain("Bars missed:");
    expect(lines.some((text) => text.startsWith("- Balancer v3 stable pool, 180,900: balancer/"))).toBe(true);
  });
});
