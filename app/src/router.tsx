import {
  createRootRoute,
  createRoute,
  createRouter,
  Link,
  lazyRouteComponent,
  retainSearchParams,
} from "@tanstack/react-router";
import { Heading } from "./components/Heading.tsx";
import { Overview } from "./overview/Overview.tsx";
import {
  assetsSearch,
  networkSearch,
  overviewSearch,
  parseSearch,
  rangeSearch,
  stringifySearch,
  swapSearch,
  transactionsSearch,
  walletSearch,
} from "./search.ts";
import { Shell } from "./shell/Shell.tsx";

const root = createRootRoute({
  component: Shell,
  validateSearch: networkSearch,
  search: { middlewares: [retainSearchParams(["network"])] },
  notFoundComponent: () => (
    <>
      <Heading text="No such page" />
      <div className="notice" role="alert">
        There is no such page. <Link to="/">Go to the overview</Link>
      </div>
    </>
  ),
});

const overview = createRoute({
  getParentRoute: () => root,
  path: "/",
  validateSearch: overviewSearch,
  component: Overview,
});

const transactions = createRoute({
  getParentRoute: () => root,
  path: "/transactions",
  validateSearch: transactionsSearch,
  component: lazyRouteComponent(() => import("./transactions/Transactions.tsx"), "Transactions"),
});

const transaction = createRoute({
  getParentRoute: () => root,
  path: "/transactions/$hash",
  component: lazyRouteComponent(() => import("./transactions/TransactionDetail.tsx"), "TransactionDetail"),
});

const treasury = createRoute({
  getParentRoute: () => root,
  path: "/treasury",
  validateSearch: rangeSearch,
  component: lazyRouteComponent(() => import("./treasury/Treasury.tsx"), "Treasury"),
});

const wallet = createRoute({
  getParentRoute: () => root,
  path: "/wallet",
  validateSearch: walletSearch,
  component: lazyRouteComponent(() => import("./wallet/Wallet.tsx"), "Wallet"),
});

const swap = createRoute({
  getParentRoute: () => root,
  path: "/swap",
  validateSearch: swapSearch,
  component: lazyRouteComponent(() => import("./swap/Swap.tsx"), "Swap"),
});

const assets = createRoute({
  getParentRoute: () => root,
  path: "/assets",
  validateSearch: assetsSearch,
  component: lazyRouteComponent(() => import("./assets/Assets.tsx"), "Assets"),
});

const lp = createRoute({
  getParentRoute: () => root,
  path: "/lps/$address",
  component: lazyRouteComponent(() => import("./lps/Lp.tsx"), "Lp"),
});

const networks = createRoute({
  getParentRoute: () => root,
  path: "/networks",
  component: lazyRouteComponent(() => import("./networks/Networks.tsx"), "Networks"),
});

const status = createRoute({
  getParentRoute: () => root,
  path: "/status",
  component: lazyRouteComponent(() => import("./status/Status.tsx"), "Status"),
});

const routeTree = root.addChildren([
  overview,
  transactions,
  transaction,
  assets,
  lp,
  treasury,
  wallet,
  swap,
  networks,
  status,
]);

export const router = createRouter({
  routeTree,
  basepath: "/app",
  parseSearch,
  stringifySearch,
  defaultPreload: "intent",
  // Takes the place of the view that failed: the navigation stays, unless the frame itself failed.
  defaultErrorComponent: ({ error }) => (
    <>
      <Heading text="Page failed" isHidden />
      <div className="notice error" role="alert">
        <strong>This page failed.</strong> {String(error)}{" "}
        <button type="button" className="plain" onClick={() => location.reload()}>
          Load it again
        </button>
      </div>
    </>
  ),
  scrollRestoration: true,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
