import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { bankReferenceOf } from "../../../src/features/direct-debits/direct-debit.ts";
import { makeBatch } from "../../../src/features/direct-debits/make-batch.ts";
import {
  changeAccountAsOperator,
  findMerchant,
  type Merchant,
} from "../../../src/features/merchants/index.ts";
import { cents } from "../../../src/kernel/money.ts";
import type { Context } from "../../../src/platform/context.ts";
import { callApi, getTransaction, ok, type Shop, shopOf } from "../../support/checkout.ts";
import { runCommand } from "../../support/command-line.ts";
import {
  AU_ACCOUNT,
  AU_AGREEMENT,
  debit,
  publishedStatuses,
  storedAccount,
  whenStatus,
} from "../../support/debits.ts";
import { eventually } from "../../support/eventually.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { assertInvariantsAndStop } from "../../support/invariants.ts";
import { inContext } from "../../support/operator.ts";
import type { Stored } from "../../support/stored-cards.ts";
import { tryCommand, typeCommand } from "../../support/typed-command.ts";
import { watchContext } from "../../support/watched-context.ts";

const UNWRITABLE = { ...AU_ACCOUNT, accountName: "李小龙" };
const ABOVE_LARGEST = 10_000_000_000;

/** The commands of docs/guides/direct-debit.md. */
describe("debits that a bank file does not have", () => {
  let gateway: TestGateway;
  let folder: string;
  before(async () => {
    gateway = await startTestGateway();
    folder = await mkdtemp(join(tmpdir(), "tidegate-left-out-"));
    await writeFile(join(folder, "au.json"), JSON.stringify(AU_AGREEMENT));
  });
  after(async () => {
    await assertInvariantsAndStop(gateway);
    await rm(folder, { recursive: true });
  });

  type LiveShop = Shop & { readonly merchantId: string };
  const liveShop = async (): Promise<LiveShop> => {
    const { id, key } = await gateway.newMerchant({ mode: "live" });
    await inContext(gateway.database, (ctx) =>
      changeAccountAsOperator(ctx, id as Merchant["id"], { capabilities: { directDebit: true } }),
    );
    return { ...shopOf(gateway, key), merchantId: id };
  };
  let files = 0;
  const exportWords = ({ merchantId }: LiveShop, ...rest: readonly string[]) => {
    files += 1;
    const [agreement, out] = [join(folder, "au.json"), join(folder, `${files}.aba`)];
    return {
      words: ["debit", "export", "--merchant", merchantId, "--agreement", agreement, "--out", out, ...rest],
      out,
    };
  };
  const exported = async (shop: LiveShop, ...rest: readonly string[]) => {
    const { words, out } = exportWords(shop, ...rest);
    const { json, warnings } = await typeCommand(gateway, ...words);
    // biome-ignore lint/suspicious/noExplicitAny: the command's own output.
    return { ...(json as any), warnings: (warnings ?? []).join("\n"), out };
  };
  const confirm = ({ merchantId }: LiveShop, ...words: readonly string[]) =>
    tryCommand(gateway, "debit", "confirm", "--merchant", merchantId, ...words);
  const decline = ({ merchantId }: LiveShop, id: string) =>
    tryCommand(gateway, "debit", "decline", id, "--merchant", merchantId);
  const deleteAccount = async (shop: Shop, { id, paymentInstrumentId }: Stored) =>
    ok(await callApi(shop, "DELETE", `/customers/${id}/paymentinstruments/${paymentInstrumentId}`));
  const letDaysPass = async ({ merchantId }: LiveShop) => {
    await gateway.database.rows(
      "update debit_batches set processing_day = processing_day - 400 where merchant_id = $1",
      [merchantId],
    );
    await gateway.database.rows("update jobs set due_at = now() where merchant_id = $1", [merchantId]);
  };
  const statusOf = async (shop: Shop, id: string) => {
    const { result } = await getTransaction(shop, id);
    return [result.status, result.codes?.[0]?.id];
  };

  /** A batch whose first file has both debits; then the first account is deleted, and the file written again without it. */
  async function rewritten(shop: LiveShop) {
    const stored = await storedAccount(shop);
    const { id: left } = await debit(shop, 501, stored);
    const { id: kept } = await debit(shop, 502);
    const { batchId } = await exported(shop);
    await deleteAccount(shop, stored);
    const again = await exported(shop, "--batch", batchId);
    assert.deepEqual([again.missing, again.total], [[left], 502]);
    return { batchId, left, kept, again };
  }

  test("a file that was written again without a debit is confirmed only if the operator says which one the bank took", async () => {
    const shop = await liveShop();
    const { batchId, left, kept, again } = await rewritten(shop);
    assert.match(again.warnings, new RegExp(`${left}; they are still pending, and .debit confirm. needs`));
    assert.doesNotMatch(again.warnings, /declined/);
    const refused = await confirm(shop, batchId);
    assert.equal(refused.code, 1);
    const named = `${left} \\(${bankReferenceOf(left)}\\)`;
    assert.match(refused.stderr, new RegExp(`deleted: ${named};.*--missing taken or --missing not-taken`));
    for (const [missing, exitCode, problem] of [
      ["perhaps", 2, /must be taken, not-taken, or ids/],
      [kept, 1, /whose account was not deleted/],
    ] as const) {
      const { code, stderr } = await confirm(shop, batchId, "--missing", missing);
      assert.deepEqual([code, problem.test(stderr)], [exitCode, true], stderr);
    }
    for (const id of [left, kept]) assert.deepEqual(await statusOf(shop, id), ["pending", undefined]);
    const { code, output } = await confirm(shop, batchId, "--missing", "not-taken");
    assert.deepEqual([code, output.notTaken], [0, [left]]);
    assert.deepEqual(await statusOf(shop, left), ["declined", "D10001"]);
    await letDaysPass(shop);
    await whenStatus(shop, kept, "approved");
    assert.deepEqual(await publishedStatuses(shop, left), ["pending", "declined"]);
  });

  test("if the bank took the first file, every debit of the batch is approved after the clearing days", async () => {
    const shop = await liveShop();
    const { batchId, left, kept } = await rewritten(shop);
    const { code, output } = await confirm(shop, batchId, "--missing", "taken");
    assert.deepEqual([code, output.notTaken], [0, []]);
    await letDaysPass(shop);
    for (const id of [left, kept]) await whenStatus(shop, id, "approved");
  });

  test("of several deleted accounts the operator can name the debits that the bank's file does not have", async () => {
    const shop = await liveShop();
    const accounts = [await storedAccount(shop), await storedAccount(shop)] as const;
    const { id: first } = await debit(shop, 601, accounts[0]);
    const { id: second } = await debit(shop, 602, accounts[1]);
    const { batchId } = await exported(shop);
    for (const account of accounts) await deleteAccount(shop, account);
    const { output } = await confirm(shop, batchId, "--missing", first);
    assert.deepEqual(output.notTaken, [first]);
    await letDaysPass(shop);
    await whenStatus(shop, second, "approved");
    assert.deepEqual(await statusOf(shop, first), ["declined", "D10001"]);
  });

  test("a batch is empty when the bank took none of its debits", async () => {
    const shop = await liveShop();
    const stored = await storedAccount(shop);
    const { id } = await debit(shop, 603, stored);
    const { batchId } = await exported(shop);
    await deleteAccount(shop, stored);
    assert.equal((await confirm(shop, batchId, "--missing", "not-taken")).code, 0);
    assert.deepEqual(await statusOf(shop, id), ["declined", "D10001"]);
    const { output } = await tryCommand(gateway, "debit", "batches", "--merchant", shop.merchantId);
    assert.deepEqual([output.batches[0].status, output.batches[0].confirmed], ["empty", false]);
  });

  test("an acknowledgement of the second file needs the same word, and then names the others only", async () => {
    const shop = await liveShop();
    const { left, kept } = await rewritten(shop);
    const path = join(folder, "ack.csv");
    await writeFile(path, `reference,amount,status,reason\n${bankReferenceOf(kept)},5.02,accepted,\n`);
    const refused = await confirm(shop, "--file", path);
    assert.deepEqual([refused.code, /names 1 of the 2 debits/.test(refused.stderr)], [1, true]);
    const { output } = await confirm(shop, "--file", path, "--missing", "not-taken");
    assert.deepEqual([output.accepted, output.rejected, output.notTaken], [1, 0, [left]]);
    assert.deepEqual(await statusOf(shop, left), ["declined", "D10001"]);
    assert.deepEqual(await statusOf(shop, kept), ["pending", undefined]);
  });

  test("a debit whose account was deleted before any file is reported as declined, each time", async () => {
    const shop = await liveShop();
    const stored = await storedAccount(shop);
    const { id } = await debit(shop, 604, stored);
    await debit(shop, 605);
    await deleteAccount(shop, stored);
    const first = await exported(shop);
    const second = await exported(shop, "--batch", first.batchId);
    for (const { missing, warnings } of [first, second]) {
      assert.deepEqual(missing, [id]);
      assert.match(warnings, /1 accounts were deleted; their debits are declined and not in the file/);
      assert.doesNotMatch(warnings, /pending/);
    }
    assert.equal(await readFile(second.out, "latin1"), await readFile(first.out, "latin1"));
    assert.equal((await confirm(shop, first.batchId)).code, 0);
  });

  test("a file has debits only once that is on record: a debit that is declined is in no file", async () => {
    const shop = await liveShop();
    const stored = await storedAccount(shop);
    const { id } = await debit(shop, 606, stored);
    await debit(shop, 607);
    const { words, out } = exportWords(shop);
    const wrapContext = (ctx: Context) =>
      watchContext(ctx, (point) => {
        if (point === "debit_batch_update:before") throw new Error("killed");
      });
    await assert.rejects(typeCommand({ ...gateway, wrapContext }, ...words), /killed/);
    const { output } = await tryCommand(gateway, "debit", "batches", "--merchant", shop.merchantId);
    await deleteAccount(shop, stored);
    const { missing } = await exported(shop, "--batch", output.batches[0].batchId);
    assert.deepEqual([missing, (await getTransaction(shop, id)).result.status], [[id], "declined"]);
    await assert.rejects(readFile(out), { code: "ENOENT" });
  });

  const damage = (instrument: string) =>
    gateway.database.rows(
      "update vault_secrets set ciphertext = set_byte(ciphertext, 0, get_byte(ciphertext, 0) # 1) where instrument_id = $1",
      [instrument],
    );

  test("an unreadable account number keeps no other debit out of the file, and is written once it is readable", async () => {
    const shop = await liveShop();
    const stored = await storedAccount(shop);
    const { id } = await debit(shop, 608, stored);
    await debit(shop, 609);
    await damage(stored.paymentInstrumentId);
    const first = await exported(shop);
    assert.deepEqual([first.debits, first.total, first.unreadable], [1, 609, [id]]);
    assert.match(first.warnings, new RegExp(`the account number is unreadable: ${id}; `));
    assert.equal((await confirm(shop, first.batchId)).code, 0);
    await letDaysPass(shop);
    assert.deepEqual(await statusOf(shop, id), ["pending", undefined]);
    const { output } = await tryCommand(gateway, "debit", "batches", "--merchant", shop.merchantId);
    const [own] = output.batches;
    assert.deepEqual([own.status, own.debits, own.total], ["made", 1, 608]);
    const again = () => tryCommand(gateway, ...exportWords(shop, "--batch", own.batchId).words);
    const failed = await again();
    assert.deepEqual([failed.code, failed.stderr.includes(`unreadable of ${id}`)], [1, true]);
    await damage(stored.paymentInstrumentId);
    assert.equal((await again()).output.total, 608);
    await damage(stored.paymentInstrumentId);
    assert.equal((await again()).code, 1, "the bank may have the first file");
  });

  test("a debit that the file can't hold is reported with its cause, and can be declined", async () => {
    const shop = await liveShop();
    const { id: named } = await debit(shop, 701, await storedAccount(shop, UNWRITABLE));
    const { id: large } = await debit(shop, ABOVE_LARGEST);
    const before = await exported(shop);
    assert.deepEqual(before.keptBack, [named, large]);
    assert.match(before.warnings, new RegExp(`the account's name: ${named}; .debit decline. declines one`));
    assert.match(before.warnings, new RegExp(`the amount is above the largest of the bank file: ${large};`));
    const words = ["debit", "decline", named, "--merchant", shop.merchantId, "--json"];
    const { stdout } = await runCommand(gateway.database, words);
    assert.deepEqual(JSON.parse(stdout), { transactionId: named, status: "declined" });
    assert.equal((await decline(shop, large)).code, 0);
    for (const id of [named, large]) {
      assert.deepEqual(await statusOf(shop, id), ["declined", "D10001"]);
      assert.deepEqual(await publishedStatuses(shop, id), ["pending", "declined"]);
    }
    const recorded = await gateway.database.rows(
      "select from audit_log where act = 'command_run' and detail = 'debit decline' and subject_id = $1",
      [named],
    );
    assert.equal(recorded.length, 1);
    assert.deepEqual((await exported(shop)).keptBack, []);
    const again = await decline(shop, named);
    assert.deepEqual([again.code, /not pending/.test(again.stderr)], [1, true]);
    await gateway.database.rows("update jobs set due_at = now() where merchant_id = $1", [shop.merchantId]);
    const jobs = "select from jobs where kind = 'debit_collect' and merchant_id = $1";
    await eventually(
      "no job waits for a batch",
      async () => (await gateway.database.rows(jobs, [shop.merchantId])).length === 0,
    );
  });

  test("debits that do not fit into the file any more are counted, and go into the next one", async () => {
    const shop = await liveShop();
    await debit(shop, 701, await storedAccount(shop, UNWRITABLE));
    for (let count = 0; count < 3; count += 1) await debit(shop, ABOVE_LARGEST / 2);
    const first = await exported(shop);
    assert.deepEqual([first.debits, first.waiting, first.keptBack.length], [1, 2, 1]);
    assert.match(first.warnings, /^2 debits wait for another file: run it again$/m);
    assert.deepEqual([(await exported(shop)).waiting, (await exported(shop)).waiting], [1, 0]);
    const again = await exported(shop, "--batch", first.batchId);
    assert.deepEqual([again.waiting, again.warnings], [undefined, ""]);
  });

  test("a debit that is in a batch, of another merchant, or unknown is not declined", async () => {
    const [shop, other] = [await liveShop(), await liveShop()];
    const { id } = await debit(shop, 702);
    const foreign = await decline(other, id);
    assert.deepEqual([foreign.code, /no direct debit with that id/.test(foreign.stderr)], [1, true]);
    assert.match((await decline(shop, "txn_1")).stderr, /no direct debit with that id/);
    await exported(shop);
    const batched = await decline(shop, id);
    assert.deepEqual([batched.code, /is in a batch/.test(batched.stderr)], [1, true]);
    assert.deepEqual(await statusOf(shop, id), ["pending", undefined]);
  });

  test("debits that the rail can't carry do not keep later ones out of a batch, however many they are", async () => {
    const shop = await liveShop();
    for (const amount of [1, 2, 3, 4, 5]) await debit(shop, amount);
    const made = await inContext(gateway.database, async (ctx) => {
      const merchant = await findMerchant(ctx.db, shop.merchantId as Merchant["id"]);
      return makeBatch(ctx, merchant ?? assert.fail(), {
        ...{ rail: "file", currency: "AUD", limit: { debits: 2, total: cents(1_000) } },
        accepts: ({ amount }) => amount > 3,
      });
    });
    assert.ok(typeof made === "object");
    assert.deepEqual(
      made.debits.map(({ amount }) => amount),
      [4, 5],
    );
  });
});
