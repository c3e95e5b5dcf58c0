import assert from "node:assert/strict";
import { after, beforeEach, describe, test } from "node:test";
import { cloneDatabase, type TestDatabase } from "../../../tests/support/database.ts";
import { inContext } from "../../../tests/support/operator.ts";
import type { Context } from "../context.ts";
import { openVault } from "../vault/open-vault.ts";
import { actingAs } from "./actor.ts";
import { countEntries, record } from "./queries.ts";
import { sealAudit } from "./seal-audit.ts";
import { type Mark, type Verdict, verifyAudit } from "./verify-audit.ts";

let database: TestDatabase;
const databases: TestDatabase[] = [];
beforeEach(async () => {
  database = await cloneDatabase();
  databases.push(database);
});
after(() => Promise.all(databases.map((one) => one.drop())));

/** A log of so many entries; opening the vault makes the first. */
async function withLog<Result>(entries: number, work: (ctx: Context) => Promise<Result>): Promise<Result> {
  return inContext(database, async (ctx) => {
    await openVault(ctx.db, ctx.vaultKeys, ctx.now);
    for (let index = 1; index < entries; index += 1) await addEntry(ctx, `pi_${index}`);
    return work(ctx);
  });
}

/** Half of the entries have an actor. */
const addEntry = (ctx: Context, subjectId: string) =>
  /[13579]$/.test(subjectId)
    ? actingAs({ actor: "key_1", address: "203.0.113.7" }, () => writeEntry(ctx, subjectId))
    : writeEntry(ctx, subjectId);

const writeEntry = (ctx: Context, subjectId: string) =>
  record(ctx.db, { act: "number_used", merchantId: "mer_1", subjectId, detail: "a use" }, ctx.now());

const verify = (ctx: Context, kept?: readonly Mark[]) => verifyAudit(ctx.db, ctx.vaultKeys, kept);

/** What an attacker with all rights on the database can do. */
const tamper = (statement: string) =>
  database.rows(
    `alter table audit_log disable trigger all; ${statement}; alter table audit_log enable trigger all`,
  );

function markOf({ head }: Verdict): Mark {
  assert.ok(head !== undefined);
  return head;
}

describe("CONTRACT 6: the audit log only grows", () => {
  for (const statement of [
    "update audit_log set detail = 'another'",
    "update audit_log set act = 'number_used' where place is null",
    "update audit_log set place = null, previous = null, hash = null where place is not null",
    "update audit_log set hash = sha256('x') where place is not null",
    "update audit_log set place = 99, previous = sha256('x'), hash = sha256('x'), detail = 'another' where place is null",
    "delete from audit_log",
    "truncate audit_log",
  ]) {
    test(`the database refuses: ${statement.slice(0, 60)}`, () =>
      withLog(2, async (ctx) => {
        await sealAudit(ctx.db, ctx.vaultKeys);
        await addEntry(ctx, "pi_unsealed");
        const before = await database.rows("select * from audit_log order by id");
        await assert.rejects(database.rows(statement), /the audit log only grows/);
        assert.deepEqual(await database.rows("select * from audit_log order by id"), before);
      }));
  }

  test("an entry of a transaction that rolled back is not there", () =>
    withLog(1, async (ctx) => {
      const failing = ctx.db.transaction(async (tx) => {
        await record(tx, { act: "number_erased" }, ctx.now());
        throw new Error("no");
      });
      await assert.rejects(failing, /no/);
      assert.deepEqual(await countEntries(ctx.db), { sealed: 0, unsealed: 1 });
    }));
});

describe("CONTRACT 6: the audit log is a chain", () => {
  test("an untouched chain is intact, also when it was sealed in many portions", () =>
    withLog(5, async (ctx) => {
      assert.equal(await sealAudit(ctx.db, ctx.vaultKeys), "done");
      await addEntry(ctx, "pi_late");
      const { intact, broken, head } = await verify(ctx);
      assert.deepEqual([intact, broken, head?.place], [6, undefined, 6]);
    }));

  test("more entries than one portion and one page are sealed and verified", () =>
    withLog(1, async (ctx) => {
      await database.rows(
        "insert into audit_log (at, act) select now(), 'number_used' from generate_series(1, 1300)",
      );
      assert.equal(await sealAudit(ctx.db, ctx.vaultKeys), "more");
      const { intact, broken } = await verify(ctx);
      assert.deepEqual([intact, broken], [1301, undefined]);
    }));

  test("eight nodes that seal at once make one chain", () =>
    withLog(1, async (ctx) => {
      await database.rows(
        "insert into audit_log (at, act) select now(), 'number_used' from generate_series(1, 2000)",
      );
      const node = () =>
        inContext(database, async ({ db, vaultKeys }) => {
          while ((await sealAudit(db, vaultKeys, true)) === "more");
        });
      await Promise.all(Array.from({ length: 8 }, node));
      const { intact, broken } = await verify(ctx);
      assert.deepEqual([intact, broken], [2001, undefined]);
    }));

  const BREAKS: readonly (readonly [what: string, statement: string, place: number, problem: RegExp])[] = [
    ["words are changed", "update audit_log set detail = 'nothing' where place = 3", 3, /was changed/],
    [
      "a time is changed",
      "update audit_log set at = at + interval '1 second' where place = 3",
      3,
      /was changed/,
    ],
    ["a merchant is changed", "update audit_log set merchant_id = null where place = 2", 2, /was changed/],
    ["an actor is changed", "update audit_log set actor = 'usr_other' where place = 4", 4, /was changed/],
    ["an address is changed", "update audit_log set address = '10.0.0.1' where place = 4", 4, /was changed/],
    ["an entry is taken out", "delete from audit_log where place = 3", 3, /before place 4 are missing/],
    ["the first is taken out", "delete from audit_log where place = 1", 1, /before place 2 are missing/],
    ["the last is cut off", "delete from audit_log where place = 5", 5, /before place 6 are missing/],
    ["all are deleted", "delete from audit_log", 1, /before place 6 are missing/],
    [
      "the last is cut off and the end moved",
      `delete from audit_log where place = 5;
       update audit_head set place = 4, hash = (select hash from audit_log where place = 4)`,
      4,
      /end of the chain was moved/,
    ],
    ["the end is taken away", "delete from audit_head", 6, /end of the chain is not on record/],
    [
      "two change places",
      "update audit_log set place = 17 - place where place in (3, 4); update audit_log set place = place - 10 where place > 10",
      3,
      /does not follow the one before/,
    ],
    [
      "a false entry is put in",
      `update audit_log set place = place + 10 where place > 3;
       insert into audit_log (at, act, place, previous, hash)
         select now(), 'number_used', 4, hash, sha256('made up') from audit_log where place = 3`,
      4,
      /was changed/,
    ],
  ];
  for (const [what, statement, place, problem] of BREAKS) {
    test(`when ${what}, the place is reported`, () =>
      withLog(5, async (ctx) => {
        assert.equal((await verify(ctx)).broken, undefined);
        await tamper(statement);
        // What comes after it hides nothing.
        await addEntry(ctx, "pi_after");
        const { broken } = await verify(ctx);
        assert.equal(broken?.place, place);
        assert.match(broken.problem, problem);
      }));
  }

  for (const [what, later] of [
    ["and nothing follows", false],
    ["and entries follow", true],
  ] as const) {
    test(`when log and head are wiped ${what}, the log is broken, because the vault has keys`, () =>
      withLog(5, async (ctx) => {
        assert.equal((await verify(ctx)).broken, undefined);
        await tamper("delete from audit_log; delete from audit_head");
        if (later) await addEntry(ctx, "pi_after");
        if (later) assert.equal(await sealAudit(ctx.db, ctx.vaultKeys), "broken", "no new chain begins");
        const { broken } = await verify(ctx);
        assert.equal(broken?.place, 1);
        assert.match(broken.problem, /the log was wiped: the vault has keys/);
      }));
  }

  test("a log that began before the vault was opened is intact", () =>
    inContext(database, async (ctx) => {
      await addEntry(ctx, "usr_early");
      await openVault(ctx.db, ctx.vaultKeys, ctx.now);
      const { intact, broken } = await verify(ctx);
      assert.deepEqual([intact, broken], [2, undefined]);
    }));

  test("when the last entry is cut off and nothing follows it, that is reported", () =>
    withLog(5, async (ctx) => {
      await verify(ctx);
      await tamper("delete from audit_log where place > 3");
      const { intact, broken } = await verify(ctx);
      assert.equal(intact, 3);
      assert.deepEqual(broken, { place: 4, problem: "the entries up to place 5 are missing" });
    }));

  test("a chain that is computed again with another key is detected", () =>
    withLog(3, async (ctx) => {
      await verify(ctx);
      const { id } = await ctx.vaultKeys.ofAudit(ctx.db);
      const forger = { ofAudit: async () => ({ id, key: new Uint8Array(32).fill(7) }) };
      await tamper("update audit_log set place = null, previous = null, hash = null; delete from audit_head");
      await sealAudit(ctx.db, forger);
      assert.equal((await verifyAudit(ctx.db, forger)).broken, undefined);
      assert.match((await verify(ctx)).broken?.problem ?? "", /end of the chain was moved/);
    }));

  test("a head that was kept proves that an older database was put back", () =>
    withLog(3, async (ctx) => {
      const early = markOf(await verify(ctx));
      await database.rows("create table old_log as select * from audit_log");
      await database.rows("create table old_head as select * from audit_head");
      await addEntry(ctx, "pi_more");
      const late = markOf(await verify(ctx, [early]));
      await tamper(`delete from audit_log where place > 3; delete from audit_head;
        insert into audit_head select * from old_head`);
      assert.equal((await verify(ctx)).broken, undefined, "the chain alone does not show it");
      assert.equal((await verify(ctx, [early])).broken, undefined);
      const { broken } = await verify(ctx, [late]);
      assert.deepEqual(broken, {
        place: 4,
        problem: "the entries up to place 4, which were kept, are missing",
      });
      await addEntry(ctx, "pi_instead");
      assert.match((await verify(ctx, [late])).broken?.problem ?? "", /not the one that was kept/);
    }));
});
