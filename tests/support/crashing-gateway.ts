/**
 * A gateway in a separate process, for tests that kill it. `CRASH_AT` names points (see `watched-context.ts`): at the first
 * of them that it passes it kills itself like `kill -9`: no answer is sent, nothing is cleaned up. It passes
 * `CRASH_AFTER` of them first. With `REPORT_POINTS` it sends its test the name of each point when it passes it for the
 * first time. With `LOSE_REFUND_ANSWERS_OF` it loses the acquirer's first answer to each refund of that amount.
 */
import { writeSync } from "node:fs";
import { flushCompileCache } from "node:module";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { startGateway } from "../../src/app/gateway.ts";
import type { CardAcquirer } from "../../src/connectors/ports/card-acquirer.ts";
import { readSettings } from "../../src/platform/config/settings.ts";
import { createLog } from "../../src/platform/log/log.ts";
import { mapAcquirers } from "./fake-acquirer.ts";
import { watchContext } from "./watched-context.ts";

// Exits with its test, so that no process is left behind.
process.on("disconnect", () => process.exit(1));

// Its test weighs what the gateway holds, without what it has dropped.
process.on("message", () => {
  setFlagsFromString("--expose-gc");
  runInNewContext("gc")();
  process.send?.("collected");
});

const crashAt = new Set(process.env["CRASH_AT"]?.split(" "));
let passes = Number(process.env["CRASH_AFTER"] ?? "0");
const passed = process.env["REPORT_POINTS"] === undefined ? undefined : new Set<string>();
const losesAnswersOf = Number(process.env["LOSE_REFUND_ANSWERS_OF"]);
const lost = new Set<string>();
const settings = readSettings(process.env);

await startGateway({
  settings,
  databaseUrl: settings.databaseUrl ?? "",
  log: createLog(settings.logLevel),
  wrapContext: (ctx) =>
    watchContext(mapAcquirers(ctx, loseAnswers), async (point) => {
      if (passed !== undefined && !passed.has(point)) {
        passed.add(point);
        process.send?.({ point });
      }
      if (!crashAt.has(point)) return;
      passes -= 1;
      if (passes >= 0) return;
      writeSync(process.stderr.fd, `crashed at ${point}\n`);
      process.kill(process.pid, "SIGKILL");
      await new Promise(() => {});
    }),
});
function loseAnswers(host: CardAcquirer): CardAcquirer {
  return {
    ...host,
    refund: async (request, signal) => {
      const answer = await host.refund(request, signal);
      if (request.amount !== losesAnswersOf || lost.has(request.reference)) return answer;
      lost.add(request.reference);
      throw new Error("the connection broke");
    },
  };
}

// A killed process never writes its compile cache, and the next one would start three times as slowly.
flushCompileCache();
process.send?.("ready");
