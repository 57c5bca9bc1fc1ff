/**
 * Reads a signed NAV from its source: `{ "nav": "1.0523", "asOf": 1795272656, "signature": "0x…" }`. The EIP-712
 * signature covers the NAV in WAD and its time, for one price adapter on one chain.
 */
import { open } from "node:fs/promises";
import { type Address, type Hex, isAddressEqual, isHex, recoverTypedDataAddress } from "viem";
import { z } from "zod";
import { reasonOf } from "../chain/connect.ts";
import { Failure } from "../failure.ts";
import { LAST_SECONDS, readPriceWad } from "../text.ts";

const TIMEOUT_MS = 10_000;
/** A document has about 250 bytes. */
const MAX_BYTES = 16_384;

/** What is signed: `navWad` in USD per whole token, `asOf` in seconds since 1970. */
const NAV_TYPES = {
  Nav: [
    { name: "navWad", type: "uint256" },
    { name: "asOf", type: "uint64" },
  ],
} as const;

const documentSchema = z.strictObject({
  nav: z.string().regex(/^\d{1,40}(\.\d{1,18})?$/, 'expected a decimal number in quotes, such as "1.0523"'),
  asOf: z.int().positive().max(Number(LAST_SECONDS), "expected seconds since 1970"),
  signature: z.string().refine((text): text is Hex => isHex(text) && text.length === 132, "expected 65 bytes in hex"),
});

export interface SourceNav {
  /** USD per whole token. */
  readonly navWad: bigint;
  /** When the NAV was determined, in seconds since 1970. */
  readonly asOf: bigint;
}

/** Why a source has no usable value. The problem is transient if the source did not say whether it has one. */
export interface SourceProblem {
  readonly problem: string;
  readonly isTransient: boolean;
}

/** The source has no document: whoever keeps it has withdrawn the NAV. */
class Gone extends Error {}

/** Who must sign a NAV, and for which adapter. */
interface NavSigning {
  readonly signer: Address;
  readonly adapter: Address;
  readonly chainId: number;
}

/** Returns the data to sign, in the form that `eth_signTypedData_v4` takes. */
export function navTypedData({ adapter, chainId }: Omit<NavSigning, "signer">, { navWad, asOf }: SourceNav) {
  return {
    domain: { name: "CoreSwap NAV", version: "1", chainId, verifyingContract: adapter },
    types: NAV_TYPES,
    primaryType: "Nav",
    message: { navWad, asOf },
  } as const;
}

/** Reads and checks the NAV of a source. @param source an absolute path, or a URL */
export async function readNavSource(source: string, signing: NavSigning): Promise<SourceNav | SourceProblem> {
  let text: string;
  try {
    text = source.startsWith("/") ? await readFile(source) : await download(source);
  } catch (error) {
    if (error instanceof Gone) return { problem: `there is no document (${error.message})`, isTransient: false };
    return { problem: describe(error), isTransient: true };
  }
  try {
    return await parseNav(text, signing);
  } catch (error) {
    return { problem: error instanceof Failure ? error.message : reasonOf(error), isTransient: false };
  }
}

/** @throws Failure if the text is not a valid NAV document, or another key signed it */
async function parseNav(text: string, signing: NavSigning): Promise<SourceNav> {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new Failure("it is not JSON");
  }
  const parsed = documentSchema.safeParse(json);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new Failure(`it is malformed: ${issue?.path.join(".") || "the document"}: ${issue?.message}`);
  }
  const { nav, asOf, signature } = parsed.data;
  const read: SourceNav = { navWad: readPriceWad("the NAV", nav), asOf: BigInt(asOf) };
  let signer: Address;
  try {
    signer = await recoverTypedDataAddress({ ...navTypedData(signing, read), signature });
  } catch {
    throw new Failure("the signature is not valid: no key could have made it");
  }
  if (!isAddressEqual(signer, signing.signer)) {
    throw new Failure(
      `it is not signed by ${signing.signer} for ${signing.adapter}; the signature recovers to ${signer}`,
    );
  }
  return read;
}

async function download(url: string): Promise<string> {
  const response = await fetch(url, {
    headers: { accept: "application/json" },
    redirect: "error",
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  if (response.status !== 200 || response.body === null) {
    await response.body?.cancel();
    const isGone = response.status === 404 || response.status === 410;
    throw new (isGone ? Gone : Failure)(`HTTP ${response.status}`);
  }
  return readAll(response.body);
}

async function readFile(path: string): Promise<string> {
  const file = await open(path).catch((error: NodeJS.ErrnoException) => {
    throw error.code === "ENOENT" ? new Gone(error.message) : error;
  });
  try {
    return await readAll(file.createReadStream({ autoClose: false }));
  } finally {
    await file.close();
  }
}

async function readAll(stream: AsyncIterable<Uint8Array | string>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of stream) {
    const bytes = typeof chunk === "string" ? Buffer.from(chunk) : chunk;
    length += bytes.length;
    if (length > MAX_BYTES) throw new Failure(`it has more than ${MAX_BYTES} bytes`);
    chunks.push(bytes);
  }
  return Buffer.concat(chunks).toString("utf8");
}

/** Describes an error without the URL, which can hold a key. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? (error.cause as NodeJS.ErrnoException) : null;
  const why = cause === null ? null : cause.message || cause.code;
  const reason = why ? `${error.message}: ${why}` : error.message;
  // A connection that fails has a code. A redirection, which is refused, has none.
  const isSilence = error.name === "TimeoutError" || (error instanceof TypeError && cause?.code !== undefined);
  return isSilence ? `it did not answer (${reason})` : reason;
}
