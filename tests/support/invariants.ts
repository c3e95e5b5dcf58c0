import assert from "node:assert/strict";
import { BANK_RULES, BANK_VIEWS } from "./bank-invariants.ts";
import type { TestDatabase } from "./database.ts";
import { DELIVERIES_AT_REST, DELIVERY_RULES } from "./delivery-invariants.ts";
import { VIEWS } from "./invariant-views.ts";
import { MONEY_RULES } from "./money-invariants.ts";
import { PAYID_AT_REST, PAYID_RULES, type Rule } from "./payid-invariants.ts";
import { RECORD_RULES } from "./record-invariants.ts";

/** Reads from a database; may be inside a transaction. */
export type Reader = Pick<TestDatabase, "rows" | "readAll">;

export type Violation = { readonly id: string; readonly subject: string; readonly about: string };

const RULES: readonly Rule[] = [...MONEY_RULES, ...RECORD_RULES, ...PAYID_RULES];

/** The description of each rule, without those about deliveries and banks. */
export const EVERY_RULE: readonly string[] = RULES.map((rule) => rule.about);

/** What a call or a notification has settled is settled: its job sees that when it runs next, up to 15 minutes later. */
const OF_OPEN_SUBJECT = `not (kind = 'refund_settle' and exists (select from refunds f
          where f.merchant_id = j.merchant_id and f.id = j.subject_id and f.status <> 'pending'))
          and not (kind = 'transaction_operation' and exists (select from transaction_operations o
          where o.merchant_id = j.merchant_id and o.id = j.subject_id and o.status <> 'pending'))
          and not (kind like 'checkout_recover%' and exists (select from transactions t
          where t.merchant_id = j.merchant_id and t.id = j.subject_id and t.status <> 'pending'))`;

/** Rules that hold at rest: a minute after the last fault. */
const AT_REST: readonly Rule[] = [
  ...PAYID_AT_REST,
  {
    id: "I21",
    // A challenged payer has 15 minutes; every other attempt must have ended. Debits have a rule of their own.
    about: "an attempt has no known outcome",
    sql: `select id as subject from transactions
          where status = 'pending' and source <> 'direct_debit' and phase <> 'challenged'`,
  },
  {
    id: "I21",
    about: "a capture or a void is unfinished",
    sql: "select id as subject from transaction_operations where status = 'pending'",
  },
  {
    id: "I21",
    // A job that has not run yet waits for the sandbox's settlement delay. One that a dead node has leased has run: it is
    // neither overdue nor failed, and no node sends the refund. Refunds of debits count, too: the bank answers them at once.
    about: "a refund is not settled",
    sql: `select f.id as subject from refunds f where f.status = 'pending' and not exists (select from jobs
            where jobs.merchant_id = f.merchant_id and jobs.subject_id = f.id and jobs.kind = 'refund_settle'
            and jobs.tries = 0 and jobs.due_at > now())`,
  },
  {
    id: "I21",
    // Files wait for their operator.
    about: "a debit batch is under way",
    sql: "select id as subject from debit_batches where rail = 'connector' and status not in ('submitted', 'empty')",
  },
  {
    id: "I21",
    // As above: the job that follows it has run, and waits until the bank can know more.
    about: "a debit is not settled",
    sql: `select t.id as subject from transactions t join merchants m on m.id = t.merchant_id and m.mode = 'sandbox'
          where t.status = 'pending' and t.source = 'direct_debit' and not exists (select from jobs
            where jobs.merchant_id = t.merchant_id and jobs.subject_id = t.id and jobs.kind = 'debit_follow'
            and jobs.tries = 0 and jobs.due_at > now())`,
  },
  {
    id: "I21",
    about: "a late approval is not reversed",
    sql: `select id as subject from transactions where late_approval is not null and late_approval ->> 'reversedAt' is null
          union all select id from refunds where late_approval is not null and late_approval ->> 'reversedAt' is null`,
  },
  {
    id: "I21",
    about: "an idempotency key is still processing",
    sql: "select key as subject from idempotency_keys where status = 'processing'",
  },
  {
    id: "I21",
    about: "a request is open past its expiry",
    sql: `select r.id as subject from request r join merchants m on m.id = r.merchant_id
          where r.status = 'created' and r.expires_at < now() + make_interval(secs => m.clock_offset_ms / 1000.0) - interval '3 seconds'`,
  },
  {
    id: "I21",
    // Its job may be leased by a dead node: it is not overdue before the lease ends.
    about: "an authorisation is open past its end",
    sql: `select t.id as subject from transactions t join merchants m on m.id = t.merchant_id
          where t.capture_status = 'uncaptured'
          and t.created_at + interval '7 days' < now() + make_interval(secs => m.clock_offset_ms / 1000.0) - interval '3 seconds'`,
  },
  {
    id: "I21",
    about: "a dispute waits for evidence past its due date",
    sql: `select d.id as subject from disputes d join merchants m on m.id = d.merchant_id
          where m.mode = 'sandbox' and d.status = 'needs_response'
          and d.evidence_due_at < now() + make_interval(secs => m.clock_offset_ms / 1000.0) - interval '3 seconds'`,
  },
  {
    id: "I21",
    about: "a job is overdue",
    sql: "select kind || ' ' || subject_id as subject from jobs where due_at < now() - interval '3 seconds'",
  },
  {
    id: "I21",
    // Leased: a claim counts a try, and the end of a run deletes the job, sets its tries to 0 or records its problem. One that
    // no run ends, such as that of a receipt or a payout, is never overdue: each lease moves it.
    about: "a job has begun and not ended",
    sql: `select kind || ' ' || subject_id as subject from jobs j where tries > 0 and problem is null and ${OF_OPEN_SUBJECT}`,
  },
  {
    id: "I21",
    // One that fails forever is never overdue: each failure moves it. Success deletes it, or clears its problem.
    about: "a job failed and has not succeeded since",
    sql: `select kind || ' ' || subject_id || ': ' || problem as subject from jobs j where problem is not null and ${OF_OPEN_SUBJECT}`,
  },
];

/** The description of each rule that holds at rest, without those about deliveries. */
export const EVERY_RULE_AT_REST: readonly string[] = AT_REST.map((rule) => rule.about);

/** Every violation, read in one statement and so in one snapshot: it may run while payments go on. */
export async function findViolations(database: Reader): Promise<readonly Violation[]> {
  return check(database, [...RULES, ...DELIVERY_RULES, ...BANK_RULES]);
}

/** What is unfinished or overdue. */
export async function findUnsettled(database: Reader): Promise<readonly Violation[]> {
  return check(database, [...AT_REST, ...DELIVERIES_AT_REST]);
}

async function check(database: Reader, rules: readonly Rule[]): Promise<readonly Violation[]> {
  const parts = rules.map(
    ({ id, about, sql }) =>
      `select '${id}' as id, subject::text, '${about.replaceAll("'", "''")}' as about from (${sql}) as found`,
  );
  const read = database.readAll ?? database.rows;
  return read<Violation>(`with ${VIEWS}, ${BANK_VIEWS} ${parts.join(" union all ")} order by 1, 2`);
}

/** Citus reads each merchant's shard at its own moment, so that work in progress may look like a violation, which ends. */
const WITHIN_MS = process.env["TIDEGATE_TEST_CITUS_URL"] === undefined ? 0 : 15_000;

/** Fails with the list of violations. */
export async function assertInvariants(database: Reader): Promise<void> {
  const deadline = Date.now() + WITHIN_MS;
  let violations = await findViolations(database);
  while (violations.length > 0 && Date.now() < deadline) violations = await findViolations(database);
  assert.deepEqual(violations, []);
}

/** Ends a test file. The gateway stops even if an invariant is broken; otherwise the file would hang instead of failing. */
export async function assertInvariantsAndStop(gateway: {
  readonly database: Reader;
  readonly stop: () => Promise<unknown>;
}): Promise<void> {
  try {
    await assertInvariants(gateway.database);
  } finally {
    await gateway.stop();
  }
}

/** I15: the tables that hold a text in clear, as hex or as base64. Every column of every table is read. */
export async function findInDatabase(database: Reader, canary: string): Promise<readonly string[]> {
  const tables = await database.rows<{ name: string }>(
    "select quote_ident(table_name) as name from information_schema.tables where table_schema = 'public' order by 1",
  );
  const bytes = Buffer.from(canary);
  const forms = [canary, bytes.toString("hex"), bytes.toString("base64").replace(/.{1,2}={0,2}$/, "")];
  const found: string[] = [];
  for (const { name } of tables) {
    const [row] = await database.rows<{ there: boolean }>(
      `select exists (select 1 from ${name} t where t::text ilike any ($1)) as there`,
      [forms.map((form) => `%${form.replaceAll(/[%_\\]/g, "\\$&")}%`)],
    );
    if (row?.there === true) found.push(name);
  }
  return found;
}
