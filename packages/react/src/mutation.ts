/** How the hooks that sign and send are made from actions of the SDK. */
import type { SwapClient } from "@coreswap/sdk";
import { type UseMutationOptions, type UseMutationResult, useMutation } from "@tanstack/react-query";
import { type Config, type Connector, useConfig } from "wagmi";
import { getConnectorClient } from "wagmi/actions";

export interface WriteOptions<Variables, Data> {
  /** By default that of the nearest `WagmiProvider`. */
  readonly config?: Config | undefined;
  /** Options of TanStack Query. */
  readonly mutation?: Omit<UseMutationOptions<Data, Error, Variables>, "mutationKey" | "mutationFn"> | undefined;
}

/** Which wallet signs, and for which chain. */
export interface Wallet {
  /** The wallet has to be on this chain; by default on the one that it is connected to. */
  readonly chainId?: number | undefined;
  /** By default the current one. */
  readonly connector?: Connector | undefined;
}

/**
 * Makes a hook whose `mutate` and `mutateAsync` sign with the connected wallet.
 * @param name of the action, which is the key of the mutation
 */
export function writeHook<Parameters, Data>(
  name: string,
  action: (client: SwapClient, parameters: Parameters) => Promise<Data>,
) {
  type Variables = Parameters & Wallet;
  return ({
    config: ownConfig,
    mutation,
  }: WriteOptions<Variables, Data> = {}): UseMutationResult<Data, Error, Variables> => {
    const config = useConfig(ownConfig === undefined ? {} : { config: ownConfig });
    return useMutation({
      ...mutation,
      mutationKey: [name],
      mutationFn: async ({ chainId, connector, ...parameters }: Variables) =>
        action(await getConnectorClient(config, { chainId, connector }), parameters as Parameters),
    });
  };
}
