import type { Id } from "../../kernel/ids.ts";
import type { Instant } from "../../kernel/time.ts";
import { at, onlyRow, sql, type Tx } from "../../platform/db/database.ts";

const OPEN_PAYIDS = sql(
  "dashboard_open_payids",
  `select id, reference, amount, currency, payid_value as "payIdValue", expires_at as "expiresAt" from (
     select * from payment_requests where merchant_id = $1 and status = 'created' order by id desc limit 2000) as open
   where payid_value is not null and expires_at > $2 order by id desc limit 20`,
);

/** Counting stops here; the page then says “or more”. */
export const WAITING_COUNTED = 100;

/** What settlements would settle. */
const WAITING = sql(
  "dashboard_waiting_for_settlement",
  `select
     (select count(*) from (select from transactions where merchant_id = $1 and source = 'direct_debit'
        and status = 'pending' limit ${WAITING_COUNTED}) as d) as debits,
     (select count(*) from (select from refunds where merchant_id = $1 and status = 'pending' limit ${WAITING_COUNTED}) as r) as refunds,
     (select count(*) from (select from payout_lines where merchant_id = $1 and payout_id is null limit ${WAITING_COUNTED}) as l) as held`,
);

export type OpenPayId = {
  readonly id: Id<"paymentRequest">;
  readonly reference: string;
  readonly amount: number;
  readonly currency: string;
  readonly payIdValue: string;
  readonly expiresAt: Instant;
};

/** The newest PayIDs that wait for a transfer. */
export async function openPayIds(
  tx: Tx,
  merchantId: Id<"merchant">,
  now: Instant,
): Promise<readonly OpenPayId[]> {
  return tx.rows<OpenPayId>(OPEN_PAYIDS, [merchantId, at(now)]);
}

export type WaitingForSettlement = {
  readonly debits: number;
  readonly refunds: number;
  readonly held: number;
};

export async function waitingForSettlement(
  tx: Tx,
  merchantId: Id<"merchant">,
): Promise<WaitingForSettlement> {
  return onlyRow(await tx.rows<WaitingForSettlement>(WAITING, [merchantId]));
}
