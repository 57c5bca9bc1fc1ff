import type { RouteHandler } from "@hono/zod-openapi";
import type { ApiDependencies } from "../dependencies.ts";
import { answer, constantAnswer } from "../http/conditional.ts";
import { requireOn } from "../networks.ts";
import { type EvmInfo, readEvmInfo } from "../queries/evmInfo.ts";
import { readStates } from "../queries/state.ts";
import { SVM_CHAINS } from "../svm/schema.ts";
import type { evmInfoRoute, infoRoute, svmInfoRoute } from "./info.route.ts";
import type { EvmDeployment, EvmDeployments, InfoAnswer } from "./info.schema.ts";

/** Answers `/v1/info`: the deployments of both runtimes, or of the one asked for. */
export function infoHandler({ database, networks, svm }: ApiDependencies): RouteHandler<typeof infoRoute> {
  return async (c) => {
    const { runtime } = c.req.valid("query");
    const svmPart = runtime === "evm" ? {} : { svm };
    const key = ["/v1/info", runtime];
    if (runtime === "svm") return constantAnswer<InfoAnswer>(c, key, svmPart);
    return answer<InfoAnswer>(c, {
      key,
      readState: async () => [await readStates(database, networks), svmPart],
      read: async () => {
        const info = await readEvmInfo(database, networks);
        return { state: [info.states, svmPart], body: { evm: byChain(info, networks), ...svmPart } };
      },
    });
  };
}

/**
 * Answers `/v1/info/evm`: the deployments of all networks that are on, or of the one asked for. One that is off is a
 * 400.
 */
export function evmInfoHandler({ database, networks }: ApiDependencies): RouteHandler<typeof evmInfoRoute> {
  return async (c) => {
    const { chain } = c.req.valid("query");
    const selected = chain === undefined ? networks : [requireOn("chain", chain, networks, ({ name }) => name)];
    return answer<EvmDeployment | EvmDeployments>(c, {
      key: ["/v1/info/evm", chain],
      readState: () => readStates(database, selected),
      read: async () => {
        const info = await readEvmInfo(database, selected);
        const [first] = info.deployments;
        return { state: info.states, body: chain !== undefined && first ? first : byChain(info, selected) };
      },
    });
  };
}

/**
 * Answers `/v1/info/svm`: the deployments of all chains that have a file, or of the one asked for. One that is off is a
 * 400.
 */
export function svmInfoHandler({ svm }: ApiDependencies): RouteHandler<typeof svmInfoRoute> {
  return async (c) => {
    const { chain } = c.req.valid("query");
    if (chain === undefined) return constantAnswer(c, ["/v1/info/svm"], svm);
    const on = SVM_CHAINS.flatMap((name) => (svm[name] ? [{ name, deployment: svm[name] }] : []));
    const { deployment } = requireOn("chain", chain, on, ({ name }) => name);
    return constantAnswer(c, ["/v1/info/svm", chain], deployment);
  };
}

function byChain(
  { deployments }: EvmInfo,
  networks: readonly { readonly name: keyof EvmDeployments }[],
): EvmDeployments {
  return Object.fromEntries(networks.map(({ name }, index) => [name, deployments[index]]));
}
