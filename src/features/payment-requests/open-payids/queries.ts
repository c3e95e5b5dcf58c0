import { brokenConstraint, sql, type Tx } from "../../../platform/db/database.ts";
import type { PaymentRequest } from "../payment-request.ts";

const FIND_OPEN_PAYID = sql(
  "payment_request_find_open_payid",
  `select merchant_id as "merchantId", id from payment_requests where payid_value = $1 and status = 'created'`,
  {
    distributed: `select merchant_id as "merchantId", payment_request_id as id from open_payids where value = $1`,
  },
);

/** In a distributed database this row is what makes an open PayID unique. On one server it's an index of the requests. */
const INSERT_OPEN_PAYID = sql(
  "payment_request_insert_open_payid",
  "insert into open_payids (value, merchant_id, payment_request_id) values ($1, $2, $3)",
);
const DELETE_OPEN_PAYID = sql(
  "payment_request_delete_open_payid",
  "delete from open_payids where value = $1 and merchant_id = $2 and payment_request_id = $3",
);

const FIND_LAST_PAYID = sql(
  "payment_request_find_last_payid",
  `select merchant_id as "merchantId", id from payment_requests where payid_value = $1
   order by payid_held_at desc nulls last, id desc limit 1`,
  { fanOut: "a bank's message names a PayID alone; that no request has it open is rare" },
);

type Held = Pick<PaymentRequest, "payIdValue" | "merchantId" | "id">;

export async function holdPayId(tx: Tx, { payIdValue, merchantId, id }: Held): Promise<void> {
  await tx.rows(INSERT_OPEN_PAYID, [payIdValue, merchantId, id]);
}

export async function deleteOpenPayId(tx: Tx, { payIdValue, merchantId, id }: Held): Promise<void> {
  await tx.rows(DELETE_OPEN_PAYID, [payIdValue, merchantId, id]);
}

/** Whether a write failed because the PayID is taken by an open request. */
export function isPayIdTaken(error: unknown): boolean {
  return ["payment_requests_open_payid", "open_payids_pkey"].includes(brokenConstraint(error) ?? "");
}

export type PayIdHolder = Pick<PaymentRequest, "merchantId" | "id">;

/** The open request with that PayID, of any merchant: they share the PayID domain. */
export async function findOpenPayId(tx: Tx, value: string): Promise<PayIdHolder | undefined> {
  const [row] = await tx.rows<PayIdHolder>(FIND_OPEN_PAYID, [value]);
  return row;
}

/** The latest request with that PayID, open or not. */
export async function findLastPayId(tx: Tx, value: string): Promise<PayIdHolder | undefined> {
  const [row] = await tx.rows<PayIdHolder>(FIND_LAST_PAYID, [value]);
  return row;
}
