import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, beforeEach, describe, test } from "node:test";
import { type Id, newId } from "../../src/kernel/ids.ts";
import { instant } from "../../src/kernel/time.ts";
import type { Context } from "../../src/platform/context.ts";
import { changeMasterKey } from "../../src/platform/vault/master/change-master-key.ts";
import type { SecretPlace } from "../../src/platform/vault/queries.ts";
import { callApi, shopOf } from "../support/checkout.ts";
import { runCommand } from "../support/command-line.ts";
import { cloneDatabase, type TestDatabase } from "../support/database.ts";
import { type FakeTransit, openFakeTransit } from "../support/fake-transit.ts";
import { startTestGateway } from "../support/gateway.ts";
import { makeMerchant } from "../support/operator.ts";
import { counted } from "../support/payment-metrics.ts";
import { chargeOf, storedCard } from "../support/stored-cards.ts";
import { onVaultNode } from "../support/vault-node.ts";

const NUMBER = "4111111111111111";
const USE = { purpose: "charge", subjectId: "txn_1" } as const;
const LOCAL = { TIDEGATE_VAULT_KEY: randomBytes(32).toString("base64") };
const TRANSIT_ID = "transit:transit/tidegate";

let fake: FakeTransit;
let folder: string;
let transit: Readonly<Record<string, string>>;
let database: TestDatabase;
const leftovers: (() => Promise<void>)[] = [];
before(async () => {
  fake = await openFakeTransit();
  folder = await mkdtemp(join(tmpdir(), "tidegate-transit-"));
  const tokenFile = join(folder, "token");
  await writeFile(tokenFile, fake.makeToken(), { mode: 0o600 });
  transit = {
    TIDEGATE_TRANSIT_URL: fake.url,
    TIDEGATE_TRANSIT_KEY: "tidegate",
    TIDEGATE_TRANSIT_TOKEN_FILE: tokenFile,
    TIDEGATE_TRANSIT_TIMEOUT_MS: "30000",
    TIDEGATE_DATA_DIR: folder,
  };
});
beforeEach(async () => {
  fake.behave("normal");
  fake.makeKey("tidegate");
  database = await cloneDatabase();
  leftovers.push(database.drop);
});
after(async () => {
  for (const clear of leftovers) await clear();
  await fake.close();
  await rm(folder, { recursive: true, force: true });
});

type Environment = Readonly<Record<string, string>>;

const onNode = <Result>(environment: Environment, work: (ctx: Context) => Promise<Result>) =>
  onVaultNode(database, { TIDEGATE_DATA_DIR: folder, ...environment }, work);

async function keepOne(ctx: Context): Promise<SecretPlace> {
  const { id } = await makeMerchant(database, "sandbox", "AU");
  const instrumentId = newId("paymentInstrument", instant(Date.now()));
  const place = { merchantId: id as Id<"merchant">, instrumentId, field: "card_number" } as const;
  await ctx.vault.prepare(ctx.db, place.merchantId);
  await ctx.db.transaction((tx) => ctx.vault.keep(tx, place, NUMBER));
  return place;
}

const read = (ctx: Context, place: SecretPlace) => ctx.vault.use(ctx.db, place, USE, async (text) => text);

const masters = async () =>
  (
    await database.rows<{ master_id: string }>(
      "select distinct master_id from vault_keys where wrapped is not null order by 1",
    )
  ).map((row) => row.master_id);

describe("a vault whose master key is in a key service", () => {
  test("opens, stores and reads without any key in this process", async () => {
    const place = await onNode(transit, keepOne);
    assert.equal(await onNode(transit, (ctx) => read(ctx, place)), NUMBER);
    assert.deepEqual(await masters(), [TRANSIT_ID]);
    await assert.rejects(
      onNode(LOCAL, keepOne),
      /is not the one of this database \(transit:transit\/tidegate\)/,
    );
  });

  test("moves there from a local key by one command, and back", async () => {
    const place = await onNode(LOCAL, keepOne);
    const both = { ...transit, ...LOCAL };
    // Nodes have both before anything changes, and still wrap under the old one.
    await onNode(both, keepOne);
    assert.equal((await masters()).join().includes("transit"), false);
    const rotate = ["vault", "rotate", "--master", "--json"];
    const moved = await runCommand(database, rotate, both);
    assert.equal(moved.code, 0, moved.stderr);
    assert.deepEqual([JSON.parse(moved.stdout).to, JSON.parse(moved.stdout).rewrapped], [TRANSIT_ID, 5]);
    assert.deepEqual(await masters(), [TRANSIT_ID]);
    assert.equal(await onNode(transit, (ctx) => read(ctx, place)), NUMBER);
    const again = await runCommand(database, rotate, both);
    assert.deepEqual([again.code, /rotate it in the key service first/.test(again.stderr)], [1, true]);
    const alone = await runCommand(database, [...rotate, "--to", "local"], transit);
    assert.deepEqual([alone.code, /has no such master key/.test(alone.stderr)], [1, true]);
    const back = await runCommand(database, [...rotate, "--to", "local"], both);
    assert.equal(back.code, 0, back.stderr);
    assert.equal(await onNode(LOCAL, (ctx) => read(ctx, place)), NUMBER);
  });

  test("a new version of the transit key takes over, and the old one may go", async () => {
    const place = await onNode(transit, keepOne);
    fake.rotateKey("tidegate");
    fake.calls.length = 0;
    const { rewrapped } = await onNode(transit, (ctx) => changeMasterKey(ctx, () => {}));
    assert.equal(rewrapped, 3);
    assert.equal(fake.calls.filter((call) => call.includes("/rewrap/")).length, 3);
    fake.retireOldVersions("tidegate");
    assert.equal(await onNode(transit, (ctx) => read(ctx, place)), NUMBER);
  });

  test("interrupted after any statement under load and run again, the move completes and no use fails", async () => {
    const both = { ...transit, ...LOCAL };
    const place = await onNode(LOCAL, keepOne);
    await onNode(both, async (node) => {
      let isOver = false;
      const load = (async () => {
        let uses = 0;
        for (; !isOver; uses += 1) {
          assert.equal(await onNode(both, (fresh) => read(fresh, place)), NUMBER);
          assert.equal(await read(node, await keepOne(node)), NUMBER);
        }
        return uses;
      })();
      for (let cut = 1; ; cut += 2) {
        let statements = 0;
        const outcome = await onNode(both, async (ctx) => {
          const rows: Context["db"]["rows"] = (statement, parameters) => {
            statements += 1;
            if (statements > cut) throw new Error("power failure");
            return ctx.db.rows(statement, parameters);
          };
          const place = { ...ctx, db: { ...ctx.db, rows } };
          return changeMasterKey(place, () => {}, cut % 4 === 1 ? "transit" : "local").catch(
            (error: unknown) => (error as Error).message,
          );
        });
        if (typeof outcome !== "string") break;
        assert.match(outcome, /power failure|already/);
        if (cut > 40) break;
      }
      isOver = true;
      assert.ok((await load) > 0);
      await changeMasterKey(node, () => {}, "transit").catch((error: unknown) =>
        assert.match((error as Error).message, /already/),
      );
      assert.deepEqual(await masters(), [TRANSIT_ID]);
      assert.equal(await onNode(transit, (fresh) => read(fresh, place)), NUMBER);
    });
  });

  test("a start, vault status and doctor name what is wrong with the service in one line", async () => {
    await onNode(transit, keepOne);
    fake.behave("sealed");
    await assert.rejects(onNode(transit, keepOne), /the key service at .* is sealed or a standby/);
    const status = await runCommand(database, ["vault", "status"], transit);
    assert.equal(status.code, 1);
    const started = await runCommand(database, ["start"], transit);
    assert.equal(started.code, 1);
    assert.match(started.stderr, /^tidegate: the key service at .* is sealed or a standby \(503\)/m);
  });

  test("while the service is away a charge is 503 and reaches no bank; then it works again", async () => {
    const gateway = await startTestGateway({ database, environment: { ...transit, TIDEGATE_VAULT_KEY: "" } });
    const stored = await storedCard(shopOf(gateway));
    await gateway.stop();
    const node = await startTestGateway({ database, environment: { ...transit, TIDEGATE_VAULT_KEY: "" } });
    try {
      fake.behave(500);
      const charge = () => callApi(shopOf(node), "POST", "/transactions", chargeOf(stored));
      const before = await database.rows("select from transactions");
      const away = await charge();
      assert.deepEqual([away.status, away.body.result.status], [503, "system_error"]);
      const { "control=key_service": failures = 0 } = await counted(
        [node],
        "tidegate_control_failures_total",
      );
      assert.ok(failures > 0, "an alert can see it");
      assert.equal((await database.rows("select from transactions")).length, before.length);
      fake.behave("normal");
      assert.equal((await charge()).status, 200);
    } finally {
      await node.stop();
    }
  });
});
