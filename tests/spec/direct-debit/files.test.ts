import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { checkWork } from "../../../src/cli/doctor/check-work.ts";
import { bankReferenceOf } from "../../../src/features/direct-debits/direct-debit.ts";
import { type DebitAgreement, importReturns } from "../../../src/features/direct-debits/index.ts";
import {
  changeAccountAsOperator,
  findMerchant,
  type Merchant,
} from "../../../src/features/merchants/index.ts";
import { bankingDaysAfter } from "../../../src/kernel/banking-days.ts";
import { parseId } from "../../../src/kernel/ids.ts";
import { DAY, later } from "../../../src/kernel/time.ts";
import type { Context } from "../../../src/platform/context.ts";
import { hashSecret } from "../../../src/platform/crypto/secrets.ts";
import { callApi, getTransaction, problemsOf, type Shop, shopOf } from "../../support/checkout.ts";
import { shownCode } from "../../support/codes.ts";
import { runCommand } from "../../support/command-line.ts";
import {
  AU_AGREEMENT as AU,
  AU_ACCOUNT,
  debit,
  NZ_ACCOUNT,
  publishedStatuses,
  storedAccount,
  whenStatus,
} from "../../support/debits.ts";
import { eventually } from "../../support/eventually.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { linesOf } from "../../support/guide-blocks.ts";
import { inContext } from "../../support/operator.ts";
import { tryCommand, wordsOf } from "../../support/typed-command.ts";
import { gate, watchContext } from "../../support/watched-context.ts";

const NZ = {
  country: "NZ",
  authorisationCode: "0212345",
  account: "02-1234-0005678-00",
  name: "Tidewater Gym",
  particulars: "MEMBERSHIP",
};

describe("direct debits of live merchants go to the bank in files", () => {
  let gateway: TestGateway;
  let folder: string;
  let shop: Shop;
  let merchantId: string;
  before(async () => {
    gateway = await startTestGateway();
    folder = await mkdtemp(join(tmpdir(), "tidegate-debits-"));
    [shop, merchantId] = await newShop();
    await writeFile(join(folder, "au.json"), JSON.stringify(AU));
    await writeFile(join(folder, "nz.json"), JSON.stringify(NZ));
    await writeFile(join(folder, "bad.json"), JSON.stringify({ ...AU, userId: 301_500 }));
  });
  after(async () => {
    await gateway.stop();
    await rm(folder, { recursive: true });
  });

  async function newShop(): Promise<readonly [Shop, string]> {
    const { id, key } = await gateway.newMerchant({ mode: "live" });
    await inContext(gateway.database, (ctx) =>
      changeAccountAsOperator(ctx, id as Merchant["id"], { capabilities: { directDebit: true } }),
    );
    return [shopOf(gateway, key), id];
  }

  const at = (name: string) => join(folder, name);
  const argumentsOf = (verb: "export" | "import", options: Record<string, string>) => {
    const given = { merchant: merchantId, agreement: at("au.json"), ...options };
    return ["debit", verb, ...Object.entries(given).flatMap(([name, value]) => [`--${name}`, value])];
  };
  const command = (verb: "export" | "import", options: Record<string, string>) =>
    tryCommand(gateway, ...argumentsOf(verb, options));
  const confirm = (batchId: string, ...rest: readonly string[]) =>
    tryCommand(gateway, "debit", "confirm", batchId, "--merchant", merchantId, ...rest);
  const batches = async () =>
    (await tryCommand(gateway, "debit", "batches", "--merchant", merchantId)).output.batches;
  /** Puts the processing days of all confirmed files into the past, and the jobs that wait for them. */
  const letDaysPass = async () => {
    await gateway.database.rows(
      "update debit_batches set day = '2026-03-02', processing_day = processing_day - 400 where merchant_id = $1",
      [merchantId],
    );
    await gateway.database.rows("update jobs set due_at = now() where merchant_id = $1", [merchantId]);
  };
  const idOf = async (amount: number) => {
    const [found] = await gateway.database.rows<{ id: string }>(
      "select id from transactions where merchant_id = $1 and amount = $2",
      [merchantId, amount],
    );
    return found?.id ?? "";
  };
  const read = (name: string) => readFile(at(name), "latin1");

  /** Writes the bank's file of returns for records of an exported file. */
  async function writeReturns(file: string, name: string, reasons: Readonly<Record<number, string>>) {
    const [head = "", ...records] = (await read(file)).trimEnd().split("\r\n");
    const items = Object.entries(reasons).map(([index, reason]) => {
      const record = records[Number(index)] ?? "";
      return `2${record.slice(1, 17)}${reason}${record.slice(18, 112)}09301500`;
    });
    const sum = String(items.reduce((total, item) => total + Number(item.slice(20, 30)), 0)).padStart(
      10,
      "0",
    );
    const count = String(items.length).padStart(6, "0");
    const foot = `7999-999${" ".repeat(12)}${sum}${"0".repeat(10)}${sum}${" ".repeat(24)}${count}${" ".repeat(40)}`;
    await writeFile(at(name), [head, ...items, foot, ""].join("\r\n"));
  }

  test("docs/guides/direct-debit.md: its commands export a debit, confirm its file and import its return", async () => {
    const [payee, id] = await newShop();
    const { id: debitId } = await debit(payee, 1200);
    let batchId = "";
    const run = async (line = "") => {
      const words = wordsOf(
        line.replace("mer_…", id).replace("bat_…", batchId).replace("agreement.json", "au.json"),
      );
      const places = words.slice(2).map((word) => (/\.\w+$/.test(word) ? at(word) : word));
      const { code, output, stderr } = await tryCommand(gateway, ...places);
      assert.equal(code, 0, stderr);
      return output;
    };
    const [exporting, confirming, importing, ...others] = await linesOf(
      "docs/guides/direct-debit.md",
      "tests/spec/direct-debit/files.test.ts",
    );
    ({ batchId } = await run(exporting));
    assert.equal((await run(confirming)).batchId, batchId);
    await writeReturns("monday.aba", "returns.txt", { 0: "3" });
    assert.deepEqual(await run(importing), { declined: 1, returned: 0, already: 0 });
    assert.equal((await getTransaction(payee, debitId)).result.status, "declined");
    assert.deepEqual(others, []);
  });

  test("export writes a pending debit once with correct totals; a lost file can be written again", async () => {
    const stored = await storedAccount(shop);
    const made = [
      await debit(shop, 2500, stored),
      await debit(shop, 700, stored),
      await debit(shop, 55, stored),
    ];
    const unwritable = await storedAccount(shop, { ...AU_ACCOUNT, accountName: "李小龙" });
    const { id: left } = await debit(shop, 900, unwritable);
    const { stdout, stderr } = await runCommand(gateway.database, [
      ...argumentsOf("export", { out: at("one.aba") }),
      "--json",
    ]);
    const exported = JSON.parse(stdout);
    assert.deepEqual(
      [exported.debits, exported.total, exported.missing, exported.keptBack],
      [3, 3255, [], [left]],
    );
    assert.match(stderr, new RegExp(`warning: not in the file and still pending.*${left}`));
    const records = (await read("one.aba")).replace(/\r\n$/, "").split("\r\n");
    assert.deepEqual(
      records.map((record) => record.length),
      [120, 120, 120, 120, 120],
    );
    assert.equal(records[1]?.slice(0, 30), "1062-000 98765432 130000002500");
    assert.equal(records[1]?.slice(62, 74), bankReferenceOf(made[0].id));
    assert.equal(records[4]?.slice(20, 50), "000000325500000000000000003255");
    const again = await command("export", { out: at("two.aba") });
    assert.deepEqual(again.output, { batchId: null, debits: 0, keptBack: [left], waiting: 0 });
    const copy = await command("export", { out: at("copy.aba"), batch: exported.batchId });
    assert.equal(copy.code, 0);
    assert.equal(await read("copy.aba"), await read("one.aba"));
    const existing = await command("export", { out: at("copy.aba"), batch: exported.batchId });
    assert.deepEqual([existing.code, /exists already/.test(existing.stderr)], [1, true]);
    assert.equal((await getTransaction(shop, left)).result.status, "pending");
  });

  test("a return declines its debit; a file is imported once, completely or not at all", async () => {
    await writeReturns("one.aba", "returns.txt", { 0: "3" });
    const { output } = await command("import", { file: at("returns.txt") });
    assert.deepEqual(output, { declined: 1, returned: 0, already: 0 });
    const declined = await getTransaction(shop, await idOf(2500));
    assert.deepEqual(declined.result, {
      mode: "live",
      status: "declined",
      codes: [shownCode("D10007 target_account_closed", gateway.baseUrl)],
    });
    const doubled = await command("import", { file: at("returns.txt") });
    assert.deepEqual([doubled.code, /read before/.test(doubled.stderr)], [1, true]);
    await writeFile(
      at("unknown.txt"),
      (await read("returns.txt")).replace(/(?<=Lee {23})\w{12}/, "AAAAAAAAAAAA"),
    );
    const unknown = await command("import", { file: at("unknown.txt") });
    assert.deepEqual([unknown.code, /line 2: no debit/.test(unknown.stderr)], [1, true]);
  });

  test("a debit in a file that the bank is not confirmed to have stays pending, however much time passes", async () => {
    const id = await idOf(700);
    const [{ batchId, status, written, confirmed }] = await batches();
    assert.deepEqual([status, written, confirmed], ["written", true, false]);
    await letDaysPass();
    const runs = async () =>
      gateway.database.rows("select from jobs where merchant_id = $1 and due_at <= now()", [merchantId]);
    await eventually("every due job ran", async () => (await runs()).length === 0);
    assert.equal((await getTransaction(shop, id)).result.status, "pending");
    const [left] = await gateway.database.rows<{ count: number }>(
      "select count(*)::int as count from debits where batch_id = $1 and submitted_at is not null",
      [batchId],
    );
    assert.equal(left?.count, 0);
  });

  test("confirm starts the clearing days on the bank's day: once, of a written file, on a banking day", async () => {
    const [{ batchId, createdDateTime }] = await batches();
    for (const [id, day, problem] of [
      ["bat_1", [], /has no file with that batch id/],
      [batchId, ["--day", "2098-12-27"], /weekend or a holiday/],
      [batchId, ["--day", "2020-01-06"], /before the day on which the batch was made/],
    ] as const) {
      const { code, stderr } = await confirm(id, ...day);
      assert.deepEqual([code, problem.test(stderr)], [1, true], stderr);
    }
    const never = await confirm(batchId, "--day", "tomorrow");
    assert.deepEqual([never.code, /not a day/.test(never.stderr)], [2, true]);
    const { code, output } = await confirm(batchId);
    assert.deepEqual([code, output.batchId], [0, batchId]);
    assert.ok(output.processingDay >= createdDateTime.slice(0, 10), "not the file's day, which is over");
    assert.equal(output.clearedOn, bankingDaysAfter(output.processingDay, 3, "AU"));
    const [listed] = await batches();
    assert.deepEqual([listed.confirmed, listed.processingDay], [true, output.processingDay]);
    const again = await confirm(batchId);
    assert.deepEqual([again.code, /confirmed before/.test(again.stderr)], [1, true]);
    assert.equal((await getTransaction(shop, await idOf(700))).result.status, "pending");
  });

  test("a debit without a return for three banking days is approved; a later return still declines it", async () => {
    const id = await idOf(700);
    assert.equal((await getTransaction(shop, id)).result.status, "pending");
    await letDaysPass();
    await whenStatus(shop, id, "approved");
    assert.equal((await getTransaction(shop, await idOf(2500))).result.status, "declined", "it was returned");
    const refund = await callApi(shop, "POST", `/transactions/${id}/refunds`);
    assert.deepEqual([refund.status, ...problemsOf(refund)], [403, "V11618"], "refunds need a connector");
    await writeReturns("one.aba", "late.txt", { 0: "3", 1: "6" });
    const { output } = await command("import", { file: at("late.txt") });
    assert.deepEqual(output, { declined: 0, returned: 1, already: 1 });
    assert.deepEqual(await publishedStatuses(shop, id), ["pending", "approved", "declined"]);
  });

  const CODE_OF: Readonly<Record<string, string>> = {
    "Account closed": "D10007",
    "5": "D10001",
    "Payment stopped": "D10002",
    "": "D10000",
  };

  /** Exports new debits of these amounts; returns the batch and the debits with their references at the bank. */
  async function exported(name: string, amounts: readonly number[]) {
    const account = await storedAccount(shop);
    const debits = [];
    for (const amount of amounts) {
      const { id } = await debit(shop, amount, account);
      debits.push({ id, amount, reference: bankReferenceOf(id), dollars: (amount / 100).toFixed(2) });
    }
    const { output } = await command("export", { out: at(name) });
    assert.equal(output.debits, amounts.length);
    return { batchId: output.batchId as string, debits };
  }
  const acknowledge = async (rows: readonly string[], ...rest: readonly string[]) => {
    await writeFile(at("ack.csv"), ["Status,Reference,Amount,Reason", ...rows, ""].join("\r\n"));
    return tryCommand(
      gateway,
      "debit",
      "confirm",
      "--file",
      at("ack.csv"),
      "--merchant",
      merchantId,
      ...rest,
    );
  };
  const statusOf = async (id: string) => {
    const { result } = await getTransaction(shop, id);
    return [result.status, result.codes?.[0]?.id];
  };

  test("an acknowledgement confirms the batch and declines what the bank rejected, each with its code", async () => {
    const reasons = Object.keys(CODE_OF);
    const { batchId, debits } = await exported("ack.aba", [81_001, 81_002, 81_003, 81_004, 81_005]);
    const rows = debits.map(({ reference, dollars }, index) =>
      index === 4
        ? `accepted,${reference},${dollars},`
        : `Rejected,${reference},${dollars},${reasons[index]}`,
    );
    const { code, output, stderr } = await acknowledge(rows);
    assert.equal(code, 0, stderr);
    assert.deepEqual([output.batchId, output.accepted, output.rejected], [batchId, 1, 4]);
    for (const [index, { id }] of debits.entries()) {
      const declined = ["declined", CODE_OF[reasons[index] ?? ""]];
      assert.deepEqual(await statusOf(id), index === 4 ? ["pending", undefined] : declined);
    }
    const again = await acknowledge(rows);
    assert.deepEqual([again.code, /confirmed before/.test(again.stderr)], [1, true]);
    await letDaysPass();
    await whenStatus(shop, debits[4]?.id ?? "", "approved");
    assert.deepEqual(await publishedStatuses(shop, debits[0]?.id ?? ""), ["pending", "declined"]);
  });

  test("an acknowledgement of the whole batch names the rejected debits only; a rejected batch confirms nothing", async () => {
    const { batchId, debits } = await exported("whole.aba", [82_001, 82_002, 82_003]);
    const [first, ...others] = debits;
    const refused = await acknowledge([`rejected,${batchId},2460.06,`]);
    assert.deepEqual([refused.code, /rejected the whole file/.test(refused.stderr)], [1, true]);
    const rejected = `rejected,${first?.reference},${first?.dollars},Account closed`;
    const { output, stderr } = await acknowledge([`accepted,${batchId},2460.06,`, rejected]);
    assert.deepEqual([output.accepted, output.rejected], [2, 1], stderr);
    assert.deepEqual(await statusOf(first?.id ?? ""), ["declined", "D10007"]);
    for (const { id } of others) assert.deepEqual(await statusOf(id), ["pending", undefined]);
  });

  test("a debit because of which the bank rejected the whole file is declined, and the next file has the others", async () => {
    const { batchId, debits } = await exported("line.aba", [84_001, 84_002]);
    const [bad, good] = debits;
    const rows = [
      `rejected,${batchId},1680.03,`,
      `rejected,${bad?.reference},${bad?.dollars},Account closed`,
    ];
    const refused = await acknowledge(rows);
    assert.deepEqual([refused.code, refused.stderr.includes(`declined: ${bad?.id}. `)], [1, true]);
    assert.deepEqual(await statusOf(bad?.id ?? ""), ["declined", "D10007"]);
    const again = await runCommand(gateway.database, [
      ...argumentsOf("export", { out: at("line-again.aba"), batch: batchId }),
      "--json",
    ]);
    assert.deepEqual(JSON.parse(again.stdout).total, good?.amount);
    assert.match(again.stderr, new RegExp(`not in this file, because they are declined: ${bad?.id}`));
    assert.doesNotMatch(again.stderr, /created/);
    const { output } = await acknowledge([`accepted,${good?.reference},${good?.dollars},`]);
    assert.deepEqual([output.accepted, output.rejected], [1, 0]);
    assert.deepEqual(await statusOf(good?.id ?? ""), ["pending", undefined]);
  });

  test("a batch is empty when the bank rejected the whole file and each of its debits", async () => {
    const { batchId, debits } = await exported("all-rejected.aba", [85_001]);
    const rows = (reason: string) =>
      debits.map(({ reference, dollars }) => `rejected,${reference},${dollars},${reason}`);
    const whole = `rejected,${batchId},850.01,`;
    const kept = await acknowledge([whole, ...rows("")]);
    assert.match(kept.stderr, /Write the file again with/, "no debit has a reason of its own");
    assert.deepEqual(await statusOf(debits[0]?.id ?? ""), ["pending", undefined]);
    const all = [whole, ...rows("Account closed")];
    const refused = await acknowledge(all);
    assert.deepEqual([refused.code, refused.stderr.includes("No debit of the batch is left")], [1, true]);
    const repeated = await acknowledge(all);
    assert.match(repeated.stderr, /no debit of this batch is left, so there is nothing to confirm/);
    assert.equal((await batches())[0].status, "empty");
    const again = await command("export", { out: at("empty.aba"), batch: batchId });
    assert.equal(again.code, 1);
    await assert.rejects(read("empty.aba"), { code: "ENOENT" });
  });

  test("an acknowledgement that is not exactly about one written batch is refused and changes nothing", async () => {
    const { batchId, debits } = await exported("wrong.aba", [83_001, 83_002]);
    const [one, two] = debits.map(({ reference, dollars }) => `${reference},${dollars},`);
    const [early] = await gateway.database.rows<{ reference: string }>(
      `select bank_reference as reference from debits where batch_id <> $1
       and merchant_id = (select merchant_id from debits where batch_id = $1 limit 1) limit 1`,
      [batchId],
    );
    for (const [rows, problem] of [
      [[], /no records/],
      [[`accepted,${one}`], /names 1 of the 2 debits/],
      [[`accepted,${one}`, `accepted,${one}`, `accepted,${two}`], /line 3: the debit is named twice/],
      [
        [`rejected,${one}`, `accepted,${debits[1]?.reference},1.00,`],
        /line 3: the debit was of another amount/,
      ],
      [[`rejected,${one}`, "accepted,ABCDEFGHJKMN,830.02,"], /line 3: no debit/],
      [[`rejected,${one}`, `accepted,${early?.reference},1.00,`], /line 3: a debit of another batch/],
      [[`rejected,${one}`, `maybe,${two}`], /line 3: the status is neither/],
      [[`rejected,${one}because`, `accepted,${two}`], /line 2: the reason is not known/],
      [[`accepted,${batchId},1.00,`], /line 2: the batch is of another total/],
      [[`accepted,bat_${"0".repeat(29)},1.00,`], /no file with that batch id/],
    ] as const) {
      const { code, stderr } = await acknowledge(rows);
      assert.deepEqual([code, problem.test(stderr)], [1, true], `${rows.join(" | ")}: ${stderr}`);
    }
    const weekend = await acknowledge([`rejected,${one}`, `accepted,${two}`], "--day", "2098-12-27");
    assert.deepEqual([weekend.code, /weekend/.test(weekend.stderr)], [1, true]);
    const both = await acknowledge([`accepted,${one}`, `accepted,${two}`], batchId);
    assert.deepEqual([both.code, /name the batch, or/.test(both.stderr)], [2, true]);
    for (const { id } of debits) assert.deepEqual(await statusOf(id), ["pending", undefined]);
    const [listed] = (await batches()).filter((batch: { batchId: string }) => batch.batchId === batchId);
    assert.equal(listed.confirmed, false);
    assert.equal((await acknowledge([`rejected,${one}`, `accepted,${two}`])).code, 0);
  });

  test("New Zealand has its own file format and its own dishonour file", async () => {
    const { id } = await debit(shop, 1234, await storedAccount(shop, NZ_ACCOUNT));
    const { output } = await command("export", { agreement: at("nz.json"), out: at("nz.txt") });
    assert.deepEqual([output.debits, output.total], [1, 1234]);
    const reference = bankReferenceOf(id);
    const [head, line, foot] = (await read("nz.txt")).trimEnd().split("\r\n");
    assert.match(head ?? "", /^1,0212345,,,021234000567800,6,\d{6},\d{6},I$/);
    assert.match(line ?? "", new RegExp(`^2,1231400171323050,00,1234,Jamie Lee,${reference},`));
    assert.equal(foot, "3,1234,1,31400171323");
    await writeFile(
      at("dishonours.csv"),
      `\uFEFFReference,Amount,Reason\n${reference},12.34,Insufficient funds\n`,
    );
    const imported = await command("import", { agreement: at("nz.json"), file: at("dishonours.csv") });
    assert.deepEqual(imported.output, { declined: 1, returned: 0, already: 0 });
    assert.equal((await getTransaction(shop, id)).result.codes[0].id, "D10000");
  });

  test("a bank reference never begins with a zero, and two debits never share one", () => {
    const id = (end: string) => `txn_01m7fhsh1n0004rjy${end}` as Parameters<typeof bankReferenceOf>[0];
    assert.equal(bankReferenceOf(id("0123456789ab")), "U123456789AB");
    assert.equal(bankReferenceOf(id("00000000000z")), "U0000000000Z");
    assert.equal(bankReferenceOf(id("z123456789a0")), "Z123456789A0");
    assert.equal(parseId("transaction", id("u123456789ab")), undefined, "no id has that letter");
    assert.notEqual(parseId("transaction", id("0123456789ab")), undefined);
  });

  test("a problem is reported in one line", async () => {
    const other = await gateway.newMerchant();
    for (const [options, problem, exit = 1] of [
      [{ agreement: at("nothing.json") }, /can't be read/],
      [{ agreement: at("bad.json") }, /must be JSON as in/],
      [{ merchant: other.id }, /sandbox/],
      [{ day: "2026-02-30" }, /not a day/, 2],
      [{ day: "2020-01-01" }, /in the past/],
      [{ day: "2098-12-25" }, /bank holiday; the next banking day is 2098-12-29$/],
      [{ day: "2098-12-27" }, /weekend or bank holiday/],
      [{ batch: "bat_1" }, /must be the id of a batch/, 2],
    ] as const) {
      const { code, stderr } = await command("export", { out: at("none.aba"), ...options });
      assert.equal(code, exit);
      assert.match(stderr, problem);
      assert.equal(stderr.trimEnd().split("\n").length, 1, stderr);
    }
  });

  test("a file's day is a banking day of its country, and every batch is listed", async () => {
    await debit(shop, 300);
    const { output } = await command("export", { out: at("later.aba"), day: "2098-12-29" });
    assert.equal(output.day, "2098-12-29");
    assert.equal((await read("later.aba")).slice(74, 80), "291298");
    await debit(shop, 301);
    for (const out of [join(folder, "no-such-folder", "x.aba"), at("later.aba")]) {
      const failed = await command("export", { out });
      assert.deepEqual([failed.code, /can't be written or exists/.test(failed.stderr)], [1, true]);
    }
    assert.equal(
      (await batches())[0].batchId,
      output.batchId,
      "no debit is kept for a file that is not there",
    );
    const wrapContext = (ctx: Context) =>
      watchContext(ctx, (point) => {
        if (point === "debit_batch_update:before") throw new Error("killed");
      });
    await assert.rejects(
      tryCommand({ ...gateway, wrapContext }, ...argumentsOf("export", { out: at("killed.aba") })),
      /killed/,
    );
    await assert.rejects(read("killed.aba"), { code: "ENOENT" });
    const [unwritten, written] = await batches();
    const next = await runCommand(gateway.database, argumentsOf("export", { out: at("next.aba") }));
    assert.match(next.stderr, new RegExp(`warning: .*batches that have no file: ${unwritten.batchId}; `));
    await assert.rejects(read("next.aba"), { code: "ENOENT" });
    const early = await confirm(unwritten.batchId);
    assert.deepEqual([early.code, /no file of this batch was written/.test(early.stderr)], [1, true]);
    assert.deepEqual([unwritten.written, unwritten.total, unwritten.debits], [false, 301, 1]);
    assert.deepEqual(
      [written.batchId, written.day, written.written],
      [output.batchId, "2098-12-29", true],
      "newest first",
    );
    const again = await command("export", { out: at("found.aba"), batch: unwritten.batchId });
    assert.equal(again.output.total, 301);
    assert.equal((await batches())[0].written, true);
  });

  test("a file that the bank refused gets a new day, until the batch is confirmed; then none is written", async () => {
    await debit(shop, 302);
    const { output } = await command("export", { out: at("refused.aba") });
    const batch = output.batchId;
    const again = (name: string, options: Record<string, string>) =>
      runCommand(gateway.database, [
        ...argumentsOf("export", { out: at(name), batch, ...options }),
        "--json",
      ]);
    const redated = await again("redated.aba", { day: "2098-12-29" });
    assert.equal(redated.code, 0);
    assert.equal(JSON.parse(redated.stdout).day, "2098-12-29");
    assert.match(
      redated.stderr,
      new RegExp(`warning: an earlier file of this batch is for ${output.day}: .*only if the bank refused`),
    );
    const [one, other] = [await read("refused.aba"), await read("redated.aba")];
    assert.equal(other, `${one.slice(0, 74)}291298${one.slice(80)}`);
    const copy = await again("copied.aba", {});
    assert.equal(copy.stderr.includes("an earlier file"), false);
    assert.equal(await read("copied.aba"), other);
    assert.equal((await batches())[0].day, "2098-12-29");
    assert.equal((await again("past.aba", { day: "2020-01-06" })).code, 1);
    assert.equal((await confirm(batch)).output.processingDay, "2098-12-29");
    for (const day of ["2098-12-30", undefined]) {
      const late = await again("late.aba", day === undefined ? {} : { day });
      assert.deepEqual([late.code, /another one would debit the payers again/.test(late.stderr)], [1, true]);
      await assert.rejects(read("late.aba"));
    }
    assert.equal((await batches())[0].day, "2098-12-29");
  });

  test("20 concurrent imports of one returns file change each debit once", async () => {
    const { id } = await debit(shop, 401);
    await command("export", { out: at("many.aba") });
    await writeReturns("many.aba", "many.txt", { 0: "6" });
    const file = { text: await read("many.txt"), hash: hashSecret(await read("many.txt")) };
    const imports = await inContext(gateway.database, async (ctx) => {
      const merchant = await ownMerchant(ctx);
      return Promise.allSettled(
        Array.from({ length: 20 }, () => importReturns(ctx, merchant, AU as DebitAgreement, file)),
      );
    });
    const counts = imports.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
    for (const one of imports) if (one.status === "rejected") assert.match(String(one.reason), /read before/);
    assert.equal(
      counts.reduce((sum, { declined }) => sum + declined, 0),
      1,
    );
    assert.ok(counts.every(({ returned }) => returned === 0));
    for (let time = 0; time < 20; time += 1) {
      assert.match((await command("import", { file: at("many.txt") })).stderr, /read before/);
    }
    assert.deepEqual(await publishedStatuses(shop, id), ["pending", "declined"]);
  });

  test("a debit that is approved while its return is imported is returned", async () => {
    const { id } = await debit(shop, 402);
    const { output } = await command("export", { out: at("moment.aba") });
    assert.equal((await confirm(output.batchId)).code, 0);
    await writeReturns("moment.aba", "moment.txt", { 0: "6" });
    const file = { text: await read("moment.txt"), hash: hashSecret(await read("moment.txt")) };
    const [reached, resume] = [gate(), gate()];
    const count = await inContext(gateway.database, async (ctx) => {
      const stalled = watchContext(ctx, async (point) => {
        if (point !== "transaction_lock:before") return;
        reached.open();
        await resume.opened;
      });
      const importing = importReturns(stalled, await ownMerchant(ctx), AU as DebitAgreement, file);
      await reached.opened;
      await letDaysPass();
      await whenStatus(shop, id, "approved");
      resume.open();
      return importing;
    });
    assert.deepEqual(count, { declined: 0, returned: 1, already: 0 });
    assert.deepEqual(await publishedStatuses(shop, id), ["pending", "approved", "declined"]);
  });

  const ownMerchant = async (ctx: Context) =>
    (await findMerchant(ctx.db, merchantId as Merchant["id"])) ?? assert.fail();

  test("a debit whose account was deleted before the export is declined, never approved", async () => {
    const stored = await storedAccount(shop, AU_ACCOUNT);
    const body = { payment: { amount: 777, instrument: { customer: stored } } };
    const { id } = (await callApi(shop, "POST", "/transactions", body)).body;
    const path = `/customers/${stored.id}/paymentinstruments/${stored.paymentInstrumentId}`;
    assert.equal((await gateway.call(path, { method: "DELETE", key: shop.key })).status, 200);
    const kept = await debit(shop, 888);
    const { code, output } = await command("export", { out: at("deleted.aba") });
    assert.equal(code, 0);
    assert.deepEqual(output.missing, [id]);
    const declined = await getTransaction(shop, id);
    assert.deepEqual([declined.result.status, declined.result.codes[0].id], ["declined", "D10001"]);
    // Control: a debit in the file stays pending.
    assert.equal((await getTransaction(shop, kept.id)).result.status, "pending");
    assert.equal((await confirm(output.batchId)).code, 0);
    await letDaysPass();
    await whenStatus(shop, kept.id, "approved");
    assert.deepEqual(await publishedStatuses(shop, id), ["pending", "declined"]);
  });

  test("a debit that was in a written file is not declined when its account is deleted and the file written again", async () => {
    const stored = await storedAccount(shop, AU_ACCOUNT);
    const { id } = await debit(shop, 999, stored);
    await debit(shop, 998);
    const { output } = await command("export", { out: at("before.aba") });
    const path = `/customers/${stored.id}/paymentinstruments/${stored.paymentInstrumentId}`;
    assert.equal((await gateway.call(path, { method: "DELETE", key: shop.key })).status, 200);
    const again = await command("export", { out: at("after.aba"), batch: output.batchId });
    assert.deepEqual(again.output.missing, [id]);
    assert.equal(
      (await getTransaction(shop, id)).result.status,
      "pending",
      "the bank may have the first file",
    );
  });

  test("doctor warns of a file that was written more than a day ago and is not confirmed", async () => {
    const examined = () => inContext(gateway.database, (ctx) => checkWork(ctx));
    const warnings = async () => (await examined()).filter(({ check }) => check === "debit files");
    assert.deepEqual(await warnings(), [], "today's files may be on their way");
    await gateway.database.rows("update debit_batches set created_at = $1 where status = 'written'", [
      new Date(Date.now() - 25 * 3_600_000),
    ]);
    const [warning] = await warnings();
    assert.equal(warning?.status, "warn");
    assert.match(warning?.says ?? "", /not confirmed; their debits stay pending/);
    await gateway.database.rows(
      "update debit_batches set status = 'made' where id = (select max(id) from debit_batches where status = 'written')",
    );
    await gateway.database.rows("update debit_batches set status = 'submitted' where status = 'written'");
    assert.match((await warnings())[0]?.says ?? "", /^1 files are .* not written or not confirmed/);
  });

  test("doctor warns of debits that are in no file for days", async () => {
    const findings = (days: number) =>
      inContext(gateway.database, (ctx) => checkWork({ ...ctx, now: () => later(ctx.now(), days * DAY) }));
    await debit(shop, 1);
    const warned = async (days: number) =>
      (await findings(days)).some(({ check, status }) => check === "debits" && status === "warn");
    assert.deepEqual([await warned(2), await warned(4)], [false, true]);
  });
});
