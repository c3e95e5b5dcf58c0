import type { Instant } from "../../kernel/time.ts";
import { orOnOneServer } from "../../platform/db/by-merchant.ts";
import { at, sql, type Tx } from "../../platform/db/database.ts";
import {
  type Columns,
  changesOf,
  jsonRow,
  jsonRows,
  namesOf,
  valuesOf,
} from "../../platform/db/json-rows.ts";
import { JOB_ROW, jobValues } from "../../platform/jobs/queries.ts";
import { type Change, EVENT_ROW, eventValues } from "../../platform/outbox/publish.ts";
import { isAnySuspected, type UncountedAttempt } from "../card-testing/index.ts";
import { changedRequestValues, type PaymentRequest, REQUEST_CHANGE } from "../payment-requests/index.ts";
import {
  changedValues,
  type FollowUp,
  TRANSACTION_CHANGE,
  TRANSACTION_ROW,
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

/** Statements that are made for the payments of a merchant at the same moment (decision 51). */
const BEGINNING = {
  request_id: "text",
  request_updated_at: "timestamptz",
  session_hash: "text",
  token_transaction_id: "text",
  attempt_id: "text",
  counts: "json",
  counted_at: "timestamptz",
} as const;

const ENDING = {
  request_id: "text",
  request_updated_at: "timestamptz",
  attempt_id: "text",
  attempt_updated_at: "timestamptz",
} as const;

/**
 * Locks the request of a row of `input`, if it is as it was read. The decision that was made on it then holds under the lock: every
 * change moves `updated_at`. If another process holds the lock, nothing is written: no payment waits for another one.
 * `is not distinct from` keeps the planner from looking for it by the time of its last change.
 */
const UNCHANGED_REQUEST = `select from payment_requests
    where merchant_id = $1 and id = input.request_id and status = 'created' and updated_at is not distinct from input.request_updated_at
    for update skip locked`;

/** Uses the token up, if it is as it was read. After the request's lock, as everywhere. */
const USED_TOKEN = `update one_time_tokens t set status = 'processed', transaction_id = input.attempt_id
    from input join request using (place)
    where t.merchant_id = $1 and t.session_hash = decode(input.session_hash, 'hex') and t.status = 'initialised'
      and t.transaction_id is not distinct from input.token_transaction_id
    returning input.place`;

/** Rows of the merchant `$1` for each place in `written`, one from each parameter. */
function insertOf(table: string, columns: Columns, written: string, ...parameters: string[]): string {
  const { merchant_id: _, ...own } = columns;
  const rows = parameters.map(
    (parameter) =>
      `select ${valuesOf(own, "n")} from ${jsonRows(parameter, own, "n")} join ${written} using (place)`,
  );
  return `insert into ${table} (merchant_id, ${namesOf(own)}) select $1, n.* from (${rows.join(" union all ")}) as n`;
}

const beginning = (name: string, open: string) =>
  sql(
    name,
    `with input as materialized (select * from ${jsonRows("$2", BEGINNING, "r")}),
     request as (
       select input.place from input cross join lateral (${UNCHANGED_REQUEST}) r
       where not ${isAnySuspected("input.counts::json", "input.counted_at")}),
     open as (${open}),
     attempt as (${insertOf("transactions", TRANSACTION_ROW, "open", "$3")}),
     event as (${insertOf("events", EVENT_ROW, "open", "$4")}),
     job as (${insertOf("jobs", JOB_ROW, "open", "$5")})
     select place::integer from open`,
    { emitsEvent: true },
  );
const BEGIN_OF_TOKEN = beginning("attempt_begin_of_token", USED_TOKEN);
const BEGIN_OF_PAGE = beginning("attempt_begin_of_page", "select place from request");

/** `status || ''` keeps the planner from looking for the attempt among all that are pending: a merchant can have many thousand debits. */
const FINISH = sql(
  "attempt_finish",
  `with input as materialized (select * from ${jsonRows("$2", ENDING, "r")}),
   request as (select input.place from input cross join lateral (${UNCHANGED_REQUEST}) r),
   attempt as (
     update transactions t set ${changesOf(TRANSACTION_CHANGE, "c", ["merchant_id", "id"])}
     from ${jsonRows("$3", TRANSACTION_CHANGE, "c")} join input using (place) join request using (place)
     where t.merchant_id = $1 and t.id = input.attempt_id and t.status || '' = 'pending' and t.phase = 'calling'
       and t.updated_at is not distinct from input.attempt_updated_at
     returning input.place),
   change as (
     update payment_requests r set ${changesOf(REQUEST_CHANGE, "c", ["merchant_id", "id"])}
     from ${jsonRows("$4", REQUEST_CHANGE, "c")} join attempt using (place)
     where r.merchant_id = $1 and r.id = c.id),
   event as (${insertOf("events", EVENT_ROW, "attempt", "$5", "$6")} order by n.id),
   job as (${insertOf("jobs", JOB_ROW, "attempt", "$7")} where n.kind is not null)
   select place::integer from attempt`,
  { emitsEvent: true },
);

/** What an attempt writes before the acquirer is called. */
export type Beginning = {
  readonly seen: Seen;
  readonly tokenHash: Uint8Array | undefined;
  readonly uncounted: Pick<UncountedAttempt, "values" | "countedAt">;
  readonly attempt: Transaction;
  readonly change: Change;
  readonly recovery: FollowUp;
};

/**
 * Records an attempt, with its event and its recovery job, and uses the token up: one statement, one transaction. False
 * when request or token have changed since they were read, or card testing is suspected; then nothing was written. False also
 * while a server of a distributed database is away: then it may be written.
 */
export async function insertAttempt(tx: Tx, beginning: Beginning): Promise<boolean> {
  const { seen, tokenHash, uncounted, attempt, change, recovery } = beginning;
  const { merchantId, id, updatedAt } = seen.request;
  const input = jsonRow(BEGINNING, [
    id,
    at(updatedAt),
    tokenHash === undefined ? null : Buffer.from(tokenHash).toString("hex"),
    seen.token?.transactionId ?? null,
    attempt.id,
    JSON.stringify(uncounted.values),
    at(uncounted.countedAt),
  ]);
  const rows = [
    input,
    jsonRow(TRANSACTION_ROW, transactionValues(attempt)),
    jsonRow(EVENT_ROW, eventValues(change)),
    jsonRow(JOB_ROW, jobValues(recovery.job, recovery.due)),
  ];
  const begin = tokenHash === undefined ? BEGIN_OF_PAGE : BEGIN_OF_TOKEN;
  return orOnOneServer(
    async () => (await tx.gather(begin, rows, [merchantId])) !== undefined,
    async () => false,
  );
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
 * False when one of them has changed since; then nothing was written. False also while a server of a distributed database is
 * away: then it may be written.
 */
export async function writeFinish(tx: Tx, finish: Finish): Promise<boolean> {
  const { before, attempt, request, changes, followUp } = finish;
  const input = jsonRow(ENDING, [
    before.request.id,
    at(before.request.updatedAt),
    before.attempt.id,
    at(before.attempt.updatedAt),
  ]);
  const rows = [
    input,
    jsonRow(TRANSACTION_CHANGE, changedValues(attempt)),
    jsonRow(REQUEST_CHANGE, changedRequestValues(request)),
    ...changes.map((change) => jsonRow(EVENT_ROW, eventValues(change))),
    followUp === undefined ? {} : jsonRow(JOB_ROW, jobValues(followUp.job, followUp.due)),
  ];
  return orOnOneServer(
    async () => (await tx.gather(FINISH, rows, [before.request.merchantId])) !== undefined,
    async () => false,
  );
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
