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

type Choices = { readonly settings?: Settings; readonly now?: () => Instant };
type Opened = { readonly ctx: Context; readonly close: () => Promise<void> };

const kept = new Map<string, Context>();

/** Runs work in a context on a test's database, apart from every gateway, as an operator's command does. */
export async function inContext<Result>(
  database: Pick<TestDatabase, "url">,
  work: (ctx: Context) => Promise<Result>,
  choices?: Choices,
): Promise<Result> {
  const ctx = choices === undefined ? kept.get(database.url) : undefined;
  if (ctx !== undefined) return work(ctx);
  const opened = openContext(database, choices);
  try {
    return await work(opened.ctx);
  } finally {
    await opened.close();
  }
}

/**
 * All later work on this database shares one context, until it is closed: to open one takes longer than most work that a
 * race does in it.
 */
export function keepContext(database: Pick<TestDatabase, "url">): Opened["close"] {
  const { ctx, close } = openContext(database);
  kept.set(database.url, ctx);
  return async () => {
    kept.delete(database.url);
    await close();
  };
}

function openContext(
  database: Pick<TestDatabase, "url">,
  {
    settings = readSettings({ TIDEGATE_VAULT_KEY: TEST_VAULT_KEY }),
    now = () => instant(Date.now()),
  }: Choices = {},
): Opened {
  const db = openDatabase({
    url: database.url,
    poolSize: 4,
    preparedStatements: true,
    onIdleError: () => {},
  });
  const egress = createEgress();
  const ctx = buildContext({
    db,
    settings,
    log: createLog("silent"),
    cacheInvalidation: createCacheInvalidation(db, () => {}),
    egress,
    metrics: createPaymentMetrics(),
    now,
    wakeJobs: () => {},
  });
  return {
    ctx,
    close: async () => {
      await egress.close();
      await db.close();
    },
  };
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
    now && { now },
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
