/** Issuer admins of liquidity providers, as their delegates announce them. */
import { type Context, ponder } from "ponder:registry";
import { issuerAdmin } from "ponder:schema";
import type { Address } from "viem";
import { touchChainState } from "../indexing/chainState.ts";
import { type BlockEvent, lowerCase } from "../indexing/events.ts";

ponder.on("StablecoinDelegate:IssuerAdminAdded", async ({ event, context }) => {
  await recordIssuerAdmin(context, event, true);
});

ponder.on("StablecoinDelegate:IssuerAdminRemoved", async ({ event, context }) => {
  await recordIssuerAdmin(context, event, false);
});

interface IssuerAdminEvent extends BlockEvent {
  readonly args: { readonly issuerAdmin: Address };
  readonly log: { readonly address: Address };
}

async function recordIssuerAdmin(context: Context, event: IssuerAdminEvent, active: boolean) {
  await touchChainState(context, event);
  await context.db
    .insert(issuerAdmin)
    .values({
      chainId: context.chain.id,
      delegateAddress: lowerCase(event.log.address),
      adminAddress: lowerCase(event.args.issuerAdmin),
      active,
    })
    .onConflictDoUpdate({ active });
}
