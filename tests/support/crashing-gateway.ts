/**
 * A gateway as a process of its own, for tests that end it. `CRASH_AT` names the place (see `watched-world.ts`) where
 * it ends itself as `kill -9` would: nothing is said to anybody, nothing is put in order.
 */
import { flushCompileCache } from "node:module";
import { startGateway } from "../../src/app/gateway.ts";
import { readSettings } from "../../src/platform/config/settings.ts";
import { createLog } from "../../src/platform/log/log.ts";
import { watchWorld } from "./watched-world.ts";

// A test that dies leaves nothing behind.
process.on("disconnect", () => process.exit(1));

const crashAt = process.env["CRASH_AT"];
const settings = readSettings(process.env);

await startGateway({
  settings,
  databaseUrl: settings.databaseUrl ?? "",
  log: createLog(settings.logLevel),
  wrapContext: (ctx) =>
    watchWorld(ctx, async (point) => {
      if (point !== crashAt) return;
      process.kill(process.pid, "SIGKILL");
      await new Promise(() => {});
    }),
});
// What dies suddenly would never keep its compiled code for the next one, and start three times as slowly.
flushCompileCache();
process.send?.("ready");
