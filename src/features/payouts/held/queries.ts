import type { Id } from "../../../kernel/ids.ts";
import { CURRENCIES, type Currency } from "../../../kernel/money.ts";
import type { Instant } from "../../../kernel/time.ts";
import { at, sql, type Tx } from "../../../platform/db/database.ts";

/** Unpaid lines of one currency. */
type Held = { readonly currency: Currency; readonly lines: number; readonly amount: number };

const EVERY_CURRENCY = `unnest(array[${CURRENCIES.map((code) => `'${code}'`).join(", ")}])`;

const BEGIN = sql(
  "payout_held_begin",
  `insert into payout_held (merchant_id, currency, last_at, last_subject_id, last_kind)
   select $1, currency, '-infinity', '', '' from ${EVERY_CURRENCY} as every (currency) on conflict do nothing`,
);

const LOCK = sql("payout_held_lock", "select from payout_held where merchant_id = $1 for update");

/** At about two microseconds per line, a step takes a tenth of a second. */
const ADDED_AT_ONCE = 50_000;

const NEXT = `l.merchant_id = $1 and l.currency = held.currency and l.payout_id is null and l.at < $2
  and (l.at, l.subject_id, l.kind) > (held.last_at, held.last_subject_id, held.last_kind)`;

/** Adds the next lines and moves the position behind them: to the time itself where no line is left before it. */
const ADD = sql(
  "payout_held_add",
  `update payout_held h set lines = h.lines + added.lines, amount = h.amount + added.amount, last_at = added.last_at,
     last_subject_id = added.last_subject_id, last_kind = added.last_kind
   from (
     select held.currency, position.*, edge.at is not null as has_more, sums.lines, sums.amount
     from payout_held held
     left join lateral (
       select l.at, l.subject_id, l.kind from payout_lines l where ${NEXT}
       order by l.at, l.subject_id, l.kind offset ${ADDED_AT_ONCE - 1} limit 1) as edge on true
     cross join lateral (
       select coalesce(edge.at, $2::timestamptz) as last_at, coalesce(edge.subject_id, '') as last_subject_id,
         coalesce(edge.kind, '') as last_kind) as position
     cross join lateral (
       select count(*) as lines, coalesce(sum(l.amount), 0)::bigint as amount from payout_lines l where ${NEXT}
         and (l.at, l.subject_id, l.kind) <= (position.last_at, position.last_subject_id, position.last_kind)) as sums
     where held.merchant_id = $1 and held.last_at < $2) as added
   where h.merchant_id = $1 and h.currency = added.currency
   returning added.has_more as "hasMore"`,
);

/** Every line before the cut-off is paid. Corrects the totals if a line came too late to be added to them. */
const EMPTY = sql(
  "payout_held_empty",
  "update payout_held set lines = 0, amount = 0 where merchant_id = $1 and currency = $2 and last_at < $3",
);

/** The totals and the lines after them. */
const READ = sql(
  "payout_held_read",
  `select every.currency, coalesce(held.lines, 0) + later.lines as lines,
     (coalesce(held.amount, 0) + later.amount)::bigint as amount
   from ${EVERY_CURRENCY} as every (currency)
   left join payout_held held on held.merchant_id = $1 and held.currency = every.currency
   cross join lateral (
     select count(*) as lines, coalesce(sum(l.amount), 0) as amount from payout_lines l
     where l.merchant_id = $1 and l.currency = every.currency and l.payout_id is null
       and (l.at, l.subject_id, l.kind)
         > (coalesce(held.last_at, '-infinity'), coalesce(held.last_subject_id, ''), coalesce(held.last_kind, ''))
   ) as later
   where coalesce(held.lines, 0) + later.lines > 0 order by every.currency`,
);

/** Until the transaction ends no other one adds lines to the merchant's totals or pays lines. */
export async function lockHeld(tx: Tx, merchantId: Id<"merchant">): Promise<void> {
  await tx.rows(BEGIN, [merchantId]);
  await tx.rows(LOCK, [merchantId]);
}

/** True when more lines can be added now. No line from before that time may be written any more. */
export async function addHeld(tx: Tx, merchantId: Id<"merchant">, before: Instant): Promise<boolean> {
  await lockHeld(tx, merchantId);
  const steps = await tx.rows<{ hasMore: boolean }>(ADD, [merchantId, at(before)]);
  return steps.some(({ hasMore }) => hasMore);
}

export async function emptyHeld(
  tx: Tx,
  merchantId: Id<"merchant">,
  currency: Currency,
  cutOff: Instant,
): Promise<void> {
  await tx.rows(EMPTY, [merchantId, currency, at(cutOff)]);
}

/** The balance by currency: what the next payout pays if nothing else happens. */
export async function readHeld(tx: Tx, merchantId: Id<"merchant">): Promise<readonly Held[]> {
  return tx.rows<Held>(READ, [merchantId]);
}
