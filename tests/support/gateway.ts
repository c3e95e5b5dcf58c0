import { startGateway } from "../../src/app/gateway.ts";
import type { Mode } from "../../src/kernel/mode.ts";
import { type Instant, instant } from "../../src/kernel/time.ts";
import { readSettings, type Settings } from "../../src/platform/config/settings.ts";
import type { Context } from "../../src/platform/context.ts";
import { createLog, type Log } from "../../src/platform/log/log.ts";
import { type Calls, callsTo, TEST_KEY, TEST_VAULT_KEY } from "./calls.ts";
import { cloneDatabase, type TestDatabase } from "./database.ts";
import { freePort } from "./free-port.ts";
import { makeMerchant } from "./operator.ts";

export { type Answer, type Call, TEST_KEY } from "./calls.ts";

export type TestGateway = Calls & {
  readonly baseUrl: string;
  readonly hostedUrl: string;
  readonly settings: Settings;
  readonly database: TestDatabase;
  /** Creates another merchant; returns its id and API key. */
  readonly newMerchant: (options?: {
    mode?: Mode;
    country?: "AU" | "NZ";
  }) => Promise<{ id: string; key: string }>;
  readonly stop: () => Promise<void>;
};

export type TestOptions = {
  /** Environment variables on top of the defaults of tests. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Use this database instead of a new one: a second node beside another gateway. */
  readonly database?: TestDatabase;
  readonly now?: () => Instant;
  /** Injects faults between the gateway and what it calls. */
  readonly wrapContext?: (ctx: Context) => Context;
  /** Where the gateway logs to, instead of standard error. */
  readonly log?: Log;
};

/** Starts a gateway in this process, on free ports and its own database. */
export async function startTestGateway(options: TestOptions = {}): Promise<TestGateway> {
  const database = options.database ?? (await cloneDatabase());
  // Another program may take a free port before the gateway does.
  for (let tries = 1; ; tries += 1) {
    try {
      return await startOnFreePorts(options, database);
    } catch (error) {
      if (tries === 3 || !String(error).includes("which another program listens on")) throw error;
    }
  }
}

async function startOnFreePorts(options: TestOptions, database: TestDatabase): Promise<TestGateway> {
  const [apiPort, hostedPort] = await Promise.all([freePort(), freePort()]);
  const settings = readSettings({
    TIDEGATE_API_PORT: String(apiPort),
    TIDEGATE_HOSTED_PORT: String(hostedPort),
    TIDEGATE_SANDBOX_API_KEY: TEST_KEY,
    TIDEGATE_VAULT_KEY: TEST_VAULT_KEY,
    TIDEGATE_LOG_LEVEL: "silent",
    TIDEGATE_DATABASE_POOL_SIZE: "8",
    ...options.environment,
  });
  const log = options.log ?? createLog(settings.logLevel);
  const now = options.now ?? (() => instant(Date.now()));
  const { wrapContext } = options;
  const parts = { settings, databaseUrl: database.url, log, now, ...(wrapContext && { wrapContext }) };
  const gateway = await startGateway(parts);

  return {
    ...callsTo(settings.baseUrl),
    baseUrl: settings.baseUrl,
    hostedUrl: settings.hostedUrl,
    settings,
    database,
    newMerchant: ({ mode = "sandbox", country = "AU" } = {}) => makeMerchant(database, mode, country, now),
    stop: async () => {
      await gateway.stop();
      if (options.database === undefined) await database.drop();
    },
  };
}
