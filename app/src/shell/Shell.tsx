import { useQuery } from "@tanstack/react-query";
import { Link, Outlet, useNavigate, useSearch } from "@tanstack/react-router";
import { type ReactNode, useMemo, useState } from "react";
import { ApiError } from "../api/client.ts";
import { directoryOf } from "../api/directory.ts";
import { useEvents } from "../api/events.ts";
import { infoQuery, type Network, statusQuery } from "../api/queries.ts";
import { isFirstLoad, Loading } from "../components/Answer.tsx";
import { Elapsed, Time, type Zone, ZoneContext } from "../components/Time.tsx";
import { networkText } from "../format/names.ts";
import { ShellContext } from "./context.ts";
import { applyTheme, storedTheme, storedZone, storeZone, type Theme } from "./preferences.ts";

const VIEWS = [
  { to: "/", text: "Overview" },
  { to: "/transactions", text: "Transactions" },
  { to: "/assets", text: "Assets" },
  { to: "/treasury", text: "Treasury" },
  { to: "/wallet", text: "Wallet" },
  { to: "/swap", text: "Swap" },
  { to: "/networks", text: "Networks" },
  { to: "/status", text: "Status" },
] as const;

const NO_NETWORKS: readonly Network[] = [];

/** The frame of every view: navigation, the network, the reader's preferences, and problems of the index. */
export function Shell(): ReactNode {
  const status = useQuery(statusQuery);
  const info = useQuery(infoQuery);
  const chosen = useSearch({ strict: false }).network;
  const networks = status.data?.networks.map(({ network }) => network) ?? NO_NETWORKS;
  const network = chosen ?? networks[0] ?? "evm-mainnet";
  const [zone, setZone] = useState(storedZone);
  const directory = useMemo(() => directoryOf(info.data, network), [info.data, network]);
  useEvents(network);
  const shell = useMemo(() => ({ network, directory }), [network, directory]);

  return (
    <ZoneContext value={zone}>
      <ShellContext value={shell}>
        <a className="skip" href="#main">
          Skip to content
        </a>
        <header className="top">
          <Link to="/" className="brand" search={{}}>
            <svg aria-hidden="true" viewBox="0 0 32 32" width="24" height="24">
              <rect width="32" height="32" rx="7" />
              <path d="M8 12h14l-4-4M24 20H10l4 4" />
            </svg>
            CoreSwap
          </Link>
          <nav className="views" aria-label="Views">
            {VIEWS.map(({ to, text }) => (
              <Link key={to} to={to} search={{}} activeOptions={{ exact: to === "/", includeSearch: false }}>
                {text}
              </Link>
            ))}
          </nav>
          <div className="choices">
            <NetworkChoice network={network} networks={networks} />
            <ZoneChoice zone={zone} setZone={setZone} />
            <ThemeChoice />
          </div>
        </header>
        <main id="main" tabIndex={-1}>
          {isFirstLoad(status, info) ? (
            <Loading />
          ) : (
            <>
              <Warnings network={network} />
              <Outlet />
            </>
          )}
        </main>
      </ShellContext>
    </ZoneContext>
  );
}

function NetworkChoice({ network, networks }: { readonly network: Network; readonly networks: readonly Network[] }) {
  const navigate = useNavigate();
  const offered = networks.includes(network) ? networks : [...networks, network];
  return (
    <label>
      <span className="hidden">Network</span>
      <select
        value={network}
        onChange={({ target }) => {
          // Cursors, LPs, assets and transactions belong to one network.
          const of = {
            cursor: undefined,
            lp: undefined,
            rwa: undefined,
            assetIn: undefined,
            assetOut: undefined,
            transaction: undefined,
          };
          const change = { ...of, network: target.value as Network };
          void navigate({ to: ".", search: (before) => ({ ...before, ...change }) });
        }}
      >
        {offered.map((name) => (
          <option key={name} value={name}>
            {networkText(name)}
          </option>
        ))}
      </select>
    </label>
  );
}

function ZoneChoice({ zone, setZone }: { readonly zone: Zone; readonly setZone: (zone: Zone) => void }) {
  return (
    <label>
      <span className="hidden">Times</span>
      <select
        value={zone}
        onChange={({ target }) => {
          const chosen = target.value === "local" ? "local" : "utc";
          storeZone(chosen);
          setZone(chosen);
        }}
      >
        <option value="utc">UTC</option>
        <option value="local">Local time</option>
      </select>
    </label>
  );
}

function ThemeChoice() {
  const [theme, setTheme] = useState(storedTheme);
  return (
    <label>
      <span className="hidden">Colors</span>
      <select
        value={theme}
        onChange={({ target }) => {
          const chosen = target.value as Theme;
          applyTheme(chosen);
          setTheme(chosen);
        }}
      >
        <option value="system">Auto</option>
        <option value="light">Light</option>
        <option value="dark">Dark</option>
      </select>
    </label>
  );
}

/** What a reader must know before trusting the figures of a network. */
function Warnings({ network }: { readonly network: Network }) {
  const { data, error, dataUpdatedAt } = useQuery(statusQuery);
  const info = useQuery(infoQuery);
  const state = data?.networks.find((candidate) => candidate.network === network);
  return (
    <>
      {error !== null && (
        <div className="notice stale" role="status">
          <strong>The server does not answer.</strong>{" "}
          {data !== undefined && (
            <>
              The figures below are from <Time value={String(Math.floor(dataUpdatedAt / 1000))} /> or before.{" "}
            </>
          )}
          {error instanceof ApiError && error.message}
        </div>
      )}
      {info.data === undefined && (
        <div className="notice error" role="alert">
          <strong>The names of assets are not known,</strong> so amounts are in smallest units. {info.error?.message}
        </div>
      )}
      {state !== undefined && state.state !== "live" && (
        <div className="notice stale">
          {/* Screen readers would read it again each second with the time in it. */}
          <span role="status">
            <strong>
              {networkText(network)} is {state.state === "backfill" ? "being indexed" : state.state}
            </strong>
            {state.reason === null ? "." : `: ${state.reason}.`}
          </span>
          {state.stateSince !== null && (
            <>
              {" "}
              For <Elapsed since={state.stateSince} />.
            </>
          )}
        </div>
      )}
    </>
  );
}
