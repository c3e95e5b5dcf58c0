import { buildContext } from "../../src/app/build-context.ts";
import {
  createKey,
  createMerchant,
  findMerchant,
  type KeyLimits,
  type Merchant,
  revokeKey,
} from "../../src/features/merchants/index.ts";
import type { Mode } from "../../src/kernel/mode.ts";
import { type Instant, instant } from "../../src/kernel/time.ts";
import { createCacheInvalidation } from "../../src/platform/cache-invalidation/cache-invalidation.ts";
import { readSettings, type Settings } from "../../src/platform/config/settings.ts";
import type { Context } from "../../src/platform/context.ts";
import { openDatabase } from "../../src/platform/db/database.ts";
import { createEgress } from "../../src/platform/egress/egress.ts";
import { createLog } from "../../src/platform/log/log.ts";
import { createPaymentMetrics } from "../../src/platform/metrics/payment-metrics.ts";
import { TEST_VAULT_KEY } from "./calls.ts";
import type { TestDatabase } from "./database.ts";

type Scope = "read" | "write" | "admin";

/** Runs work in a context on a test's database, apart from every gateway, as an operator's command does. */
export async function inContext<Result>(
  database: Pick<TestDatabase, "url">,
  work: (ctx: Context) => Promise<Result>,
  {
    settings = readSettings({ TIDEGATE_VAULT_KEY: TEST_VAULT_KEY }),
    now = () => instant(Date.now()),
  }: { settings?: Settings; now?: () => Instant } = {},
): Promise<Result> {
  const db = openDatabase({
    url: database.url,
    poolSize: 4,
    preparedStatements: true,
    onIdleError: () => {},
  });
  const cacheInvalidation = createCacheInvalidation(db, () => {});
  const egress = createEgress();
  const log = createLog("silent");
  try {
    return await work(
      buildContext({
        db,
        settings,
        log,
        cacheInvalidation,
        egress,
        metrics: createPaymentMetrics(),
        now,
        wakeJobs: () => {},
      }),
    );
  } finally {
    await egress.close();
    await db.close();
  }
}

/** As `merchant create` does. */
export function makeMerchant(
  database: TestDatabase,
  mode: Mode,
  country: "AU" | "NZ",
  now?: () => Instant,
): Promise<{ id: string; key: string }> {
  return inContext(
    database,
    async (ctx) => {
      const { merchant, apiKey } = await ctx.db.transaction((tx) =>
        createMerchant(ctx, tx, { name: "Another shop", mode, country }),
      );
      return { id: merchant.id, key: apiKey };
    },
    now === undefined ? {} : { now },
  );
}

/** As `key create` does. */
export function makeKey(
  database: TestDatabase,
  merchantId: string,
  scopes: readonly Scope[],
  limits?: KeyLimits,
): Promise<{ id: string; key: string }> {
  return inContext(database, async (ctx) => {
    const merchant = await findMerchant(ctx.db, merchantId as Merchant["id"]);
    if (merchant === undefined) throw new Error("no such merchant");
    const { key, secret } = await ctx.db.transaction((tx) =>
      createKey(ctx, tx, merchant, { scopes, ...limits }),
    );
    return { id: key.id, key: secret };
  });
}

/** As `key revoke` does. */
export async function endKey(database: TestDatabase, keyId: string): Promise<void> {
  await inContext(database, (ctx) => revokeKey(ctx, keyId as Parameters<typeof revokeKey>[1]));
}
