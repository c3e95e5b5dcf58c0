import type { Id } from "../../../kernel/ids.ts";
import { type Instant, later } from "../../../kernel/time.ts";
import {
  byMerchant,
  ofMerchants,
  orOnOneServer,
  settleByMerchant,
} from "../../../platform/db/by-merchant.ts";
import { at, type Cell, type Database, sql, type Tx } from "../../../platform/db/database.ts";
import type { Presence } from "../../../platform/db/presence.ts";
import type { DueDelivery, Outcome } from "../delivery.ts";

/** A subscription with deliveries that are due or to be closed. */
export type DueSubscription = { readonly merchantId: Id<"merchant">; readonly webhookId: Id<"webhook"> };

export const SERVES_ALL = "the deliverer serves all merchants";

/** Merchants of what became due last, the latest first: a bounded number of rows, however many are waiting or overdue. */
const LIST_RECENT = sql(
  "delivery_list_recent",
  `select distinct merchant_id as "merchantId" from (
     select merchant_id from deliveries
     where status = 'pending' and due_at <= now() and due_at > now() - make_interval(secs => $1)
     order by due_at desc limit $2) as latest`,
  { fanOut: SERVES_ALL },
);

/** The next merchants with pending deliveries. It skips along the index, so that a million rows of one cost no more than one. */
const LIST_NEXT = sql(
  "delivery_list_next",
  `with recursive next as (
     (select merchant_id, 1 as place from deliveries where status = 'pending' and merchant_id > $1
      order by merchant_id, webhook_id, due_at limit 1)
     union all
     select after.merchant_id, next.place + 1 from next cross join lateral (
       select d.merchant_id from deliveries d where d.status = 'pending' and d.merchant_id > next.merchant_id
       order by d.merchant_id, d.webhook_id, d.due_at limit 1) as after
     where next.place < $2
   )
   select merchant_id as "merchantId" from next`,
  {
    fanOut: SERVES_ALL,
    // Every server has all merchants; those that wait for nothing cost one index probe each.
    distributed: `select id as "merchantId" from merchants where id > $1 order by id limit $2`,
  },
);

/**
 * Leases the merchants of `due` if they are free, if the holder's session is gone, or if this node holds them without
 * knowing (it lost the answer). Leases use the database's clock.
 */
const LEASING = `dead as materialized (
     select distinct held.holder from due join delivery_leases held using (merchant_id)
     where held.session_pid is not null and held.until > now() and not exists (
       select from pg_stat_activity alive where alive.pid = held.session_pid
         and coalesce(alive.backend_start = held.session_start, true))
   ),
   taken as (
     insert into delivery_leases (merchant_id, holder, until, session_pid, session_start)
     select merchant_id, $1, now() + make_interval(secs => $3), $5::int, $6::timestamptz from (
       select distinct due.merchant_id from due left join delivery_leases held using (merchant_id)
       where due.merchant_id <> all ($2::text[]) and (held.until is null or held.until <= now()
         or held.holder = $1 or held.holder in (select holder from dead))
       order by due.merchant_id limit $4) as free
     on conflict (merchant_id) do update set holder = excluded.holder, until = excluded.until,
       session_pid = excluded.session_pid, session_start = excluded.session_start
       where delivery_leases.until <= now() or delivery_leases.holder in (select $1 union all select holder from dead)
     returning merchant_id
   )`;

/**
 * Finds the subscriptions of some merchants with deliveries that are due or to be closed, and leases their
 * merchants. It skips along the index from each subscription's earliest delivery to the next subscription.
 */
const TAKE = sql(
  "delivery_take",
  `with recursive place as (
     select first.* from unnest($7::text[]) as candidate (merchant_id) cross join lateral (
       select d.merchant_id, d.webhook_id, d.due_at from deliveries d
       where d.status = 'pending' and d.merchant_id = candidate.merchant_id
       order by d.merchant_id, d.webhook_id, d.due_at limit 1) as first
     union all
     select next.* from place cross join lateral (
       select d.merchant_id, d.webhook_id, d.due_at from deliveries d
       where d.status = 'pending' and d.merchant_id = place.merchant_id and d.webhook_id > place.webhook_id
       order by d.merchant_id, d.webhook_id, d.due_at limit 1) as next
   ),
   due as materialized (
     select merchant_id, webhook_id from place where due_at <= now()
     or (select w.status from webhooks w where w.merchant_id = place.merchant_id and w.id = place.webhook_id)
         is distinct from 'active'
   ),
   ${LEASING}
   select merchant_id as "merchantId", webhook_id as "webhookId" from due
   where merchant_id = any ($2::text[]) or merchant_id in (select merchant_id from taken)`,
  { distributed: false },
);

/**
 * The same in two statements, for a distributed database: leases are on the coordinator, with the sessions of nodes. One
 * index probe for each subscription: its first delivery, or that of the next one. With the subscription given, PostgreSQL
 * would read the deliveries of all in the order in which they are due.
 */
const dueText = (ofWebhook: string, ofDelivery: string) =>
  `select w.merchant_id as "merchantId", w.id as "webhookId" from webhooks w cross join lateral (
     select d.webhook_id, d.due_at from deliveries d
     where d.status = 'pending' and d.merchant_id = ${ofDelivery} and d.webhook_id >= w.id
     order by d.webhook_id, d.due_at limit 1) as first
   where w.merchant_id = ${ofWebhook} and first.webhook_id = w.id and (first.due_at <= now() or w.status <> 'active')`;
const LIST_DUE = sql("delivery_list_due", dueText("any ($1::text[])", "w.merchant_id"), {
  fanOut: SERVES_ALL,
});
const LIST_DUE_OF_ONE = sql("delivery_list_due_of_one", dueText("$1", "$1"));
const LEASE = sql(
  "delivery_lease",
  `with due as materialized (select merchant_id from unnest($7::text[]) as due (merchant_id)),
   ${LEASING}
   select merchant_id as "merchantId" from taken`,
);

const RENEW = sql(
  "delivery_lease_renew",
  `update delivery_leases set until = now() + make_interval(secs => $2) where holder = $1
   returning merchant_id as "merchantId"`,
);
const RELEASE = sql(
  "delivery_lease_release",
  "delete from delivery_leases where holder = $1 and ($2::text[] is null or merchant_id = any ($2))",
);

/** The one merchant of a statement that runs for each (`byMerchant`). */
const ONE = "($1::text[])[1]";

/**
 * Each subscription has its own list of events in progress: PostgreSQL would compare one list for all with every row of
 * every subscription. The rows are sorted before their bodies are fetched, so that no bodies are sorted. The merchant's clock
 * is read in the same statement: a sandbox clock that moves makes deliveries due.
 */
const fetchText = (ofPlace: string, ofDelivery: string) =>
  `with place as materialized (
     select merchant_id, webhook_id, known::text[] as known, m.clock_offset_ms
     from unnest($1::text[], $2::text[], $3::text[]) as input (merchant_id, webhook_id, known)
     join merchants m on m.id = merchant_id
   )
   select d.merchant_id as "merchantId", d.webhook_id as "webhookId", d.event_id as "eventId", d.attempts, d.failures,
     d.round, case when d.attempted_at is null and d.round = 0
       then (extract(epoch from clock_timestamp() - d.due_at) * 1000)::bigint end as overdue,
     e.resource_id as "resourceId", e.body, d.clock_offset_ms as "clockOffset"
   from (
     select due.*, place.clock_offset_ms from place cross join lateral (
       select * from deliveries one where one.merchant_id = ${ofPlace} and one.webhook_id = place.webhook_id
         and one.status = 'pending' and one.due_at <= now() and one.event_id <> all (place.known)
       order by one.due_at, one.event_id limit $4) as due
     order by due.due_at, due.event_id) as d
   cross join lateral (
     select resource_id, body from events where merchant_id = ${ofDelivery}
       and id = d.event_id limit 1) as e
   order by d.due_at, d.event_id`;
const FETCH = sql("delivery_fetch", fetchText("place.merchant_id", "d.merchant_id"), {
  distributed: fetchText(ONE, ONE),
});

/**
 * Writes the outcomes of many attempts; each previous attempt moves to the log. If the merchant has requested a redelivery
 * meanwhile, the attempt counts and the redelivery stays due. If the delivery was closed meanwhile, an acknowledgement
 * still counts, and a failure goes to the log: the row keeps the reason why it was closed. So does an attempt from before a
 * redelivery that was closed, whatever it came to. It is logged by what the row is after the update, which may have waited
 * for the statement that closed it. Running it twice changes nothing.
 */
const STAYS_CLOSED =
  "(d.status = 'failed' and d.latency_ms is null and (made.status <> 'delivered' or d.round <> made.round))";
/** What was made of deliveries, one array for each column. */
const MADE_COLUMNS = `unnest($1::text[], $2::text[], $3::text[], $4::int[], $5::int[], $6::int[], $7::text[], $8::int[],
       $9::float8[], $10::int[], $11::int[], $12::text[], $13::timestamptz[])
     as made (merchant_id, event_id, webhook_id, round, before, counted, status, failures, wait, http_status, latency_ms,
       error, attempted_at)`;
const madeAt = (clock: string) =>
  `select *, ${clock} + make_interval(secs => wait) as due_at from ${MADE_COLUMNS}`;
const INTO_LOG = `insert into delivery_attempts
       (merchant_id, event_id, webhook_id, attempt, attempted_at, http_status, latency_ms, error)`;

const logText = (made: string, ofOne: string) =>
  `${INTO_LOG}
     select d.merchant_id, d.event_id, d.webhook_id, d.attempts, d.attempted_at, d.http_status,
       coalesce(d.latency_ms, 0), d.error
     from deliveries d join ${made} using (merchant_id, event_id, webhook_id)
     where ${ofOne}d.attempts = made.before and d.attempts > 0 and made.counted = 1
     on conflict do nothing`;

const updateText = (made: string, ofOne: string) =>
  `update deliveries d set
       attempts = made.before + made.counted,
       status = case
         when d.round <> made.round then d.status
         when made.status = 'delivered' or d.status = 'pending' then made.status
         else d.status end,
       failures = case when d.round = made.round then made.failures else d.failures end,
       due_at = case when d.round = made.round then made.due_at else d.due_at end,
       http_status = case when ${STAYS_CLOSED} then null else made.http_status end,
       latency_ms = case when ${STAYS_CLOSED} then null else made.latency_ms end,
       error = case when ${STAYS_CLOSED} then d.error else made.error end,
       attempted_at = made.attempted_at
     from ${made}
     where ${ofOne}d.merchant_id = made.merchant_id and d.event_id = made.event_id and d.webhook_id = made.webhook_id
       and d.attempts = made.before`;

const recordText = (ofOne: string) =>
  `with made as materialized (
     ${madeAt("clock_timestamp()")}
   ),
   logged as (
     ${logText("made", ofOne)}
   ),
   recorded as (
     ${updateText("made", ofOne)}
     returning d.merchant_id, d.event_id, d.webhook_id, d.attempts, d.attempted_at, made.http_status, made.latency_ms,
       made.error, made.counted = 1 and d.latency_ms is null as is_logged
   )
   ${INTO_LOG}
   select merchant_id, event_id, webhook_id, attempts, attempted_at, http_status, latency_ms, error
   from recorded where is_logged
   on conflict do nothing`;
const RECORD = sql("delivery_record", recordText(""), {
  distributed: recordText(`d.merchant_id = ${ONE} and `),
});

/**
 * The same for one merchant, statement by statement in a transaction, for `orOnOneServer`. What an attempt logged itself is
 * found by its moment.
 */
const OF_ONE = `d.merchant_id = ${ONE} and `;
const RECORD_ALONE = [
  sql("delivery_record_previous", logText(MADE_COLUMNS, OF_ONE)),
  sql("delivery_record_alone", updateText(`(${madeAt("now()")}) as made`, OF_ONE)),
  sql(
    "delivery_record_closed",
    `${INTO_LOG}
     select d.merchant_id, d.event_id, d.webhook_id, d.attempts, d.attempted_at, made.http_status, made.latency_ms, made.error
     from deliveries d join ${MADE_COLUMNS} using (merchant_id, event_id, webhook_id)
     where ${OF_ONE}d.attempts = made.before + 1 and d.attempted_at = made.attempted_at
       and made.counted = 1 and d.latency_ms is null
     on conflict do nothing`,
  ),
];

/**
 * Fails the pending deliveries of a disabled or deleted subscription, one batch at a time. The last attempt of each moves to
 * the log: the reason is not its error. Without a latency the row shows no attempt.
 */
const CLOSE = sql(
  "delivery_close",
  `with closing as materialized (
     select d.* from deliveries d
     where d.merchant_id = $1 and d.webhook_id = $2 and d.status = 'pending'
       and not exists (select from webhooks w where w.merchant_id = $1 and w.id = $2 and w.status = 'active')
     order by d.due_at limit $4 for update
   ),
   logged as (
     insert into delivery_attempts
       (merchant_id, event_id, webhook_id, attempt, attempted_at, http_status, latency_ms, error)
     select merchant_id, event_id, webhook_id, attempts, attempted_at, http_status, coalesce(latency_ms, 0), error
     from closing where attempts > 0
     on conflict do nothing
   )
   update deliveries set status = 'failed', http_status = null, latency_ms = null, error = $3
   where merchant_id = $1 and webhook_id = $2 and event_id = any (array(select event_id from closing))`,
);

type MerchantRow = { readonly merchantId: string };

/** Merchants with something that became due in the last seconds, among the `atMost` deliveries that did so last. */
export async function listRecentlyDue(tx: Tx, seconds: number, atMost: number): Promise<readonly string[]> {
  return (await tx.rows<MerchantRow>(LIST_RECENT, [seconds, atMost])).map(({ merchantId }) => merchantId);
}

/** The next merchants with pending deliveries, in the order of ids. */
export async function listNextWaiting(tx: Tx, after: string, atMost: number): Promise<readonly string[]> {
  return (await tx.rows<MerchantRow>(LIST_NEXT, [after, atMost])).map(({ merchantId }) => merchantId);
}

export type Wanted = {
  /** Merchants that this node holds. */
  readonly held: readonly string[];
  /** Merchants that may have something due. */
  readonly candidates: readonly string[];
  /** From `listOrphaned`. */
  readonly orphaned?: readonly DueSubscription[];
  readonly leaseSeconds: number;
  /** So many merchants are leased at once. */
  readonly newMerchantsAtMost: number;
};

export async function takeDue(
  tx: Tx,
  { name, pid, since }: Presence,
  { held, candidates, orphaned = [], leaseSeconds, newMerchantsAtMost }: Wanted,
): Promise<readonly DueSubscription[]> {
  const merchants = [...new Set([...held, ...candidates])];
  const leasing = [name, held, leaseSeconds, newMerchantsAtMost, pid, since];
  if (!((await tx.isDistributed?.()) ?? false))
    return tx.rows<DueSubscription>(TAKE, [...leasing, merchants]);
  const listed = await ofMerchants(
    tx,
    merchants,
    () => tx.rows<DueSubscription>(LIST_DUE, [merchants]),
    (merchant) => tx.rows<DueSubscription>(LIST_DUE_OF_ONE, [merchant]),
  );
  const due = [...listed, ...orphaned];
  if (due.length === 0) return [];
  const ofDue = [...new Set(due.map(({ merchantId }) => merchantId))];
  const taken = await tx.rows<MerchantRow>(LEASE, [...leasing, ofDue]);
  const served = new Set([...held, ...taken.map(({ merchantId }) => merchantId)]);
  return due.filter(({ merchantId }) => served.has(merchantId));
}

/** Returns the merchants that the holder still serves. */
export async function renewLeases(tx: Tx, holder: string, leaseSeconds: number): Promise<readonly string[]> {
  const rows = await tx.rows<{ merchantId: string }>(RENEW, [holder, leaseSeconds]);
  return rows.map(({ merchantId }) => merchantId);
}

/** Null: all of the holder's merchants. */
export async function releaseLeases(
  tx: Tx,
  holder: string,
  merchantIds: readonly string[] | null,
): Promise<void> {
  await tx.rows(RELEASE, [holder, merchantIds]);
}

type DueRow = Omit<DueDelivery, "changedAt"> & { readonly overdue: number | null };

/** Returns what is due for these subscriptions and not in progress. */
export async function fetchDue(
  tx: Tx,
  subscriptions: readonly DueSubscription[],
  options: {
    readonly eventsInProgress: (subscription: DueSubscription) => readonly string[];
    readonly limitEach: number;
    readonly now: () => Instant;
  },
): Promise<readonly DueDelivery[]> {
  if (subscriptions.length === 0) return [];
  const { eventsInProgress, limitEach, now } = options;
  const rows = await byMerchant(tx, subscriptions, (some) => {
    const merchants = some.map(({ merchantId }) => merchantId);
    const webhooks = some.map(({ webhookId }) => webhookId);
    // Ids have no character that needs escaping in a PostgreSQL array.
    const known = some.map((subscription) => `{${eventsInProgress(subscription).join()}}`);
    return tx.rows<DueRow>(FETCH, [merchants, webhooks, known, limitEach]);
  });
  const fetchedAt = now();
  return rows.map(({ overdue, ...row }) => ({
    ...row,
    changedAt: overdue === null ? undefined : later(fetchedAt, -overdue),
  }));
}

/** Returns those whose server is away: they are to be written later. */
export async function recordOutcomes(
  db: Database,
  outcomes: readonly Outcome[],
): Promise<readonly Outcome[]> {
  const items = outcomes.map((outcome) => ({ merchantId: outcome.delivery.merchantId, outcome }));
  const { left } = await settleByMerchant(db, items, (some) =>
    record(
      db,
      some.map(({ outcome }) => outcome),
    ),
  );
  return left.map(({ outcome }) => outcome);
}

async function record(db: Database, outcomes: readonly Outcome[]): Promise<readonly unknown[]> {
  // Serialised here, because the driver would search every value for characters to escape: these values have none.
  const column = (cell: (outcome: Outcome) => Cell) =>
    `{${outcomes.map((outcome) => cell(outcome) ?? "NULL").join()}}`;
  const values = [
    column(({ delivery }) => delivery.merchantId),
    column(({ delivery }) => delivery.eventId),
    column(({ delivery }) => delivery.webhookId),
    column(({ delivery }) => delivery.round),
    column(({ delivery }) => delivery.attempts),
    column(({ isCounted }) => (isCounted ? 1 : 0)),
    column(({ status }) => status),
    column(({ failures }) => failures),
    column(({ wait }) => wait / 1_000),
    column(({ httpStatus }) => httpStatus),
    column(({ latencyMs }) => latencyMs),
    column(({ error }) => error),
    column(({ attemptedAt }) => at(attemptedAt)),
  ];
  return orOnOneServer(
    () => db.rows(RECORD, values),
    () =>
      db.transaction(async (tx) => {
        for (const statement of RECORD_ALONE) await tx.rows(statement, values);
        return [];
      }),
  );
}

export async function closeDeliveries(
  tx: Tx,
  { merchantId, webhookId }: DueSubscription,
  error: string,
  atMost: number,
): Promise<void> {
  await tx.rows(CLOSE, [merchantId, webhookId, error, atMost]);
}
