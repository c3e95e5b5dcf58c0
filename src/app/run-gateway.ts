import type { Settings } from "../platform/config/settings.ts";
import { createLog } from "../platform/log/log.ts";
import { firstStartBanner, readyLine, welcomeBanner } from "./banner.ts";
import { freeStartMemory } from "./free-start-memory.ts";
import { startGateway } from "./gateway.ts";
import { openKeyFiles } from "./live-checks.ts";
import { openDatabasePlace } from "./open-database.ts";

/** What is in flight when the signal comes has this long. */
const STOP_WITHIN_MS = 25_000;

/** Starts the gateway, prints when it is ready, and ends on the first signal after the work in progress. */
export async function runGateway(settings: Settings): Promise<void> {
  const log = createLog(settings.logLevel);
  const stopping = firstSignal();
  const signalled = new Promise<void>((resolve) => stopping.addEventListener("abort", () => resolve()));
  const stopTimePassed = signalled.then(
    () => new Promise<void>((resolve) => setTimeout(resolve, STOP_WITHIN_MS).unref()),
  );
  for (const variable of settings.unknownVariables)
    log.warn({}, `${variable} is no setting and has no effect`);
  for (const { file } of await openKeyFiles(settings))
    log.warn({}, `other users can read the key in ${file}: chmod 600 it`);
  const place = await openDatabasePlace(settings, {
    holdsFolder: true,
    notice: (line) => log.warn({}, line),
  });
  try {
    const starting = startGateway({ settings, databaseUrl: place.url, log, stopping });
    // A migration's statement in hand may take longer. The next start repeats it.
    const gateway = await Promise.race([starting, stopTimePassed]);
    if (gateway === undefined) return;
    if (gateway.newKey !== undefined) console.log(firstStartBanner(settings, gateway.newKey));
    if (gateway.welcomeLink !== undefined) console.log(welcomeBanner(gateway.welcomeLink));
    console.log(readyLine(settings));
    await freeStartMemory();
    await signalled;
    await Promise.race([gateway.stop(), stopTimePassed]);
  } catch (error) {
    if (error !== stopping.reason) throw error;
  } finally {
    await place.close();
  }
}

/** npm passes a signal on to its child, which the terminal has signalled already: repeated signals are one signal. */
function firstSignal(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => controller.abort());
  return controller.signal;
}
