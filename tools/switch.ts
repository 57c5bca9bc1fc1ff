/**
 * `pnpm ops:switch`: makes the views that replicas read show another index, in one transaction, or drops an index that
 * no views show any more.
 */
import { openPool } from "../config/postgresClients.ts";
import { commandLine, refuse } from "./lib/commandLine.ts";
import { loadEnvFile } from "./lib/envFile.ts";
import { dropIndex, showIndex } from "./lib/indexViews.ts";
import { runTool } from "./lib/runTool.ts";
import { postgresUrl } from "./lib/settings.ts";

const { values } = commandLine({
  usage: "pnpm ops:switch --views <schema> --to <schema> | --drop <schema>",
  summary: `Makes the views in one schema show the index in another one: all views at once, while replicas answer.
The index has to be live and as far as the one before; the first time, when there are no views yet, it can be in its
backfill. With --drop, removes an index that no views show and no indexer writes. DATABASE_URL is the indexer's. Ends
with 1 and changes nothing if a condition does not hold.`,
  options: {
    views: { type: "string", value: "<schema>", help: "schema of the views, which replicas read" },
    to: { type: "string", value: "<schema>", help: "schema of the index that the views will show" },
    drop: { type: "string", value: "<schema>", help: "schema of an index to remove" },
  },
});
const { views, to, drop } = values;
const isSwitch = views !== undefined && to !== undefined && drop === undefined;
const isDrop = drop !== undefined && views === undefined && to === undefined;
if (!isSwitch && !isDrop) refuse("expected either --views and --to, or only --drop");
for (const [flag, name] of Object.entries(values)) {
  // Names that need no quotes anywhere: in settings, in scripts and in psql.
  if (!/^[a-z_][a-z0-9_]{0,44}$/.test(name)) {
    refuse(`--${flag} is "${name}", expected up to 45 lower-case letters, digits and underscores`);
  }
}
if (views === to && isSwitch) refuse("--views and --to must be different schemas");
loadEnvFile();
const connectionString = postgresUrl("Replicas and views need PostgreSQL");

await runTool(async () => {
  const pool = openPool({ connectionString, max: 1, application_name: "coreswap_switch" });
  try {
    if (drop !== undefined) {
      await dropIndex(pool, drop);
      console.log(`Schema ${drop} is dropped.`);
    } else if (views !== undefined && to !== undefined) {
      const before = await showIndex(pool, { views, index: to });
      if (before === null) console.log(`Schema ${views} is new, and its views show ${to}.`);
      else if (before === to) console.log(`The views in schema ${views} already show ${to}.`);
      else console.log(switched(views, before, to));
    }
  } finally {
    await pool.end();
  }
});

function switched(views: string, before: string, to: string): string {
  return `The views in schema ${views} show ${to} instead of ${before}.
To switch back:                        pnpm ops:switch --views ${views} --to ${before}
When its indexer is stopped for good:  pnpm ops:switch --drop ${before}`;
}
