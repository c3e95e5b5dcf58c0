import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import {
  advanceClock,
  callApi,
  getTransaction,
  ok,
  problemsOf,
  type Shop,
  shopOf,
} from "../../support/checkout.ts";
import { shownCode } from "../../support/codes.ts";
import {
  AU_ACCOUNT,
  approvedDebit,
  debit,
  NZ_ACCOUNT,
  publishedStatuses,
  runSettlements,
  storedAccount,
  whenStatus,
} from "../../support/debits.ts";
import { eventually } from "../../support/eventually.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { assertInvariantsAndStop, findInDatabase } from "../../support/invariants.ts";
import { chargeOf } from "../../support/stored-cards.ts";

const DELAY = 600;

describe("spec 3, 4: direct debit", () => {
  let gateway: TestGateway;
  let shop: Shop;
  before(async () => {
    gateway = await startTestGateway({
      environment: { TIDEGATE_SANDBOX_SETTLEMENT_SECONDS: String(DELAY) },
    });
    shop = shopOf(gateway);
  });
  after(() => assertInvariantsAndStop(gateway));

  /** A separate merchant, so that no other test settles its debits. */
  const newShop = async (country: "AU" | "NZ" = "AU") =>
    shopOf(gateway, (await gateway.newMerchant({ country })).key);

  const codesOf = (transaction: { result: { codes?: readonly { id: string }[] } }) =>
    transaction.result.codes?.map(({ id }) => id);

  test("a debit is pending, and its account number is masked", async () => {
    const stored = await storedAccount(shop);
    const made = await debit(shop, 2500, stored);
    assert.deepEqual(made.result, { mode: "sandbox", status: "pending" });
    assert.equal(made.category.source, "direct_debit");
    assert.deepEqual(made.payment.instrument, {
      customer: stored,
      bankAccount: { ...AU_ACCOUNT, number: "XXXXXX32" },
    });
    assert.deepEqual(await getTransaction(shop, made.id), made);
  });

  test("a debit is approved one settlement delay later on the merchant's clock, with one event", async () => {
    const own = await newShop();
    const { id } = await debit(own, 2500);
    await advanceClock(own, DELAY - 30);
    assert.equal((await getTransaction(own, id)).result.status, "pending");
    await advanceClock(own, 30);
    const approved = await whenStatus(own, id, "approved");
    assert.deepEqual(codesOf(approved), ["A02000"]);
    assert.equal(approved.captureStatus, "captured");
    assert.equal(approved.payment.capturedAmount, 2500);
    const events = await publishedStatuses(own, id);
    assert.deepEqual(events, ["pending", "approved"]);
  });

  for (const [amount, code, message] of [
    [11_000, "D10000", "declined"],
    [11_001, "D10001", "target_account_invalid"],
    [11_002, "D10002", "target_account_blocked"],
    [11_003, "D10003", "target_account_name_mismatch"],
    [11_007, "D10007", "target_account_closed"],
  ] as const) {
    test(`contract 9: ${amount} is declined with ${code}`, async () => {
      const own = await newShop();
      const { id } = await debit(own, amount);
      await advanceClock(own, DELAY);
      const declined = await whenStatus(own, id, "declined");
      assert.deepEqual(declined.result.codes, [shownCode(`${code} ${message}`, gateway.baseUrl)]);
      assert.equal(declined.payment.capturedAmount, 0);
      assert.equal(declined.captureStatus, undefined);
      const events = await publishedStatuses(own, id);
      assert.deepEqual(events, ["pending", "declined"]);
    });
  }

  test("contract 9: 11005 is approved and, one more delay later, returned with D10005", async () => {
    const own = await newShop();
    const { id } = await debit(own, 11_005);
    await advanceClock(own, DELAY);
    const approved = await whenStatus(own, id, "approved");
    assert.equal(approved.payment.capturedAmount, 11_005);
    await advanceClock(own, DELAY);
    const returned = await whenStatus(own, id, "declined");
    assert.deepEqual(returned.result.codes, [shownCode("D10005 returned", gateway.baseUrl)]);
    assert.equal(returned.payment.capturedAmount, 0);
    assert.equal(returned.captureStatus, undefined);
    assert.ok(returned.updatedDateTime > approved.updatedDateTime);
    const events = await publishedStatuses(own, id);
    assert.deepEqual(events, ["pending", "approved", "declined"]);
    const refund = await callApi(own, "POST", `/transactions/${id}/refunds`);
    assert.equal(refund.status, 409);
    assert.deepEqual(problemsOf(refund), ["V11720"]);
  });

  test("settlement and return each publish an event even if both are due at once", async () => {
    const own = await newShop();
    const { id } = await debit(own, 11_005);
    await advanceClock(own, 3 * DELAY);
    await whenStatus(own, id, "declined");
    const events = await publishedStatuses(own, id);
    assert.deepEqual(events, ["pending", "approved", "declined"]);
  });

  test("any other amount stays approved, however much time passes", async () => {
    const own = await newShop();
    const { id } = await debit(own, 11_004);
    await advanceClock(own, DELAY);
    await whenStatus(own, id, "approved");
    await advanceClock(own, 30 * DELAY);
    await runSettlements(own);
    assert.equal((await getTransaction(own, id)).result.status, "approved");
  });

  test("a debit is in the currency of the account's country", async () => {
    const { id } = await debit(shop, 3300, await storedAccount(shop, NZ_ACCOUNT));
    await runSettlements(shop);
    const approved = await whenStatus(shop, id, "approved");
    assert.equal(approved.payment.currencyCode, "NZD");
    assert.deepEqual(approved.payment.instrument.bankAccount, {
      accountName: "Jamie Lee",
      number: "XX-XXXX-XXXXXXX-X50",
    });
  });

  test("contract 9: settlements/run settles immediately, and the next run makes the returns", async () => {
    const own = await newShop();
    const [good, bad, late] = [await debit(own, 2500), await debit(own, 11_001), await debit(own, 11_005)];
    const statuses = async () =>
      Promise.all([good, bad, late].map(async ({ id }) => (await getTransaction(own, id)).result.status));
    const first = await runSettlements(own);
    assert.deepEqual(first, { ...first, transactions: 3, refunds: 0 });
    assert.deepEqual(first.result, { mode: "sandbox", status: "ok" });
    assert.deepEqual(await statuses(), ["approved", "declined", "approved"]);
    assert.equal((await runSettlements(own)).transactions, 1);
    assert.deepEqual(await statuses(), ["approved", "declined", "declined"]);
    assert.equal((await runSettlements(own)).transactions, 0);
    assert.deepEqual(await statuses(), ["approved", "declined", "declined"]);
  });

  test("settlements/run settles the caller's own debits, accepts no body or {}, and is 404 in live mode", async () => {
    const [own, other] = [await newShop(), await newShop()];
    const { id } = await debit(own, 2500);
    ok(await callApi(other, "POST", "/sandbox/settlements/run", {}));
    assert.equal((await getTransaction(own, id)).result.status, "pending");
    const live = shopOf(gateway, (await gateway.newMerchant({ mode: "live" })).key);
    assert.equal((await callApi(live, "POST", "/sandbox/settlements/run")).status, 404);
    assert.equal((await callApi(own, "POST", "/sandbox/settlements/run", { now: true })).status, 400);
    await runSettlements(own);
    await whenStatus(own, id, "approved");
  });

  test("a live merchant with the capability debits without a connector, because files go to its bank", async () => {
    const allowed = await gateway.newMerchant({ mode: "live" });
    await gateway.database.rows(`update merchants set capabilities = '{"directDebit":true}' where id = $1`, [
      allowed.id,
    ]);
    const live = shopOf(gateway, allowed.key);
    assert.deepEqual((await debit(live, 2500)).result, { mode: "live", status: "pending" });
    const other = shopOf(gateway, (await gateway.newMerchant({ mode: "live" })).key);
    const refused = await callApi(other, "POST", "/transactions", chargeOf(await storedAccount(other)));
    assert.deepEqual([refused.status, problemsOf(refused)], [403, ["V11743"]]);
    assert.deepEqual(ok(await callApi(other, "GET", "/transactions")).transactions, []);
  });

  test("a deleted account keeps its past debits, which can still be refunded", async () => {
    const own = await newShop();
    const stored = await storedAccount(own);
    const earlier = await debit(own, 1200, stored);
    await runSettlements(own);
    const path = `/customers/${stored.id}/paymentinstruments/${stored.paymentInstrumentId}`;
    await gateway.call(path, { method: "DELETE", key: own.key });
    assert.equal((await getTransaction(own, earlier.id)).result.status, "approved");
    const { id: refund } = ok(await callApi(own, "POST", `/transactions/${earlier.id}/refunds`));
    await runSettlements(own);
    const found = ok(await callApi(own, "GET", `/transactions/${earlier.id}/refunds/${refund}`));
    assert.equal(found.result.status, "approved");
  });

  test("I15: the account number is stored in clear nowhere, and every use is written to the audit log", async () => {
    const own = await newShop();
    const number = "31415926";
    const { id } = await debit(own, 2500, await storedAccount(own, { ...AU_ACCOUNT, number }));
    await runSettlements(own);
    await whenStatus(own, id, "approved");
    assert.deepEqual(await findInDatabase(gateway.database, number), []);
    assert.ok((await findInDatabase(gateway.database, id)).includes("sandbox_ledger"));
    const [used] = await gateway.database.rows<{ detail: string }>(
      "select detail from audit_log where act = 'number_used' and detail like $1",
      [`%${id}%`],
    );
    assert.match(used?.detail ?? "", /account_number for debit/);
  });

  test("many debits are submitted in batches, each debit once", async () => {
    const own = await newShop();
    const stored = await storedAccount(own);
    const made = await Promise.all(Array.from({ length: 25 }, () => debit(own, 700, stored)));
    await runSettlements(own);
    const rows = await gateway.database.rows<{ id: string; batch: string; total: string }>(
      `select d.transaction_id as id, d.batch_id as batch, b.total from debits d
       join debit_batches b on b.merchant_id = d.merchant_id and b.id = d.batch_id
       where d.transaction_id = any ($1)`,
      [made.map(({ id }) => id)],
    );
    assert.equal(rows.length, 25);
    const totals = new Map(rows.map(({ batch, total }) => [batch, Number(total)]));
    assert.equal(
      [...totals.values()].reduce((sum, total) => sum + total, 0),
      25 * 700,
    );
  });

  test("a debit can be refunded; a refund of 11400 is declined with D10000", async () => {
    const own = await newShop();
    const id = await approvedDebit(own, 50_000);
    const refund = (amount?: number) =>
      callApi(own, "POST", `/transactions/${id}/refunds`, amount && { payment: { amount } });
    const good = ok(await refund(1000));
    const bad = ok(await refund(11_400));
    assert.equal(good.result.status, "pending");
    await advanceClock(own, DELAY);
    await runSettlements(own);
    const resultOf = async (refund: string) =>
      ok(await callApi(own, "GET", `/transactions/${id}/refunds/${refund}`)).result;
    assert.deepEqual(await resultOf(good.id), {
      mode: "sandbox",
      status: "approved",
      codes: [shownCode("A02000 approved", gateway.baseUrl, "operation")],
    });
    assert.deepEqual(await resultOf(bad.id), {
      mode: "sandbox",
      status: "declined",
      codes: [shownCode("D10000 declined", gateway.baseUrl, "operation")],
    });
    assert.equal((await getTransaction(own, id)).payment.refundedAmount, 1000);
    assert.equal((await refund(49_001)).status, 409);
    ok(await refund());
    assert.equal((await runSettlements(own)).refunds, 1);
    assert.equal((await getTransaction(own, id)).payment.refundedAmount, 50_000);
  });

  test("a refund that waits when its debit is returned is declined, and the bank never sees it", async () => {
    const own = await newShop();
    const id = await approvedDebit(own, 11_005);
    const { id: refund } = ok(await callApi(own, "POST", `/transactions/${id}/refunds`));
    const run = await runSettlements(own);
    assert.deepEqual([run.transactions, run.refunds], [1, 1]);
    const { result, payment } = await getTransaction(own, id);
    assert.deepEqual([result.status, payment.refundedAmount], ["declined", 0]);
    const found = ok(await callApi(own, "GET", `/transactions/${id}/refunds/${refund}`));
    assert.deepEqual(found.result, {
      mode: "sandbox",
      status: "declined",
      codes: [shownCode("D10005 returned", gateway.baseUrl, "operation")],
    });
    assert.match(found.result.codes[0].detail, /^Do not refund the debit again/);
    const credits = await gateway.database.rows("select 1 from sandbox_ledger where reference = $1", [
      refund,
    ]);
    assert.equal(credits.length, 0);
  });

  test("a pending debit cannot be refunded, captured or cancelled", async () => {
    const own = await newShop();
    const { id } = await debit(own, 2500);
    for (const verb of ["refunds", "capture", "cancel"]) {
      assert.equal((await callApi(own, "POST", `/transactions/${id}/${verb}`)).status, 409);
    }
  });

  test("a returned debit keeps its earlier refund on record, and a pending refund is declined", async () => {
    const own = await newShop();
    const { id } = await debit(own, 11_005);
    await runSettlements(own);
    const refunds = `/transactions/${id}/refunds`;
    const early = ok(await callApi(own, "POST", refunds, { payment: { amount: 1000 } }));
    await gateway.database.rows("update jobs set due_at = now() where subject_id = $1", [early.id]);
    await whenRefunded(own, id, 1000);
    const late = ok(await callApi(own, "POST", refunds, { payment: { amount: 500 } }));
    await runSettlements(own);
    const returned = await getTransaction(own, id);
    assert.deepEqual(codesOf(returned), ["D10005"]);
    assert.deepEqual(
      [returned.payment.capturedAmount, returned.payment.refundedAmount],
      [0, 1000],
      "the earlier refund stays on record",
    );
    assert.equal(ok(await callApi(own, "GET", `${refunds}/${late.id}`)).result.status, "declined");
  });

  const whenRefunded = (own: Shop, id: string, amount: number) =>
    eventually(
      "the refund is settled",
      async () => (await getTransaction(own, id)).payment.refundedAmount === amount,
    );
});
