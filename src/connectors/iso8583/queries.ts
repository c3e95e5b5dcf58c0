import type { Id } from "../../kernel/ids.ts";
import { type Cents, cents } from "../../kernel/money.ts";
import type { Instant } from "../../kernel/time.ts";
import { at, onlyRow, sql, type Tx } from "../../platform/db/database.ts";
import { type Deleted, type Portion, startOf } from "../../platform/jobs/retention.ts";
import type { HostAnswer, JournalEntry, MessageKind, NewEntry } from "./journal.ts";
import type { Terminal } from "./messages.ts";

/** Whose journal it is. */
export type Owner = { readonly merchantId: Id<"merchant">; readonly accountId: Id<"acquirerAccount"> };

/** Numbers start again only after a day that is as long as any in any zone. */
const TAKE_NUMBERS = sql(
  "iso8583_take_numbers",
  `insert into iso8583_terminals as t (acquirer_id, card_acceptor_id, terminal_id, last_number, started_at)
   values ($1, $2, $3, $4, $5)
   on conflict (acquirer_id, card_acceptor_id, terminal_id) do update set
     last_number = case when t.last_number + $4 > 999999 then $4 else t.last_number + $4 end,
     started_at = case when t.last_number + $4 > 999999 then $5 else t.started_at end
   where t.last_number + $4 <= 999999 or t.started_at <= $5::timestamptz - interval '26 hours'
   returning last_number as "last"`,
);

const COLUMNS = `kind, reference, original, message_type as type, processing_code as code, stan, transmitted,
  local_time as "localTime", local_date as "localDate", retrieval, amount, currency, sends, cancelled as "isCancelled",
  response_code as "responseCode", authorisation_code as "authorisationCode", answer_retrieval as "answerRetrieval",
  approved_amount as "approvedAmount", network_transaction_id as "networkTransactionId",
  security_code_result as "securityCodeResult", late_response_code as "lateResponseCode",
  created_at as "sentAt"`;

const INSERT = `insert into iso8583_messages as m (merchant_id, account_id, kind, reference, original, message_type,
    processing_code, stan, transmitted, local_time, local_date, retrieval, amount, currency, sends, cancelled, created_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)
  on conflict (merchant_id, account_id, kind, reference)`;

const RENEWED = ["stan", "transmitted", "local_time", "local_date", "retrieval", "created_at"];
/** What was surely never sent gets trace and time of its first sending. */
const RENEW = RENEWED.map(
  (column) => `${column} = case when m.sends = 0 then excluded.${column} else m.${column} end`,
);

/** A request leaves once. */
const CLAIM_REQUEST = sql(
  "iso8583_claim_request",
  `${INSERT} do update set sends = 1, ${RENEW.join(", ")} where m.sends = 0 and not m.cancelled
   returning ${COLUMNS}`,
);

const CLAIM_REPEAT = sql(
  "iso8583_claim_repeat",
  `${INSERT} do update set sends = m.sends + 1, ${RENEW.join(", ")} returning ${COLUMNS}`,
);

const CANCEL = sql(
  "iso8583_cancel",
  `${INSERT} do update set cancelled = true where m.sends = 0 returning ${COLUMNS}`,
);

const FIND = sql(
  "iso8583_find",
  `select ${COLUMNS} from iso8583_messages
   where merchant_id = $1 and account_id = $2 and kind = $3 and reference = $4`,
);

const LOCK = sql("iso8583_lock", `${FIND.text} for update`);

const FIND_BY_TRACE = sql(
  "iso8583_find_by_trace",
  `select ${COLUMNS} from iso8583_messages
   where merchant_id = $1 and account_id = $2 and stan = $3 and transmitted = $4`,
);

const LIST_ABOUT = sql(
  "iso8583_list_about",
  `select ${COLUMNS} from iso8583_messages where merchant_id = $1 and account_id = $2 and original = $3`,
);

const LIST_REQUESTS = sql(
  "iso8583_list_requests",
  `select ${COLUMNS} from iso8583_messages
   where merchant_id = $1 and account_id = $2 and kind = 'request' and reference > $3 order by reference limit $4`,
);

const LIST_FOLLOW_UPS = sql(
  "iso8583_list_follow_ups",
  `select ${COLUMNS} from iso8583_messages
   where merchant_id = $1 and account_id = $2 and original = any($3::text[]) and kind <> 'request'`,
);

const NOT_SENT = sql(
  "iso8583_not_sent",
  `update iso8583_messages set sends = sends - 1
   where merchant_id = $1 and account_id = $2 and kind = $3 and reference = $4 and sends > 0`,
);

const RECORD_ANSWER = sql(
  "iso8583_record_answer",
  `update iso8583_messages set response_code = $5, authorisation_code = $6, answer_retrieval = $7, approved_amount = $8,
     network_transaction_id = $9, security_code_result = $10, answered_at = $11
   where merchant_id = $1 and account_id = $2 and kind = $3 and reference = $4`,
);

const RECORD_LATE = sql(
  "iso8583_record_late",
  `update iso8583_messages set late_response_code = $5
   where merchant_id = $1 and account_id = $2 and kind = $3 and reference = $4 and response_code is null
     and late_response_code is distinct from $5
   returning 1`,
);

/**
 * An answer other than 00: the host had not seen the request when it confirmed the reversal, so that is sent again. No row
 * while the reversal is not confirmed.
 */
const REOPEN_REVERSAL = sql(
  "iso8583_reopen_reversal",
  `update iso8583_messages set response_code = case response_code when '00' then response_code end
   where merchant_id = $1 and account_id = $2 and kind = 'reversal' and reference = $3 and response_code is not null
   returning reference`,
);

const PAYMENT = "case when o.kind = 'request' then o.reference else o.original end";

/**
 * A message goes when all of its payment is finished: a reversal that the host has not confirmed needs its request. Single
 * rows are looked up, because a join of an unknown number of rows may read the whole table.
 */
const DELETE_FINISHED = sql(
  "iso8583_delete_finished",
  `with old as materialized (
     select ctid as place, merchant_id, account_id, created_at,
       case when kind = 'request' then reference else original end as payment
     from iso8583_messages where created_at >= $1 and created_at < $2 order by created_at limit $3
   ), finished as materialized (
     select place from old where (
       select true from iso8583_messages m where m.merchant_id = old.merchant_id and m.account_id = old.account_id
         and m.original = old.payment and m.kind <> 'request' and m.sends > 0 and m.response_code is null limit 1
     ) is null and ((
       select true from iso8583_messages m where m.merchant_id = old.merchant_id and m.account_id = old.account_id
         and m.kind = 'request' and m.reference = old.payment and m.sends > 0 and m.response_code is null limit 1
     ) is null or (
       select true from iso8583_messages m where m.merchant_id = old.merchant_id and m.account_id = old.account_id
         and m.kind = 'reversal' and m.reference = old.payment and m.response_code is not null limit 1
     ))
   ), deleted as (delete from iso8583_messages where ctid = any (array(select place from finished)))
   select count(*)::int as count, max(created_at) as "upTo" from old`,
  {
    fanOut: "deletes the oldest rows of all merchants",
    distributed: `with old as materialized (
        select o.merchant_id, o.account_id, o.kind, o.reference, o.created_at,
          not exists (
            select 1 from iso8583_messages m where m.merchant_id = o.merchant_id and m.account_id = o.account_id
              and m.original = ${PAYMENT} and m.kind <> 'request' and m.sends > 0 and m.response_code is null
          ) and (not exists (
            select 1 from iso8583_messages m where m.merchant_id = o.merchant_id and m.account_id = o.account_id
              and m.kind = 'request' and m.reference = ${PAYMENT} and m.sends > 0 and m.response_code is null
          ) or exists (
            select 1 from iso8583_messages m where m.merchant_id = o.merchant_id and m.account_id = o.account_id
              and m.kind = 'reversal' and m.reference = ${PAYMENT} and m.response_code is not null
          )) as is_finished
        from iso8583_messages o where o.created_at >= $1 and o.created_at < $2 order by o.created_at limit $3
      ), deleted as (
        delete from iso8583_messages m using old where old.is_finished and m.merchant_id = old.merchant_id
          and m.account_id = old.account_id and m.kind = old.kind and m.reference = old.reference)
      select count(*)::int as count, max(created_at) as "upTo" from old`,
  },
);

type Row = Omit<JournalEntry, "trace" | "answer"> &
  JournalEntry["trace"] & {
    readonly responseCode: string | null;
    readonly authorisationCode: string | null;
    readonly answerRetrieval: string | null;
    readonly approvedAmount: number | null;
    readonly networkTransactionId: string | null;
    readonly securityCodeResult: string | null;
  };

const entryOf = (row: Row): JournalEntry => ({
  kind: row.kind,
  reference: row.reference,
  original: row.original,
  type: row.type,
  code: row.code,
  trace: {
    stan: row.stan,
    transmitted: row.transmitted,
    localTime: row.localTime,
    localDate: row.localDate,
    retrieval: row.retrieval,
  },
  amount: cents(row.amount),
  currency: row.currency,
  sends: row.sends,
  sentAt: row.sentAt,
  isCancelled: row.isCancelled,
  lateResponseCode: row.lateResponseCode,
  answer:
    row.responseCode === null
      ? null
      : {
          responseCode: row.responseCode,
          authorisationCode: row.authorisationCode,
          retrieval: row.answerRetrieval,
          approvedAmount: row.approvedAmount as Cents | null,
          networkTransactionId: row.networkTransactionId,
          securityCodeResult: row.securityCodeResult,
        },
});

/** Takes a block of trace numbers and returns its last one; undefined when the terminal's day has no more. */
export async function takeNumbers(
  tx: Tx,
  { acquirerId, merchantId, terminalId }: Terminal,
  size: number,
  now: Instant,
): Promise<number | undefined> {
  const parameters = [acquirerId, merchantId, terminalId, size, at(now)];
  const [row] = await tx.rows<{ readonly last: number }>(TAKE_NUMBERS, parameters);
  return row?.last;
}

/** Undefined when the request was claimed before, or is cancelled. */
export async function claimRequest(
  tx: Tx,
  owner: Owner,
  entry: NewEntry,
  now: Instant,
): Promise<JournalEntry | undefined> {
  const [row] = await tx.rows<Row>(
    CLAIM_REQUEST,
    columnsOf(owner, entry, now, { sends: 1, isCancelled: false }),
  );
  return row && entryOf(row);
}

export async function claimRepeat(
  tx: Tx,
  owner: Owner,
  entry: NewEntry,
  now: Instant,
): Promise<JournalEntry> {
  const [row] = await tx.rows<Row>(
    CLAIM_REPEAT,
    columnsOf(owner, entry, now, { sends: 1, isCancelled: false }),
  );
  if (row === undefined) throw new Error("a message was not written to the journal");
  return entryOf(row);
}

/** False when the request may have been sent. */
export async function cancelRequest(tx: Tx, owner: Owner, entry: NewEntry, now: Instant): Promise<boolean> {
  const rows = await tx.rows(CANCEL, columnsOf(owner, entry, now, { sends: 0, isCancelled: true }));
  return rows.length > 0;
}

function columnsOf(
  { merchantId, accountId }: Owner,
  { kind, reference, original, type, code, trace, amount, currency }: NewEntry,
  now: Instant,
  { sends, isCancelled }: { readonly sends: number; readonly isCancelled: boolean },
) {
  const { stan, transmitted, localTime, localDate, retrieval } = trace;
  const times = [stan, transmitted, localTime, localDate, retrieval];
  const about = [merchantId, accountId, kind, reference, original, type, code];
  return [...about, ...times, amount, currency, sends, isCancelled, at(now)];
}

export async function findEntry(
  tx: Tx,
  { merchantId, accountId }: Owner,
  kind: MessageKind,
  reference: string,
): Promise<JournalEntry | undefined> {
  const [row] = await tx.rows<Row>(FIND, [merchantId, accountId, kind, reference]);
  return row && entryOf(row);
}

/** No answer to the request is recorded before the transaction ends. */
export async function lockRequest(tx: Tx, { merchantId, accountId }: Owner, reference: string) {
  const [row] = await tx.rows<Row>(LOCK, [merchantId, accountId, "request", reference]);
  return row && entryOf(row);
}

export async function findByTrace(
  tx: Tx,
  { merchantId, accountId }: Owner,
  stan: string,
  transmitted: string,
): Promise<JournalEntry | undefined> {
  const [row] = await tx.rows<Row>(FIND_BY_TRACE, [merchantId, accountId, stan, transmitted]);
  return row && entryOf(row);
}

/** Completions, voids, reversals and refunds of a payment. */
export async function listAbout(
  tx: Tx,
  { merchantId, accountId }: Owner,
  original: string,
): Promise<readonly JournalEntry[]> {
  return (await tx.rows<Row>(LIST_ABOUT, [merchantId, accountId, original])).map(entryOf);
}

export async function listRequests(
  tx: Tx,
  { merchantId, accountId }: Owner,
  after: string,
  limit: number,
): Promise<readonly JournalEntry[]> {
  return (await tx.rows<Row>(LIST_REQUESTS, [merchantId, accountId, after, limit])).map(entryOf);
}

export async function listFollowUps(
  tx: Tx,
  { merchantId, accountId }: Owner,
  originals: readonly string[],
): Promise<readonly JournalEntry[]> {
  return (await tx.rows<Row>(LIST_FOLLOW_UPS, [merchantId, accountId, originals])).map(entryOf);
}

type Key = Pick<JournalEntry, "kind" | "reference">;

export async function markNotSent(tx: Tx, { merchantId, accountId }: Owner, key: Key): Promise<void> {
  await tx.rows(NOT_SENT, [merchantId, accountId, key.kind, key.reference]);
}

export async function recordAnswer(
  tx: Tx,
  { merchantId, accountId }: Owner,
  { kind, reference, answer }: Key & { readonly answer: HostAnswer },
  now: Instant,
): Promise<void> {
  const { responseCode, authorisationCode, retrieval, approvedAmount } = answer;
  const key = [merchantId, accountId, kind, reference];
  const facts = [responseCode, authorisationCode, retrieval, approvedAmount];
  const more = [answer.networkTransactionId, answer.securityCodeResult, at(now)];
  await tx.rows(RECORD_ANSWER, [...key, ...facts, ...more]);
}

/** False: the host repeats it. */
export async function recordLate(
  tx: Tx,
  { merchantId, accountId }: Owner,
  { kind, reference }: Key,
  responseCode: string,
): Promise<boolean> {
  return (await tx.rows(RECORD_LATE, [merchantId, accountId, kind, reference, responseCode])).length > 0;
}

/** Whether the host had confirmed the reversal. */
export async function reopenReversal(
  tx: Tx,
  { merchantId, accountId }: Owner,
  reference: string,
): Promise<boolean> {
  return (await tx.rows(REOPEN_REVERSAL, [merchantId, accountId, reference])).length > 0;
}

/** Deletes the oldest finished messages of a range of time. Counts those that it looked at. */
export async function deleteFinished(tx: Tx, portion: Portion): Promise<Deleted> {
  const { before, atMost } = portion;
  return onlyRow(await tx.rows<Deleted>(DELETE_FINISHED, [startOf(portion), at(before), atMost]));
}
