import { openDatabasePlace } from "../app/open-database.ts";
import { runGateway } from "../app/run-gateway.ts";
import { readSettings } from "../platform/config/settings.ts";
import { migrate, pendingMigrations } from "../platform/db/migrate.ts";
import type { Command } from "./command.ts";

export const GATEWAY_COMMANDS: readonly Command[] = [
  {
    words: "start",
    about: "Start the gateway, as `npm start` does. Ctrl-C or SIGTERM ends it, after what is under way.",
    options: {},
    examples: ["start"],
    runAlone: async () => {
      await runGateway(readSettings(process.env));
      return { json: undefined, lines: [] };
    },
  },
  {
    words: "migrate",
    about: "Bring the database's schema up to date, and say what was applied. Every start does the same.",
    options: { "dry-run": { about: "Only list what would be applied." } },
    examples: ["migrate", "migrate --dry-run"],
    runAlone: async (given) => {
      const dry = given.flags.has("dry-run");
      const place = await openDatabasePlace(readSettings(process.env), {
        holdFolder: false,
        notice: () => {},
      });
      try {
        const names = dry ? await pendingMigrations(place.url) : await migrate(place.url);
        const nothing = "The schema is up to date.";
        const done = dry ? "would be applied" : "applied";
        return {
          json: dry ? { pending: names } : { applied: names },
          lines: names.length === 0 ? [nothing] : [...names, `${names.length} ${done}.`],
        };
      } finally {
        await place.close();
      }
    },
  },
];
