import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, beforeEach, describe, test } from "node:test";
import { type Id, newId } from "../../src/kernel/ids.ts";
import { instant } from "../../src/kernel/time.ts";
import type { Context } from "../../src/platform/context.ts";
import { changeMasterKey } from "../../src/platform/vault/master/change-master-key.ts";
import type { SecretPlace } from "../../src/platform/vault/queries.ts";
import { runCommand } from "../support/command-line.ts";
import { cloneDatabase, type TestDatabase } from "../support/database.ts";
import { linesOf } from "../support/guide-blocks.ts";
import { makeMerchant } from "../support/operator.ts";
import { wordsOf } from "../support/typed-command.ts";
import { onVaultNode } from "../support/vault-node.ts";

const NUMBER = "4111111111111111";
const USE = { purpose: "charge", subjectId: "txn_1" } as const;

let database: TestDatabase;
let folder: string;
const leftovers: (() => Promise<void>)[] = [];
beforeEach(async () => {
  const [place, made] = await Promise.all([cloneDatabase(), mkdtemp(join(tmpdir(), "tidegate-vault-"))]);
  [database, folder] = [place, made];
  leftovers.push(place.drop, () => rm(made, { recursive: true, force: true }));
});
after(async () => {
  for (const clear of leftovers) await clear();
});

type Environment = Readonly<Record<string, string>>;

const onNode = <Result>(environment: Environment, work: (ctx: Context) => Promise<Result>) =>
  onVaultNode(database, { TIDEGATE_DATA_DIR: folder, ...environment }, work);

async function keepOne(ctx: Context): Promise<SecretPlace> {
  const { id } = await makeMerchant(database, "sandbox", "AU");
  const instrumentId = newId("paymentInstrument", instant(Date.now()));
  const place = { merchantId: id as Id<"merchant">, instrumentId, field: "card_number" } as const;
  await ctx.db.transaction((tx) => ctx.vault.keep(tx, place, NUMBER));
  return place;
}

const read = (ctx: Context, place: SecretPlace) => ctx.vault.use(ctx.db, place, USE, async (text) => text);

const newKey = () => randomBytes(32).toString("base64");
const keyFile = () => join(folder, "vault.key");
const masters = () =>
  database.rows<{ master_id: string }>("select distinct master_id from vault_keys where wrapped is not null");

const [SHOWN = assert.fail()] = await linesOf("docs/guides/vault.md", "tests/faults/vault-commands.test.ts");
const [, , ...ROTATE] = wordsOf(SHOWN);

describe("`vault rotate --master` wraps all keys under another master key", () => {
  test("a generated key file gets a new key, and a running node continues without a restart", () =>
    onNode({}, async (node) => {
      const place = await keepOne(node);
      const before = await readFile(keyFile(), "utf8");
      const done = await runCommand(database, [...ROTATE, "--json"], {
        HOME: folder,
        TIDEGATE_DATA_DIR: folder,
      });
      assert.equal(done.code, 0, done.stderr);
      const report = JSON.parse(done.stdout);
      assert.deepEqual(await masters(), [{ master_id: report.to }]);
      assert.equal(report.rewrapped, 3);
      const now = await readFile(keyFile(), "utf8");
      assert.match(now, /^[\w+/]{43}=\n$/);
      assert.notEqual(now, before);
      assert.equal(await read(node, place), NUMBER);
      assert.equal(await read(node, await keepOne(node)), NUMBER);
      assert.deepEqual(await masters(), [{ master_id: report.to }], "new keys are wrapped by the new one");
      // A node with empty caches.
      assert.equal(await onNode({}, (fresh) => read(fresh, place)), NUMBER);
      // The old key opens nothing any more.
      await writeFile(keyFile(), before);
      await assert.rejects(
        onNode({}, (fresh) => read(fresh, place)),
        /is not the one of this database/,
      );
    }));

  test("interrupted after any statement and run again, it completes", () =>
    onNode({}, async (node) => {
      const places = [await keepOne(node), await keepOne(node)];
      for (let cut = 1; ; cut += 1) {
        let statements = 0;
        const outcome = await onNode({}, async (ctx) => {
          const db: Context["db"] = {
            ...ctx.db,
            rows: (statement, parameters) => {
              statements += 1;
              if (statements > cut) throw new Error("power failure");
              return ctx.db.rows(statement, parameters);
            },
          };
          return changeMasterKey({ ...ctx, db }, () => {}).catch(
            (error: unknown) => (error as Error).message,
          );
        });
        for (const place of places) {
          assert.equal(await onNode({}, (fresh) => read(fresh, place)), NUMBER);
        }
        if (typeof outcome !== "string") break;
        assert.equal(outcome, "power failure");
        const { to } = await onNode({}, (ctx) => changeMasterKey(ctx, () => {}));
        assert.deepEqual(await masters(), [{ master_id: to }]);
        assert.match(await readFile(keyFile(), "utf8"), /^[\w+/]{43}=\n$/);
      }
    }));

  test("the first of the configured keys takes over, and the old one can be removed", async () => {
    const [old, fresh] = [newKey(), newKey()];
    const place = await onNode({ TIDEGATE_VAULT_KEY: old }, keepOne);
    const early = await runCommand(database, ROTATE, { TIDEGATE_VAULT_KEY: old });
    assert.equal(early.code, 1);
    assert.match(
      early.stderr,
      /^tidegate: everything is wrapped by the first key .*: put a new key in front/m,
    );
    const both = { TIDEGATE_VAULT_KEY: `${fresh},${old}` };
    // Nodes have both before anything changes, and still wrap under the old one.
    await onNode(both, keepOne);
    assert.equal((await masters()).length, 1);
    const done = await runCommand(database, [...ROTATE, "--json"], both);
    assert.equal(done.code, 0, done.stderr);
    assert.equal(JSON.parse(done.stdout).rewrapped, 5);
    assert.equal(await onNode({ TIDEGATE_VAULT_KEY: fresh }, (ctx) => read(ctx, place)), NUMBER);
    await assert.rejects(onNode({ TIDEGATE_VAULT_KEY: old }, keepOne), /is not the one of this database/);
  });
});

describe("the operator's commands", () => {
  test("vault status shows keys and counts, and never a card number", async () => {
    const unopened = await runCommand(database, ["vault", "status"]);
    assert.equal(unopened.code, 1);
    assert.match(unopened.stderr, /^tidegate: the vault of this database was never opened/);
    const key = { TIDEGATE_VAULT_KEY: newKey() };
    await onNode(key, keepOne);
    const { code, stdout } = await runCommand(database, ["vault", "status", "--json"], key);
    assert.equal(code, 0);
    const status = JSON.parse(stdout);
    assert.deepEqual(status.numbers, { kept: 1, left: 0 });
    assert.equal(status.keys.active, 3);
    assert.equal(status.masterKey.fits, true);
    assert.equal(stdout.includes(NUMBER), false);
    const lines = await runCommand(database, ["vault", "status"], key);
    assert.match(lines.stdout, /^Master key {2}local-\w{16} {2}from TIDEGATE_VAULT_KEY$/m);
    const other = await runCommand(database, ["vault", "status", "--json"], { TIDEGATE_VAULT_KEY: newKey() });
    assert.equal(other.code, 1);
    assert.equal(JSON.parse(other.stdout).masterKey.fits, false);
  });

  test("vault rotate reports its progress and result", async () => {
    const key = { TIDEGATE_VAULT_KEY: newKey() };
    const place = await onNode(key, keepOne);
    const { code, stdout, stderr } = await runCommand(database, ["vault", "rotate"], key);
    assert.equal(code, 0, stderr);
    assert.match(stderr, /^1 of 1 numbers encrypted$/m);
    assert.match(
      stdout,
      /^Rotated {3}1 numbers of 1 merchants, 0 other secrets; the old keys are destroyed\.$/m,
    );
    assert.equal(await onNode(key, (ctx) => read(ctx, place)), NUMBER);
  });

  test("vault rotate gives counting a new key, which every node gets, and destroys the old one", async () => {
    const key = { TIDEGATE_VAULT_KEY: newKey() };
    const hashed = () =>
      onNode(key, async (ctx) => (await ctx.vault.hashFor(ctx.db, "card testing"))(`card|${NUMBER}`));
    const keys = () =>
      database.rows<{ id: string; isThere: boolean }>(
        `select id, wrapped is not null as "isThere" from vault_keys where purpose = 'counting' order by created_at`,
      );
    const before = await hashed();
    assert.equal(await hashed(), before, "control: another node, the same hash");
    const [old] = await keys();
    assert.equal((await runCommand(database, ["vault", "rotate"], key)).code, 0);
    const after = await hashed();
    assert.notEqual(after, before);
    assert.equal(await hashed(), after);
    const [destroyed, active] = await keys();
    assert.deepEqual(destroyed, { id: old?.id, isThere: false });
    const entries = await database.rows<{ act: string }>(
      "select act from audit_log where subject_id = any($1) order by id",
      [[old?.id, active?.id]],
    );
    assert.deepEqual(
      entries.map(({ act }) => act),
      ["key_made", "key_destroyed", "key_made"],
    );
  });

  test("audit verify finds a planted change, and checks a saved head", async () => {
    const key = { TIDEGATE_VAULT_KEY: newKey() };
    await onNode(key, async (ctx) => read(ctx, await keepOne(ctx)));
    const sound = await runCommand(database, ["audit", "verify", "--json"], key);
    assert.equal(sound.code, 0, sound.stderr);
    const { intact, entries, head } = JSON.parse(sound.stdout);
    assert.deepEqual([intact, entries], [true, 7]);
    assert.equal((await runCommand(database, ["audit", "verify", "--head", head], key)).code, 0);
    const wrong = `${entries}:${"0".repeat(64)}`;
    assert.equal((await runCommand(database, ["audit", "verify", "--head", wrong], key)).code, 1);
    assert.match(
      (await runCommand(database, ["audit", "verify", "--head", "x"], key)).stderr,
      /--head takes comma-separated heads as/,
    );
    await database.rows(`alter table audit_log disable trigger all;
      update audit_log set detail = 'nothing to see' where place = 2; alter table audit_log enable trigger all`);
    const broken = await runCommand(database, ["audit", "verify", "--json"], key);
    assert.equal(broken.code, 1);
    assert.deepEqual(JSON.parse(broken.stdout).broken, { place: 2, problem: "this entry was changed" });
    const text = await runCommand(database, ["audit", "verify"], key);
    assert.equal(text.stdout, "Broken at entry 2: this entry was changed.\n");
  });

  test("creating a live merchant without a configured vault key prints a warning", async () => {
    const make = (environment: Environment, mode: string) =>
      runCommand(database, ["merchant", "create", "--name", "Shop", "--mode", mode, "--json"], environment);
    const bare = await make({ HOME: folder }, "live");
    assert.equal(bare.code, 0, bare.stderr);
    assert.match(
      bare.stderr,
      /^tidegate: warning: with its first capability the gateway will not start any more: live merchants need/,
    );
    assert.match(JSON.parse(bare.stdout).apiKey, /^tg_live_/);
    const fit = {
      TIDEGATE_VAULT_KEY: newKey(),
      TIDEGATE_BASE_URL: "https://pay.example",
      TIDEGATE_HOSTED_URL: "https://checkout.example",
    };
    assert.equal((await make(fit, "live")).stderr, "");
    assert.equal((await make({ HOME: folder }, "sandbox")).stderr, "");
  });
});
