import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, beforeEach, describe, test } from "node:test";
import { operatorMessage } from "../../src/app/operator-message.ts";
import type { Context } from "../../src/platform/context.ts";
import { callApi, shopOf } from "../support/checkout.ts";
import { runCommand } from "../support/command-line.ts";
import { cloneDatabase, type TestDatabase } from "../support/database.ts";
import { openFakeTransit } from "../support/fake-transit.ts";
import { startTestGateway } from "../support/gateway.ts";
import { linesOf } from "../support/guide-blocks.ts";
import { startReceiver } from "../support/receiver.ts";
import { chargeOf, storedCard } from "../support/stored-cards.ts";
import { typeAlone, wordsOf } from "../support/typed-command.ts";

const newKey = () => randomBytes(32).toString("base64");

let folder: string;
let database: TestDatabase;
const leftovers: (() => Promise<void>)[] = [];
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "tidegate-holders-"));
});
beforeEach(async () => {
  database = await cloneDatabase();
  leftovers.push(database.drop);
});
after(async () => {
  for (const clear of leftovers) await clear();
  await rm(folder, { recursive: true, force: true });
});

type Environment = Readonly<Record<string, string>>;

const start = (environment: Environment, wrapContext?: (ctx: Context) => Context) =>
  startTestGateway({
    database,
    environment: { TIDEGATE_VAULT_KEY: "", TIDEGATE_DATA_DIR: folder, ...environment },
    ...(wrapContext && { wrapContext }),
  });

const refusal = (environment: Environment) =>
  start(environment).then(
    async (gateway) => {
      await gateway.stop();
      return undefined;
    },
    (error: unknown) => operatorMessage(error) ?? assert.fail(String(error)),
  );

describe("the master key in shares of custodians", () => {
  test("the command writes one file for each, prints check values only, and a start joins them", async () => {
    const into = await mkdtemp(join(folder, "ceremony-"));
    const [shown = assert.fail()] = await linesOf(
      "docs/guides/vault.md",
      "tests/faults/vault-key-holders.test.ts",
    );
    const [, , ...words] = wordsOf(shown.replace("/media/ceremony", into));
    const made = await runCommand(database, [...words, "--json"], {});
    assert.equal(made.code, 0, made.stderr);
    const { masterKey, shares } = JSON.parse(made.stdout);
    const files: string[] = shares.map((share: { file: string }) => share.file);
    assert.equal(files.length, 3);
    for (const [index, file] of files.entries()) {
      const text = await readFile(file, "utf8");
      assert.ok(text.trim().endsWith(` ${shares[index].checkValue}`));
      assert.equal((await stat(file)).mode & 0o777, 0o600);
      assert.ok(!made.stdout.includes(text.split(" ")[5] ?? "x"), "no share is printed");
    }
    assert.match((await runCommand(database, words, {})).stderr, /share-1-of-3.txt exists/);

    const named = { TIDEGATE_VAULT_KEY_SHARES: files.join(",") };
    const gateway = await start(named);
    const stored = await storedCard(shopOf(gateway));
    assert.equal((await callApi(shopOf(gateway), "POST", "/transactions", chargeOf(stored))).status, 200);
    await gateway.stop();
    const [master] = await database.rows<{ master_id: string }>("select master_id from vault_master");
    assert.equal(master?.master_id, masterKey);
    const reversed = { TIDEGATE_VAULT_KEY_SHARES: files.toReversed().join(",") };
    assert.equal(await refusal(reversed), undefined);

    const [first = "", second = "", third = ""] = files;
    const two = { TIDEGATE_VAULT_KEY_SHARES: `${first},${second}` };
    assert.match((await refusal(two)) ?? "", /TIDEGATE_VAULT_KEY_SHARES: 2 of 3 shares are there/);
    const twice = { TIDEGATE_VAULT_KEY_SHARES: `${first},${second},${second}` };
    assert.match((await refusal(twice)) ?? "", /a share is there twice/);
    const text = await readFile(third, "utf8");
    await chmod(third, 0o600);
    await writeFile(
      third,
      text.replace(/ (.)(\S{42}=) /, (_all, one, rest) => ` ${one === "A" ? "B" : "A"}${rest} `),
    );
    assert.match((await refusal(named)) ?? "", /line 1 of .*share-3.* was mistyped/);
    await writeFile(third, "");
    assert.match((await refusal(named)) ?? "", /2 of 3 shares are there/);
    await rm(third);
    assert.match((await refusal(named)) ?? "", /TIDEGATE_VAULT_KEY_SHARES can't be read \(ENOENT\)/);
  });

  test("if a file of a share exists, no share of the new key is left beside it", async () => {
    const into = await mkdtemp(join(folder, "ceremony-"));
    await writeFile(join(into, "share-2-of-3.txt"), "an earlier one");
    const words = ["vault", "key", "--shares", "3", "--into", into];
    await assert.rejects(typeAlone(...words), /share-2-of-3.txt exists; this command replaces no share/);
    assert.deepEqual(await readdir(into), ["share-2-of-3.txt"]);
    assert.equal(await readFile(join(into, "share-2-of-3.txt"), "utf8"), "an earlier one");
  });

  test("without a folder the shares are printed, each for one custodian", async () => {
    const { stdout } = await runCommand(database, ["vault", "key", "--shares", "2"], {});
    assert.equal(stdout.match(/^tidegate-share \d of 2 local-\w{16} \S{44} [0-9a-f]{6}$/gm)?.length, 2);
    for (const count of ["1", "10", "x"]) {
      await assert.rejects(
        typeAlone("vault", "key", "--shares", count),
        /--shares must be a whole number from 2 to 9/,
      );
    }
    for (const count of ["2", "9"]) {
      const { json } = await typeAlone("vault", "key", "--shares", count);
      assert.equal((json as { shares: readonly object[] }).shares.length, Number(count));
    }
  });
});

describe("only roles that need the vault hold its key", () => {
  const vault = { TIDEGATE_VAULT_KEY: newKey() };

  /** Nodes of a gateway whose texts have a key of their own. */
  async function proveSplit(full: Environment, webhooksOnly: Environment): Promise<void> {
    const others = { ...full, TIDEGATE_ROLES: "api,checkout,worker" };
    const receiver = await startReceiver();
    const gateway = await start(others);
    let context: Context | undefined;
    const deliverer = await start({ ...webhooksOnly, TIDEGATE_ROLES: "webhooks" }, (ctx) => {
      context = ctx;
      return ctx;
    });
    try {
      const shop = shopOf(gateway);
      const set = await callApi(shop, "POST", "/webhooks", { event: "*", url: receiver.url });
      assert.equal(set.status, 200, JSON.stringify(set.body));
      await storedCard(shop);
      await receiver.until(1);
      const ctx = context ?? assert.fail();
      const [secret] = await database.rows<{ merchant_id: string; instrument_id: string }>(
        "select merchant_id, instrument_id from vault_secrets",
      );
      const place = {
        merchantId: secret?.merchant_id,
        instrumentId: secret?.instrument_id,
        field: "card_number",
      } as Parameters<Context["vault"]["use"]>[1];
      const use = { purpose: "charge", subjectId: "txn_1" } as const;
      await assert.rejects(
        ctx.vault.use(ctx.db, place, use, async () => assert.fail("a number was read")),
        /this node holds no vault key, because its role webhooks needs none/,
      );
    } finally {
      await Promise.all([deliverer.stop(), gateway.stop(), receiver.close()]);
    }
  }

  test("a node with the role webhooks delivers with the key of texts alone, and refuses other work", async () => {
    const text = { TIDEGATE_TEXT_KEY: newKey() };
    await proveSplit({ ...vault, ...text }, text);
    const rotate = await runCommand(database, ["vault", "rotate"], { ...text, TIDEGATE_ROLES: "webhooks" });
    assert.deepEqual([rotate.code, /this node holds no vault key/.test(rotate.stderr)], [1, true]);
    const status = await runCommand(database, ["vault", "status"], { ...text, TIDEGATE_ROLES: "webhooks" });
    assert.equal(status.code, 0, status.stderr);
    assert.match(status.stdout, /from none: the roles of this node need no vault key/);
  });

  test("so does one whose token opens the text key of the key service only", async () => {
    const fake = await openFakeTransit();
    fake.makeKey("tidegate");
    fake.makeKey("texts");
    const [whole, part] = [join(folder, "whole"), join(folder, "part")];
    await writeFile(whole, fake.makeToken());
    await writeFile(part, fake.makeToken(["texts"]));
    const service = { TIDEGATE_TRANSIT_URL: fake.url, TIDEGATE_TRANSIT_TEXT_KEY: "texts" };
    await proveSplit(
      { ...service, TIDEGATE_TRANSIT_KEY: "tidegate", TIDEGATE_TRANSIT_TOKEN_FILE: whole },
      { ...service, TIDEGATE_TRANSIT_TOKEN_FILE: part },
    );
    await fake.close();
  });

  test("texts that the vault key wraps move to their own key by `vault rotate --master`", async () => {
    const text = { TIDEGATE_TEXT_KEY: newKey() };
    const gateway = await start(vault);
    await callApi(shopOf(gateway), "GET", "/webhooks/signingkey");
    await gateway.stop();
    const alone = { ...text, TIDEGATE_ROLES: "webhooks" };
    assert.match((await refusal(alone)) ?? "", /does not open what local-\w+ wraps: .*rotate --master/);
    const both = { ...vault, ...text };
    assert.equal(await refusal(both), undefined);
    const status = await runCommand(database, ["vault", "status", "--json"], both);
    assert.equal(JSON.parse(status.stdout).keys.byOtherMasters, 1);
    const moved = await runCommand(database, ["vault", "rotate", "--master", "--json"], both);
    assert.deepEqual([moved.code, JSON.parse(moved.stdout).rewrapped], [0, 1]);
    assert.equal(await refusal(alone), undefined);
    assert.equal(await refusal(both), undefined);
    assert.match(
      (await refusal({ ...alone, TIDEGATE_TEXT_KEY: newKey() })) ?? "",
      /key of texts does not open/,
    );
  });

  test("a database that no node with the vault key has opened is refused", async () => {
    const alone = { TIDEGATE_TEXT_KEY: newKey(), TIDEGATE_ROLES: "webhooks" };
    assert.match((await refusal(alone)) ?? "", /start a node that holds its key first/);
  });
});
