/** Handles NAVs that price adapters post. */
import { navPost } from "ponder:schema";
import { lowerCase } from "../../config/rpc/hex.ts";
import { on } from "../indexing/on.ts";

on("NavPriceAdapter:NavPosted", async ({ event, context }) => {
  await context.db.insert(navPost).values({
    chainId: context.chain.id,
    adapterAddress: lowerCase(event.log.address),
    second: event.block.timestamp,
    blockNumber: Number(event.block.number),
    logIndex: event.log.logIndex,
    navWad: event.args.navWad,
    poster: lowerCase(event.args.poster),
    transactionHash: lowerCase(event.transaction.hash),
  });
});
