import { defineConfig } from "vitepress";
import { checkLinks } from "./checkLinks.ts";
import { codeTheme } from "./codeTheme.ts";
import { apiPages } from "./reference/api.ts";
import { CONTRACTS } from "./reference/natspec.ts";
import { generatedSections } from "./reference/search.ts";
import { repositoryLinks } from "./repositoryLinks.ts";

const BASE = "/docs/guide/";

/** The site at `/docs/guide`: the pages of `docs/`, and the references that are generated from code. */
export default defineConfig({
  base: BASE,
  title: "CoreSwap",
  description: "Swaps of tokenized real-world assets against stablecoins at net asset value",
  lang: "en-US",
  cleanUrls: true,
  // Turning transitions off during a change of theme takes a style element, which the content security policy refuses.
  appearance: { disableTransition: false },
  // Facts of the site in a file of their own: the inline script of a page stays the same from page to page.
  metaChunk: true,
  head: [["link", { rel: "icon", href: `${BASE}icon.svg` }]],
  // The dashboard's icon.
  vite: {
    publicDir: "../app/public",
    // The content security policy allows no data: script or font, and files are served compressed anyway.
    build: { assetsInlineLimit: 0 },
  },
  markdown: {
    theme: codeTheme,
    config: (md) => md.use(repositoryLinks),
  },
  buildEnd: ({ outDir }) => checkLinks(outDir, BASE),
  themeConfig: {
    search: {
      provider: "local",
      // @ts-expect-error null leaves a page to the generator, which its types do not say
      options: { miniSearch: { _splitIntoSections: generatedSections } },
    },
    outline: [2, 3],
    nav: [
      { text: "Getting started", link: "/getting-started" },
      { text: "Integrate", link: "/integrate/swapping" },
      { text: "API", link: "/reference/api/history" },
      { text: "Dashboard", link: "pathname:///app" },
    ],
    sidebar: [
      {
        text: "Introduction",
        items: [
          { text: "Getting started", link: "/getting-started" },
          { text: "Use the dashboard", link: "/dashboard" },
          { text: "Glossary", link: "/glossary" },
        ],
      },
      {
        text: "Concepts",
        items: [
          { text: "Routes and fees", link: "/concepts/fees" },
          { text: "Credits and yield", link: "/concepts/yield" },
          { text: "Reorganizations and finality", link: "/concepts/finality" },
        ],
      },
      {
        text: "Guides",
        items: [
          { text: "Integrate: swap", link: "/integrate/swapping" },
          { text: "Integrate: read the history", link: "/integrate/history" },
          { text: "Integrate: verify volume", link: "/integrate/volume" },
          { text: "Integrate: what answers mean", link: "/integrators" },
          { text: "Provide liquidity", link: "/liquidity-providers" },
          { text: "Hold the treasury token", link: "/treasury-holders" },
          { text: "Export for analysts", link: "/export" },
          { text: "Govern", link: "/governance" },
        ],
      },
      {
        text: "Operate",
        items: [
          { text: "Where to start", link: "/operators" },
          { text: "Contracts", link: "/operate/contracts" },
          { text: "The first days", link: "/first-days" },
          { text: "Command line", link: "/command-line" },
          { text: "Keeper", link: "/keeper" },
          { text: "Database", link: "/operate/database" },
          { text: "Install", link: "/operate/install" },
          { text: "Compose and Kubernetes", link: "/operate/containers" },
          { text: "Settings", link: "/operate/settings" },
          { text: "Proxy and caches", link: "/operate/proxy" },
          { text: "Monitoring", link: "/operate/monitoring" },
          { text: "Runbook", link: "/operate/runbook" },
          { text: "Backup and restore", link: "/operate/backup" },
          { text: "Upgrade the indexer", link: "/operate/upgrade" },
          { text: "Audit and repair", link: "/operate/audit" },
          { text: "Beyond one database server", link: "/operate/fleet" },
          { text: "Growth", link: "/growth" },
          { text: "How the index is built", link: "/operate/indexing" },
          { text: "Indexing cost", link: "/indexing-cost" },
          { text: "Promises under faults", link: "/operate/faults" },
        ],
      },
      {
        text: "API reference",
        items: apiPages().map(({ slug, title }) => ({ text: title, link: `/reference/api/${slug}` })),
      },
      {
        text: "Contract reference",
        items: CONTRACTS.map(({ name }) => ({ text: name, link: `/reference/contracts/${name}` })),
      },
      {
        text: "Background",
        items: [
          { text: "Architecture", link: "/architecture" },
          { text: "Decisions", link: "/decisions" },
          { text: "Security", link: "/security" },
          { text: "Threat model of the service", link: "/threat-model" },
          { text: "Invariants", link: "/invariants" },
          { text: "Price adapters and the bridge", link: "/adapters" },
          { text: "Mutation testing", link: "/mutation" },
        ],
      },
    ],
  },
});
