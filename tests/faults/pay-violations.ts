import type { PlantedViolation } from "../support/planted-violations.ts";
import type { MadePayIds } from "./payid-violations.ts";

/** Inserts a copy of an existing row with some changes. */
const copyOf = (table: string, id: string, changes: string) =>
  `insert into ${table} select (jsonb_populate_record(null::${table}, to_jsonb(one) || ${changes})).*
   from ${table} one where id = '${id}'`;

export type Made = Readonly<
  Record<"paid" | "declined" | "captured" | "voided" | "held" | "refunded" | "verified", string>
> &
  MadePayIds & {
    readonly refund: string;
    readonly paidRequest: string;
    readonly declinedRequest: string;
    readonly openRequest: string;
    readonly customer: string;
    readonly account: string;
    readonly deletedAccount: string;
  };

/** At least one planted violation per rule: the invariant that must be reported, and how to break it. */
export const PLANTED: readonly PlantedViolation<Made>[] = [
  [
    "I1",
    "a request is approved twice",
    (made) => copyOf("transactions", made.paid, `jsonb_build_object('id', 'txn_twin')`),
  ],
  [
    "I1",
    "the acquirer approves a request twice",
    (made) =>
      `insert into sandbox_ledger (ledger, kind, reference, belongs_to, amount, facts)
       select ledger, kind, 'txn_twin', belongs_to, amount, facts from sandbox_ledger
       where kind = 'authorisation' and reference = '${made.paid}'`,
  ],
  [
    "I2",
    "a request is completed without an approval",
    (made) => `update payment_requests set status = 'completed' where id = '${made.openRequest}'`,
  ],
  [
    "I2",
    "a request names a declined transaction as its approval",
    (made) =>
      `update payment_requests set approved_transaction_id = '${made.declined}' where id = '${made.paidRequest}'`,
  ],
  [
    "I2",
    "a paid request is cancelled",
    (made) =>
      `update payment_requests set status = 'cancelled', approved_transaction_id = null where id = '${made.paidRequest}'`,
  ],
  [
    "I2",
    "a failed attempt is an approved transaction",
    (made) =>
      `update payment_requests set failed_transaction_ids = array['${made.paid}'] where id = '${made.declinedRequest}'`,
  ],
  [
    "I3",
    "a declined payment becomes approved",
    (made) =>
      `update events set body = replace(body, '"status":"pending"', '"status":"declined"')
       where resource_id = '${made.paid}'`,
  ],
  [
    "I3",
    "an approved payment has a late approval",
    (made) => `update transactions set late_approval = '{"amount":1}' where id = '${made.paid}'`,
  ],
  [
    "I9",
    "a late approval has no event",
    (made) => `update transactions set late_approval = '{"amount":1}' where id = '${made.declined}'`,
  ],
  [
    "I9",
    "the event of a refund shows a late approval that its record does not have",
    (made) =>
      `update events set body = replace(body, '"category"', '"lateApproval":{"status":"reversed"},"category"')
       where resource_id = '${made.refund}'`,
  ],
  [
    "I21",
    "a late approval has no job that reverses it",
    (made) => `update transactions set late_approval = '{"amount":1}' where id = '${made.declined}'`,
  ],
  [
    "I4",
    "the acquirer has a second authorisation of a request",
    (made) =>
      `insert into sandbox_ledger (ledger, kind, reference, belongs_to, amount, facts)
       values ('acquirer', 'authorisation', 'txn_more', '${made.declinedRequest}', 1, '{"code":"D04405"}')`,
  ],
  [
    "I4",
    "a request has two attempts",
    (made) => copyOf("transactions", made.declined, `jsonb_build_object('id', 'txn_more')`),
  ],
  [
    "I5",
    "refunds exceed the captured amount",
    (made) => `update refunds set amount = 99999 where id = '${made.refund}'`,
  ],
  [
    "I5",
    "a refund is missing from the totals",
    (made) => `update transactions set refunds_held = 0, refunded = 0 where id = '${made.refunded}'`,
  ],
  [
    "I5",
    "a transaction holds money of no dispute",
    (made) => `update transactions set disputed = 1 where id = '${made.captured}'`,
  ],
  ["I5", "a refund is of zero", (made) => `update refunds set amount = 0 where id = '${made.refund}'`],
  [
    "I5",
    "the acquirer refunds too much",
    (made) =>
      `update sandbox_ledger set amount = 99999 where kind = 'refund' and belongs_to = '${made.refunded}'`,
  ],
  [
    "I6",
    "more is captured than was authorised",
    (made) => `update transactions set captured = captured + 1 where id = '${made.captured}'`,
  ],
  [
    "I6",
    "a voided payment is captured",
    (made) => `update transactions set captured = 1 where id = '${made.voided}'`,
  ],
  [
    "I6",
    "a capture is published after a void",
    (made) =>
      `update events set body = replace(body, '"captureStatus":"uncaptured"', '"captureStatus":"voided"')
       where resource_id = '${made.captured}'`,
  ],
  [
    "I6",
    "the acquirer captures twice",
    (made) =>
      `insert into sandbox_ledger (ledger, kind, reference, belongs_to, amount, facts)
       select ledger, kind, 'mov_more', belongs_to, amount, facts from sandbox_ledger
       where kind = 'capture' and belongs_to = '${made.captured}'`,
  ],
  [
    "I6",
    "the acquirer captures after a reversal",
    (made) =>
      `insert into sandbox_ledger (ledger, kind, reference, belongs_to, amount, facts)
       values ('acquirer', 'capture', 'mov_more', '${made.voided}', 1, '{"code":"A02000"}')`,
  ],
  [
    "I7",
    "the acquirer has an authorisation without a transaction",
    () =>
      `insert into sandbox_ledger (ledger, kind, reference, amount, facts)
       values ('acquirer', 'authorisation', 'txn_stranger', 5, '{"code":"A02000"}')`,
  ],
  [
    "I7",
    "the acquirer has no record of a payment",
    (made) => `delete from sandbox_ledger where kind = 'authorisation' and reference = '${made.paid}'`,
  ],
  [
    "I7",
    "the acquirer authorised another amount",
    (made) =>
      `update sandbox_ledger set amount = amount + 1 where kind = 'authorisation' and reference = '${made.paid}'`,
  ],
  [
    "I7",
    "the acquirer approved a declined payment",
    (made) =>
      `update sandbox_ledger set facts = '{"code":"A02000","captured":"true"}'
       where kind = 'authorisation' and reference = '${made.declined}'`,
  ],
  [
    "I7",
    "the acquirer reversed an approved payment",
    (made) =>
      `insert into sandbox_ledger (ledger, kind, reference, belongs_to, amount, facts)
       values ('acquirer', 'reversal', '${made.paid}', '${made.paid}', 3000, '{}')`,
  ],
  [
    "I7",
    "a void never reached the acquirer",
    (made) => `delete from sandbox_ledger where kind = 'reversal' and reference = '${made.voided}'`,
  ],
  [
    "I7",
    "a capture never reached the acquirer",
    (made) => `delete from sandbox_ledger where kind = 'capture' and belongs_to = '${made.captured}'`,
  ],
  [
    "I7",
    "a refund never reached the acquirer",
    (made) => `delete from sandbox_ledger where kind = 'refund' and reference = '${made.refund}'`,
  ],
  [
    "I7",
    "the acquirer has a refund without a record here",
    (made) =>
      `insert into sandbox_ledger (ledger, kind, reference, belongs_to, amount, facts)
       values ('acquirer', 'refund', 'rfd_stranger', '${made.paid}', 1, '{"code":"A02000"}')`,
  ],
  [
    "I8",
    "an idempotency key belongs to no resource",
    () => `update idempotency_keys set resource_id = 'pr_gone'`,
  ],
  [
    "I9",
    "a change has no event",
    (made) => `delete from events where id = (select max(id) from events where resource_id = '${made.paid}')`,
  ],
  [
    "I9",
    "a change has two events",
    (made) =>
      `insert into events select merchant_id, id || 'x', event, resource_id, created_at, body from events
       where id = (select max(id) from events where resource_id = '${made.refund}')`,
  ],
  [
    "I9",
    "an event shows another state",
    (made) =>
      `update events set body = replace(body, 'completed', 'created') where resource_id = '${made.paidRequest}'`,
  ],
  [
    "I9",
    "two changes have the same time",
    (made) =>
      `update events set body = regexp_replace(body, '"updatedDateTime":"[^"]+"', '"updatedDateTime":"2026-01-01T00:00:00Z"')
       where resource_id = '${made.paid}'`,
  ],
  [
    "I6",
    "a verification has a fee",
    (made) => `update transactions set fee = 1 where id = '${made.verified}'`,
  ],
  [
    "I7",
    "the acquirer does not know a verification",
    (made) => `delete from sandbox_ledger where kind = 'verification' and reference = '${made.verified}'`,
  ],
  [
    "I13",
    "a token pays twice",
    (made) =>
      `update one_time_tokens set transaction_id = '${made.paid}' where transaction_id = '${made.declined}'`,
  ],
  [
    "I13",
    "a token pays after its expiry",
    (made) => `update one_time_tokens set expires_at = created_at where transaction_id = '${made.paid}'`,
  ],
  [
    "I13",
    "a payment has no token",
    (made) => `delete from one_time_tokens where transaction_id = '${made.held}'`,
  ],
  [
    "I21",
    "an open request has no expiry job",
    (made) => `delete from jobs where subject_id = '${made.openRequest}'`,
  ],
];
