import type { OpenAPIHono, RouteHandler } from "@hono/zod-openapi";
import { itself, questionOf } from "../http/answer.ts";
import { chooser } from "../http/perNetwork.ts";
import { type FeatureOptions, featureApp } from "../http/route.ts";
import type { ApiNetwork } from "../shared/networks.ts";
import { statesReader } from "../shared/state.ts";
import { type EvmInfo, evmInfoReader } from "./query.ts";
import { evmInfoRoute, infoRoute, svmInfoRoute } from "./route.ts";
import type { EvmDeployment, EvmDeployments, InfoAnswer } from "./schema.ts";
import type { SvmDeployments } from "./svm/schema.ts";

interface InfoOptions extends FeatureOptions {
  readonly svm: SvmDeployments;
}

/** Serves deployment metadata: `/v1/info`, `/v1/info/evm` and `/v1/info/svm`. */
export function info(options: InfoOptions): OpenAPIHono {
  return featureApp()
    .openapi(infoRoute, infoHandler(options))
    .openapi(evmInfoRoute, evmInfoHandler(options))
    .openapi(svmInfoRoute, svmInfoHandler(options));
}

/** Answers `/v1/info`: the deployments of both runtimes, or of the one requested. */
function infoHandler({ database, networks, answer, svm }: InfoOptions): RouteHandler<typeof infoRoute> {
  const readStates = statesReader(database, networks);
  const readInfo = evmInfoReader(database, networks);
  return async (c) => {
    const { runtime } = c.req.valid("query");
    const text = questionOf("/v1/info", { runtime });
    const svmPart = runtime === "evm" ? {} : { svm };
    if (runtime === "svm") return answer<InfoAnswer>(c, { text, ...itself(svmPart) });
    return answer<InfoAnswer>(c, {
      text,
      readState: async () => [await readStates(), svmPart],
      read: async () => {
        const reading = await readInfo();
        return { state: [reading.states, svmPart], body: { evm: byChain(reading, networks), ...svmPart } };
      },
    });
  };
}

/**
 * Answers `/v1/info/evm`: the deployments of all enabled networks, or of the one requested. A disabled network is a
 * 400.
 */
function evmInfoHandler({ database, networks, answer }: InfoOptions): RouteHandler<typeof evmInfoRoute> {
  const sourceOf = (selected: readonly ApiNetwork[]) => ({
    readStates: statesReader(database, selected),
    readInfo: evmInfoReader(database, selected),
  });
  const all = sourceOf(networks);
  const ofChain = chooser(
    "chain",
    networks.map((network) => [network.name, sourceOf([network])]),
  );
  return async (c) => {
    const { chain } = c.req.valid("query");
    const { readStates, readInfo } = chain === undefined ? all : ofChain(chain);
    return answer<EvmDeployment | EvmDeployments>(c, {
      text: questionOf("/v1/info/evm", { chain }),
      readState: readStates,
      read: async () => {
        const reading = await readInfo();
        const [first] = reading.deployments;
        return { state: reading.states, body: chain !== undefined && first ? first : byChain(reading, networks) };
      },
    });
  };
}

/**
 * Answers `/v1/info/svm`: the deployments of all chains that have a file, or of the one requested. A chain without a
 * file is a 400.
 */
function svmInfoHandler({ answer, svm }: InfoOptions): RouteHandler<typeof svmInfoRoute> {
  const ofChain = chooser("chain", Object.entries(svm));
  return async (c) => {
    const { chain } = c.req.valid("query");
    const body = chain === undefined ? svm : ofChain(chain);
    return answer(c, { text: questionOf("/v1/info/svm", { chain }), ...itself(body) });
  };
}

function byChain({ deployments }: EvmInfo, networks: readonly ApiNetwork[]): EvmDeployments {
  return Object.fromEntries(networks.map(({ name }, index) => [name, deployments[index]]));
}
