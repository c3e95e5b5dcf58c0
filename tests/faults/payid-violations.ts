import { eventually } from "../support/eventually.ts";
import type { TestGateway } from "../support/gateway.ts";
import { findUnsettled } from "../support/invariants.ts";
import { payIdShop } from "../support/payid.ts";
import type { UnsettledState } from "../support/planted-violations.ts";

/** PayID records of every kind that the rules of I22 check. */
export type MadePayIds = Readonly<
  Record<
    "paidPayId" | "payIdTransaction" | "payIdRefund" | "openPayId" | "accepted" | "short" | "duplicate",
    string
  >
>;

export async function payByPayId(gateway: TestGateway): Promise<MadePayIds> {
  const shop = payIdShop(gateway);
  const paid = await shop.request();
  const open = await shop.request();
  const { id: accepted } = await shop.pay(paid.payId, 3000);
  const { id: duplicate } = await shop.pay(paid.payId, 3000);
  const { id: short } = await shop.pay(open.payId, 2999);
  const { id: transaction } = (await shop.read(paid.id)).transactionResult;
  const { id: refund } = (await shop.refund(transaction, 700)).body;
  await eventually("the refund is settled, and wrong transfers are returned", async () => {
    const { result } = await shop.refundOf(transaction, refund);
    return result.status === "approved" && (await findUnsettled(gateway.database)).length === 0;
  });
  return {
    paidPayId: paid.id,
    payIdTransaction: transaction,
    payIdRefund: refund,
    openPayId: open.id,
    accepted,
    short,
    duplicate,
  };
}

const change = (id: string, set: string) => `update incoming_transfers set ${set} where id = '${id}'`;
const entry = (kind: string, reference: string) => `kind = '${kind}' and reference = '${reference}'`;

/** At least one planted violation per rule. */
export const PLANTED_PAYIDS: readonly (readonly [
  id: string,
  how: string,
  plant: (made: MadePayIds) => string,
])[] = [
  [
    "I22",
    "two transfers pay one request",
    (made) =>
      change(
        made.duplicate,
        `status = 'accepted', reason = null, transaction_id = '${made.payIdTransaction}'`,
      ),
  ],
  [
    "I22",
    "a message counts twice",
    (made) =>
      `alter table incoming_transfers drop constraint incoming_transfers_mode_message_key;
       insert into incoming_transfers select (jsonb_populate_record(null::incoming_transfers, to_jsonb(one) ||
         jsonb_build_object('id', 'itr_twin'))).* from incoming_transfers one where id = '${made.short}'`,
  ],
  ["I22", "a wrong amount pays", (made) => change(made.accepted, "amount = amount - 1")],
  [
    "I22",
    "a late transfer pays",
    (made) => change(made.accepted, "received_at = received_at + interval '2 days'"),
  ],
  [
    "I22",
    "a completed request has no transfer",
    (made) => `delete from incoming_transfers where id = '${made.accepted}'`,
  ],
  ["I22", "a transfer is returned for another reason", (made) => change(made.short, "reason = 'late'")],
  [
    "I22",
    "a return is not shown",
    (made) => `update payment_requests set payid_returns = null where id = '${made.openPayId}'`,
  ],
  [
    "I22",
    "the rail has no record of a transfer",
    (made) => `delete from sandbox_ledger where ${entry("transfer", made.short)}`,
  ],
  [
    "I22",
    "the rail returns an accepted transfer",
    (made) => `update sandbox_ledger set reference = '${made.accepted}' where ${entry("return", made.short)}`,
  ],
  [
    "I22",
    "a return never reached the rail",
    (made) => `delete from sandbox_ledger where ${entry("return", made.short)}`,
  ],
  [
    "I22",
    "a PayID refund never reached the rail",
    (made) => `delete from sandbox_ledger where ${entry("refund", made.payIdRefund)}`,
  ],
  [
    "I22",
    "the rail has a refund without a record here",
    (made) =>
      `insert into sandbox_ledger (ledger, kind, reference, belongs_to, amount, facts)
       values ('payid', 'refund', 'rfd_stranger', '${made.accepted}', 1, '{"code":"A02000"}')`,
  ],
];

export const UNSETTLED_PAYIDS: readonly UnsettledState<MadePayIds>[] = [
  [
    "a transfer has not reached the gateway, or its return is unfinished",
    "a transfer never reached the gateway",
    () =>
      `insert into sandbox_ledger (ledger, kind, reference, belongs_to, amount, facts)
       values ('payid', 'transfer', 'undelivered', 'x@payid.example', 1, '{}')`,
  ],
  [
    "a PayID is registered for a closed request, or an open request has none",
    "an open PayID is not registered",
    (made) => `delete from sandbox_ledger where ${entry("registration", made.openPayId)}`,
  ],
  [
    "a PayID is registered for a closed request, or an open request has none",
    "a PayID was never released",
    (made) => `delete from sandbox_ledger where ${entry("release", made.paidPayId)}`,
  ],
];
