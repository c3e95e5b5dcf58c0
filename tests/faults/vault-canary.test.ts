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
  type Finding,
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

/** The scan begins with a checkpoint; tests beside it may write so much that the part of the log is gone by then. */
function foundInBoth(what: string, writeAndScan: () => Promise<readonly Finding[]>): Promise<true> {
  return eventually(
    `${what} is found in the tables' files and in the write-ahead log`,
    async () => {
      const places = await writeAndScan();
      return ["/base/", "/pg_wal/"].every((place) => places.some(({ where }) => where.includes(place)));
    },
    150_000,
  );
}

describe("the canary scan finds planted numbers", () => {
  const number = canaryCard();
  const forms = formsOf(number);

  test("searches for every form of a number that PROOF I15 names", () => {
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

  test("finds each form in a text, and nothing in a text without it", () => {
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

  test("finds the number in base64 of a longer text, at any offset", () => {
    for (let before = 0; before < 7; before += 1) {
      const text = Buffer.from(`${"x".repeat(before)}${number}{"more":1}`);
      assert.ok(findInText("text", text.toString("base64"), forms).length > 0, `${before} before`);
      assert.ok(
        findInText("text", text.toString("base64url"), forms).length > 0,
        `${before} before, for URLs`,
      );
    }
  });

  test("finds a number without its last four digits", () => {
    assert.ok(findInText("text", `seen ${number.slice(0, -4)}`, secretsOf(number)).length > 0);
    assert.deepEqual(
      findInText("text", `seen ${number.slice(0, 6)}XXXXXX${number.slice(-4)}`, secretsOf(number)),
      [],
    );
  });

  test("finds a number in a file of a folder", async (t) => {
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
  const outputs: string[] = [];
  let database: TestDatabase;
  let gateway: GatewayProcess;

  async function record(answer: Promise<Answer>): Promise<Answer> {
    answers.push(await answer);
    return answer;
  }

  async function payWithCanary(): Promise<void> {
    const card = { number: checkout, securityCode: "739" };
    for (const amount of [3000, 14_451, 14_482]) {
      const frame = await openFrame(gateway.shop, { amount });
      ok(await record(frame.pay({ card })));
    }
    const secure = await openFrame(gateway.shop, {
      amount: 14_418,
      category: { authenticationType: "3d_secure" },
    });
    const { challenge } = ok(await record(secure.pay({ card })));
    await record(answerChallenge(gateway.shop, challenge.url, "approve"));
    await record(secure.continue(challenge.sealed));
    const refused = await openFrame(gateway.shop);
    await record(refused.pay({ card: { ...card, expiryMonth: 13 } }));
    await record(refused.pay({ card: { ...card, name: checkout } }));
    const options = { customerRequest: { name: "Canary Bird" } };
    const stored = await storedCard(gateway.shop, options, { card });
    for (const charge of [{}, { cvn: "739" }, { amount: 14_451 }, { amount: 14_482 }, { amount: 14_481 }]) {
      ok(await record(callApi(gateway.shop, "POST", "/transactions", chargeOf(stored, charge))));
    }
  }

  async function storeAccount(): Promise<void> {
    const { shop } = gateway;
    const customer = ok(
      await record(callApi(shop, "POST", "/customers", { name: "Canary Bird", email: "c@example.com" })),
    );
    const all = `/customers/${customer.id}/paymentinstruments`;
    const bankAccount = { accountName: "Canary Bird", number: account };
    const made = ok(await record(callApi(shop, "POST", all, { bankAccount })));
    await record(callApi(shop, "POST", all, { bankAccount: { ...bankAccount, bsb: account } }));
    await record(callApi(shop, "POST", all, { bankAccount, card: { number: account } }));
    await record(callApi(shop, "GET", all));
    const one = `${all}/${made.id}`;
    await record(callApi(shop, "GET", one));
    await record(callApi(shop, "PUT", one, { reference: "mine" }));
    ok(await record(callApi(shop, "POST", all, { bankAccount })));
    const stored = { id: customer.id, paymentInstrumentId: made.id };
    const charge = chargeOf(stored, { currencyCode: "NZD" });
    const { id } = ok(await record(callApi(shop, "POST", "/transactions", charge)));
    await eventually("the debit is settled", async () => {
      await runSettlements(shop);
      return (await getTransaction(shop, id)).result.status === "approved";
    });
    await record(callApi(shop, "DELETE", one));
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
        await vault.use(db, place, use, () => Promise.reject(new Error("unavailable"))).catch(() => {});
        assert.equal((await vault.findSame(db, merchant.id, "card_number", number)).length, 1);
        if (number === erased) await db.transaction((tx) => vault.erase(tx, place));
        // The error about an unreadable number does not show it.
        const corrupted = { ...place, instrumentId: at() };
        await db.transaction((tx) => vault.keep(tx, corrupted, number));
        await database.rows(
          "update vault_secrets set nonce = substr(sha256(nonce), 1, 12) where instrument_id = $1",
          [corrupted.instrumentId],
        );
        await vault
          .use(db, corrupted, use, async () => {})
          .catch((error: unknown) => outputs.push(String(error)));
        await db.transaction((tx) => vault.erase(tx, corrupted));
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
      outputs.push(stdout, stderr);
    }
  }

  before(async () => {
    database = await cloneDatabase();
    gateway = await startGatewayProcess(database, undefined, { TIDEGATE_LOG_LEVEL: "debug" });
    await payWithCanary();
    await storeAccount();
    await useVault();
    for (const path of ["/events?limit=100", "/transactions?limit=100", "/customers?limit=100"]) {
      const answer = ok(await record(callApi(gateway.shop, "GET", path)));
      assert.ok(answer.count > 0, path);
    }
    await eventually("the log is complete", async () => gateway.log().includes('"route":"/customers"'));
  });
  after(async () => {
    await gateway.kill();
    await database.drop();
  });

  test("a dump of all tables shows none", async () => {
    assert.deepEqual(await findInTables(database, secrets), []);
    assert.ok(
      (await findInTables(database, formsOf("Canary Bird"))).length > 1,
      "the customer's name is found",
    );
  });

  test("the server's files, write-ahead log and logs show none", async () => {
    assert.deepEqual(await findInDatabaseFiles(database, secrets), []);
    await foundInBoth("the customer's name", async () => {
      // An insert: of an update the log has only what changed, and what tests wrote before may be gone.
      await database.rows(
        `insert into customers (merchant_id, id, reference, name, created_at, updated_at)
         select merchant_id, $1, 'canary', name, now(), now() from customers where name = 'Canary Bird' limit 1`,
        [newId("customer", instant(Date.now()))],
      );
      return findInDatabaseFiles(database, [{ name: "name", bytes: Buffer.from("Canary Bird") }]);
    });
  });

  test("answers, headers, events, commands and errors show none", () => {
    const texts = answers.map(({ body, headers }) => JSON.stringify([body, [...headers]]));
    assert.deepEqual(findInText("answers", texts.join("\n"), secrets), []);
    assert.deepEqual(findInText("commands", outputs.join("\n"), secrets), []);
    assert.ok(texts.join("").includes("Canary Bird"), "the customer's name is found");
    assert.match(outputs.join("\n"), /can't be read/);
  });

  test("the gateway's log shows none", () => {
    assert.deepEqual(findInText("log", gateway.log(), secrets), []);
    assert.match(gateway.log(), /"route":"\/checkout\/pay"/);
  });

  test("a number planted in this database is found in the dump, the files and the write-ahead log", async () => {
    await database.rows("create table planted (number text)");
    const plant = () => database.rows("insert into planted values ($1)", [kept]);
    await plant();
    assert.deepEqual(
      (await findInTables(database, secretsOf(kept))).map(({ where }) => where),
      ["public.planted", "public.planted"],
    );
    await foundInBoth("the planted number", async () => {
      await plant();
      return findInDatabaseFiles(database, formsOf(kept));
    });
  });
});
