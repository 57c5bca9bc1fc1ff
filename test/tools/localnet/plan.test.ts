import { describe, expect, it } from "vitest";
import { DELISTED_RWA, RWAS, TREASURY } from "../../../localnet/assets.ts";
import { blockTimes } from "../../../localnet/history.ts";
import { ROUTE_IDS } from "../../../localnet/legs.ts";
import { type PlannedBlock, planHistory } from "../../../localnet/plan.ts";
import type { Action, PlannedTransaction } from "../../../localnet/transactionPlan.ts";
import { DEPOSITORS, LISTED_AT_SETUP, type WalletName } from "../../../localnet/wallets.ts";

const CHAIN_IDS = [1, 11155111];
const LONG = { seed: 1, transactionCount: 720 };

const transactionsOf = (blocks: readonly PlannedBlock[]) => blocks.flatMap(({ transactions }) => transactions);

function legsOf(action: Action) {
  if (action.type === "swap") return action.legs;
  return action.type === "nestedSwap" ? [action.leg] : [];
}

const countOfKind = (transactions: readonly PlannedTransaction[], kind: PlannedTransaction["kind"]) =>
  transactions.filter((transaction) => transaction.kind === kind).length;

describe("planHistory", () => {
  it("returns the same plan for the same seed, and a different one for another seed or chain", () => {
    expect(planHistory({ ...LONG, chainId: 1 })).toEqual(planHistory({ ...LONG, chainId: 1 }));
    expect(planHistory({ ...LONG, chainId: 1 })).not.toEqual(planHistory({ ...LONG, chainId: 11155111 }));
    expect(planHistory({ ...LONG, chainId: 1 })).not.toEqual(planHistory({ ...LONG, seed: 2, chainId: 1 }));
  });

  it("refuses a history that is too short for every kind", () => {
    expect(() => planHistory({ seed: 1, chainId: 1, transactionCount: 99 })).toThrow(RangeError);
  });

  it.each([100, 101, 250, 720, 2000])("plans exactly %i transactions with every kind in them", (transactionCount) => {
    for (const seed of [1, 2, 3, 4, 5, 6, 7, 8]) {
      const transactions = transactionsOf(planHistory({ seed, chainId: 1, transactionCount }));
      expect(transactions).toHaveLength(transactionCount);
      const kinds = new Set(transactions.map(({ kind }) => kind));
      // Removals need two changes of one account, which a short history may lack.
      kinds.add("allowlistRemoved");
      expect(kinds.size).toBe(26);
    }
  });

  describe.each(CHAIN_IDS)("of chain %i", (chainId) => {
    const blocks = planHistory({ ...LONG, chainId });
    const transactions = transactionsOf(blocks);

    it("has at least 600 economic transactions, in 200 to 300 blocks", () => {
      expect(transactions.filter(({ economic }) => economic).length).toBeGreaterThanOrEqual(600);
      expect(blocks.length).toBeGreaterThanOrEqual(200);
      expect(blocks.length).toBeLessThanOrEqual(300);
      expect(blocks.filter((block) => block.transactions.some(({ economic }) => economic)).length).toBeGreaterThan(80);
    });

    it("has about 30 % of them in the newest 65 blocks, of which many have several and some are empty", () => {
      const newest = transactionsOf(blocks.slice(-65)).length;
      expect(newest / transactions.length).toBeGreaterThan(0.25);
      expect(newest / transactions.length).toBeLessThan(0.35);
      expect(blocks.filter((block) => block.transactions.length > 1).length).toBeGreaterThan(100);
      expect(blocks.some((block) => block.transactions.length === 0)).toBe(true);
    });

    it("settles every route at least 60 times", () => {
      for (const route of ROUTE_IDS) {
        const legs = transactions
          .filter(({ revertsWith }) => revertsWith === null)
          .flatMap(({ action }) => legsOf(action).filter(({ routeId }) => routeId === route));
        expect(legs.length).toBeGreaterThanOrEqual(60);
      }
    });

    it.each([
      ["swapByAllowance", 30],
      ["swapByPermit", 30],
      ["swapToOther", 30],
      ["swapNested", 30],
      ["swapBatch", 50],
      ["treasuryDeposit", 30],
      ["treasuryRedemption", 25],
      ["accrual", 5],
      ["revertedBound", 20],
      ["revertedBlacklisted", 5],
      ["revertedPaused", 9],
      ["revertedDelisted", 5],
      ["allowlistAdded", 15],
      ["allowlistRemoved", 15],
      ["allowlistUnchanged", 5],
      ["revertedAllowlist", 8],
      ["undecodable", 5],
      ["noise", 10],
    ] as const)("has %s at least %i times", (kind, minimum) => {
      expect(countOfKind(transactions, kind)).toBeGreaterThanOrEqual(minimum);
    });

    it("expects of every transaction the result that follows from the state before it", () => {
      let paused = false;
      let delisted = false;
      const barred = new Set<WalletName>();
      const listed = new Set<WalletName>(LISTED_AT_SETUP);
      for (const { action, sender, kind, revertsWith, activities } of transactions) {
        if (action.type === "pause" || action.type === "unpause") paused = action.type === "pause";
        if (action.type === "delist") delisted = true;
        if (action.type === "blacklist") barred[action.listed ? "add" : "delete"](action.account);
        if (action.type === "swap" && kind !== "revertedValue") {
          const parties = [action.user, action.receiver, sender];
          const isDelisted = action.legs.some(({ assetIn, assetOut }) => [assetIn, assetOut].includes(DELISTED_RWA));
          expect(revertsWith === "EnforcedPause").toBe(paused);
          expect(revertsWith === "UserBlacklisted").toBe(parties.some((party) => barred.has(party)));
          expect(revertsWith === "RWANotAccepted").toBe(delisted && isDelisted);
        }
        if (action.type === "nestedSwap") expect(paused).toBe(false);
        if (action.type === "allowlist" && revertsWith === null && action.account !== null) {
          const changes = listed.has(action.account) !== (action.method === "addToWhitelist");
          expect(activities).toBe(changes ? 1 : 0);
          listed[action.method === "addToWhitelist" ? "add" : "delete"](action.account);
        }
      }
      expect({ paused, delisted, barred: barred.size }).toEqual({ paused: false, delisted: true, barred: 0 });
    });

    it("posts NAVs within the largest move of their adapters", () => {
      const last = new Map(Object.entries(RWAS).map(([symbol, { priceWad }]) => [symbol, priceWad]));
      let posts = 0;
      for (const { action } of transactions) {
        if (action.type !== "postNav") continue;
        const before = last.get(action.asset) as bigint;
        const move = action.navWad > before ? action.navWad - before : before - action.navWad;
        expect(move > 0n).toBe(true);
        expect(move * 10n ** 18n).toBeLessThanOrEqual(before * RWAS[action.asset].maxMovePerPostWad);
        last.set(action.asset, action.navWad);
        posts++;
      }
      expect(posts).toBe(13);
    });

    it("deposits for accounts on the allowlist, from every route, and redeems for what is paid out", () => {
      const legs = transactions
        .filter(({ revertsWith }) => revertsWith === null)
        .flatMap(({ action }) => (action.type === "swap" ? action.legs.map((leg) => ({ ...leg, action })) : []));
      const deposits = legs.filter(({ assetOut }) => assetOut === TREASURY.symbol);
      const redemptions = legs.filter(({ assetIn }) => assetIn === TREASURY.symbol);
      expect(new Set(deposits.map(({ routeId }) => routeId))).toEqual(new Set([1, 2, 7, 8]));
      expect(new Set(redemptions.map(({ routeId }) => routeId))).toEqual(new Set([3, 4, 7, 8]));
      for (const { action } of deposits) expect(LISTED_AT_SETUP).toContain(action.receiver);
      for (const { action } of redemptions) expect(DEPOSITORS).toContain(action.user);
    });

    it("replaces the delegate of an LP once, with legs of that LP before and after", () => {
      const at = transactions.findIndex(({ action }) => action.type === "replaceDelegate");
      expect(transactions.findLastIndex(({ action }) => action.type === "replaceDelegate")).toBe(at);
      const settledByDai = ({ action, revertsWith }: PlannedTransaction) =>
        revertsWith === null && legsOf(action).some(({ settledBy }) => settledBy === "DAI");
      expect(transactions.slice(0, at).filter(settledByDai).length).toBeGreaterThan(50);
      expect(transactions.slice(at).filter(settledByDai).length).toBeGreaterThan(50);
    });
  });
});

describe("blockTimes", () => {
  const blocks = planHistory({ ...LONG, chainId: 1 });

  it("increase from block to block, up to the given end", () => {
    const start = 1_700_000_000;
    const end = start + 90 * 86_400;
    const times = blockTimes(blocks, start, end);
    expect(times[0]).toBeGreaterThan(start);
    expect(times.at(-1)).toBe(end);
    for (const [index, time] of times.entries()) expect(time).toBeGreaterThan(times[index - 1] ?? start);
  });

  it("fit if there is a second for each block, but not with one second less", () => {
    expect(blockTimes(blocks, 0, blocks.length)).toEqual(blocks.map((_, index) => index + 1));
    expect(() => blockTimes(blocks, 0, blocks.length - 1)).toThrow(RangeError);
  });
});
