import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { type Id, newId } from "../../src/kernel/ids.ts";
import { instant } from "../../src/kernel/time.ts";
import type { SecretPlace } from "../../src/platform/vault/queries.ts";
import { rotateKeys } from "../../src/platform/vault/rotation/rotate-keys.ts";
import {
  canaryCard,
  findInDatabaseFiles,
  findInFolder,
  findInTables,
  findInText,
  formsOf,
  secretsOf,
} from "../support/canary.ts";
import { answerChallenge, callApi, getTransaction, ok, openFrame } from "../support/checkout.ts";
import { runCommand } from "../support/command-line.ts";
import { cloneDatabase, type TestDatabase } from "../support/database.ts";
import { runSettlements } from "../support/debits.ts";
import { eventually } from "../support/eventually.ts";
import type { Answer } from "../support/gateway.ts";
import { type GatewayProcess, startGatewayProcess } from "../support/gateway-process.ts";
import { inContext } from "../support/operator.ts";
import { chargeOf, storedCard } from "../support/stored-cards.ts";

describe("the canary scan finds what is planted", () => {
  const number = canaryCard();
  const forms = formsOf(number);

  test("a number is looked for in all the forms that PROOF I15 names", () => {
    const names = forms.map(({ name }) => name).join("; ");
    for (const form of [
      "raw",
      "spaced",
      "hyphenated",
      "base64 at 0",
      "base64 at 1",
      "base64 at 2",
      "hex",
      "UTF-16 LE",
      "UTF-16 BE",
    ]) {
      assert.ok(names.includes(form), form);
    }
  });

  test("each form is found in a text, and a text without it is not", () => {
    for (const { name, bytes } of forms) {
      const text = Buffer.concat([Buffer.from("before "), bytes, Buffer.from(" after")]);
      assert.ok(
        findInText("text", text, forms).some(({ form }) => form === name),
        name,
      );
      const cut = Buffer.concat([Buffer.from("before "), bytes.subarray(1), Buffer.from(" after")]);
      assert.deepEqual(findInText("text", cut, [{ name, bytes }]), [], name);
    }
    const others = `${canaryCard()} XXXX-${number.slice(-4)} ${Buffer.from(canaryCard()).toString("base64")}`;
    assert.deepEqual(findInText("text", others, secretsOf(number)), []);
  });

  test("base64 of a longer text is found wherever the number begins", () => {
    for (let before = 0; before < 7; before += 1) {
      const text = Buffer.from(`${"x".repeat(before)}${number}{"more":1}`);
      assert.ok(findInText("text", text.toString("base64"), forms).length > 0, `${before} before`);
      assert.ok(
        findInText("text", text.toString("base64url"), forms).length > 0,
        `${before} before, for URLs`,
      );
    }
  });

  test("a number without its end is found by what is left of it", () => {
    assert.ok(findInText("text", `seen ${number.slice(0, -4)}`, secretsOf(number)).length > 0);
    assert.deepEqual(
      findInText("text", `seen ${number.slice(0, 6)}XXXXXX${number.slice(-4)}`, secretsOf(number)),
      [],
    );
  });

  test("in a file of any folder", async (t) => {
    const folder = await mkdtemp(join(tmpdir(), "tidegate-canary-"));
    t.after(() => rm(folder, { recursive: true }));
    await writeFile(join(folder, "clean"), "nothing here");
    assert.deepEqual(await findInFolder(folder, forms), []);
    await writeFile(join(folder, "dirty"), `paid with ${number}`);
    assert.deepEqual(await findInFolder(folder, forms), [{ where: "dirty", form: "raw" }]);
  });
});

describe("I15: no card or account number is in the clear in database, files, logs, events or answers", () => {
  const [checkout, kept, erased] = [canaryCard(), canaryCard("5555"), canaryCard("37", 15)];
  const account = `123140${canaryCard("0", 7)}050`;
  const secrets = [checkout, kept, erased, account].flatMap(secretsOf);
  const answers: Answer[] = [];
  const said: string[] = [];
  let database: TestDatabase;
  let gateway: GatewayProcess;

  async function noted(answer: Promise<Answer>): Promise<Answer> {
    answers.push(await answer);
    return answer;
  }

  async function payWithIt(): Promise<void> {
    const card = { number: checkout, securityCode: "739" };
    for (const amount of [3000, 14_451, 14_482]) {
      const frame = await openFrame(gateway.shop, { amount });
      ok(await noted(frame.pay({ card })));
    }
    const secure = await openFrame(gateway.shop, {
      amount: 14_418,
      category: { authenticationType: "3d_secure" },
    });
    const { challenge } = ok(await noted(secure.pay({ card })));
    await noted(answerChallenge(gateway.shop, challenge.url, "approve"));
    await noted(secure.continue(challenge.sealed));
    const refused = await openFrame(gateway.shop);
    await noted(refused.pay({ card: { ...card, expiryMonth: 13 } }));
    await noted(refused.pay({ card: { ...card, name: checkout } }));
    const wish = { customerRequest: { name: "Canary Bird" } };
    const stored = await storedCard(gateway.shop, wish, { card });
    for (const charge of [{}, { cvn: "739" }, { amount: 14_451 }, { amount: 14_482 }, { amount: 14_481 }]) {
      ok(await noted(callApi(gateway.shop, "POST", "/transactions", chargeOf(stored, charge))));
    }
  }

  async function storeAccount(): Promise<void> {
    const { shop } = gateway;
    const customer = ok(
      await noted(callApi(shop, "POST", "/customers", { name: "Canary Bird", email: "c@example.com" })),
    );
    const all = `/customers/${customer.id}/paymentinstruments`;
    const bankAccount = { accountName: "Canary Bird", number: account };
    const made = ok(await noted(callApi(shop, "POST", all, { bankAccount })));
    await noted(callApi(shop, "POST", all, { bankAccount: { ...bankAccount, bsb: account } }));
    await noted(callApi(shop, "POST", all, { bankAccount, card: { number: account } }));
    await noted(callApi(shop, "GET", all));
    const one = `${all}/${made.id}`;
    await noted(callApi(shop, "GET", one));
    await noted(callApi(shop, "PUT", one, { reference: "mine" }));
    ok(await noted(callApi(shop, "POST", all, { bankAccount })));
    const stored = { id: customer.id, paymentInstrumentId: made.id };
    const charge = chargeOf(stored, { currencyCode: "NZD" });
    const { id } = ok(await noted(callApi(shop, "POST", "/transactions", charge)));
    await eventually("the debit is settled", async () => {
      await runSettlements(shop);
      return (await getTransaction(shop, id)).result.status === "approved";
    });
    await noted(callApi(shop, "DELETE", one));
  }

  async function useVault(): Promise<void> {
    const [merchant] = await database.rows<{ id: Id<"merchant"> }>("select id from merchants");
    assert.ok(merchant !== undefined);
    await inContext(database, async (ctx) => {
      const at = () => newId("paymentInstrument", instant(Date.now()));
      for (const number of [kept, erased]) {
        const place: SecretPlace = { merchantId: merchant.id, instrumentId: at(), field: "card_number" };
        const { db, vault } = ctx;
        await db.transaction((tx) => vault.keep(tx, place, number));
        const use = { purpose: "charge", subjectId: "txn_1" } as const;
        assert.equal(await vault.use(db, place, use, async (text) => text), number);
        await vault.use(db, place, use, () => Promise.reject(new Error("away"))).catch(() => {});
        assert.equal((await vault.findSame(db, merchant.id, "card_number", number)).length, 1);
        if (number === erased) await db.transaction((tx) => vault.erase(tx, place));
        // One that can't be read is told of without being shown.
        const spoilt = { ...place, instrumentId: at() };
        await db.transaction((tx) => vault.keep(tx, spoilt, number));
        await database.rows(
          "update vault_secrets set nonce = substr(sha256(nonce), 1, 12) where instrument_id = $1",
          [spoilt.instrumentId],
        );
        await vault.use(db, spoilt, use, async () => {}).catch((error: unknown) => said.push(String(error)));
        await db.transaction((tx) => vault.erase(tx, spoilt));
      }
      await rotateKeys(ctx, () => {});
    });
    for (const words of [
      ["vault", "rotate"],
      ["vault", "status", "--json"],
      ["audit", "verify"],
    ]) {
      const { code, stdout, stderr } = await runCommand(database, words);
      assert.equal(code, 0, stderr);
      said.push(stdout, stderr);
    }
  }

  before(async () => {
    database = await cloneDatabase();
    gateway = await startGatewayProcess(database, undefined, { TIDEGATE_LOG_LEVEL: "debug" });
    await payWithIt();
    await storeAccount();
    await useVault();
    for (const path of ["/events?limit=100", "/transactions?limit=100", "/customers?limit=100"]) {
      const answer = ok(await noted(callApi(gateway.shop, "GET", path)));
      assert.ok(answer.count > 0, path);
    }
    await eventually("the log has it all", async () => gateway.log().includes('"route":"/customers"'));
  });
  after(async () => {
    await gateway.kill();
    await database.drop();
  });

  test("not in a dump of all tables", async () => {
    assert.deepEqual(await findInTables(database, secrets), []);
    assert.ok((await findInTables(database, formsOf("Canary Bird"))).length > 1, "the twin is there");
  });

  test("not in the server's files, its write-ahead log and its logs", async () => {
    assert.deepEqual(await findInDatabaseFiles(database, secrets), []);
    const there = await findInDatabaseFiles(database, [{ name: "twin", bytes: Buffer.from("Canary Bird") }]);
    for (const place of ["/base/", "/pg_wal/"]) {
      assert.ok(
        there.some(({ where }) => where.includes(place)),
        `the twin is in ${place}`,
      );
    }
  });

  test("not in answers, headers, events, and what commands and errors say", () => {
    const texts = answers.map(({ body, headers }) => JSON.stringify([body, [...headers]]));
    assert.deepEqual(findInText("answers", texts.join("\n"), secrets), []);
    assert.deepEqual(findInText("commands", said.join("\n"), secrets), []);
    assert.ok(texts.join("").includes("Canary Bird"), "the twin is there");
    assert.match(said.join("\n"), /can't be read/);
  });

  test("not in the gateway's log", () => {
    assert.deepEqual(findInText("log", gateway.log(), secrets), []);
    assert.match(gateway.log(), /"route":"\/checkout\/pay"/);
  });

  test("planted in a table of this very database, it is found in the dump, the files and the log of changes", async () => {
    await database.rows("create table planted (number text)");
    await database.rows("insert into planted values ($1)", [kept]);
    assert.deepEqual(
      (await findInTables(database, secretsOf(kept))).map(({ where }) => where),
      ["public.planted", "public.planted"],
    );
    const places = (await findInDatabaseFiles(database, formsOf(kept))).map(({ where }) => where);
    for (const place of ["/base/", "/pg_wal/"])
      assert.ok(
        places.some((where) => where.includes(place)),
        place,
      );
  });
});
