/** Handles changes of the issuer admins of liquidity providers, which their delegates announce. */
import { issuerAdmin } from "ponder:schema";
import type { Address } from "viem";
import { lowerCase } from "../../config/rpc/hex.ts";
import type { Context } from "../indexing/events.ts";
import { on } from "../indexing/on.ts";

on("StablecoinDelegate:IssuerAdminAdded", async ({ event, context }) => {
  await recordIssuerAdmin(context, event, true);
});

on("StablecoinDelegate:IssuerAdminRemoved", async ({ event, context }) => {
  await recordIssuerAdmin(context, event, false);
});

interface IssuerAdminEvent {
  readonly args: { readonly issuerAdmin: Address };
  readonly log: { readonly address: Address };
}

async function recordIssuerAdmin(context: Context, event: IssuerAdminEvent, active: boolean) {
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
