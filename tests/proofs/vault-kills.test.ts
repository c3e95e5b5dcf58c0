import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { type Id, newId } from "../../src/kernel/ids.ts";
import { instant } from "../../src/kernel/time.ts";
import { verifyAudit } from "../../src/platform/audit/verify-audit.ts";
import type { Context } from "../../src/platform/context.ts";
import type { SecretPlace } from "../../src/platform/vault/queries.ts";
import { shopOf } from "../support/checkout.ts";
import { runCommand, startCommand } from "../support/command-line.ts";
import { cloneDatabase, type TestDatabase } from "../support/database.ts";
import { eventually } from "../support/eventually.ts";
import { startTestGateway, type TestGateway } from "../support/gateway.ts";
import { inContext } from "../support/operator.ts";
import { declareProof, sized } from "../support/proof.ts";
import { chargeOf, storedCard } from "../support/stored-cards.ts";

const NUMBERS = sized(800, 3_000);
const KILLS = sized(2, 6);
/** How often each client must have done its work meanwhile. */
const TIMES = sized(5, 50);

const proof = declareProof("kill -9 of vault rotations under load", ["I17"]);

const USE = { purpose: "charge", subjectId: "txn_1" } as const;

const LEFT = `
  select count(*)::int as left from vault_secrets where key_id in
    (select id from vault_keys where outgoing_at is not null and destroyed_at is null)`;
const OUTGOING = "select id from vault_keys where outgoing_at is not null and destroyed_at is null";

describe("I17: a killed rotation resumes under load, without a failed request", () => {
  let database: TestDatabase;
  let gateway: TestGateway;
  const kept = new Map<string, { readonly place: SecretPlace; readonly number: string }>();
  before(async () => {
    database = await cloneDatabase();
    gateway = await startTestGateway({ database });
    const [merchant] = await database.rows<{ id: Id<"merchant"> }>("select id from merchants");
    await inContext(database, async ({ db, vault }) => {
      for (let index = 0; index < NUMBERS; index += 100) {
        await db.transaction(async (tx) => {
          for (let one = index; one < index + 100; one += 1) {
            const instrumentId = newId("paymentInstrument", instant(Date.now()));
            const place = {
              merchantId: merchant?.id as Id<"merchant">,
              instrumentId,
              field: "card_number",
            } as const;
            const number = String(4_000_000_000_000_000 + one);
            await vault.keep(tx, place, number);
            kept.set(instrumentId, { place, number });
          }
        });
      }
    });
  });
  after(async () => {
    await gateway.stop();
    await database.drop();
  });

  test(`after ${KILLS} kills, it completes with everything under the new keys`, async () => {
    const old = (
      await database.rows<{ id: string }>("select id from vault_keys where merchant_id is not null")
    ).map(({ id }) => id);
    const done = { stored: 0, used: 0, deleted: 0, charged: 0 };
    let running = true;
    const customer = await gateway.post("/customers", { name: "Jamie Lee", email: "jamie@example.com" });
    const all = `/customers/${customer.body.id}/paymentinstruments`;
    const stores = async () => {
      while (running) {
        const number = String(10_000_000 + done.stored);
        const bankAccount = { accountName: "Jamie Lee", bsb: "062000", number };
        const made = await gateway.post(all, { bankAccount });
        assert.equal(made.status, 200, JSON.stringify(made.body));
        done.stored += 1;
        if (done.stored % 2 === 0) continue;
        const gone = await gateway.call(`${all}/${made.body.id}`, { method: "DELETE" });
        assert.equal(gone.status, 200, JSON.stringify(gone.body));
        done.deleted += 1;
      }
    };
    const card = await storedCard(shopOf(gateway), {}, { consent: true });
    const charges = async () => {
      while (running) {
        const charged = await gateway.post("/transactions", chargeOf(card));
        assert.equal(charged.body.result.status, "approved", JSON.stringify(charged.body));
        done.charged += 1;
      }
    };
    const uses = (ctx: Context) => async () => {
      const places = [...kept.values()];
      while (running) {
        const one = places[done.used % places.length];
        assert.ok(one !== undefined);
        assert.equal(await ctx.vault.use(ctx.db, one.place, USE, async (text) => text), one.number);
        done.used += 1;
      }
    };
    await inContext(database, async (ctx) => {
      const clients = [stores(), stores(), charges(), charges(), uses(ctx)()];
      try {
        await killAndResume();
      } finally {
        running = false;
        await Promise.all(clients);
      }
    });
    for (const [what, times] of Object.entries(done)) assert.ok(times >= TIMES, `${what} ${times} times`);
    const rows = await database.rows<{ wrapped: Buffer | null }>(
      "select wrapped from vault_keys where id = any($1)",
      [old],
    );
    assert.deepEqual(
      rows,
      old.map(() => ({ wrapped: null })),
    );
    assert.deepEqual(await database.rows(OUTGOING), []);
    // A node with empty caches can read every number.
    await inContext(database, async ({ db, vault, vaultKeys }) => {
      for (const { place, number } of kept.values()) {
        assert.equal(await vault.use(db, place, USE, async (text) => text), number);
      }
      const { broken } = await verifyAudit(db, vaultKeys);
      assert.equal(broken, undefined);
    });
    proof.count({
      kills: KILLS,
      "uses of numbers": done.used,
      "numbers stored": done.stored,
      charges: done.charged,
    });
  });

  async function killAndResume(): Promise<void> {
    let before = Number.POSITIVE_INFINITY;
    for (let kill = 0; kill < KILLS; kill += 1) {
      const rotation = startCommand(database, ["vault", "rotate"]);
      const goal = NUMBERS - ((kill + 1) * NUMBERS) / (KILLS + 2);
      await eventually(
        `the rotation has ${goal} numbers left; its output: ${rotation.stderr()}`,
        async () => {
          const [row] = await database.rows<{ left: number }>(LEFT);
          const started = (await database.rows(OUTGOING)).length > 0;
          return started && row !== undefined && row.left <= goal;
        },
        120_000,
      );
      rotation.kill();
      assert.equal((await rotation.ended).code, null, "the rotation was killed before it completed");
      const [row] = await database.rows<{ left: number }>(LEFT);
      assert.ok(
        row !== undefined && row.left > 0 && row.left < before,
        `${row?.left} left, ${before} before`,
      );
      before = row.left;
    }
    const last = await runCommand(database, ["vault", "rotate", "--json"]);
    assert.equal(last.code, 0, last.stderr);
    const { resumed, unreadable } = JSON.parse(last.stdout);
    assert.deepEqual({ resumed, unreadable }, { resumed: true, unreadable: 0 });
  }
});
