import type { Id } from "../../kernel/ids.ts";
import { at, onlyRow, sql, type Tx } from "../../platform/db/database.ts";
import { type Deleted, type Portion, startOf } from "../../platform/jobs/retention.ts";
import { MERCHANT_COLUMNS, type Merchant, type MerchantRow, merchantOfRow } from "../merchants/index.ts";
import {
  JOINED_REQUEST_COLUMNS,
  type JoinedRequestRow,
  type PaymentRequest,
  requestOfJoined,
} from "../payment-requests/index.ts";
import type { OneTimeToken } from "./token.ts";

type TokenUse = Pick<OneTimeToken, "paymentRequestId" | "transactionId"> & {
  /** The origin of the page that embeds the checkout. Null for tokens from before the gateway stored it. */
  readonly parentOrigin: string | null;
};

/** The hash of a token's or session's secret, and the merchant that the secret names. */
type SecretKey = { readonly merchantId: Id<"merchant">; readonly hash: Uint8Array };

/** The lock is the one that the foreign key takes. After a wait for it the request is looked at again. */
const INSERT = sql(
  "token_insert",
  `insert into one_time_tokens (hash, id, merchant_id, payment_request_id, status, created_at, expires_at)
   select $1, $2, r.merchant_id, r.id, $5, $6::timestamptz, $7::timestamptz from payment_requests r
   where r.merchant_id = $3 and r.id = $4 and r.status = 'created' for key share
   returning id`,
);

const COLUMNS = `id, merchant_id as "merchantId", payment_request_id as "paymentRequestId", status,
  transaction_id as "transactionId", created_at as "createdAt", expires_at as "expiresAt"`;

const FIND = sql("token_find", `select ${COLUMNS} from one_time_tokens where merchant_id = $1 and hash = $2`);

const PAYABLE_COLUMNS = `t.status as "tokenStatus", t.transaction_id as "transactionId", t.parent_origin as "parentOrigin",
     t.expires_at as "tokenExpiresAt", ${JOINED_REQUEST_COLUMNS}, ${MERCHANT_COLUMNS}`;
const PAYABLE_TABLES = `one_time_tokens t join merchants m on m.id = t.merchant_id
     join payment_requests r on r.merchant_id = t.merchant_id and r.id = t.payment_request_id`;

/**
 * Again from the same page origin (a reload, a remount), the newer session replaces the older one. One statement: a payment
 * of the older session has either processed the token, or finds its session gone. It returns the token as it was before.
 * `offset 0`: the planner could otherwise read all pending payments of the merchant first.
 */
const INITIALISE = sql(
  "token_initialise",
  `with initialised as (
     update one_time_tokens set status = 'initialised', session_hash = $3, parent_origin = $4, transaction_id = null
     where merchant_id = $1 and hash = $2 and (status = 'created' or status = 'initialised' and parent_origin = $4)
     returning id
   )
   select ${PAYABLE_COLUMNS},
     exists (select from initialised) as "isInitialised",
     exists (select from transactions p where p.merchant_id = $1
       and p.payment_request_id = t.payment_request_id and p.status = 'pending' offset 0) as "isBeingPaid"
   from ${PAYABLE_TABLES}
   where t.merchant_id = $1 and t.hash = $2`,
);

const FIND_SESSION = sql(
  "token_find_session",
  `select t.payment_request_id as "paymentRequestId", t.transaction_id as "transactionId",
     t.parent_origin as "parentOrigin", ${MERCHANT_COLUMNS}
   from one_time_tokens t join merchants m on m.id = t.merchant_id
   where t.merchant_id = $1 and t.session_hash = $2`,
);
const FIND_MERCHANT_OF_SESSION = sql(
  "token_find_merchant_of_session",
  `select merchant_id as "merchantId" from one_time_tokens where session_hash = $1`,
  { fanOut: "a session from before migration 65 does not say whose it is" },
);
/** For the sessions of several payers. */
const FIND_PAYABLE = sql(
  "token_find_payable",
  `select i.place::integer, p.* from unnest($2::text[]) with ordinality as i (session_hash, place)
     cross join lateral (
       select ${PAYABLE_COLUMNS}
       from ${PAYABLE_TABLES}
       where t.merchant_id = $1 and t.session_hash = decode(i.session_hash, 'hex') limit 1
     ) p`,
);
const LOCK_SESSION = sql(
  "token_lock_session",
  `select ${COLUMNS} from one_time_tokens where merchant_id = $1 and session_hash = $2 for update`,
);

const PROCESS = sql(
  "token_process",
  `update one_time_tokens set status = 'processed', transaction_id = $3
   where merchant_id = $1 and session_hash = $2 and status = 'initialised'`,
);

const REOPEN = sql(
  "token_reopen",
  `update one_time_tokens set status = 'initialised'
   where merchant_id = $1 and payment_request_id = $2 and transaction_id = $3 and status = 'processed'`,
);

const DELETE_OLD = sql(
  "token_delete_old",
  `with old as materialized (
     select ctid as place, expires_at from one_time_tokens
     where expires_at >= $1 and expires_at < $2 order by expires_at limit $3
   ), deleted as (delete from one_time_tokens where ctid = any (array(select place from old)))
   select count(*)::int as count, max(expires_at) as "upTo" from old`,
  {
    fanOut: "deletes the oldest rows of all merchants",
    distributed: `with old as materialized (
        select merchant_id, hash, expires_at from one_time_tokens
        where expires_at >= $1 and expires_at < $2 order by expires_at limit $3
      ), deleted as (
        delete from one_time_tokens t using old where t.merchant_id = old.merchant_id and t.hash = old.hash)
      select count(*)::int as count, max(expires_at) as "upTo" from old`,
  },
);

export async function findToken(tx: Tx, { merchantId, hash }: SecretKey): Promise<OneTimeToken | undefined> {
  const [token] = await tx.rows<OneTimeToken>(FIND, [merchantId, hash]);
  return token;
}

/** What a session begins with. */
export type InitialisedToken = PayableSession & {
  /** False if the token has paid, or was initialised from another origin. */
  readonly isInitialised: boolean;
  /** A payment of its request is in progress. */
  readonly isBeingPaid: boolean;
};

/** Undefined if there is no such token. */
export async function initialiseToken(
  tx: Tx,
  { merchantId, hash }: SecretKey,
  sessionHash: Uint8Array,
  parentOrigin: string,
): Promise<InitialisedToken | undefined> {
  type Row = PayableRow & Pick<InitialisedToken, "isInitialised" | "isBeingPaid">;
  const [row] = await tx.rows<Row>(INITIALISE, [merchantId, hash, sessionHash, parentOrigin]);
  return row && { ...payableOf(row), isInitialised: row.isInitialised, isBeingPaid: row.isBeingPaid };
}

/** The payment request and merchant of an initialised token, in one query. */
export async function findSession(
  tx: Tx,
  { merchantId, hash }: SecretKey,
): Promise<(TokenUse & { readonly merchant: Merchant }) | undefined> {
  const [row] = await tx.rows<TokenUse & MerchantRow>(FIND_SESSION, [merchantId, hash]);
  if (row === undefined) return undefined;
  const { paymentRequestId, transactionId, parentOrigin, ...merchant } = row;
  return { paymentRequestId, transactionId, parentOrigin, merchant: merchantOfRow(merchant) };
}

/** Whose session it is, if its secret does not say so. */
export async function findMerchantOfSession(tx: Tx, hash: Uint8Array): Promise<Id<"merchant"> | undefined> {
  const [row] = await tx.rows<Pick<SecretKey, "merchantId">>(FIND_MERCHANT_OF_SESSION, [hash]);
  return row?.merchantId;
}

/** What a payment starts from, in one query. It holds no lock: a statement that writes checks that nothing has changed since. */
export type PayableSession = TokenUse & {
  readonly merchant: Merchant;
  readonly request: PaymentRequest;
  readonly token: Pick<OneTimeToken, "status" | "transactionId" | "expiresAt">;
};

export async function findPayable(
  tx: Tx,
  { merchantId, hash }: SecretKey,
): Promise<PayableSession | undefined> {
  const row = await tx.gather<PayableRow>(FIND_PAYABLE, [Buffer.from(hash).toString("hex")], [merchantId]);
  return row && payableOf(row);
}

function payableOf(row: PayableRow): PayableSession {
  const request = requestOfJoined(row);
  const { tokenStatus: status, transactionId, parentOrigin, tokenExpiresAt: expiresAt } = row;
  return {
    paymentRequestId: request.id,
    transactionId,
    parentOrigin,
    merchant: merchantOfRow(row),
    request,
    token: { status, transactionId, expiresAt },
  };
}

type PayableRow = MerchantRow &
  JoinedRequestRow &
  Omit<TokenUse, "paymentRequestId"> & {
    readonly tokenStatus: OneTimeToken["status"];
    readonly tokenExpiresAt: OneTimeToken["expiresAt"];
  };

/** Holds the token's row until the transaction ends. */
export async function lockSession(
  tx: Tx,
  { merchantId, hash }: SecretKey,
): Promise<OneTimeToken | undefined> {
  const [token] = await tx.rows<OneTimeToken>(LOCK_SESSION, [merchantId, hash]);
  return token;
}

export async function processToken(
  tx: Tx,
  { merchantId, hash }: SecretKey,
  transactionId: Id<"transaction">,
): Promise<void> {
  await tx.rows(PROCESS, [merchantId, hash, transactionId]);
}

/** Lets the payer try again with the token of a declined attempt. */
export async function reopenToken(
  tx: Tx,
  { id, merchantId }: { readonly id: Id<"transaction">; readonly merchantId: Id<"merchant"> },
  paymentRequestId: Id<"paymentRequest">,
): Promise<void> {
  await tx.rows(REOPEN, [merchantId, paymentRequestId, id]);
}

/** False if the payment request has ended meanwhile. */
export async function insertToken(tx: Tx, token: OneTimeToken, hash: Uint8Array): Promise<boolean> {
  const { id, merchantId, paymentRequestId, status, createdAt, expiresAt } = token;
  const values = [hash, id, merchantId, paymentRequestId, status, at(createdAt), at(expiresAt)];
  return (await tx.rows(INSERT, values)).length === 1;
}

/** Deletes tokens that expired longest ago, of a range of time. */
export async function deleteOldTokens(tx: Tx, portion: Portion): Promise<Deleted> {
  return onlyRow(await tx.rows<Deleted>(DELETE_OLD, [startOf(portion), at(portion.before), portion.atMost]));
}
