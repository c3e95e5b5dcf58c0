import type { Id } from "../../kernel/ids.ts";
import { cents } from "../../kernel/money.ts";
import { sql, type Tx } from "../../platform/db/database.ts";
import type { GatewayPosition } from "./difference.ts";

/** Whose payments and refunds are compared. */
export type Owner = { readonly merchantId: Id<"merchant">; readonly accountId: Id<"acquirerAccount"> };

/**
 * So many records are read by one statement, whichever account they are of: no index has the account, and after a merchant
 * changed its acquirer, one of them may have millions of newer records.
 */
const PORTION = 500;

/** The account's records of a portion, and the last record of the portion, from which the next one goes on. */
const OF_ACCOUNT = `select id as reference, "isSettled", approved, captured, account is not distinct from $2 as "isOfAccount"
  from portion where account = $2 or id = (select max(id) from portion) order by id`;

const TRANSACTIONS = sql(
  "acquirer_reconciliation_transactions",
  `with portion as materialized (
     select id, status <> 'pending' as "isSettled", captured, acquirer_account_id as account,
       case when status = 'approved' and capture_status in ('captured', 'uncaptured')
         then coalesce(approved_amount, amount + surcharge) else 0 end as approved
     from transactions where merchant_id = $1 and id > $3 order by id limit ${PORTION}
   )
   ${OF_ACCOUNT}`,
);

const REFUNDS = sql(
  "acquirer_reconciliation_refunds",
  `with portion as materialized (
     select r.id, r.status <> 'pending' as "isSettled",
       case when r.status = 'approved' then r.amount else 0 end as approved,
       case when r.status = 'approved' then r.amount else 0 end as captured,
       (select t.acquirer_account_id from transactions t where t.merchant_id = $1 and t.id = r.transaction_id) as account
     from refunds r where r.merchant_id = $1 and r.id > $3 order by r.id limit ${PORTION}
   )
   ${OF_ACCOUNT}`,
);

type Row = GatewayPosition & { readonly isOfAccount: boolean };

export type Portion = {
  readonly positions: readonly GatewayPosition[];
  /** After which the next portion begins; undefined when there is none. */
  readonly last: string | undefined;
};

/** The account's records among the merchant's next ones after a reference. */
export type ReadPortion = (tx: Tx, owner: Owner, after: string) => Promise<Portion>;

const portionOf =
  (statement: typeof TRANSACTIONS): ReadPortion =>
  async (tx, { merchantId, accountId }, after) => {
    const rows = await tx.rows<Row>(statement, [merchantId, accountId, after]);
    const positions = rows
      .filter(({ isOfAccount }) => isOfAccount)
      .map(({ isOfAccount: _, ...row }) => ({
        ...row,
        approved: cents(row.approved),
        captured: cents(row.captured),
      }));
    return { positions, last: rows.at(-1)?.reference };
  };

export const readTransactions: ReadPortion = portionOf(TRANSACTIONS);
export const readRefunds: ReadPortion = portionOf(REFUNDS);
