/** Administrators of liquidity providers, as their delegates announce them. */
import { type Context, ponder } from "ponder:registry";
import { delegateAdministrator } from "ponder:schema";
import type { Address } from "viem";
import { touchChainState } from "../chainState.ts";
import { type BlockEvent, lowerCase } from "../events.ts";

ponder.on("StablecoinDelegate:IssuerAdminAdded", async ({ event, context }) => {
  await recordAdministrator(context, event, true);
});

ponder.on("StablecoinDelegate:IssuerAdminRemoved", async ({ event, context }) => {
  await recordAdministrator(context, event, false);
});

interface AdministratorEvent extends BlockEvent {
  readonly args: { readonly issuerAdmin: Address };
  readonly log: { readonly address: Address };
}

async function recordAdministrator(context: Context, event: AdministratorEvent, active: boolean) {
  await touchChainState(context, event);
  await context.db
    .insert(delegateAdministrator)
    .values({
      chainId: context.chain.id,
      delegateAddress: lowerCase(event.log.address),
      administrator: lowerCase(event.args.issuerAdmin),
      active,
    })
    .onConflictDoUpdate({ active });
}
