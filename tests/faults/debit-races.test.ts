import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { DirectDebitBank } from "../../src/connectors/ports/direct-debit-bank.ts";
import { reconcile } from "../../src/features/payouts/index.ts";
import type { Context } from "../../src/platform/context.ts";
import type { Log } from "../../src/platform/log/log.ts";
import { callApi, getTransaction, ok, payOnce, type Shop, shopOf } from "../support/checkout.ts";
import { shownCode } from "../support/codes.ts";
import { debit, publishedStatuses, runSettlements, storedAccount, whenStatus } from "../support/debits.ts";
import { eventually } from "../support/eventually.ts";
import { startTestGateway, type TestGateway } from "../support/gateway.ts";
import { assertInvariants } from "../support/invariants.ts";
import { inContext } from "../support/operator.ts";
import { payIdShop } from "../support/payid.ts";
import { bankEntries } from "../support/sandbox-ledger.ts";
import type { Stored } from "../support/stored-cards.ts";
import { gate, watchContext } from "../support/watched-context.ts";

describe("races and repeats on the debit rail", () => {
  let gateway: TestGateway;
  let submitFails = 0;
  let creditFails = 0;
  let bankUnavailable = false;
  let garbage: { readonly answer: unknown } | undefined;
  let isReadSlow = false;
  /** Opening account numbers takes as long as a hand-over may. */
  let isOpeningSlow = false;
  const errors: string[] = [];
  const log: Log = {
    debug: () => {},
    info: () => {},
    warn: () => {},
    error: ({ subjectId }, message) => void errors.push(`${subjectId} ${message}`),
  };
  /** The next hand-over stalls before it reads account numbers. */
  let stall: (() => Promise<void>) | undefined;
  /** What was handed over last reaches the bank. */
  let arrive: () => Promise<void> = async () => assert.fail("nothing was handed over");
  /** Keeps what is handed over, whatever becomes of the call. */
  const keeping = (ctx: Context, { connectors }: Context): Context => {
    const findDebitBank: typeof ctx.connectors.findDebitBank = (merchant) => {
      const bank = ctx.connectors.findDebitBank(merchant);
      const submit: DirectDebitBank["submit"] = async (batch) => {
        arrive = async () => connectors.findDebitBank(merchant)?.submit(batch);
        return bank?.submit(batch);
      };
      return bank && { ...bank, submit };
    };
    return { ...ctx, connectors: { ...ctx.connectors, findDebitBank } };
  };
  /** A debit is settled, and may be returned until a moment that is over when the answer arrives. */
  const answerSlowly = async (asOf: number) => {
    while (Date.now() <= asOf + 10) await new Promise((resolve) => setTimeout(resolve, 5));
    return [{ kind: "settled", code: "approved", returnableUntil: asOf + 10 }] as never;
  };
  /** The bank's own answers about debits, or others in their place. */
  const garbled = (ctx: Context): Context => {
    const findDebitBank: typeof ctx.connectors.findDebitBank = (merchant) => {
      const bank = ctx.connectors.findDebitBank(merchant);
      const read: DirectDebitBank["read"] = async (references, asOf) => {
        if (isReadSlow) return answerSlowly(asOf);
        return garbage === undefined ? (bank?.read(references, asOf) ?? []) : (garbage.answer as never);
      };
      return bank && { ...bank, read };
    };
    return { ...ctx, connectors: { ...ctx.connectors, findDebitBank } };
  };
  before(async () => {
    gateway = await startTestGateway({
      environment: { TIDEGATE_SANDBOX_SETTLEMENT_SECONDS: "600" },
      log,
      wrapContext: (ctx) => {
        const watched = watchContext(garbled(ctx), async (point) => {
          if (point === "debit_list_unsent:committed" && stall !== undefined) {
            const stalling = stall;
            stall = undefined;
            await stalling();
          }
          if (point === "debit_list_unsent:committed" && isOpeningSlow) {
            await gateway.database.rows(
              "update debit_batches set submitting_since = submitting_since - interval '2 minutes'",
            );
          }
          if (point === "submit:before" && bankUnavailable) throw new Error("the bank is unavailable");
          // The bank has the debit, and its answer is lost.
          if (point === "submit:after" && submitFails > 0) {
            submitFails -= 1;
            throw new Error("the connection broke");
          }
          if (point === "credit:after" && creditFails > 0) {
            creditFails -= 1;
            throw new Error("the connection broke");
          }
        });
        return keeping(watched, ctx);
      },
    });
  });
  after(async () => {
    try {
      await assertInvariants(gateway.database);
      const { balances, faults } = await inContext(gateway.database, reconcile);
      assert.deepEqual([faults, balances.filter(({ balanced }) => !balanced)], [[], []]);
    } finally {
      await gateway.stop();
    }
  });

  const newShop = async () => shopOf(gateway, (await gateway.newMerchant()).key);
  const refund = (shop: Shop, id: string, amount: number) =>
    callApi(shop, "POST", `/transactions/${id}/refunds`, { payment: { amount } });

  test("an answer that is none leaves a debit pending, and is no error of the gateway", async () => {
    const shop = await newShop();
    const { id } = await debit(shop, 700, await storedAccount(shop));
    try {
      for (const answer of [undefined, {}, [{}], [{ kind: "settled", code: true }], [{ kind: "declined" }]]) {
        garbage = { answer };
        await runSettlements(shop);
        assert.equal((await getTransaction(shop, id)).result.status, "pending");
      }
    } finally {
      garbage = undefined;
    }
    await runSettlements(shop);
    assert.deepEqual(await publishedStatuses(shop, id), ["pending", "approved"]);
  });

  test("20 concurrent settlement runs change each debit once and publish it once", async () => {
    const shop = await newShop();
    const stored = await storedAccount(shop);
    const made = [await debit(shop, 700, stored), await debit(shop, 11_001, stored)];
    await Promise.all(Array.from({ length: 20 }, () => runSettlements(shop)));
    assert.deepEqual(await Promise.all(made.map(({ id }) => publishedStatuses(shop, id))), [
      ["pending", "approved"],
      ["pending", "declined"],
    ]);
  });

  const deleteAccount = async (shop: Shop, { id, paymentInstrumentId }: Stored) =>
    ok(await callApi(shop, "DELETE", `/customers/${id}/paymentinstruments/${paymentInstrumentId}`));

  /** As if the last hand-over of the debit's batch had begun that long before. */
  const passSince = (id: string, time: string) =>
    gateway.database.rows(
      `update debit_batches set submitting_since = submitting_since - $2::interval
       where id = (select batch_id from debits where transaction_id = $1)`,
      [id, time],
    );

  /** Settles until the debit has that status, long after its last hand-over: a run that began before may hold its batch. */
  const whenSettledLater = (shop: Shop, id: string, status: string) =>
    eventually(`${id} is ${status}`, async () => {
      await passSince(id, "10 minutes");
      await runSettlements(shop);
      const transaction = await getTransaction(shop, id);
      return transaction.result.status === status && transaction;
    });

  /** A debit that was handed over in vain, and whose account was deleted since. */
  const unsentAndDeleted = async (shop: Shop, amount: number): Promise<string> => {
    const stored = await storedAccount(shop);
    bankUnavailable = true;
    const { id } = await debit(shop, amount, stored);
    await runSettlements(shop);
    bankUnavailable = false;
    await deleteAccount(shop, stored);
    return id;
  };

  test("a debit whose account is deleted before submission is declined with D10001, and never debited", async () => {
    const shop = await newShop();
    const { id: other } = await debit(shop, 801);
    const id = await unsentAndDeleted(shop, 800);
    await runSettlements(shop);
    // Another debit, perhaps in the same batch, whose account still exists.
    await whenStatus(shop, other, "approved");
    assert.equal((await getTransaction(shop, id)).result.status, "pending", "a call may still be on its way");
    const declined = await whenSettledLater(shop, id, "declined");
    assert.deepEqual(declined.result.codes, [shownCode("D10001 target_account_invalid", gateway.baseUrl)]);
    assert.deepEqual([await ledgerOf(id), await ledgerOf(other)], [[], ["debit", "settlement"]]);
    for (let time = 0; time < 3; time += 1) await runSettlements(shop);
    assert.deepEqual(await publishedStatuses(shop, id), ["pending", "declined"]);
  });

  test("such a debit is not declined while its hand-over is on its way: it is followed once the bank has it", async () => {
    const shop = await newShop();
    const id = await unsentAndDeleted(shop, 802);
    await runSettlements(shop);
    await passSince(id, "9 minutes");
    await runSettlements(shop);
    assert.equal((await getTransaction(shop, id)).result.status, "pending");
    await arrive();
    await runSettlements(shop);
    await whenStatus(shop, id, "approved");
    assert.deepEqual(await publishedStatuses(shop, id), ["pending", "approved"]);
    assert.deepEqual(await ledgerOf(id), ["debit", "settlement"]);
  });

  test("such a debit is read once more after it was declined, and what contradicts that is logged", async () => {
    const shop = await newShop();
    const id = await unsentAndDeleted(shop, 803);
    await whenSettledLater(shop, id, "declined");
    const jobs = "jobs where kind = 'debit_read_declined' and subject_id = $1";
    const [job] = await gateway.database.rows(
      `select due_at between now() + interval '23 hours' and now() + interval '1 day' as is_due from ${jobs}`,
      [id],
    );
    assert.equal(job?.["is_due"], true);
    try {
      garbage = { answer: [{ kind: "settled", code: "approved", returnableUntil: 0 }] };
      await gateway.database.rows(`update ${jobs.replace("where", "set due_at = now() where")}`, [id]);
      await eventually("it is read", async () => {
        return (await gateway.database.rows(`select from ${jobs}`, [id])).length === 0;
      });
    } finally {
      garbage = undefined;
    }
    assert.ok(errors.some((line) => line.startsWith(id) && line.endsWith("contradicts its earlier one")));
    assert.deepEqual(await publishedStatuses(shop, id), ["pending", "declined"]);
  });

  test("a process that stalls in a hand-over neither submits nor declines what another has handed over since", async () => {
    const shop = await newShop();
    const stored = await storedAccount(shop);
    const [stalled, woken] = [gate(), gate()];
    stall = async () => {
      stalled.open();
      await woken.opened;
    };
    try {
      submitFails = Number.POSITIVE_INFINITY;
      garbage = { answer: undefined };
      const { id } = await debit(shop, 804, stored);
      await stalled.opened;
      await runSettlements(shop);
      await deleteAccount(shop, stored);
      const attempts = `select attempts from debit_batches
        where id = (select batch_id from debits where transaction_id = $1)`;
      const [handedOver] = await gateway.database.rows<{ attempts: number }>(attempts, [id]);
      woken.open();
      await eventually("it begins again", async () => {
        const [batch] = await gateway.database.rows<{ attempts: number }>(attempts, [id]);
        return Number(batch?.attempts) > Number(handedOver?.attempts);
      });
      garbage = undefined;
      submitFails = 0;
      await runSettlements(shop);
      await whenStatus(shop, id, "approved");
      assert.deepEqual(await publishedStatuses(shop, id), ["pending", "approved"]);
      assert.deepEqual(await ledgerOf(id), ["debit", "settlement"]);
    } finally {
      woken.open();
      garbage = undefined;
      submitFails = 0;
    }
  });

  test("a batch whose account numbers take longer to open than a hand-over may is handed over", async () => {
    const shop = await newShop();
    isOpeningSlow = true;
    try {
      const { id } = await debit(shop, 805);
      await eventually("it is handed over", async () => (await ledgerOf(id)).length > 0);
    } finally {
      isOpeningSlow = false;
    }
  });

  test("a hand-over that another process began in vain counts as a failure of the job", async () => {
    const { id: merchantId, key } = await gateway.newMerchant();
    const problem = Promise.withResolvers<unknown>();
    stall = async () => {
      await gateway.database.rows(
        `update debit_batches set status = 'submitting', attempts = attempts + 1,
           submitting_since = now() - interval '3 minutes' where merchant_id = $1`,
        [merchantId],
      );
      stall = async () => {
        const jobs = "select problem from jobs where kind = 'debit_submit' and merchant_id = $1";
        const [job] = await gateway.database.rows(jobs, [merchantId]);
        problem.resolve(job?.["problem"]);
      };
    };
    const { id } = await debit(shopOf(gateway, key), 806);
    assert.match(String(await problem.promise), /recorded no outcome/);
    await eventually("it is handed over", async () => (await ledgerOf(id)).length > 0);
  });

  /** A debit that the bank took, whose answer was lost, and whose account was deleted since. */
  const lostAndDeleted = async (shop: Shop, amount: number): Promise<string> => {
    const stored = await storedAccount(shop);
    submitFails = Number.POSITIVE_INFINITY;
    const { id } = await debit(shop, amount, stored);
    const lost = `select from debits join debit_batches b on b.id = batch_id
      where transaction_id = $1 and b.status = 'unknown'`;
    await eventually("its answer is lost", async () => (await gateway.database.rows(lost, [id])).length > 0);
    await deleteAccount(shop, stored);
    return id;
  };

  test("a debit whose account is deleted after a lost answer is not declined: the bank has it, and gets it once", async () => {
    const shop = await newShop();
    try {
      const id = await lostAndDeleted(shop, 810);
      submitFails = 0;
      await runSettlements(shop);
      await whenStatus(shop, id, "approved");
      for (let time = 0; time < 3; time += 1) await runSettlements(shop);
      assert.deepEqual(await publishedStatuses(shop, id), ["pending", "approved"]);
      assert.deepEqual(await ledgerOf(id), ["debit", "settlement"]);
    } finally {
      submitFails = 0;
    }
  });

  test("such a debit waits while the bank does not say whether it has it", async () => {
    const shop = await newShop();
    try {
      garbage = { answer: undefined };
      const id = await lostAndDeleted(shop, 811);
      submitFails = 0;
      await runSettlements(shop);
      assert.equal((await getTransaction(shop, id)).result.status, "pending");
      garbage = undefined;
      await runSettlements(shop);
      await whenStatus(shop, id, "approved");
      assert.deepEqual(await ledgerOf(id), ["debit", "settlement"]);
    } finally {
      garbage = undefined;
      submitFails = 0;
    }
  });

  test("20 concurrent settlement runs return a debit once, with one event and one payout line", async () => {
    const shop = await newShop();
    const { id } = await debit(shop, 11_005);
    await runSettlements(shop);
    await Promise.all(Array.from({ length: 20 }, () => runSettlements(shop)));
    assert.deepEqual(await publishedStatuses(shop, id), ["pending", "approved", "declined"]);
    assert.deepEqual(await linesOf(id), ["payment 11005", "return -11005"]);
    assert.deepEqual(await ledgerOf(id), ["debit", "settlement", "return"]);
  });

  test("a debit that could be returned while the bank's answer was on its way is read again, and returned", async () => {
    const shop = await newShop();
    isReadSlow = true;
    const [followed, run] = [await debit(shop, 11_005), await debit(shop, 11_005)];
    try {
      await whenStatus(shop, followed.id, "approved");
      await runSettlements(shop);
    } finally {
      isReadSlow = false;
    }
    for (let time = 0; time < 2; time += 1) await runSettlements(shop);
    for (const { id } of [followed, run])
      assert.deepEqual(await publishedStatuses(shop, id), ["pending", "approved", "declined"]);
  });

  test("on every rail, 20 concurrent and 20 further settlement runs pay each refund once", async () => {
    const { key } = await gateway.newMerchant();
    const [shop, payIds] = [shopOf(gateway, key), payIdShop(gateway, key)];
    const { id: debited } = await debit(shop, 900);
    const { transactionId: card } = await payOnce(shop, { amount: 901 });
    const { id: request, payId } = await payIds.request({ amount: 902 });
    await payIds.pay(payId, 902);
    const { transactionResult } = await payIds.read(request);
    await runSettlements(shop);
    const transactions = [debited, card, transactionResult.id];
    const refunds: string[] = [];
    for (const id of transactions) refunds.push(ok(await refund(shop, id, 300)).id);
    await Promise.all(Array.from({ length: 20 }, () => runSettlements(shop)));
    for (let time = 0; time < 20; time += 1) await runSettlements(shop);
    for (const [index, id] of refunds.entries()) {
      assert.deepEqual(await publishedStatuses(shop, id), ["pending", "approved"]);
      assert.deepEqual(await linesOf(id), ["refund -300"]);
      assert.equal((await getTransaction(shop, transactions[index] ?? "")).payment.refundedAmount, 300);
      const credits = await gateway.database.rows("select from sandbox_ledger where reference = $1", [id]);
      assert.equal(credits.length, 1);
    }
  });

  test("a refund that races a settlement is refused before it, and counts after it", async () => {
    const shop = await newShop();
    const stored = await storedAccount(shop);
    for (let time = 0; time < 10; time += 1) {
      const { id } = await debit(shop, 700, stored);
      const [, ...answers] = await Promise.all([
        runSettlements(shop),
        refund(shop, id, 500),
        refund(shop, id, 500),
        runSettlements(shop),
      ]);
      await runSettlements(shop);
      const statuses = answers.slice(0, 2).map(({ status }) => status);
      for (const status of statuses) assert.ok(status === 200 || status === 409, String(status));
      const accepted = statuses.filter((status) => status === 200).length;
      assert.ok(accepted <= 1, "two refunds would exceed the debit");
      const { payment, result } = await getTransaction(shop, id);
      assert.deepEqual([result.status, payment.refundedAmount], ["approved", accepted * 500]);
    }
  });

  const ledgerOf = (id: string) => bankEntries(gateway.database, id);
  const linesOf = async (subject: string) => {
    const lines = await gateway.database.rows<{ kind: string; amount: string }>(
      "select kind, amount from payout_lines where subject_id = $1 order by kind",
      [subject],
    );
    return lines.map(({ kind, amount }) => `${kind} ${amount}`);
  };

  test("debits are submitted again after a lost answer, and the bank takes them once", async () => {
    const shop = await newShop();
    submitFails = 1;
    const { id } = await debit(shop, 900);
    for (let time = 0; time < 5; time += 1) await runSettlements(shop);
    await whenStatus(shop, id, "approved");
    assert.equal(submitFails, 0);
    assert.deepEqual(await ledgerOf(id), ["debit", "settlement"]);
  });

  test("a refund is paid once even if the bank's answer is lost twice", async () => {
    const shop = await newShop();
    const { id } = await debit(shop, 900);
    await runSettlements(shop);
    creditFails = 2;
    ok(await refund(shop, id, 300));
    for (let time = 0; time < 4; time += 1) await runSettlements(shop);
    assert.equal(creditFails, 0);
    assert.equal((await getTransaction(shop, id)).payment.refundedAmount, 300);
  });

  test("refunds that race a return never exceed the debited amount", async () => {
    const shop = await newShop();
    const stored = await storedAccount(shop);
    for (let time = 0; time < 10; time += 1) {
      const { id } = await debit(shop, 11_005, stored);
      await runSettlements(shop);
      await Promise.all([
        refund(shop, id, 5000),
        runSettlements(shop),
        refund(shop, id, 6005),
        refund(shop, id, 1),
      ]);
      for (let again = 0; again < 2; again += 1) await runSettlements(shop);
      const { payment, result } = await getTransaction(shop, id);
      assert.equal(result.status, "declined");
      assert.equal(payment.capturedAmount, 0);
      assert.ok(payment.refundedAmount <= 11_005);
    }
  });

  test("two nodes settle the same debits once", async () => {
    const second = await startTestGateway({
      database: gateway.database,
      environment: { TIDEGATE_SANDBOX_SETTLEMENT_SECONDS: "600" },
    });
    try {
      const { key } = await gateway.newMerchant();
      const [one, other] = [shopOf(gateway, key), shopOf(second, key)];
      const stored = await storedAccount(one);
      const made = await Promise.all(
        Array.from({ length: 20 }, (_, index) => debit(index % 2 === 0 ? one : other, 500, stored)),
      );
      await Promise.all([one, other, one, other].map((shop) => runSettlements(shop)));
      await runSettlements(one);
      for (const { id } of made) {
        assert.deepEqual(await publishedStatuses(other, id), ["pending", "approved"]);
      }
      const [paid] = await gateway.database.rows<{ sum: string }>(
        "select sum(p.amount) from payouts p join transactions t on t.merchant_id = p.merchant_id and t.id = $1",
        [made[0]?.id],
      );
      assert.equal(Number(paid?.sum), 20 * 500);
    } finally {
      await second.stop();
    }
  });
});
