/** Columns as statements return them. Numbers that a double may not hold are returned as decimal digits. */
import { z } from "@hono/zod-openapi";
import { type Address, type Hex, isAddress, isHash } from "viem";

/** 20 bytes, as 0x and 40 hex digits. */
export const addressColumn = z.custom<Address>((value) => typeof value === "string" && isAddress(value));

/** 32 bytes, as 0x and 64 hex digits: a hash, or the ID of an asset. */
export const bytes32Column = z.custom<Hex>((value) => typeof value === "string" && isHash(value));

/** A non-negative integer, kept as the digits that were received. */
export const digitsColumn = z.string().regex(/^[0-9]+$/);

/** A non-negative integer. */
export const integerColumn = digitsColumn.transform(BigInt);
