import type { Instant } from "../../kernel/time.ts";
import { at, type Parameter, sql, type Tx } from "../../platform/db/database.ts";
import { insertFrom, mergeParts, type Part } from "../../platform/db/merge-parts.ts";
import { JOB_COLUMNS, jobValues } from "../../platform/jobs/queries.ts";
import { type Change, EVENT_COLUMNS, eventValues } from "../../platform/outbox/publish.ts";
import { SUSPECTED_PART } from "../card-testing/index.ts";
import { changedRequestValues, type PaymentRequest, REQUEST_CHANGE } from "../payment-requests/index.ts";
import {
  changedValues,
  type FollowUp,
  TRANSACTION_CHANGE,
  TRANSACTION_COLUMNS,
  type Transaction,
  transactionValues,
} from "../transactions/index.ts";
import type { Seen } from "./session.ts";

const INSERT_USE = sql(
  "wallet_token_use_insert",
  "insert into wallet_token_uses (digest, merchant_id, transaction_id, forget_at) values ($1, $2, $3, $4)",
);

const DELETE_USES = sql(
  "wallet_token_use_forget",
  `delete from wallet_token_uses where digest in
     (select digest from wallet_token_uses where forget_at < $1 order by forget_at limit $2)
   returning 1`,
);

/**
 * Locks the request, if it is as it was read. The decision that was made on it then holds under the lock: every change
 * moves `updated_at`.
 */
const REQUEST_PART = {
  as: "request",
  text: `select id from payment_requests
    where merchant_id = $1 and id = $2 and status = 'created' and updated_at = $3 for update`,
};

/** The same for a new attempt, unless card testing is suspected. */
const UNSUSPECTED_REQUEST_PART = {
  as: "request",
  text: REQUEST_PART.text.replace("for update", "and not exists (select from suspected) for update"),
};

/** Uses the token up, if it is as it was read. After the request's lock, as everywhere. */
const TOKEN_PART = {
  as: "token",
  text: `update one_time_tokens set status = 'processed', transaction_id = $3
    from request
    where merchant_id = $1 and session_hash = $2 and status = 'initialised' and transaction_id is not distinct from $4
    returning one_time_tokens.id`,
};

const beginning = (name: string, token: readonly Part[], from: string) =>
  mergeParts(
    name,
    [
      { as: "suspected", text: SUSPECTED_PART },
      UNSUSPECTED_REQUEST_PART,
      ...token,
      { as: "attempt", text: insertFrom("transactions", TRANSACTION_COLUMNS, from) },
      { as: "event", text: insertFrom("events", EVENT_COLUMNS, from) },
      { as: "job", text: insertFrom("jobs", JOB_COLUMNS, from) },
    ],
    from,
    { emitsEvent: true },
  );
const BEGIN_OF_TOKEN = beginning("attempt_begin_of_token", [TOKEN_PART], "token");
const BEGIN_OF_PAGE = beginning("attempt_begin_of_page", [], "request");

const EVENT_ROW = "$1, $2, $3, $4, $5::timestamptz, $6";
const NEXT_EVENT_ROW = "$7, $8, $9, $10, $11::timestamptz, $12";

const FINISH_PARTS: readonly Part[] = [
  REQUEST_PART,
  {
    as: "attempt",
    text: `update transactions set ${TRANSACTION_CHANGE}
      from request
      where transactions.merchant_id = $1 and transactions.id = $2 and status = 'pending' and phase = 'calling'
        and updated_at = $20
      returning transactions.id`,
  },
  {
    as: "change",
    text: `update payment_requests set ${REQUEST_CHANGE}
      from attempt where payment_requests.merchant_id = $1 and payment_requests.id = $2`,
  },
  {
    as: "event",
    text: `insert into events (${EVENT_COLUMNS})
      select ${EVENT_ROW} from attempt union all select ${NEXT_EVENT_ROW} from attempt`,
  },
];
const FINISH = mergeParts("attempt_finish", FINISH_PARTS, "attempt", { emitsEvent: true });
const FINISH_WITH_JOB = mergeParts(
  "attempt_finish_with_job",
  [...FINISH_PARTS, { as: "job", text: insertFrom("jobs", JOB_COLUMNS, "attempt") }],
  "attempt",
  { emitsEvent: true },
);

/** What an attempt writes before the acquirer is called. */
export type Beginning = {
  readonly seen: Seen;
  readonly tokenHash: Uint8Array | undefined;
  readonly suspected: readonly Parameter[];
  readonly attempt: Transaction;
  readonly change: Change;
  readonly recovery: FollowUp;
};

/**
 * Records an attempt, with its event and its recovery job, and uses the token up: one statement, one transaction. False
 * when request or token have changed since they were read, or card testing is suspected; then nothing was written.
 */
export async function insertAttempt(tx: Tx, beginning: Beginning): Promise<boolean> {
  const { seen, tokenHash, suspected, attempt, change, recovery } = beginning;
  const { merchantId, id, updatedAt } = seen.request;
  const token =
    tokenHash === undefined ? [] : [merchantId, tokenHash, attempt.id, seen.token?.transactionId ?? null];
  const rows = await tx.rows(tokenHash === undefined ? BEGIN_OF_PAGE : BEGIN_OF_TOKEN, [
    ...suspected,
    merchantId,
    id,
    at(updatedAt),
    ...token,
    ...transactionValues(attempt),
    ...eventValues(change),
    ...jobValues(recovery.job, recovery.due),
  ]);
  return rows.length === 1;
}

/** What an approval writes. */
export type Finish = {
  readonly before: { readonly attempt: Transaction; readonly request: PaymentRequest };
  readonly attempt: Transaction;
  readonly request: PaymentRequest;
  readonly changes: readonly [attempt: Change, request: Change];
  readonly followUp: FollowUp | undefined;
};

/**
 * Records the outcome of an attempt and what it makes of its request, with an event each: one statement, one transaction.
 * False when one of them has changed since; then nothing was written.
 */
export async function writeFinish(tx: Tx, finish: Finish): Promise<boolean> {
  const { before, attempt, request, changes, followUp } = finish;
  const rows = await tx.rows(followUp === undefined ? FINISH : FINISH_WITH_JOB, [
    before.request.merchantId,
    before.request.id,
    at(before.request.updatedAt),
    ...changedValues(attempt),
    at(before.attempt.updatedAt),
    ...changedRequestValues(request),
    ...changes.flatMap(eventValues),
    ...(followUp === undefined ? [] : jobValues(followUp.job, followUp.due)),
  ]);
  return rows.length === 1;
}

/** Fails on `wallet_token_uses_pkey` when the token is already used, also by a concurrent payment. */
export async function insertTokenUse(
  tx: Tx,
  { merchantId, id }: Pick<Transaction, "merchantId" | "id">,
  use: { readonly digest: Uint8Array; readonly forgetAt: Instant },
): Promise<void> {
  await tx.rows(INSERT_USE, [use.digest, merchantId, id, at(use.forgetAt)]);
}

/** Deletes uses of expired tokens; returns how many. */
export async function deleteTokenUses(tx: Tx, before: Instant, limit: number): Promise<number> {
  return (await tx.rows(DELETE_USES, [at(before), limit])).length;
}
