import assert from "node:assert/strict";
import { createDecipheriv } from "node:crypto";
import { after, before, describe, test } from "node:test";
import fc from "fast-check";
import { cloneDatabase, type TestDatabase } from "../../../tests/support/database.ts";
import { DAY, instant, later, MINUTE } from "../../kernel/time.ts";
import { readSettings } from "../config/settings.ts";
import { type Database, openDatabase } from "../db/database.ts";
import { openVault } from "../vault/open-vault.ts";
import { createSealedTexts } from "../vault/sealed-texts.ts";
import { createVaultKeys } from "../vault/vault-keys.ts";
import { forgetOldSealingKeys, type SealPlace, seal, unseal } from "./seal.ts";

const NOW = instant(Date.UTC(2026, 5, 15));
const SOON = later(NOW, 60_000);
const TEXT = '{"number":"4111111111111111"}';

describe("CONTRACT 6: what the payer's frame holds across a challenge is sealed", () => {
  let place: TestDatabase;
  let db: Database;
  let keys: SealPlace;
  /** The vault's own time, which limits how long it keeps keys unwrapped in memory. */
  let vaultTime = NOW;
  before(async () => {
    place = await cloneDatabase();
    db = openDatabase({ url: place.url, poolSize: 2, preparedStatements: true, onIdleError: () => {} });
    const vaultKeys = createVaultKeys({
      settings: readSettings({}),
      isLiveMerchant: async () => false,
      now: () => vaultTime,
    });
    await openVault(db, vaultKeys, () => NOW);
    keys = { db, sealedTexts: createSealedTexts(vaultKeys) };
  });
  after(async () => {
    await db.close();
    await place.drop();
  });

  const sealIt = (text = TEXT, now = NOW) => seal(keys, text, "txn_1", { now, until: later(now, 60_000) });
  const open = (sealed: string, purpose = "txn_1", now = NOW) => unseal(keys, sealed, purpose, now);

  test("any text comes back as it was", async () => {
    for (const text of [TEXT, "", "ü😀\u0000", "x".repeat(3000)]) {
      assert.equal(await open(await sealIt(text)), text);
    }
  });

  test("it cannot be read, and no two are alike", async () => {
    const [one, other] = [await sealIt(), await sealIt()];
    assert.notEqual(one, other);
    for (const part of one.split(".")) {
      assert.doesNotMatch(Buffer.from(part, "base64url").toString("latin1") + part, /4111|number/);
    }
  });

  test("it opens for its purpose alone", async () => {
    const sealed = await sealIt();
    for (const purpose of ["txn_2", "", "txn_1 ", "txn_1|"])
      assert.equal(await open(sealed, purpose), undefined);
    assert.equal(await open(sealed), TEXT);
  });

  test("it opens until its time, and not at it", async () => {
    const sealed = await sealIt();
    assert.equal(await open(sealed, "txn_1", later(SOON, -1)), TEXT);
    assert.equal(await open(sealed, "txn_1", SOON), undefined);
    const [id, , iv, body] = sealed.split(".");
    assert.equal(await open([id, later(NOW, DAY), iv, body].join(".")), undefined);
  });

  test("when any one character is another, is missing or is added, it does not open", async () => {
    const sealed = await sealIt();
    for (let place = 0; place < sealed.length; place += 1) {
      const [head, tail] = [sealed.slice(0, place), sealed.slice(place + 1)];
      const changed = sealed[place] === "A" ? "B" : "A";
      assert.equal(await open(head + changed + tail), undefined, `changed at ${place}`);
      assert.equal(await open(head + tail), undefined, `cut at ${place}`);
      assert.equal(await open(`${head}=${sealed.slice(place)}`), undefined, `added at ${place}`);
    }
    assert.equal(await open(`${sealed}.`), undefined);
    assert.equal(await open(sealed), TEXT);
  });

  test("when parts of two are put together, it does not open", async () => {
    const [one, other] = [(await sealIt()).split("."), (await sealIt("other")).split(".")];
    for (let part = 2; part < 4; part += 1) {
      assert.equal(await open(one.with(part, other[part] ?? "").join(".")), undefined);
    }
  });

  test("when the key is another one, or gone, it does not open", async () => {
    const sealed = await sealIt();
    const [mine] = await place.rows<{ key: string }>("select sealed_key as key from sealing_keys");
    assert.ok(mine);
    await sealIt(TEXT, later(NOW, 10 * DAY));
    // Another key that this vault sealed itself: it opens for its own row alone.
    await place.rows(
      "update sealing_keys set sealed_key = (select sealed_key from sealing_keys order by created_at desc limit 1)",
    );
    assert.equal(await open(sealed), undefined);
    await place.rows("update sealing_keys set sealed_key = $1", [mine.key]);
    assert.equal(await open(sealed), TEXT);
    await place.rows("delete from sealing_keys");
    assert.equal(await open(sealed), undefined);
  });

  test("a copy of the database does not open it: its key lies there sealed", async () => {
    const sealed = await sealIt();
    const [id = ""] = sealed.split(".");
    const [row] = await place.rows<{ key: string }>(
      "select sealed_key as key from sealing_keys where id = $1",
      [id],
    );
    const parts = (row?.key ?? "").split(".").map((part) => Buffer.from(part, "base64url"));
    const [, until = "", iv = "", body = ""] = sealed.split(".");
    const bytes = Buffer.from(body, "base64url");
    for (const part of parts.filter(({ length }) => length >= 32)) {
      for (let from = 0; from + 32 <= part.length; from += 1) {
        const guess = createDecipheriv(
          "aes-256-gcm",
          part.subarray(from, from + 32),
          Buffer.from(iv, "base64url"),
        );
        guess.setAAD(Buffer.from(`${id}|${until}|txn_1`)).setAuthTag(bytes.subarray(-16));
        guess.update(bytes.subarray(0, -16));
        assert.throws(() => guess.final());
      }
    }
    assert.equal(await open(sealed), TEXT);
  });

  test("when the vault's key is not at hand, nothing old opens, and a new key seals", async () => {
    const sealed = await sealIt();
    await place.rows("update sealing_keys set sealed_key = 'gone'");
    assert.equal(await open(sealed), undefined);
    const fresh = await sealIt();
    assert.notEqual(fresh.split(".")[0], sealed.split(".")[0]);
    assert.equal(await open(fresh), TEXT);
  });

  test("whatever is given to be opened, it never throws", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "binary", maxLength: 80 }), async (text) => {
        assert.equal(await open(text), undefined);
      }),
      { numRuns: 200 },
    );
    const [id] = (await sealIt()).split(".");
    for (const sealed of ["", "....", `${id}.1.AAAA.AAAA`, `${id}.999999999999999..`, `\u0000.${SOON}.A.A`]) {
      assert.equal(await open(sealed), undefined);
    }
  });

  test("a key seals for a day, also beside merchants whose clocks are ahead", async () => {
    await place.rows("delete from sealing_keys");
    const keyOf = async (now: typeof NOW) => (await sealIt(TEXT, now)).split(".")[0];
    const first = await keyOf(NOW);
    assert.equal(await keyOf(later(NOW, DAY - 1)), first);
    const ahead = await keyOf(later(NOW, 400 * DAY));
    assert.notEqual(ahead, first);
    assert.equal(await keyOf(later(NOW, 1)), first);
    const next = await keyOf(later(NOW, DAY));
    assert.ok(next !== first && next !== ahead);
    assert.equal((await place.rows("select from sealing_keys")).length, 3);
  });

  test("it opens, too, after the keys in memory were forgotten and others were sealed meanwhile", async () => {
    const sealed = await sealIt();
    assert.equal(await open(sealed), TEXT);
    vaultTime = later(vaultTime, 5 * MINUTE);
    const afterDays = later(NOW, 3 * DAY);
    const other = await sealIt(TEXT, afterDays);
    assert.equal(await open(sealed), TEXT);
    assert.equal(await open(other, "txn_1", afterDays), TEXT);
  });

  test("nothing is sealed for longer than a day", async () => {
    assert.ok(await seal(keys, TEXT, "txn_1", { now: NOW, until: later(NOW, DAY) }));
    await assert.rejects(seal(keys, TEXT, "txn_1", { now: NOW, until: later(NOW, DAY + 1) }));
  });

  test("a key is forgotten when nothing that it sealed can be open any more, and not before", async () => {
    await place.rows("delete from sealing_keys");
    await sealIt();
    // The last thing that the key seals, for as long as anything is sealed.
    const sealedAt = later(NOW, DAY - 1);
    const last = await seal(keys, TEXT, "txn_1", { now: sealedAt, until: later(sealedAt, DAY) });
    const lastMoment = later(sealedAt, DAY - 1);
    await forgetOldSealingKeys(db, lastMoment);
    assert.equal(await open(last, "txn_1", lastMoment), TEXT);
    await forgetOldSealingKeys(db, later(NOW, 2 * DAY));
    assert.equal((await place.rows("select from sealing_keys")).length, 1);
    await forgetOldSealingKeys(db, later(NOW, 2 * DAY + 1));
    assert.equal((await place.rows("select from sealing_keys")).length, 0);
  });
});
