/** Advice on contract errors that a command of `core` can solve. The SDK gives the advice on all other errors. */
import type { DecodedRevert } from "@coreswap/sdk";

const UNACCEPTED = "Use an asset that CoreSwap accepts: `core status` lists them.";
const IMPLEMENTATION = "Upgrade to an implementation made for UUPS proxies: `pnpm contracts:upgrade` checks that.";

export const COMMANDS: Partial<Readonly<Record<DecodedRevert["name"], string>>> = {
  AccessControlUnauthorizedAccount: "Send it from an account that holds the role: `core status` lists the holders.",
  ERC1967InvalidImplementation: IMPLEMENTATION,
  EnforcedPause:
    "The contract is paused. `core status` shows by whom; that account can end the pause with `core unpause`.",
  MustPostSequentially: "Post the expected day first: `core rate post <rate>` shows all missing days in order.",
  RWANotAccepted: UNACCEPTED,
  RateAlreadyPosted: "The day has its rate. To change it, use `core rate correct`.",
  StablecoinNotAccepted: UNACCEPTED,
  StaleNav: "Swaps of this RWA wait for a NAV: post one (`core nav post`), the same value if it still holds.",
  UUPSUnsupportedProxiableUUID: IMPLEMENTATION,
};
