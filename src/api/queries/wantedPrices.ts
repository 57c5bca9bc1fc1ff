/** RWAs that want a price. */
import { z } from "@hono/zod-openapi";
import { isAddress, isHash } from "viem";
import { type Database, quoteIdentifier } from "../database.ts";
import type { ApiNetwork } from "../networks.ts";
import type { WantedPrice } from "../prices/observe.ts";

const wantedRows = z.array(
  z.object({
    rwaId: z.custom<WantedPrice["rwaId"]>((value) => typeof value === "string" && isHash(value)),
    priceAdapter: z.custom<WantedPrice["priceAdapter"]>((value) => typeof value === "string" && isAddress(value)),
  }),
);

/** Every RWA ever registered that has a price adapter now. */
export async function readWantedPrices(database: Database, { schema, name, chainId }: ApiNetwork) {
  return wantedRows.parse(
    await database.query({
      name: `api_wanted_prices_${name}`,
      text: `
SELECT rwa_id AS "rwaId", price_adapter AS "priceAdapter"
FROM ${quoteIdentifier(schema)}.rwa
WHERE chain_id = ${chainId} AND token_address IS NOT NULL AND price_adapter IS NOT NULL
ORDER BY rwa_id`,
      values: [],
    }),
  );
}
