import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { cloneDatabase, type TestDatabase } from "../../../tests/support/database.ts";
import { inContext, makeMerchant } from "../../../tests/support/operator.ts";
import { type Id, newId } from "../../kernel/ids.ts";
import { instant } from "../../kernel/time.ts";
import type { Context } from "../context.ts";
import { SecretUnreadable } from "./errors.ts";
import { openVault } from "./open-vault.ts";
import type { SecretPlace } from "./queries.ts";

const NUMBER = "4111111111111111";
const USE = { purpose: "charge", subjectId: "txn_1" } as const;

let database: TestDatabase;
let merchantId: Id<"merchant">;
let otherId: Id<"merchant">;
before(async () => {
  database = await cloneDatabase();
  merchantId = (await makeMerchant(database, "sandbox", "AU")).id as Id<"merchant">;
  otherId = (await makeMerchant(database, "sandbox", "NZ")).id as Id<"merchant">;
  await inContext(database, (ctx) => openVault(ctx.db, ctx.vaultKeys, ctx.now));
});
after(() => database.drop());

const newPlace = (over: Partial<SecretPlace> = {}): SecretPlace => ({
  merchantId,
  instrumentId: newId("paymentInstrument", instant(Date.now())),
  field: "card_number",
  ...over,
});

async function keep({ db, vault }: Context, place: SecretPlace, number = NUMBER): Promise<SecretPlace> {
  await db.transaction((tx) => vault.keep(tx, place, number));
  return place;
}

const read = (ctx: Context, place: SecretPlace) =>
  ctx.vault.use(ctx.db, place, USE, async (secret) => secret);

const allAudited = (place: SecretPlace) =>
  database.rows<{ act: string; detail: string }>(
    "select act, detail from audit_log where merchant_id = $1 and subject_id = $2 order by id",
    [place.merchantId, place.instrumentId],
  );

/** What happened after the number was stored. */
async function audited(place: SecretPlace) {
  return (await allAudited(place)).filter(({ act }) => act !== "number_stored");
}

describe("CONTRACT 6: the vault", () => {
  test("what was kept can be used, and every use is on record", () =>
    inContext(database, async (ctx) => {
      const place = await keep(ctx, newPlace());
      assert.equal(await read(ctx, place), NUMBER);
      assert.equal(await read(ctx, place), NUMBER);
      const [first, ...more] = await audited(place);
      assert.equal(more.length, 1);
      assert.equal(first?.act, "number_used");
      const [stored] = await allAudited(place);
      assert.equal(stored?.act, "number_stored");
      assert.match(first?.detail ?? "", /^card_number for charge txn_1 under vk_[\w-]{22}$/);
    }));

  test("numbers kept for messages about old payments are erased, and that is on record; others stay", () =>
    inContext(database, async (ctx) => {
      const now = Date.now();
      const instrument = await keep(ctx, newPlace());
      const places = [0, 1].map(() =>
        newPlace({ instrumentId: newId("transaction", instant(now)), field: "transaction_card" }),
      );
      for (const place of places) await keep(ctx, place);
      const erase = (before: number) =>
        ctx.db.transaction((tx) => ctx.vault.eraseTransactionCards(tx, instant(before), 1));
      assert.equal(await erase(now - 60_000), 0);
      assert.equal(await erase(now + 60_000), 1);
      assert.equal(await erase(now + 60_000), 1);
      assert.equal(await erase(now + 60_000), 0);
      for (const place of places) {
        assert.equal(await read(ctx, place), undefined);
        assert.deepEqual(await audited(place), [{ act: "number_erased", detail: "transaction_card" }]);
      }
      assert.equal(await read(ctx, instrument), NUMBER);
    }));

  test("the use is on record before the number is given away", () =>
    inContext(database, async (ctx) => {
      const place = await keep(ctx, newPlace());
      const failing = ctx.vault.use(ctx.db, place, USE, async () => {
        assert.equal((await audited(place)).length, 1);
        throw new Error("the bank is away");
      });
      await assert.rejects(failing, /the bank is away/);
    }));

  test("nothing is kept when the transaction rolls back", () =>
    inContext(database, async (ctx) => {
      const place = newPlace();
      const failing = ctx.db.transaction(async (tx) => {
        await ctx.vault.keep(tx, place, NUMBER);
        throw new Error("no");
      });
      await assert.rejects(failing, /^Error: no$/);
      assert.equal(await read(ctx, place), undefined);
      assert.deepEqual(await audited(place), []);
    }));

  test("what was erased is gone at once, and that is on record", () =>
    inContext(database, async (ctx) => {
      const [place, stays] = [await keep(ctx, newPlace()), await keep(ctx, newPlace())];
      await ctx.db.transaction((tx) => ctx.vault.erase(tx, place));
      let ran = false;
      const used = await ctx.vault.use(ctx.db, place, USE, async () => {
        ran = true;
      });
      assert.deepEqual([used, ran], [undefined, false]);
      const rows = await database.rows("select from vault_secrets where instrument_id = $1", [
        place.instrumentId,
      ]);
      assert.equal(rows.length, 0);
      assert.deepEqual(await audited(place), [{ act: "number_erased", detail: "card_number" }]);
      assert.deepEqual(
        await ctx.vault
          .findSame(ctx.db, merchantId, "card_number", NUMBER)
          .then((ids) => ids.some((id) => id === place.instrumentId)),
        false,
      );
      assert.equal(await read(ctx, stays), NUMBER);
    }));

  test("the same number is found again, for the same merchant and kind alone", () =>
    inContext(database, async (ctx) => {
      const number = "5555555555554444";
      const [one, two] = [await keep(ctx, newPlace(), number), await keep(ctx, newPlace(), number)];
      const account = await keep(ctx, newPlace({ field: "account_number" }), number);
      const foreign = await keep(ctx, newPlace({ merchantId: otherId }), number);
      const find = (id: Id<"merchant">, field: SecretPlace["field"], text = number) =>
        ctx.vault.findSame(ctx.db, id, field, text);
      assert.deepEqual(await find(merchantId, "card_number"), [one.instrumentId, two.instrumentId]);
      assert.deepEqual(await find(merchantId, "account_number"), [account.instrumentId]);
      assert.deepEqual(await find(otherId, "card_number"), [foreign.instrumentId]);
      assert.deepEqual(await find(merchantId, "card_number", "5555555555554445"), []);
    }));

  test("one number kept twice has two different ciphertexts", () =>
    inContext(database, async (ctx) => {
      const places = [await keep(ctx, newPlace()), await keep(ctx, newPlace())];
      const rows = await database.rows<{ nonce: Buffer; ciphertext: Buffer }>(
        "select nonce, ciphertext from vault_secrets where instrument_id = any($1)",
        [places.map(({ instrumentId }) => instrumentId)],
      );
      assert.equal(new Set(rows.map(({ nonce }) => nonce.toString("hex"))).size, 2);
      assert.equal(new Set(rows.map(({ ciphertext }) => ciphertext.toString("hex"))).size, 2);
    }));

  test("a place is written once", () =>
    inContext(database, async (ctx) => {
      const place = await keep(ctx, newPlace());
      await assert.rejects(keep(ctx, place, "378282246310005"));
      assert.equal(await read(ctx, place), NUMBER);
    }));

  test("a number has 1 to 256 bytes", () =>
    inContext(database, async (ctx) => {
      for (const text of ["1", "9".repeat(256)])
        assert.equal(await read(ctx, await keep(ctx, newPlace(), text)), text);
      for (const text of ["", "9".repeat(257)]) await assert.rejects(keep(ctx, newPlace(), text), RangeError);
    }));

  test("each merchant has keys of its own, and those for fingerprints are others", () =>
    inContext(database, async (ctx) => {
      await keep(ctx, newPlace());
      await keep(ctx, newPlace({ merchantId: otherId }));
      const rows = await database.rows(
        "select merchant_id, purpose from vault_keys where merchant_id is not null and retired_at is null",
      );
      assert.equal(rows.length, 4);
      const used = await database.rows(
        "select distinct merchant_id, key_id, fingerprint_key_id from vault_secrets",
      );
      assert.equal(used.length, 2);
      assert.equal(new Set(used.flatMap((row) => [row["key_id"], row["fingerprint_key_id"]])).size, 4);
    }));

  test("many first numbers of a merchant at once share one key", () =>
    inContext(database, async (ctx) => {
      const { id } = await makeMerchant(database, "sandbox", "AU");
      const places = Array.from({ length: 12 }, () => newPlace({ merchantId: id as Id<"merchant"> }));
      await Promise.all(places.map((place) => keep(ctx, place)));
      for (const place of places) assert.equal(await read(ctx, place), NUMBER);
      const keys = await database.rows("select from vault_keys where merchant_id = $1", [id]);
      assert.equal(keys.length, 2);
    }));
});

describe("I16: swapped or changed ciphertext fails closed, with an audit row", () => {
  async function assertUnreadable(ctx: Context, place: SecretPlace): Promise<void> {
    let ran = false;
    const used = ctx.vault.use(ctx.db, place, USE, async () => {
      ran = true;
    });
    await assert.rejects(used, SecretUnreadable);
    assert.equal(ran, false);
    assert.equal((await audited(place)).at(-1)?.act, "number_unreadable");
  }

  const CHANGES: Readonly<Record<string, string>> = {
    "a bit of the ciphertext": "ciphertext = set_byte(ciphertext, 3, get_byte(ciphertext, 3) # 1)",
    "a bit of the tag":
      "ciphertext = set_byte(ciphertext, length(ciphertext) - 1, get_byte(ciphertext, length(ciphertext) - 1) # 128)",
    "a bit of the nonce": "nonce = set_byte(nonce, 0, get_byte(nonce, 0) # 1)",
    "the length": "ciphertext = substr(ciphertext, 2)",
    "the field": "field = 'account_number'",
  };
  for (const [what, change] of Object.entries(CHANGES)) {
    test(`when ${what} is another`, () =>
      inContext(database, async (ctx) => {
        const [place, twin] = [await keep(ctx, newPlace()), await keep(ctx, newPlace())];
        await database.rows(`update vault_secrets set ${change} where instrument_id = $1`, [
          place.instrumentId,
        ]);
        await assertUnreadable(ctx, what === "the field" ? { ...place, field: "account_number" } : place);
        assert.equal(await read(ctx, twin), NUMBER);
      }));
  }

  test("when the ciphertexts of two instruments are swapped", () =>
    inContext(database, async (ctx) => {
      const [one, other] = [await keep(ctx, newPlace()), await keep(ctx, newPlace(), "378282246310005")];
      await database.rows(
        `update vault_secrets a set nonce = b.nonce, ciphertext = b.ciphertext from vault_secrets b
         where a.instrument_id = any($1) and b.instrument_id = any($1) and a.instrument_id <> b.instrument_id`,
        [[one.instrumentId, other.instrumentId]],
      );
      await assertUnreadable(ctx, one);
      await assertUnreadable(ctx, other);
    }));

  test("when a row is given to another merchant, with its key", () =>
    inContext(database, async (ctx) => {
      const place = await keep(ctx, newPlace());
      await database.rows("update vault_secrets set merchant_id = $2 where instrument_id = $1", [
        place.instrumentId,
        otherId,
      ]);
      await assertUnreadable(ctx, { ...place, merchantId: otherId });
    }));

  test("when the wrapped key is another merchant's", () =>
    inContext(database, async (ctx) => {
      const { id } = await makeMerchant(database, "sandbox", "AU");
      const place = await keep(ctx, newPlace({ merchantId: id as Id<"merchant"> }));
      await keep(ctx, newPlace({ merchantId: otherId }));
      await database.rows(
        `update vault_keys k set wrapped = o.wrapped from vault_keys o
         where k.merchant_id = $1 and o.merchant_id = $2 and k.purpose = 'data' and o.purpose = 'data'`,
        [id, otherId],
      );
      // Another node, which has not seen the right one yet.
      await inContext(database, (fresh) => assertUnreadable(fresh, place));
    }));
});
