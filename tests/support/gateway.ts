import { createServer } from "node:net";
import { startGateway } from "../../src/app/gateway.ts";
import { createMerchant } from "../../src/features/merchants/index.ts";
import { type Instant, instant } from "../../src/kernel/time.ts";
import { readSettings, type Settings } from "../../src/platform/config/settings.ts";
import { openDatabase } from "../../src/platform/db/database.ts";
import { createFreshness } from "../../src/platform/freshness/freshness.ts";
import { createLog } from "../../src/platform/log/log.ts";
import type { World } from "../../src/platform/world.ts";
import { cloneDatabase, type TestDatabase } from "./database.ts";

export const TEST_KEY = "test_key_of_the_sandbox_merchant";

/** An answer of the API, read whole. */
export type Answer = {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
  readonly body: any;
};

export type Call = {
  readonly method?: string;
  readonly key?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON; a string is sent as it is. */
  readonly body?: unknown;
};

export type TestGateway = {
  readonly baseUrl: string;
  readonly hostedUrl: string;
  readonly settings: Settings;
  readonly database: TestDatabase;
  readonly call: (path: string, call?: Call) => Promise<Answer>;
  readonly get: (path: string, call?: Call) => Promise<Answer>;
  readonly post: (path: string, body?: unknown, call?: Call) => Promise<Answer>;
  readonly put: (path: string, body?: unknown, call?: Call) => Promise<Answer>;
  /** A second merchant, to see that nothing is shared. Gives its API key. */
  readonly newMerchant: (options?: {
    mode?: "sandbox" | "live";
    country?: "AU" | "NZ";
  }) => Promise<{ id: string; key: string }>;
  readonly stop: () => Promise<void>;
};

export type TestOptions = {
  /** Environment variables beyond the defaults of tests. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Use this database instead of a new one: a second node beside another gateway. */
  readonly database?: TestDatabase;
  readonly now?: () => Instant;
  /** Puts faults between the gateway and the outside world. */
  readonly wrapWorld?: (world: World) => World;
};

/** Starts a whole gateway in this process, on free ports and a database of its own. */
export async function startTestGateway(options: TestOptions = {}): Promise<TestGateway> {
  const database = options.database ?? (await cloneDatabase());
  const [apiPort, hostedPort] = await Promise.all([freePort(), freePort()]);
  const settings = readSettings({
    TIDEGATE_API_PORT: String(apiPort),
    TIDEGATE_HOSTED_PORT: String(hostedPort),
    TIDEGATE_SANDBOX_API_KEY: TEST_KEY,
    TIDEGATE_LOG_LEVEL: "silent",
    TIDEGATE_DATABASE_POOL_SIZE: "8",
    ...options.environment,
  });
  const log = createLog(settings.logLevel);
  const now = options.now ?? (() => instant(Date.now()));
  const { wrapWorld } = options;
  const parts = { settings, databaseUrl: database.url, log, now, ...(wrapWorld && { wrapWorld }) };
  const gateway = await startGateway(parts);

  const call = async (path: string, { method = "GET", key = TEST_KEY, headers = {}, body }: Call = {}) => {
    const response = await fetch(settings.baseUrl.replace("localhost", "127.0.0.1") + path, {
      method,
      redirect: "manual",
      headers: {
        ...(key === null ? {} : { "x-api-key": key }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const json = response.headers.get("content-type")?.startsWith("application/json") === true;
    return { status: response.status, headers: response.headers, body: json ? JSON.parse(text) : text };
  };

  return {
    baseUrl: settings.baseUrl,
    hostedUrl: settings.hostedUrl,
    settings,
    database,
    call,
    get: (path, extra) => call(path, { ...extra, method: "GET" }),
    post: (path, body, extra) => call(path, { ...extra, method: "POST", body }),
    put: (path, body, extra) => call(path, { ...extra, method: "PUT", body }),
    newMerchant: ({ mode = "sandbox", country = "AU" } = {}) =>
      makeMerchant(settings, database, now, mode, country),
    stop: async () => {
      await gateway.stop();
      if (options.database === undefined) await database.drop();
    },
  };
}

async function makeMerchant(
  settings: Settings,
  database: TestDatabase,
  now: () => Instant,
  mode: "sandbox" | "live",
  country: "AU" | "NZ",
): Promise<{ id: string; key: string }> {
  const db = openDatabase({
    url: database.url,
    poolSize: 2,
    preparedStatements: true,
    onIdleTrouble: () => {},
  });
  const world: World = {
    db,
    settings,
    log: createLog("silent"),
    freshness: createFreshness(db, () => {}),
    connectors: { sandbox: undefined, live: undefined },
    now,
    wakeJobs: () => {},
  };
  try {
    const { merchant, apiKey } = await db.transaction((tx) =>
      createMerchant(world, tx, { name: "Another shop", mode, country }),
    );
    return { id: merchant.id, key: apiKey };
  } finally {
    await db.close();
  }
}

/** A port that nobody listens on right now. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.on("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() => (typeof address === "object" && address !== null ? resolve(address.port) : reject()));
    });
  });
}
