/**
 * A gateway in a separate process, for tests that kill it. `CRASH_AT` names the point (see `watched-context.ts`) where it
 * kills itself like `kill -9`: no answer is sent, nothing is cleaned up.
 */
import { flushCompileCache } from "node:module";
import { startGateway } from "../../src/app/gateway.ts";
import { readSettings } from "../../src/platform/config/settings.ts";
import { createLog } from "../../src/platform/log/log.ts";
import { watchContext } from "./watched-context.ts";

// Exits with its test, so that no process is left behind.
process.on("disconnect", () => process.exit(1));

const crashAt = process.env["CRASH_AT"];
const settings = readSettings(process.env);

await startGateway({
  settings,
  databaseUrl: settings.databaseUrl ?? "",
  log: createLog(settings.logLevel),
  wrapContext: (ctx) =>
    watchContext(ctx, async (point) => {
      if (point !== crashAt) return;
      process.kill(process.pid, "SIGKILL");
      await new Promise(() => {});
    }),
});
// A killed process never writes its compile cache, and the next one would start three times as slowly.
flushCompileCache();
process.send?.("ready");
