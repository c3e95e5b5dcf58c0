/**
 * Where the rows of each table live when the database is distributed over several servers (Citus). On one server this
 * says nothing about storage, but it is checked there too (tests/faults/distribution.test.ts): every unique key and foreign
 * key of a distributed table has the merchant, and every statement on it names one merchant or says why it does not.
 */

/** Rows of one merchant lie together, on the server that its id hashes to. In the order in which they are distributed. */
export const DISTRIBUTED_TABLES = [
  "payment_requests",
  "logos",
  "customers",
  "payment_instruments",
  "vault_secrets",
  "transactions",
  "transaction_operations",
  "refunds",
  "disputes",
  "one_time_tokens",
  "idempotency_keys",
  "metadata_pairs",
  "debit_batches",
  "debits",
  "waiting_debits",
  "debit_returns_files",
  "payouts",
  "payout_lines",
  "payout_builds",
  "payout_held",
  "payment_hours",
  "payment_days",
  "payment_hour_changes",
  "payment_hours_kept",
  "receipts",
  "card_testing_counters",
  "card_testing_attempts",
  "iso8583_messages",
  "wallet_domains",
  "webhooks",
  "webhook_credentials",
  "webhook_signing_keys",
  "events",
  "deliveries",
  "delivery_attempts",
  "jobs",
] as const;

/** Every server has a copy: small, read all the time, and referred to by rows of every merchant. */
export const REFERENCE_TABLES: Readonly<Record<string, string>> = {
  merchants: "rows of every merchant refer to it, and triggers of timed work read its clock",
  vault_keys: "every stored number refers to its keys",
  api_keys: "a caller is found by the hash of its key, before its merchant is known; joined with merchants",
  acquirer_accounts: "a few rows per merchant, which an operator names by id alone",
  dashboard_users:
    "a user is found by e-mail, which is unique among all merchants; operators have no merchant",
};

/** Where every server has all merchants, for statements that take their turns by it. */
export const ALL_MERCHANTS = { table: "merchants", id: "id" } as const;

/** On the coordinator alone. */
export const LOCAL_TABLES: Readonly<Record<string, string>> = {
  schema_migrations: "one row per migration",
  distribution: "one row: that this database is distributed",
  audit_log: "one chain of entries of all merchants; each has the hash of the one before",
  audit_head: "one row",
  cache_versions: "a few rows",
  delivery_leases:
    "which node serves which merchant: a row for each that is served, compared with the sessions of nodes",
  dashboard_filters: "a few rows of a user, deleted with the user",
  dashboard_links: "found by their hash, before the user is known",
  dashboard_recovery_codes: "of a user, who may have no merchant",
  dashboard_sessions: "found by their hash, before the user is known",
  sign_in_attempts: "by e-mail or address, before the user is known",
  wrong_api_keys: "by network, before any merchant is known",
  incoming_transfers: "a bank's message counts once among all merchants, and a transfer may have no merchant",
  open_payids: "an open PayID is unique among all merchants",
  wallet_token_uses: "a wallet's token pays once among all merchants",
  nodes: "a row for each node that runs",
  page_reports: "what browsers report of pages: a row for each kind of report, of no merchant",
  iso8583_terminals: "a terminal's numbers, which accounts of several merchants may share",
  sandbox_ledger: "what the simulated banks know, which is no merchant's data",
  sandbox_wallet_keys: "one row",
  sealing_keys: "a few rows",
  vault_master: "one row",
};

/** Unique indexes without the merchant. They can't span servers: in a distributed database a local table says the same. */
export const INDEXES_OF_ONE_SERVER: readonly string[] = ["payment_requests_open_payid"];

/** Indexes of distributed databases alone: what each is on. On one server recursive statements do without. */
export const INDEXES_OF_SERVERS: Readonly<Record<string, string>> = {
  // Workers look for due jobs of all merchants and kinds: each shard reads as many as are asked for, not all that are due.
  jobs_by_due: "jobs (due_at, kind)",
};

/** Triggers that a distributed database can't have, and what stands in for them. */
export const TRIGGERS_OF_ONE_SERVER: Readonly<Record<string, string | undefined>> = {
  // It would write across servers. Recurring work writes the jobs of payouts instead (`payout_insert_missing_jobs`).
  merchants_payout_job: undefined,
  // It has a transition table.
  events_deliveries: `create trigger events_deliveries_by_row after insert on events
    for each row execute function write_deliveries_of_event()`,
};
