/** Checks the keeper's decisions on arbitrary observations. */
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { type Address, decodeFunctionData, type Hex, hashTypedData, parseEther, parseGwei } from "viem";
import { describe, expect, test } from "vitest";
import { navPriceAdapterAbi, treasuryDelegateAbi } from "../../abis/index.ts";
import { WALLETS } from "../../localnet/wallets.ts";
import type { Survey } from "../../packages/cli/src/keeper/accounts.ts";
import { AlertBoard, type Message, Webhook } from "../../packages/cli/src/keeper/alerts.ts";
import { readKeeperConfig } from "../../packages/cli/src/keeper/config.ts";
import {
  decide,
  type NavObservation,
  type Observation,
  type RateObservation,
} from "../../packages/cli/src/keeper/decide.ts";
import { navTypedData, readNavSource } from "../../packages/cli/src/keeper/navSource.ts";
import { type InFlight, nextTransaction } from "../../packages/cli/src/keeper/nextTransaction.ts";
import { startWebhook } from "./support/keeper.ts";

const WAD = 10n ** 18n;
const DAY = 86_400n;
const ADAPTER = "0xB7f8BC63BbcaD18155201308C8f3540b07f84F5e";
const DELEGATE = "0x90F79bf6EB2c4f870365E785982E1f101E93b906";
const NOTHING: Observation = { now: 0n, navs: [], rates: null, accounts: null, lps: [], minimums: [] };

const SOLVENT = { ratioWad: WAD, isSolvent: true };

function accountsOf(changes: Partial<Survey>): NonNullable<Observation["accounts"]> {
  const survey: Survey = { timestamp: 0n, crowded: [], isOutdated: false, solvency: SOLVENT, ...changes };
  return { delegate: DELEGATE, survey, minimumSolvencyWad: WAD };
}

/** Times within two weeks, so that every order of two times is common. */
const time = fc.bigInt({ min: 20_000n * DAY, max: 20_014n * DAY });
/** NAVs close to each other, and arbitrary ones. */
const nav = fc.oneof(
  fc.bigInt({ min: WAD - WAD / 100n, max: WAD + WAD / 100n }),
  fc.bigInt({ min: 0n, max: 2n ** 200n }),
);
const fraction = fc.bigInt({ min: 0n, max: WAD / 50n });
const problem = fc.record({ problem: fc.string(), isTransient: fc.boolean() });

const navObservation: fc.Arbitrary<NavObservation> = fc.record({
  symbol: fc.constant("TBILL"),
  adapter: fc.constant(ADAPTER),
  adapterInForce: fc.constantFrom(ADAPTER, ADAPTER, ADAPTER, DELEGATE),
  navWad: nav.filter((value) => value > 0n && value < 2n ** 192n),
  postedAt: time,
  maxMovePerPostWad: fraction.filter((value) => value > 0n),
  availableMoveWad: fraction,
  source: fc.oneof({ weight: 9, arbitrary: fc.record({ navWad: nav, asOf: time }) }, { weight: 1, arbitrary: problem }),
  sourceMaxAgeSeconds: fc.bigInt({ min: 1n, max: 10n * DAY }),
  minIntervalSeconds: fc.bigInt({ min: 1n, max: DAY }),
});

const rateObservation: fc.Arbitrary<RateObservation> = fc.record({
  delegate: fc.constant(DELEGATE),
  lastDay: fc.oneof(fc.constant(0n), fc.bigInt({ min: 19_998n, max: 20_016n })),
  maxRateWad: fraction,
  lateAfterSeconds: fc.bigInt({ min: 1n, max: DAY }),
  source: fc.oneof(fc.record({ rateWad: fraction }), problem, fc.constant(null)),
});

function postedNav(data: Hex): bigint {
  const { functionName, args } = decodeFunctionData({ abi: navPriceAdapterAbi, data });
  if (functionName !== "postNav") throw new Error(`the call is ${functionName}`);
  return args[0];
}

describe("a NAV", () => {
  test("is posted unchanged, and only if it is new, not in the future, fresh and within every bound", () => {
    let posts = 0;
    const property = fc.property(navObservation, time, (observed, now) => {
      const { actions, alerts } = decide({ ...NOTHING, now, navs: [observed] });
      const { source } = observed;
      const isOk = !("problem" in source);
      if (actions.length === 0) {
        // Every refusal is reported.
        const isOvertaken = isOk && source.asOf <= observed.postedAt && source.navWad !== observed.navWad;
        if (!isOk || isOvertaken || observed.adapter !== observed.adapterInForce) expect(alerts).toHaveLength(1);
        return;
      }
      posts++;
      expect(alerts).toEqual([]);
      if (!isOk) throw new Error("a NAV was posted although the source has none");
      const posted = postedNav(actions[0]?.call.data ?? "0x");
      expect(posted).toBe(source.navWad);
      expect(source.asOf > observed.postedAt && source.asOf <= now).toBe(true);
      expect(now - source.asOf <= observed.sourceMaxAgeSeconds).toBe(true);
      const move = posted > observed.navWad ? posted - observed.navWad : observed.navWad - posted;
      // As `postNav` checks it.
      expect(posted > 0n && posted < 2n ** 192n).toBe(true);
      expect(move * WAD <= observed.maxMovePerPostWad * observed.navWad).toBe(true);
      expect((move * WAD + observed.navWad - 1n) / observed.navWad <= observed.availableMoveWad).toBe(true);
      // After the post, there is nothing left to do.
      const after = { ...observed, navWad: posted, postedAt: now };
      expect(decide({ ...NOTHING, now: now + DAY, navs: [after] }).actions).toEqual([]);
    });
    fc.assert(property, { numRuns: 20_000, endOnFailure: true });
    expect(posts).toBeGreaterThan(50);
  });

  test("that is stale, in the future, zero or beyond a bound is refused with an alert", () => {
    const now = 20_005n * DAY;
    const sound: NavObservation = {
      symbol: "TBILL",
      adapter: ADAPTER,
      adapterInForce: ADAPTER,
      navWad: WAD,
      postedAt: now - DAY,
      maxMovePerPostWad: WAD / 1_000n,
      availableMoveWad: WAD / 2_000n,
      source: { navWad: WAD, asOf: now },
      sourceMaxAgeSeconds: 3_600n,
      minIntervalSeconds: 60n,
    };
    const of = (changes: Partial<NavObservation>) => decide({ ...NOTHING, now, navs: [{ ...sound, ...changes }] });
    expect(of({})).toMatchObject({ actions: [{ kind: "nav", validUntil: now + 3_600n }], unjudged: [] });
    const older = { source: { navWad: WAD, asOf: now - 600n } };
    expect(of(older)).toMatchObject({ actions: [{ kind: "nav", validUntil: now + 3_000n }] });
    expect(of({ source: { problem: "it does not answer", isTransient: true } })).toMatchObject({
      actions: [],
      unjudged: [{ kind: "nav", to: ADAPTER, doneAt: now - DAY }],
      alerts: [{ key: "nav:TBILL", text: "the NAV source of TBILL failed: it does not answer" }],
    });
    const refusals = [
      [{ source: { navWad: WAD, asOf: now - 3_660n } }, /it is 1 h 1 min old, more than 1 h/],
      [{ source: { navWad: WAD, asOf: now + 301n } }, /it is over 5 min ahead of the chain/],
      [{ source: { navWad: 0n, asOf: now } }, /values above 0/],
      [{ source: { navWad: WAD + WAD / 999n, asOf: now } }, /differs from 1 USD by more than 0.1%/],
      [{ source: { navWad: WAD + WAD / 1_500n, asOf: now } }, /the day has 0.05% left/],
      [{ source: { problem: "it is not JSON", isTransient: false } }, /it is not JSON/],
      [
        { source: { navWad: WAD + 1n, asOf: now - 60n }, postedAt: now - 30n },
        /is not posted: it differs from 1 USD, posted after that time/,
      ],
      [{ adapterInForce: DELEGATE }, /CoreSwap uses 0x90F7/],
    ] as const;
    for (const [changes, text] of refusals) {
      const { actions, alerts } = of(changes);
      expect(actions).toEqual([]);
      expect(alerts).toEqual([expect.objectContaining({ key: "nav:TBILL", text: expect.stringMatching(text) })]);
    }
    const overtaken = { source: { navWad: WAD, asOf: now - 60n }, postedAt: now - 30n };
    expect(of(overtaken)).toEqual({ actions: [], unjudged: [], alerts: [] });
  });
});

test("a source that dates its NAV in another unit than seconds is refused, and stops nothing else", async () => {
  const directory = mkdtempSync(join(tmpdir(), "coreswap-nav-"));
  const signing = { signer: WALLETS.client3.address, adapter: ADAPTER, chainId: 1 } as const;
  const asOf = 1_795_272_656_000_000;
  const signature = await WALLETS.client3.signTypedData(navTypedData(signing, { navWad: WAD, asOf: BigInt(asOf) }));
  try {
    const path = join(directory, "nav.json");
    writeFileSync(path, JSON.stringify({ nav: "1", asOf, signature }));
    const problem = "it is malformed: asOf: expected seconds since 1970";
    expect(await readNavSource(path, signing)).toEqual({ problem, isTransient: false });
  } finally {
    rmSync(directory, { recursive: true });
  }
});

test("a source whose document is gone has withdrawn its NAV, and one that fails has not", async () => {
  const signing = { signer: WALLETS.client3.address, adapter: ADAPTER, chainId: 1 } as const;
  const missing = join(tmpdir(), "coreswap-nav-missing", "nav.json");
  const ofFile = { problem: expect.stringMatching(/^there is no document \(ENOENT: .+\)$/), isTransient: false };
  expect(await readNavSource(missing, signing)).toEqual(ofFile);
  let status = 404;
  const server = createServer((_, response) => response.writeHead(status).end());
  await once(server.listen(0, "127.0.0.1"), "listening");
  try {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/nav`;
    for (status of [404, 410]) {
      const problem = `there is no document (HTTP ${status})`;
      expect(await readNavSource(url, signing)).toEqual({ problem, isTransient: false });
    }
    for (status of [403, 500, 503]) {
      expect(await readNavSource(url, signing)).toEqual({ problem: `HTTP ${status}`, isTransient: true });
    }
  } finally {
    server.close();
  }
});

describe("a rate", () => {
  test("is the rate of the source for the first finished day without a rate, within the cap", () => {
    let posts = 0;
    const property = fc.property(rateObservation, time, (observed, now) => {
      const { actions, alerts } = decide({ ...NOTHING, now, rates: observed });
      const { source, lastDay } = observed;
      if (actions.length === 0) {
        if (lastDay === 0n) expect(alerts.map(({ key }) => key)).toEqual([]);
        return;
      }
      posts++;
      if (source === null || "problem" in source) throw new Error("a rate was posted that the source did not give");
      const { functionName, args } = decodeFunctionData({
        abi: treasuryDelegateAbi,
        data: actions[0]?.call.data ?? "0x",
      });
      expect({ functionName, args }).toEqual({ functionName: "postDailyRate", args: [lastDay + 1n, source.rateWad] });
      expect(lastDay !== 0n && (lastDay + 2n) * DAY <= now && source.rateWad <= observed.maxRateWad).toBe(true);
    });
    fc.assert(property, { numRuns: 5_000 });
    expect(posts).toBeGreaterThan(50);
  });

  test("that is late raises an alert, whatever the reason", () => {
    const property = fc.property(rateObservation, time, (observed, now) => {
      const { alerts } = decide({ ...NOTHING, now, rates: observed });
      const end = (observed.lastDay + 2n) * DAY;
      const isLate = observed.lastDay !== 0n && now >= end + observed.lateAfterSeconds;
      expect(alerts.some(({ key }) => key === "rate-late")).toBe(isLate);
    });
    fc.assert(property, { numRuns: 5_000 });
  });
});

test("a custody with too small a balance or allowance raises an alert", () => {
  const minimums = [{ lp: "USDX", asset: "USDX", amount: 100n }];
  const asset = { symbol: "USDX", decimals: 0, custody: ADAPTER, balance: 100n, approved: 100n, intake: null } as const;
  const lp = {
    symbol: "USDX",
    yieldBearing: false,
    delegate: DELEGATE,
    delegateInForce: DELEGATE,
    reserve: null,
    unknown: [],
  } as const;
  const of = (changes: Partial<typeof asset> | object) =>
    decide({ ...NOTHING, minimums, lps: [{ ...lp, assets: [{ ...asset, ...changes }] }] }).alerts;
  expect(of({})).toEqual([]);
  expect(of({ approved: null })).toEqual([]);
  expect(of({ balance: 99n })[0]?.text).toContain("99 USDX from custody");
  expect(of({ balance: 99n })[0]?.text).toContain("the balance is too small");
  expect(of({ approved: 99n })[0]?.text).toContain("the allowance is too small");
  expect(decide({ ...NOTHING, minimums }).alerts).toHaveLength(1);
  const unknown = [{ symbol: "USDX", error: "no balance" }];
  expect(decide({ ...NOTHING, minimums, lps: [{ ...lp, assets: [], unknown }] }).alerts).toEqual([]);

  const ofReserve = (balance: bigint) => {
    const reserve = { ...asset, symbol: "TRSY", balance };
    const least = [{ lp: "USDX", asset: "TRSY", amount: 100n }];
    return decide({ ...NOTHING, minimums: least, lps: [{ ...lp, assets: [asset], reserve }] }).alerts;
  };
  expect(ofReserve(100n)).toEqual([]);
  expect(ofReserve(99n)[0]).toMatchObject({ key: "minimum:USDX:TRSY", text: expect.stringContaining("99 TRSY from") });
});

test("nothing is posted to a treasury delegate that CoreSwap no longer has", () => {
  const now = 20_005n * DAY;
  const rates = { delegate: DELEGATE, lastDay: 20_003n, maxRateWad: WAD, lateAfterSeconds: DAY } as const;
  const crowded = [{ account: ADAPTER, records: 50, mergeable: 1n }] as const;
  const of = (delegateInForce: Address) =>
    decide({
      ...NOTHING,
      now,
      rates: { ...rates, source: { rateWad: 1n } },
      accounts: accountsOf({ crowded }),
      lps: [
        {
          symbol: "TRSY",
          yieldBearing: true,
          delegate: DELEGATE,
          delegateInForce,
          assets: [],
          reserve: null,
          unknown: [],
        },
      ],
    });
  expect(of(DELEGATE)).toMatchObject({ actions: [{ kind: "rate" }, { kind: "accrue" }], alerts: [] });
  const text = expect.stringContaining(`lp:TRSY was replaced: CoreSwap uses ${ADAPTER}, and`);
  expect(of(ADAPTER)).toMatchObject({
    actions: [],
    alerts: [
      { key: "rate", text },
      { key: "accounts", text },
    ],
  });
});

test("a reserve below its minimum, or of unknown solvency, raises an alert", () => {
  const alertsOf = (solvency: Survey["solvency"]) => decide({ ...NOTHING, accounts: accountsOf({ solvency }) }).alerts;
  expect(alertsOf({ ratioWad: WAD - 1n, isSolvent: false })[0]).toMatchObject({ key: "solvency" });
  expect(alertsOf({ ...SOLVENT, isSolvent: null })[0]?.text).toContain("assets have no price");
  expect(alertsOf({ problem: "no price", isTransient: true })).toEqual([
    { key: "solvency", text: "no price", isTransient: true },
  ]);
  expect(alertsOf(SOLVENT)).toEqual([]);
  expect(alertsOf({ ...SOLVENT, ratioWad: null })).toEqual([]);
});

test("full queues are accrued although the solvency is unknown", () => {
  const crowded = [{ account: ADAPTER, records: 50, mergeable: 1n }] as const;
  const accounts = accountsOf({ crowded, solvency: { problem: "no price", isTransient: true } });
  expect(decide({ ...NOTHING, accounts }).actions).toMatchObject([{ kind: "accrue" }]);
});

test.each([
  ["runs", accountsOf({ isOutdated: true }), [{ kind: "accrue", to: DELEGATE, doneAt: 0n }]],
  [
    "has failed",
    { ...accountsOf({}), survey: { problem: "reset", isTransient: true } },
    [{ kind: "accrue", to: DELEGATE, doneAt: 0n }],
  ],
  ["is done", accountsOf({}), []],
])("while the survey that follows an accrual %s, the accrual in flight is kept or not", (_, accounts, unjudged) => {
  expect(decide({ ...NOTHING, accounts })).toMatchObject({ actions: [], unjudged });
});

describe("a transaction", () => {
  const gas = {
    maxFeeGwei: parseGwei("50"),
    priorityFeeGwei: parseGwei("1"),
    replaceAfterSeconds: 100,
    minBalanceEth: parseEther("1"),
  };
  const fee = fc.bigInt({ min: 0n, max: parseGwei("60") });
  const fees = fc.record({ maxFeePerGas: fee, maxPriorityFeePerGas: fee });
  const inFlight: fc.Arbitrary<InFlight | null> = fc.option(
    fc.record({
      nonce: fc.integer({ min: 0, max: 4 }),
      sinceTimestamp: fc.bigInt({ min: 0n, max: 300n }),
      sent: fc.constant(null),
      fees: fc.option(fees),
    }),
  );
  const account = fc.record({
    nonce: fc.integer({ min: 0, max: 4 }),
    pendingNonce: fc.integer({ min: 0, max: 6 }),
    balance: fc.constant(0n),
    baseFeePerGas: fee,
  });

  test("never exceeds the cap, covers the base fee, and replaces what is wanted only after a time, at fees 10 % higher", () => {
    let replacements = 0;
    const property = fc.property(
      fc.boolean(),
      inFlight,
      fc.boolean(),
      account,
      (isWanted, known, isUnwanted, account) => {
        const now = 300n;
        const isKnown = known !== null && known.nonce === account.nonce;
        const isObsolete = isKnown && isUnwanted;
        const next = nextTransaction({ isWanted, known, isObsolete, account, now }, gas);
        if (next.kind !== "send") return;
        const { maxFeePerGas, maxPriorityFeePerGas } = next.fees;
        expect(maxFeePerGas <= gas.maxFeeGwei && maxPriorityFeePerGas <= maxFeePerGas).toBe(true);
        expect(maxFeePerGas >= account.baseFeePerGas + gas.priorityFeeGwei).toBe(true);
        expect(next.isReplacement).toBe(isKnown);
        if (!isKnown) {
          expect(isWanted && account.pendingNonce <= account.nonce).toBe(true);
          return;
        }
        replacements++;
        expect(isObsolete || now - known.sinceTimestamp >= 100n).toBe(true);
        if (known.fees === null) return;
        expect(maxFeePerGas * 100n >= known.fees.maxFeePerGas * 110n).toBe(true);
        expect(maxPriorityFeePerGas * 100n >= known.fees.maxPriorityFeePerGas * 110n).toBe(true);
      },
    );
    fc.assert(property, { numRuns: 10_000 });
    expect(replacements).toBeGreaterThan(100);
  });

  test("that needs more than the cap is not sent, and the result names the fee", () => {
    const account = { nonce: 0, pendingNonce: 0, balance: 0n, baseFeePerGas: parseGwei("49.5") };
    const idle = { isWanted: false, known: null, isObsolete: false, account, now: 0n };
    expect(nextTransaction({ ...idle, isWanted: true }, gas)).toEqual({
      kind: "capped",
      inFlight: null,
      neededFeePerGas: parseGwei("50.5"),
    });
    expect(nextTransaction(idle, gas)).toEqual({ kind: "nothing" });
  });

  test("of another run that would need more than the cap is forgotten once the pool does not hold it", () => {
    const fees = { maxFeePerGas: parseGwei("45"), maxPriorityFeePerGas: parseGwei("1") };
    const known: InFlight = { nonce: 7, sinceTimestamp: 0n, sent: null, fees };
    const account = { nonce: 7, pendingNonce: 8, balance: 0n, baseFeePerGas: parseGwei("2") };
    const neededFeePerGas = parseGwei("56.25");
    const situation = { isWanted: true, known, isObsolete: false, account, now: 300n };
    expect(nextTransaction(situation, gas)).toMatchObject({ inFlight: known, neededFeePerGas });
    const gone = nextTransaction({ ...situation, account: { ...account, pendingNonce: 7 } }, gas);
    expect(gone).toEqual({ kind: "capped", inFlight: null, neededFeePerGas });
  });
});

test("an alert is sent once, repeated after a time, and resolved, but a transient one is sent only after its grace period", () => {
  const told: string[] = [];
  const send = ({ key, state }: Message) => told.push(`${state} ${key}`);
  const board = new AlertBoard({ network: "mainnet", graceSeconds: 10, repeatSeconds: 100, ignore: ["noise"], send });
  const lasting = { key: "lasting", text: "" };
  const passing = { key: "passing", text: "", isTransient: true };
  board.update([lasting, passing, { key: "noise", text: "" }], 0);
  board.update([lasting, passing], 9_000);
  expect(told.splice(0)).toEqual(["raised lasting"]);
  board.update([lasting, passing], 10_000);
  expect(told.splice(0)).toEqual(["raised passing"]);
  board.update([lasting], 100_000);
  expect(told.splice(0)).toEqual(["resolved passing", "raised lasting"]);
  board.update([passing], 101_000);
  board.update([], 102_000);
  expect(told.splice(0)).toEqual(["resolved lasting"]);
  board.update([lasting], 103_000);
  board.silence([]);
  board.update([], 104_000);
  expect(told.splice(0)).toEqual(["raised lasting"]);
  board.update([lasting, { key: "kept", text: "…" }], 105_000);
  board.silence(["kept"]);
  expect(board.active).toEqual(["kept"]);
  board.update([], 106_000);
  expect(told).toEqual(["raised lasting", "raised kept", "resolved kept"]);
});

test("an alert that a failed round could not judge is not reported as resolved", () => {
  const told: string[] = [];
  const send = ({ key, state }: Message) => told.push(`${state} ${key}`);
  const board = new AlertBoard({ network: "mainnet", graceSeconds: 10, repeatSeconds: 100, ignore: ["round"], send });
  const [nav, queue] = [
    { key: "nav:TBILL", text: "" },
    { key: "queue:0x1", text: "" },
  ];
  board.update([nav, queue], 0);
  board.update([nav, { key: "accounts", text: "", hides: ["queue:", "solvency"] }], 1_000);
  board.update([{ key: "round", text: "", hides: [""] }], 2_000);
  expect(told.splice(0)).toEqual(["raised nav:TBILL", "raised queue:0x1", "raised accounts"]);
  expect(board.active).toEqual(["nav:TBILL", "queue:0x1", "accounts"]);
  board.update([queue], 3_000);
  expect(told).toEqual(["resolved nav:TBILL", "resolved accounts"]);
});

describe("docs/keeper.md", () => {
  const [configuration = "", document = "", typedData = ""] = [
    ...readFileSync("docs/keeper.md", "utf8").matchAll(/^```json\n([\s\S]*?)^```/gm),
  ].map(([, code]) => code ?? "");

  function reading(change: (config: Record<string, unknown>) => void) {
    const directory = mkdtempSync(join(tmpdir(), "coreswap-keeper-"));
    try {
      const config = JSON.parse(configuration);
      change(config);
      writeFileSync(join(directory, "keeper.json"), JSON.stringify(config));
      return readKeeperConfig(join(directory, "keeper.json"));
    } finally {
      rmSync(directory, { recursive: true });
    }
  }

  test("has a valid configuration, and the error for an invalid one names each wrong field", () => {
    expect(reading(() => {}).gas).toMatchObject({ maxFeeGwei: parseGwei("60"), replaceAfterSeconds: 120 });
    const wrong = () =>
      reading((config) => {
        const [nav] = config.navs as [Record<string, unknown>];
        Object.assign(nav, { source: "http://administrator.example", signer: "0x12", maxAge: 5 });
        Object.assign(config.gas as object, { maxFeeGwei: 60, priorityFeeGwei: "1.0000000001" });
        config.databaseUrl = undefined;
        config.privateKey = "0x";
        config.pollSeconds = 61;
      });
    const texts = [
      'gas.maxFeeGwei: expected a decimal number in quotes, such as "60"',
      'gas.priorityFeeGwei: expected a number such as "1", with at most 9 decimals',
      "navs.0.source: expected an https URL without a password, or the absolute path of a file",
      "navs.0.signer: expected an address",
      "navs.0 has unknown fields: maxAge",
      "the file has unknown fields: privateKey",
      "databaseUrl:",
      "pollSeconds: expected at most 60 seconds",
    ];
    for (const text of texts) expect(wrong).toThrow(text);
    const fees = () => reading((config) => Object.assign(config.gas as object, { priorityFeeGwei: "61" }));
    expect(fees).toThrow("gas: expected maxFeeGwei above zero, and priorityFeeGwei at most maxFeeGwei");
  });

  test("shows the data that a source signs", () => {
    const { nav, asOf } = JSON.parse(document);
    const data = JSON.parse(typedData);
    const { chainId, verifyingContract } = data.domain as { chainId: number; verifyingContract: Address };
    const signed = navTypedData(
      { chainId, adapter: verifyingContract },
      { navWad: parseEther(nav), asOf: BigInt(asOf) },
    );
    expect(hashTypedData(data)).toBe(hashTypedData(signed));
  });
});

test("a message that the webhook refuses for good does not keep back the next, and a long one is cut", async () => {
  const webhook = await startWebhook();
  const log: string[] = [];
  const counts = { failures: 0, refusals: 0 };
  const sender = new Webhook(
    webhook.url,
    (line) => log.push(line),
    () => counts.failures++,
    () => counts.refusals++,
  );
  const board = new AlertBoard({
    ...{ network: "mainnet", graceSeconds: 0, repeatSeconds: 100, ignore: [] },
    send: (message) => sender.post(message),
  });
  try {
    webhook.refuse(1, 400);
    board.update(
      [
        { key: "round", text: "refused" },
        { key: "head", text: "x".repeat(10_000) },
      ],
      0,
    );
    expect((await webhook.received("head")).length).toBeLessThan(1_100);
    expect(webhook.messages).toHaveLength(1);
    expect(log.join("\n")).toContain("refused the message, HTTP 400");
    expect(counts).toEqual({ failures: 1, refusals: 1 });
  } finally {
    sender.stop();
    await webhook.stop();
  }
});
