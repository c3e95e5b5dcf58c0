import type { Filter, Word } from "../../shell/lists/listing.ts";
import type { PaymentStatus } from "../payment-status.ts";

/** `transactionStatus` as conditions on a row of `transactions`. */
const APPROVED = "status = 'approved'";
const CAPTURED = "capture_status = 'captured'";
const UNDISPUTED = `${CAPTURED} and disputed = 0`;

const ATTEMPT = {
  paid: { indexed: APPROVED, loose: `${UNDISPUTED} and refunded = 0 and captured >= amount + surcharge` },
  "partly paid": {
    indexed: APPROVED,
    loose: `${UNDISPUTED} and refunded = 0 and captured < amount + surcharge`,
  },
  "partly refunded": { indexed: APPROVED, loose: `${UNDISPUTED} and refunded > 0 and refunded < captured` },
  refunded: { indexed: APPROVED, loose: `${UNDISPUTED} and refunded > 0 and refunded >= captured` },
  disputed: { indexed: APPROVED, loose: `${CAPTURED} and disputed > 0` },
  authorised: { indexed: APPROVED, loose: "capture_status = 'uncaptured'" },
  processing: { indexed: "status = 'pending'" },
  verified: { indexed: APPROVED, loose: "method = 'verification'" },
  declined: { indexed: "status = 'declined'", loose: "captured = 0" },
  returned: { indexed: "status = 'declined'", loose: "captured > 0" },
  expired: { indexed: APPROVED, loose: "capture_status = 'expired'" },
  cancelled: { indexed: APPROVED, loose: "capture_status = 'voided'" },
} as const satisfies Partial<Record<PaymentStatus, Word>>;

export const TRANSACTION_STATUS: Filter = { words: ATTEMPT, short: "w" };

/**
 * `requestStatus` as conditions on a row of `payment_requests`, whose columns the walk calls `passed`. `offset 0` has each
 * row's transaction looked up by its key: the planner would otherwise read all transactions once.
 */
const COMPLETED = "status = 'completed'";
const WAITING = `exists (select from transactions t where t.merchant_id = $1
  and t.payment_request_id = passed.id and t.status = 'pending' offset 0)`;

/** By the transaction that pays it, which a key finds. */
function paidBy(word: keyof typeof ATTEMPT): Word {
  const { indexed, loose }: Word = ATTEMPT[word];
  return {
    indexed: COMPLETED,
    loose: `exists (select from transactions where merchant_id = $1 and id = passed.approved_transaction_id
      and ${indexed} and ${loose} offset 0)`,
  };
}

/** An authorisation whose money was never taken. */
const RELEASED = `exists (select from transactions where merchant_id = $1
  and id = passed.approved_transaction_id and capture_status in ('voided', 'expired') offset 0)`;

export const REQUEST_STATUS: Filter = {
  words: {
    paid: paidBy("paid"),
    "partly paid": paidBy("partly paid"),
    "partly refunded": paidBy("partly refunded"),
    refunded: paidBy("refunded"),
    disputed: paidBy("disputed"),
    authorised: paidBy("authorised"),
    processing: { indexed: "status = 'created'", loose: WAITING },
    verified: paidBy("verified"),
    // Without an index of its own: so many requests are unpaid that a page is full soon.
    unpaid: {
      loose: `status = 'created' and expires_at > ? and not ${WAITING}
        or ${COMPLETED} and (approved_transaction_id is null or ${RELEASED})`,
    },
    returned: paidBy("returned"),
    // One that is late to be expired is listed a moment later.
    expired: { indexed: "status = 'expired'" },
    cancelled: { indexed: "status = 'cancelled'" },
  } satisfies Record<Exclude<PaymentStatus, "declined">, Word>,
  short: "w",
};

/** `refundStatus` as conditions on a row of `refunds`. */
export const REFUND_STATUS: Filter = {
  words: {
    refunded: { indexed: APPROVED },
    processing: { indexed: "status = 'pending'" },
    declined: { indexed: "status = 'declined'" },
  },
  short: "w",
};
