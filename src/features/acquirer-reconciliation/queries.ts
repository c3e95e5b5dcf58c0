import type { Id } from "../../kernel/ids.ts";
import { cents } from "../../kernel/money.ts";
import { sql, type Tx } from "../../platform/db/database.ts";
import type { GatewayPosition } from "./difference.ts";

/** Whose payments and refunds are compared. */
export type Owner = { readonly merchantId: Id<"merchant">; readonly accountId: Id<"acquirerAccount"> };

const LIST_TRANSACTIONS = sql(
  "acquirer_reconciliation_transactions",
  `select id as reference, status <> 'pending' as "isSettled", captured,
     case when status = 'approved' and capture_status in ('captured', 'uncaptured')
       then coalesce(approved_amount, amount + surcharge) else 0 end as approved
   from transactions where merchant_id = $1 and id > $3 and acquirer_account_id = $2 order by id limit $4`,
);

const LIST_REFUNDS = sql(
  "acquirer_reconciliation_refunds",
  `select r.id as reference, r.status <> 'pending' as "isSettled",
     case when r.status = 'approved' then r.amount else 0 end as approved,
     case when r.status = 'approved' then r.amount else 0 end as captured
   from refunds r join transactions t on t.merchant_id = r.merchant_id and t.id = r.transaction_id
   where r.merchant_id = $1 and r.id > $3 and t.acquirer_account_id = $2 order by r.id limit $4`,
);

export type Page = (
  tx: Tx,
  owner: Owner,
  after: string,
  limit: number,
) => Promise<readonly GatewayPosition[]>;

const pageOf =
  (statement: typeof LIST_TRANSACTIONS): Page =>
  async (tx, { merchantId, accountId }, after, limit) => {
    const rows = await tx.rows<GatewayPosition>(statement, [merchantId, accountId, after, limit]);
    return rows.map((row) => ({ ...row, approved: cents(row.approved), captured: cents(row.captured) }));
  };

export const listTransactions: Page = pageOf(LIST_TRANSACTIONS);
export const listRefunds: Page = pageOf(LIST_REFUNDS);
