/** How the hooks that read are made from actions of the SDK. */
import { ContractRevertError, NoContractError, type SwapClient } from "@coreswap/sdk";
import { type UseQueryOptions, type UseQueryResult, useQuery } from "@tanstack/react-query";
import { type Config, useChainId, useConfig } from "wagmi";
import { hashFn } from "wagmi/query";

/** Parameters that may still be missing. Keeps the alternatives of a union. */
export type Incomplete<Parameters> = Parameters extends unknown
  ? { readonly [Name in keyof Parameters]?: Parameters[Name] | undefined }
  : never;

export interface ReadOptions<Data> {
  /** The chain to read; by default the current one of wagmi. */
  readonly chainId?: number | undefined;
  /** By default that of the nearest `WagmiProvider`. */
  readonly config?: Config | undefined;
  /** Options of TanStack Query. */
  readonly query?:
    | (Omit<UseQueryOptions<Data>, "queryKey" | "queryFn" | "queryKeyHashFn" | "enabled"> & {
        readonly enabled?: boolean | undefined;
      })
    | undefined;
}

/** Parameters of a hook that reads: those of its action, of which none is asked for before all are there. */
export type ReadParameters<Parameters, Data> = Incomplete<Parameters> & ReadOptions<Data>;

const RETRIES = 3;

/**
 * Makes a hook that reads.
 * @param name of the action, which begins the key of the query
 * @param needed returns the parameters without which the action is not called
 */
export function readHook<Parameters, Data>(
  name: string,
  action: (client: SwapClient, parameters: Parameters) => Promise<Data>,
  needed: (parameters: Incomplete<Parameters>) => readonly unknown[],
) {
  return (options: ReadParameters<Parameters, Data>): UseQueryResult<Data> => {
    const { chainId, config: ownConfig, query, ...rest } = options;
    const parameters = rest as unknown as Incomplete<Parameters>;
    const config = useConfig(ownConfig === undefined ? {} : { config: ownConfig });
    const currentChainId = useChainId({ config });
    const id = chainId ?? currentChainId;
    const isComplete = needed(parameters).every((value) => value !== undefined);
    return useQuery({
      // The contract refuses the same parameters again.
      retry: (count, error) => !isRefusal(error) && count < RETRIES,
      ...query,
      enabled: isComplete && query?.enabled !== false,
      queryKey: [name, { ...parameters, chainId: id }],
      queryKeyHashFn: hashFn,
      queryFn: () => action(config.getClient({ chainId: id }), parameters as Parameters),
    });
  };
}

function isRefusal(error: unknown): boolean {
  return error instanceof ContractRevertError || error instanceof NoContractError || error instanceof RangeError;
}
