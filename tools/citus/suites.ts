/** They examine plans or pages of one server, or start servers of their own. */
export const OF_ONE_SERVER: readonly string[] = [
  "tests/faults/distributed-costs-at-scale.test.ts",
  "tests/faults/metadata-lists-at-scale.test.ts",
  "tests/spec/command-line/doctor.test.ts",
  "tests/spec/customers/list-plans.test.ts",
  "tests/spec/guides/",
  "tests/spec/payment-requests/list-plans.test.ts",
];

/** The cluster itself, and two nodes on one database: timed work, webhooks, and races for money, keys and PayIDs. */
export const TWO_NODES: readonly string[] = [
  "tests/faults/citus-lost-worker.test.ts",
  "tests/faults/citus.test.ts",
  "tests/faults/distribute.test.ts",
  "tests/faults/distributed-statements.test.ts",
  "tests/faults/idempotency-races.test.ts",
  "tests/faults/jobs.test.ts",
  "tests/faults/pay-races.test.ts",
  "tests/faults/payid-races.test.ts",
  "tests/faults/shared-statements.test.ts",
  "tests/faults/webhook-crashes.test.ts",
];
