import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { infoQuery } from "../api/queries.ts";
import { Answer, Empty } from "../components/Answer.tsx";
import { Heading } from "../components/Heading.tsx";
import { EvmNetwork } from "./EvmNetwork.tsx";
import { SvmNetwork } from "./SvmNetwork.tsx";

/** Deployment metadata of every enabled network. */
export function Networks(): ReactNode {
  const info = useQuery(infoQuery);
  return (
    <>
      <Heading text="Networks" />
      <Answer query={info}>
        {({ evm = {}, svm = {} }) => (
          <>
            {Object.entries(evm).map(([chain, deployment]) => (
              <EvmNetwork key={chain} chain={chain} deployment={deployment} />
            ))}
            {Object.entries(svm).map(([chain, deployment]) => (
              <SvmNetwork key={chain} chain={chain} deployment={deployment} />
            ))}
            {Object.keys(evm).length + Object.keys(svm).length === 0 && <Empty>No network is enabled.</Empty>}
          </>
        )}
      </Answer>
    </>
  );
}
