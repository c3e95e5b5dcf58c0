import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { approve, decline } from "../../kernel/codes/outcomes.ts";
import { newId } from "../../kernel/ids.ts";
import { cents } from "../../kernel/money.ts";
import { Refusal } from "../../kernel/refusal.ts";
import { DAY, instant, later } from "../../kernel/time.ts";
import { newTransaction, type Phase, type Transaction, type TransactionFacts } from "./transaction.ts";
import {
  advance,
  authorisationEnd,
  capture,
  declineOfReversed,
  holdDispute,
  holdRefund,
  isAuthenticating,
  isCaptured,
  isKnownReversed,
  isOpenAuthorisation,
  isUnreversed,
  markReturned,
  newApprovedTransaction,
  refundable,
  refusePart,
  release,
  releaseDispute,
  settle,
  settleHeldRefund,
  withAccount,
  withAcquirerReference,
  withAuthentication,
  withCaptureReference,
  withChangeTime,
  withInstrument,
} from "./transaction-rules.ts";

const NOW = instant(Date.UTC(2026, 10, 2));
const FEES = { card: { percent: 1, fixed: 30 } };

function facts(changes: Partial<TransactionFacts> = {}): TransactionFacts {
  return {
    id: newId("transaction", NOW),
    merchantId: newId("merchant", NOW),
    reference: "order-1",
    source: "card",
    phase: "calling",
    amount: cents(3000),
    surcharge: cents(36),
    currency: "AUD",
    now: NOW,
    ...changes,
  };
}

function approved(changes: Partial<TransactionFacts> = {}): Transaction {
  return settle(newTransaction(facts(changes)), approve("approved"), later(NOW, 5), { fees: FEES });
}

describe("spec 3: the transaction decides", () => {
  test("a new transaction is pending, and a manual capture makes it an authorisation", () => {
    const { status, captureStatus, captured, method } = newTransaction(facts());
    assert.deepEqual([status, captureStatus, captured, method], ["pending", null, 0, "purchase"]);
    assert.equal(newTransaction(facts({ captureType: "manual" })).method, "authorisation");
  });

  test("an approval captures the total with its fee; a manual one captures nothing", () => {
    const { status, phase, captureStatus, captured, fee, updatedAt } = approved();
    assert.deepEqual([status, phase, captureStatus], ["approved", "settled", "captured"]);
    assert.deepEqual([captured, fee, updatedAt], [3036, 60, later(NOW, 5)]);
    const manual = approved({ captureType: "manual" });
    assert.deepEqual([manual.captureStatus, manual.captured, manual.fee], ["uncaptured", 0, 0]);
  });

  test("a verification is approved without a capture or a fee, whatever the capture type", () => {
    for (const captureType of ["auto", "manual"] as const) {
      const verified = approved({ amount: cents(0), surcharge: cents(0), captureType });
      const { method, status, captureStatus, captured, fee } = verified;
      assert.deepEqual(
        [method, status, captureStatus, captured, fee, refundable(verified)],
        ["verification", "approved", null, 0, 0, 0],
      );
    }
  });

  test("a partial approval captures what was approved, with its fee, where the merchant accepts it", () => {
    const partial = { ...approve("approved_for_partial_amount"), approvedAmount: cents(1000) };
    const accepting = newTransaction(facts({ acceptsPartial: true }));
    assert.equal(refusePart(accepting, partial), undefined);
    assert.equal(refusePart(accepting, { ...partial, approvedAmount: cents(1) }), undefined);
    const { captured, fee, approvedAmount } = settle(accepting, partial, later(NOW, 5), { fees: FEES });
    assert.deepEqual([captured, fee, approvedAmount], [1000, 40, 1000]);
    const all = { ...partial, approvedAmount: cents(3036) };
    assert.equal(settle(accepting, all, later(NOW, 5), { fees: FEES }).approvedAmount, null);
  });

  test("a partial approval goes back where the merchant does not accept it, or nothing was approved", () => {
    const partial = { ...approve("approved_for_partial_amount"), approvedAmount: cents(1000) };
    const refused = refusePart(newTransaction(facts()), partial);
    assert.deepEqual(
      [refused?.phase, refused?.status, refused?.approvedAmount],
      ["reversing", "pending", 1000],
    );
    assert.equal(refused && declineOfReversed(refused).code, "partial_approval_refused");
    const nothing = { ...partial, approvedAmount: cents(0) };
    assert.equal(refusePart(newTransaction(facts({ acceptsPartial: true })), nothing)?.phase, "reversing");
    assert.equal(refusePart(newTransaction(facts({ phase: "waiting" })), partial)?.phase, "reversing");
    assert.equal(refusePart(newTransaction(facts()), approve("approved")), undefined);
    assert.equal(declineOfReversed(newTransaction(facts())).code, "downstream_error");
  });

  test("money that has already arrived is approved at the time of its creation", () => {
    const { status, phase, captured, createdAt, updatedAt } = newApprovedTransaction(
      facts({ phase: "waiting" }),
      FEES,
    );
    assert.deepEqual([status, phase, captured], ["approved", "settled", 3036]);
    assert.equal(updatedAt, createdAt);
  });

  test("a decline captures nothing, and a transaction settles only once", () => {
    const declined = settle(newTransaction(facts()), decline("declined"), NOW, { fees: FEES });
    assert.deepEqual([declined.status, declined.captureStatus, declined.captured], ["declined", null, 0]);
    // A status that has its answer, or a phase that has: either one is enough.
    for (const ended of [
      declined,
      { ...declined, phase: "calling" },
      newTransaction(facts({ phase: "settled" })),
    ])
      assert.throws(
        () => settle(ended as Transaction, approve("approved"), NOW, { fees: FEES }),
        /only once/,
      );
  });

  test("each phase allows its own triggers and no others", () => {
    const from = (phase: Phase, trigger: "challenge" | "call" | "reverse" | "settle") =>
      advance(newTransaction(facts({ phase })), trigger)?.phase;
    assert.equal(from("authenticating", "challenge"), "challenged");
    assert.equal(from("challenged", "challenge"), undefined);
    assert.equal(from("challenged", "call"), "calling");
    assert.equal(from("calling", "call"), undefined);
    assert.equal(from("calling", "reverse"), "reversing");
    assert.equal(from("authenticating", "reverse"), undefined);
    assert.equal(from("waiting", "reverse"), "reversing");
    assert.equal(from("waiting", "settle"), "settled");
    assert.equal(from("settled", "settle"), undefined);
  });

  test("an authorisation is captured, voided or expired once", () => {
    const open = approved({ captureType: "manual" });
    const part = capture(open, cents(1000), FEES);
    assert.deepEqual([part.captureStatus, part.captured, part.fee], ["captured", 1000, 40]);
    assert.equal(release(open, "void").captureStatus, "voided");
    assert.equal(release(open, "expire").captureStatus, "expired");
    for (const ended of [part, release(open, "void"), newTransaction(facts())]) {
      assert.throws(() => capture(ended, cents(1), FEES), /open authorisation/);
      assert.throws(() => release(ended, "void"), /open authorisation/);
    }
  });

  test("a held refund reduces what is refundable; a decline releases it, an approval does not", () => {
    const held = holdRefund(approved(), cents(3000));
    assert.equal(refundable(held), 36);
    assert.equal(refundable(settleHeldRefund(held, cents(3000), "declined")), 3036);
    const refunded = settleHeldRefund(held, cents(3000), "approved");
    assert.deepEqual([refundable(refunded), refunded.refunded, refunded.refundsHeld], [36, 3000, 3000]);
  });

  test("a refund below one cent or above what is refundable is refused", () => {
    const transaction = approved();
    for (const amount of [0, -1, 3037]) {
      assert.throws(() => holdRefund(transaction, cents(amount)), Refusal);
    }
    assert.equal(refundable(holdRefund(transaction, cents(1))), 3035);
    assert.equal(refundable(holdRefund(transaction, cents(3036))), 0);
  });

  test("only an approved debit is returned, and its captured amount stays on record", () => {
    const debit = approved({ source: "direct_debit", phase: "waiting" });
    const { status, code, captureStatus, captured } = markReturned(debit, NOW);
    assert.deepEqual([status, code, captureStatus, captured], ["declined", "returned", null, 3036]);
    assert.throws(() => markReturned(approved(), NOW), /approved debit/);
  });
});

describe("what can be done with a transaction", () => {
  const declined = settle(newTransaction(facts()), decline("do_not_honour"), NOW, { fees: FEES });

  test("an approved authorisation is open until it is captured or released", () => {
    const manual = approved({ captureType: "manual" });
    assert.deepEqual([isOpenAuthorisation(manual), isCaptured(manual)], [true, false]);
    const captured = capture(manual, cents(100), FEES);
    assert.deepEqual([isOpenAuthorisation(captured), isCaptured(captured)], [false, true]);
    const voided = release(manual, "void");
    assert.deepEqual([isOpenAuthorisation(voided), isCaptured(voided)], [false, false]);
    assert.deepEqual([isOpenAuthorisation(declined), isCaptured(declined)], [false, false]);
    const returned = { ...captured, status: "declined" } as const;
    assert.equal(isCaptured(returned), false);
    assert.equal(isOpenAuthorisation({ ...manual, status: "pending" }), false);
  });

  test("an authorisation ends seven days after it was made", () => {
    assert.equal(authorisationEnd({ createdAt: NOW }), later(NOW, 7 * DAY));
  });

  test("only the phases before the acquirer's call authenticate", () => {
    const phases: readonly Phase[] = ["authenticating", "profiling", "challenged"];
    for (const phase of phases) assert.equal(isAuthenticating({ phase }), true);
    for (const phase of ["calling", "reversing", "waiting", "settled"] as const)
      assert.equal(isAuthenticating({ phase }), false);
  });

  test("a dispute holds its amount until it is won", () => {
    const held = holdDispute(approved(), cents(1000));
    assert.deepEqual([held.disputed, refundable(held)], [1000, 2036]);
    assert.deepEqual(refundable(releaseDispute(held, cents(1000))), 3036);
  });

  test("what an acquirer said stays with the payment, its advice about a retry included", () => {
    const answer = { ...decline("do_not_honour"), facts: { responseCode: "05" } };
    const record = (acquirer: Transaction["acquirer"], advice?: "never") => {
      const called = { ...newTransaction(facts()), acquirer };
      return settle(called, advice ? { ...answer, advice } : answer, NOW, { fees: FEES }).acquirer;
    };
    const said = { connector: "fake", responseCode: "05" };
    assert.deepEqual(record({ connector: "fake" }), said);
    assert.deepEqual(record({ connector: "fake" }, "never"), { ...said, retryAdvice: "never" });
    assert.equal(record(null, "never"), null, "no acquirer was called");
  });

  test("the acquirer's own id is kept if it named one", () => {
    const called = newTransaction(facts({ acquirer: { connector: "fake" } }));
    assert.equal(withAcquirerReference(called, undefined), called);
    assert.equal(withAcquirerReference(called, {}), called);
    const noted = withAcquirerReference(called, { acquirerReference: "A1" });
    assert.deepEqual(noted.acquirer, { connector: "fake", acquirerReference: "A1" });
  });

  test("another account begins without what the last acquirer said", () => {
    const called = newTransaction(facts({ acquirer: { connector: "fake", acquirerReference: "A1" } }));
    const accountId = newId("acquirerAccount", NOW);
    const { acquirerAccountId, acquirer, updatedAt } = withAccount(called, { accountId, connector: "other" });
    assert.deepEqual([acquirerAccountId, acquirer, updatedAt], [accountId, { connector: "other" }, NOW]);
  });

  test("3D Secure, the stored instrument and the capture's reference change nothing else", () => {
    const paid = approved();
    const authenticated = withAuthentication(paid, { status: "attempted", facts: { eci: "06" } });
    assert.deepEqual(authenticated, {
      ...paid,
      authentication: "attempted",
      authenticationFacts: { eci: "06" },
    });
    const customerId = newId("customer", NOW);
    const id = newId("paymentInstrument", NOW);
    assert.deepEqual(withInstrument(paid, { customerId, id }), {
      ...paid,
      customerId,
      paymentInstrumentId: id,
    });
    assert.deepEqual(withCaptureReference(paid, "c1"), { ...paid, captureReference: "c1" });
  });

  test("the time of a change is after the last one, also if the clock stands still", () => {
    const one = newTransaction(facts());
    assert.equal(withChangeTime(one, later(NOW, 5)).updatedAt, later(NOW, 5));
    assert.equal(withChangeTime(one, NOW).updatedAt, later(NOW, 1));
  });

  test("a payment that the acquirer named is unreversed until the reversal of that one is confirmed", () => {
    const called = newTransaction(facts({ acquirer: { connector: "fake" } }));
    const noted = withAcquirerReference(called, { acquirerReference: "A1" });
    const cases = [
      [called, false],
      [withAcquirerReference(called, { reversedReference: "A1" }), false],
      [noted, true],
      [withAcquirerReference(noted, { reversedReference: "A2" }), true],
      [withAcquirerReference(noted, { reversedReference: "A1" }), false],
    ] as const;
    for (const [transaction, expected] of cases) assert.equal(isUnreversed(transaction), expected);
  });

  test("an approval is known and reversed if the acquirer named the payment before, and reversed that one", () => {
    const called = newTransaction(facts({ acquirer: { connector: "fake" } }));
    const named = withAcquirerReference(called, { acquirerReference: "A1" });
    const reversed = withAcquirerReference(named, { reversedReference: "A1" });
    const cases = [
      [called, "A1", false],
      [named, "A1", false],
      [withAcquirerReference(called, { reversedReference: "A1" }), "A1", false],
      [withAcquirerReference(named, { reversedReference: "A2" }), "A1", false],
      [reversed, "A2", false],
      [reversed, "A1", true],
    ] as const;
    for (const [transaction, acquirerReference, expected] of cases)
      assert.equal(isKnownReversed(transaction, { facts: { acquirerReference } }), expected);
    assert.equal(isKnownReversed(called, {}), false);
    assert.equal(isKnownReversed(reversed, {}), false);
  });
});
