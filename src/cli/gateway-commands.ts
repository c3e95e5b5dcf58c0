import { openDatabasePlace } from "../app/open-database.ts";
import { runGateway } from "../app/run-gateway.ts";
import { readSettings } from "../platform/config/settings.ts";
import { migrate, migrateDistributed, pendingMigrations } from "../platform/db/migrate.ts";
import type { Command } from "./command.ts";

export const GATEWAY_COMMANDS: readonly Command[] = [
  {
    name: "start",
    about: "Start the gateway, as `npm start` does. Ctrl-C or SIGTERM ends it after the work in progress.",
    options: {},
    examples: ["start"],
    runAlone: async () => {
      await runGateway(readSettings(process.env));
      return { json: undefined, lines: [] };
    },
  },
  {
    name: "migrate",
    about:
      "Apply pending migrations and list them, and grant the role of DATABASE_URL its rights. Every start does the same.",
    options: {
      "dry-run": { about: "Only list pending migrations.", notWith: ["--citus"] },
      citus: {
        about:
          "Distribute the tables over the servers of a Citus cluster, empty or filled. It can be repeated.",
      },
    },
    examples: ["migrate", "migrate --dry-run"],
    runAlone: async (args) => {
      const isDryRun = args.flags.has("dry-run");
      const settings = readSettings(process.env);
      const place = await openDatabasePlace(settings, { holdsFolder: false, notice: () => {} });
      const owner = settings.databaseOwnerUrl ?? place.url;
      const onWait = () => console.error("tidegate: waiting for another process that migrates the database");
      try {
        if (args.flags.has("citus")) {
          const { applied, distributed } = await migrateDistributed(owner, place.url, { onWait });
          const tables = `${distributed.length} tables distributed.`;
          return {
            json: { applied, distributed },
            lines: [...applied, `${applied.length} applied.`, tables],
          };
        }
        const names = isDryRun ? await pendingMigrations(owner) : await migrate(owner, place.url, { onWait });
        const nothing = "The schema is up to date.";
        const done = isDryRun ? "would be applied" : "applied";
        return {
          json: isDryRun ? { pending: names } : { applied: names },
          lines: names.length === 0 ? [nothing] : [...names, `${names.length} ${done}.`],
        };
      } finally {
        await place.close();
      }
    },
  },
];
