import assert from "node:assert/strict";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { accountProblems, refuseUnfitAccounts } from "../../src/app/live-checks.ts";
import { settingsPurpose } from "../../src/features/acquirer-accounts/settings.ts";
import { newId } from "../../src/kernel/ids.ts";
import { instant } from "../../src/kernel/time.ts";
import type { Context } from "../../src/platform/context.ts";
import type { Database } from "../../src/platform/db/database.ts";
import { sealText } from "../../src/platform/vault/sealed-texts.ts";
import { payOnce, shopOf } from "../support/checkout.ts";
import { cloneDatabase, type TestDatabase } from "../support/database.ts";
import { eventually } from "../support/eventually.ts";
import { startTestGateway, type TestGateway } from "../support/gateway.ts";
import { addIsoAccount } from "../support/iso-host/iso-account.ts";
import { startIsoHost } from "../support/iso-host/iso-host.ts";
import { settingsFor } from "../support/iso-host/test-link.ts";
import { inContext, makeMerchant } from "../support/operator.ts";

const MANY = 600;

describe("a start with many acquirer accounts", () => {
  let database: TestDatabase;
  let folder: string;
  before(async () => {
    database = await cloneDatabase();
    // The first start makes the vault.
    await (await startTestGateway({ database })).stop();
    folder = await mkdtemp(join(tmpdir(), "tidegate-accounts-"));
  });
  after(async () => {
    await database.drop();
    await rm(folder, { recursive: true });
  });

  const breakAccount = (id: string) =>
    database.rows("update acquirer_accounts set sealed_settings = 'key.AAAA.AAAA' where id = $1", [id]);

  /** As `acquirer add` writes them, without its limit per merchant. */
  async function addMany(ctx: Context, merchantId: string, count: number, keyFile: string): Promise<void> {
    const settings = JSON.stringify({ ...settingsFor(9), tls: { certFile: keyFile, keyFile } });
    const key = await ctx.db.transaction((tx) => ctx.vaultKeys.ofTexts(tx));
    const ids = Array.from({ length: count }, () => newId("acquirerAccount", instant(Date.now())));
    await database.rows(
      `insert into acquirer_accounts (merchant_id, id, connector, sealed_settings, currencies, card_types, status, place,
         created_at, updated_at)
       select $1, i.id, 'iso8583', i.sealed, '{}', '{}', 'active', 0, now(), now()
       from unnest($2::text[], $3::text[]) as i (id, sealed)`,
      [merchantId, ids, ids.map((id) => sealText(key, settingsPurpose(id), settings))],
    );
  }

  /** The queries that the check of all accounts needs. */
  async function queriesOf(ctx: Context): Promise<number> {
    let count = 0;
    const db: Database = {
      ...ctx.db,
      rows: (...query) => {
        count += 1;
        return ctx.db.rows(...query);
      },
    };
    await accountProblems({ ...ctx, db });
    return count;
  }

  test("reads their settings page by page; one that can't be read stops neither the start nor the check of others", async () => {
    const keyFile = join(folder, "link.key");
    await writeFile(keyFile, "key", { mode: 0o600 });
    const { id: merchantId } = await makeMerchant(database, "live", "AU");
    const setOpen = (isOpen: boolean) =>
      database.rows(
        "update merchants set capabilities = (capabilities::jsonb || $2::jsonb)::json where id = $1",
        [merchantId, JSON.stringify({ cardNotPresent: isOpen })],
      );
    await setOpen(true);
    await inContext(database, async (ctx) => {
      await addMany(ctx, merchantId, 10, keyFile);
      const few = await queriesOf(ctx);
      await addMany(ctx, merchantId, MANY - 10, keyFile);
      const many = await queriesOf(ctx);
      assert.deepEqual([few, many], [2, 4], "two for each 500 accounts");

      const [first] = await database.rows<{ id: string }>(
        "select id from acquirer_accounts order by id limit 1",
      );
      const broken = first?.id ?? assert.fail();
      await breakAccount(broken);
      assert.deepEqual(await accountProblems(ctx), { problems: [], unreadable: [broken] });
      const logged: string[] = [];
      const log = {
        ...ctx.log,
        error: (about: { subjectId?: string }) => logged.push(about.subjectId ?? ""),
      };
      await refuseUnfitAccounts({ ...ctx, log });
      assert.deepEqual(logged, [broken]);

      await chmod(keyFile, 0o644);
      await assert.rejects(refuseUnfitAccounts(ctx), /names .*link\.key, which they can/);
      await chmod(keyFile, 0o600);
    });
    await setOpen(false);
    await database.rows("update acquirer_accounts set status = 'disabled'");
  });

  test("opens their links; one that can't be opened delays no other, and the merchant's next account pays", async () => {
    const host = await startIsoHost();
    let gateway: TestGateway | undefined;
    try {
      const first = await makeMerchant(database, "sandbox", "AU");
      const second = await makeMerchant(database, "sandbox", "AU");
      const accounts: string[] = [];
      for (let n = 0; n < 20; n += 1) {
        const { id } = n % 2 === 0 ? first : second;
        accounts.push(
          await addIsoAccount(database, id, host.port, { terminalId: `TERM01${String(n).padStart(2, "0")}` }),
        );
      }
      await breakAccount(accounts[0] ?? assert.fail());
      const started = await startTestGateway({ database });
      gateway = started;
      const up = async () => {
        const { body } = await started.get("/metrics", { key: null });
        return String(body).match(/^tidegate_acquirer_link_up\{.*\} 1$/gm)?.length ?? 0;
      };
      await eventually("all others are up", async () => (await up()) === accounts.length - 1);
      const { paid } = await payOnce(shopOf(started, first.key), { amount: 4_300 });
      assert.equal(paid.state, "approved");
      const [entry] = await host.entries();
      assert.equal(entry?.terminal, "TERM0102", "the first account that can be opened");
    } finally {
      await gateway?.stop();
      await host.stop();
    }
  });
});
