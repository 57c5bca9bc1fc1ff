/** Recomputes the EVM deployment object by reading the contracts. Logs are used only to learn which IDs exist. */
import { type Address, type Hex, toEventSelector, zeroAddress } from "viem";
import {
  coreSwapEvents,
  coreSwapFunctions,
  delegateEvents,
  delegateFunctions,
  tokenFunctions,
} from "../publishedAbi.ts";
import { type ChainSnapshot, chainClient, lower } from "./chain.ts";
import { type Contracts, decodeKnownEvent } from "./history.ts";

type Client = ReturnType<typeof chainClient>;

/** The deployment object of `/v1/info/evm` as the contracts state it at the head of the chain. */
export async function readDeploymentFromContracts(rpcUrl: string, chain: ChainSnapshot, contracts: Contracts) {
  const client = chainClient(rpcUrl);
  const coreSwap = { address: contracts.coreSwap, abi: coreSwapFunctions } as const;
  const ids = registeredIds(chain, contracts.coreSwap);

  const stablecoins = await Promise.all(
    ids.stablecoins.map(async (id) => {
      const [accepted, yieldBearing, decimals, delegate, token] = await client.readContract({
        ...coreSwap,
        functionName: "stablecoinInfo",
        args: [id],
      });
      return {
        asset: {
          ...(await readToken(client, token)),
          stablecoin_id: id,
          token_address: lower(token),
          decimals,
          accepted,
        },
        delegate: {
          delegate_address: lower(delegate),
          stablecoin_id: id,
          token_address: lower(token),
          yield_bearing: yieldBearing,
          accepted,
          administrators: await readAdministrators(client, chain, lower(delegate)),
          guardrail: ids.guarded.has(id)
            ? {
                price_adapter: orNull(
                  await client.readContract({ ...coreSwap, functionName: "stablecoinPriceAdapters", args: [id] }),
                ),
                band_wad: String(
                  await client.readContract({ ...coreSwap, functionName: "stablecoinGuardrailBands", args: [id] }),
                ),
                enabled: await client.readContract({
                  ...coreSwap,
                  functionName: "stablecoinGuardrailEnabled",
                  args: [id],
                }),
              }
            : null,
        },
      };
    }),
  );
  const rwas = await Promise.all(
    ids.rwas.map(async (id) => {
      const [accepted, , decimals, delegate, token] = await client.readContract({
        ...coreSwap,
        functionName: "rwaInfo",
        args: [id],
      });
      return {
        ...(await readToken(client, token)),
        rwa_id: id,
        token_address: lower(token),
        decimals,
        price_adapter: orNull(await client.readContract({ ...coreSwap, functionName: "rwaPriceAdapters", args: [id] })),
        delegate: orNull(delegate),
        whitelist_adapter: orNull(
          await client.readContract({ ...coreSwap, functionName: "rwaWhitelistAdapters", args: [id] }),
        ),
        accepted,
      };
    }),
  );
  return {
    chain_id: chain.chainId,
    swap_contract: lower(contracts.coreSwap),
    treasury_contract: lower(contracts.treasury),
    stablecoin_delegate_contracts: stablecoins.map(({ delegate }) => delegate),
    stable_assets: stablecoins.map(({ asset }) => asset),
    rwa_assets: rwas,
  };
}

/** Sorted IDs by the kind that the last acceptance event named, and sorted IDs that ever had a guardrail configured. */
function registeredIds(chain: ChainSnapshot, coreSwap: Address) {
  const stablecoins = new Set<Hex>();
  const rwas = new Set<Hex>();
  const guarded = new Set<Hex>();
  for (const log of chain.transactions.flatMap((transaction) => transaction.logs)) {
    if (log.address !== lower(coreSwap)) continue;
    const event = decodeKnownEvent(coreSwapEvents, log);
    if (event?.eventName === "StablecoinAcceptanceSet") {
      stablecoins.add(lower(event.args.stablecoinID));
      rwas.delete(lower(event.args.stablecoinID));
    }
    if (event?.eventName === "RWAAcceptanceSet") {
      rwas.add(lower(event.args.rwaID));
      stablecoins.delete(lower(event.args.rwaID));
    }
    if (event?.eventName === "StablecoinPriceGuardrailSet") guarded.add(lower(event.args.stablecoinID));
  }
  return { stablecoins: [...stablecoins].sort(), rwas: [...rwas].sort(), guarded };
}

/** Everyone whom the delegate ever announced and still counts as an issuer admin, sorted. */
async function readAdministrators(client: Client, chain: ChainSnapshot, delegate: Address): Promise<Address[]> {
  const selectors = delegateEvents.map((event) => toEventSelector(event));
  const announced = new Set<Address>();
  for (const log of chain.transactions.flatMap((transaction) => transaction.logs)) {
    const [selector, account] = log.topics;
    if (log.address === delegate && selector && account && selectors.includes(selector)) {
      announced.add(`0x${account.slice(26)}`);
    }
  }
  const administrators: Address[] = [];
  for (const account of [...announced].sort()) {
    const active = await client.readContract({
      address: delegate,
      abi: delegateFunctions,
      functionName: "issuerAdmins",
      args: [account],
    });
    if (active) administrators.push(account);
  }
  return administrators;
}

async function readToken(client: Client, address: Address): Promise<{ name: string; symbol: string }> {
  const token = { address, abi: tokenFunctions } as const;
  const [name, symbol] = await Promise.all([
    client.readContract({ ...token, functionName: "name" }),
    client.readContract({ ...token, functionName: "symbol" }),
  ]);
  return { name, symbol };
}

function orNull(address: Address): Address | null {
  return address === zeroAddress ? null : lower(address);
}
