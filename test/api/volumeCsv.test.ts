/** `/v1/volume/series.csv`, compared with the JSON of the same request. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { formatTime } from "../../src/api/shared/time.ts";
import { volumeSeriesAnswer } from "../../src/api/volume/schema.ts";
import { parseCsv } from "../support/csv.ts";
import { checkedRequest } from "./support/checked.ts";
import { openEngine, pricesOf, setCheckpoint, type TestEngine } from "./support/engine.ts";
import { GOLD, insertLegs, insertPricedAssets, LEGS, LP_2, START, tbillPrice } from "./support/legs.ts";
import { appOver } from "./support/world.ts";

const DAY = 86_400n;
/** From two days before the legs, so that buckets are empty, to a day after their beginning. */
const [FROM, TO] = [START - 2n * DAY, START + DAY];

let engine: TestEngine;
beforeAll(async () => {
  engine = await openEngine("volume_csv_test");
  await insertLegs(engine, LEGS);
  await insertPricedAssets(engine);
});
beforeEach(() => pricesOf(engine, tbillPrice));
afterAll(() => engine.close());

function queryOf(more: Record<string, string> = {}) {
  const bounds = { from: formatTime(FROM), to: formatTime(TO) };
  return new URLSearchParams({ network: "evm-mainnet", interval: "day", ...bounds, ...more });
}

async function fileOf(api: ReturnType<typeof appOver>, more: Record<string, string> = {}) {
  const { response, body } = await checkedRequest(api, `/v1/volume/series.csv?${queryOf(more)}`);
  expect(api.errors).toEqual([]);
  expect(response.status).toBe(200);
  return { headers: response.headers, ...parseCsv(body as string) };
}

describe("the file of a volume series", () => {
  it.each([{}, { lpAddress: LP_2 }])(
    "has a row per bucket and LP with the figures of the JSON answer: %o",
    async (more) => {
      const api = appOver(engine);
      const { rows, headers } = await fileOf(api, more);
      const { body } = await checkedRequest(api, `/v1/volume/series?${queryOf(more)}`);
      const { buckets } = volumeSeriesAnswer.parse(body);
      const expected = buckets.flatMap(({ from, to, lpVolumes, ...total }) =>
        (lpVolumes.length === 0 ? [{ ...total, lpAddress: "" }] : lpVolumes).map((figures) => ({
          ...Object.fromEntries(Object.entries(figures).map(([name, value]) => [name, String(value)])),
          missingPriceAssetIds: figures.missingPriceAssetIds.join(" "),
          from,
          to,
        })),
      );
      expect(rows).toEqual(expected);
      expect(rows.filter(({ lpAddress }) => lpAddress === "").length).toBeGreaterThan(0);
      expect(rows.filter(({ lpAddress }) => lpAddress !== "").length).toBeGreaterThan(0);
      expect(headers.get("content-type")).toBe("text/csv; charset=utf-8; header=present");
    },
  );

  it("says in each row, in a header and in its name that prices are missing", async () => {
    const { rows, headers } = await fileOf(appOver(engine));
    const incomplete = rows.filter(({ pricingComplete }) => pricingComplete === "false");
    expect(incomplete.map(({ missingPriceAssetIds }) => missingPriceAssetIds)).toEqual([GOLD]);
    expect(incomplete.map(({ unpricedLegCount }) => unpricedLegCount)).toEqual(["1"]);
    expect(headers.get("pricing-complete")).toBe("false");
    expect(headers.get("content-disposition")).toMatch(/-prices-missing\.csv"$/);

    const beforeLegs = await fileOf(appOver(engine), { to: formatTime(START) });
    expect(beforeLegs.headers.get("pricing-complete")).toBe("true");
    expect(beforeLegs.headers.get("content-disposition")).not.toContain("prices-missing");
  });

  it("says in headers and in its name whether all its blocks are final", async () => {
    const bounds = "from-20[0-9]{6}T[0-9]{6}Z-to-20[0-9]{6}T[0-9]{6}Z";
    const name = (marks: string) =>
      new RegExp(`^attachment; filename="volume-evm-mainnet-by-day-${bounds}${marks}\\.csv"$`);
    await setCheckpoint(engine, "mainnet", 5_000, TO - 1n);
    const early = (await fileOf(appOver(engine))).headers;
    expect([early.get("indexed-through-block"), early.get("range-final")]).toEqual(["5000", "false"]);
    expect(early.get("content-disposition")).toMatch(name("-not-final-prices-missing"));

    await setCheckpoint(engine, "mainnet", 5_001, TO);
    const late = (await fileOf(appOver(engine))).headers;
    expect([late.get("indexed-through-block"), late.get("range-final")]).toEqual(["5001", "true"]);
    expect(late.get("content-disposition")).toMatch(name("-prices-missing"));

    await engine.execute(`DELETE FROM "${engine.schema}"._ponder_checkpoint`);
    const before = (await fileOf(appOver(engine))).headers;
    expect([before.get("indexed-through-block"), before.get("range-final")]).toEqual([null, "false"]);
  });

  it("has the same headers from memory and for HEAD, and is a 304 until a price changes", async () => {
    const api = appOver(engine);
    const path = `/v1/volume/series.csv?${queryOf()}`;
    const first = await checkedRequest(api, path);
    const again = await checkedRequest(api, path);
    expect(again.body).toBe(first.body);
    const shown = ({ headers }: Response) => [...headers].filter(([name]) => name !== "x-request-id");
    expect(shown(again.response)).toEqual(shown(first.response));
    const head = await checkedRequest(api, path, { method: "HEAD" });
    expect(head.body ?? "").toBe("");
    expect(head.response.headers.get("content-disposition")).toBe(first.response.headers.get("content-disposition"));

    const copy = { headers: { "If-None-Match": first.response.headers.get("etag") ?? "" } };
    const current = (await checkedRequest(api, path, copy)).response;
    expect([current.status, current.headers.get("content-type")]).toEqual([
      304,
      "text/csv; charset=utf-8; header=present",
    ]);
    await pricesOf(engine, { ...tbillPrice, priceUsdWad: 2n * tbillPrice.priceUsdWad });
    expect((await checkedRequest(api, path, copy)).response.status).toBe(200);
    // A copy of the JSON answer is none of the file.
    const json = await checkedRequest(api, `/v1/volume/series?${queryOf()}`);
    const other = { headers: { "If-None-Match": json.response.headers.get("etag") ?? "" } };
    expect((await checkedRequest(api, path, other)).response.status).toBe(200);
  });
});
