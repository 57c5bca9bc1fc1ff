import { z } from "@hono/zod-openapi";
import { NETWORK_NAMES } from "../../../config/networks.ts";
import { choice } from "../http/parameters.ts";
import { getRoute } from "../http/route.ts";
import { evmDeployment, evmDeployments, infoAnswer, svmDeployments } from "./schema.ts";
import { SVM_CHAINS, svmDeployment } from "./svm/schema.ts";

/** `GET /v1/info` */
export const infoRoute = getRoute({
  path: "/v1/info",
  operationId: "getInfo",
  tag: "deployments",
  summary: "Deployment metadata of both runtimes",
  description: "Keyed by runtime and chain. With `runtime`, only that runtime.",
  query: z.object({ runtime: choice(["evm", "svm"]).optional() }),
  answer: infoAnswer,
});

/** `GET /v1/info/evm` */
export const evmInfoRoute = getRoute({
  path: "/v1/info/evm",
  operationId: "getEvmInfo",
  tag: "deployments",
  summary: "EVM contracts, assets, delegates and adapters",
  description:
    "Keyed by chain. With `chain`, the response is that deployment itself. " +
    "Users approve the delegate of the settling stablecoin, not the swap contract.",
  query: z.object({ chain: choice(NETWORK_NAMES).optional() }),
  answer: z.union([evmDeployment, evmDeployments]),
});

/** `GET /v1/info/svm` */
export const svmInfoRoute = getRoute({
  path: "/v1/info/svm",
  operationId: "getSvmInfo",
  tag: "deployments",
  summary: "SVM programs, assets, LPs, pairs and vaults",
  description: "Keyed by chain. With `chain`, the response is that deployment itself.",
  query: z.object({ chain: choice(SVM_CHAINS).optional() }),
  answer: z.union([svmDeployment, svmDeployments]),
});
