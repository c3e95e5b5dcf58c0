import type { PlantedBug } from "./planted-bug.ts";

export const PLATFORM_BUGS: readonly PlantedBug[] = [
  {
    name: "a transaction is found without its merchant",
    file: "src/features/transactions/queries.ts",
    edits: [
      [
        "from transactions where merchant_id = $1 and id = i.wanted limit 1",
        "from transactions where $1::text is not null and id = i.wanted limit 1",
      ],
    ],
    check: { file: "tests/spec/transactions/lists.test.ts", tests: "another merchant's transaction is 404" },
  },
  {
    name: "rows of two merchants share a statement",
    file: "src/platform/db/gather.ts",
    edits: [["scope.length === 0 ? statement.name", "scope.length >= 0 ? statement.name"]],
    check: { file: "tests/faults/shared-statements.test.ts", tests: "attempts of two merchants" },
  },
  {
    name: "a used idempotency key goes through",
    file: "src/platform/idempotency/queries.ts",
    edits: [
      ["  const rows = await tx.rows(CLAIM,", "  await tx.rows(CLAIM,"],
      ["  return rows.length === 1;", "  return true;"],
    ],
    check: { file: "tests/spec/http/idempotency.test.ts", tests: "names what the first request created" },
  },
  {
    name: "an idempotency key of one merchant blocks another's",
    file: "src/platform/idempotency/queries.ts",
    edits: [
      [
        "from idempotency_keys where merchant_id = $1 and key = $2`",
        "from idempotency_keys where $1::text is not null and key = $2 order by created_at limit 1`",
      ],
    ],
    check: { file: "tests/spec/http/idempotency.test.ts", tests: "repeat|identical key" },
  },
  {
    name: "webhook signatures are made over Latin-1 bytes",
    file: "src/platform/crypto/secrets.ts",
    edits: [[".update(text).digest(form)", '.update(text, "latin1").digest(form)']],
    check: { file: "tests/spec/webhooks/signatures.test.ts", tests: "HMAC of the exact bytes" },
  },
  {
    name: "a redirect acknowledges a webhook",
    file: "src/features/webhooks/send.ts",
    edits: [["exchange.status < 300;", "exchange.status < 400;"]],
    check: { file: "tests/spec/webhooks/delivery.test.ts", tests: "a failed ping" },
  },
  {
    name: "webhooks are retried without a growing pause",
    file: "src/features/deliveries/delivery.ts",
    edits: [["const step = RETRY_WAITS[failures];", "const step = RETRY_WAITS[Math.min(failures, 0)];"]],
    check: { file: "src/features/deliveries/delivery.test.ts", tests: "." },
  },
  {
    name: "jobs that fail come back every second",
    file: "src/platform/jobs/run-job.ts",
    edits: [["Math.min(2 ** tries * SECOND, longest, withinMs)", "Math.min(SECOND, longest, withinMs)"]],
    check: { file: "src/platform/jobs/worker.test.ts", tests: "comes back later each time" },
  },
  {
    name: "two workers claim one job",
    file: "src/platform/jobs/queries.ts",
    edits: [[" and due_at <= $3 for update skip locked))", " and due_at <= $3))"]],
    check: { file: "src/platform/jobs/queries.test.ts", tests: "that a worker is claiming is left to it" },
  },
  {
    name: "the use of a card number leaves no audit row",
    file: "src/platform/vault/vault.ts",
    edits: [["      await record(db, { act, merchantId, subjectId: instrumentId, detail }, now());\n", ""]],
    check: { file: "src/platform/vault/vault.test.ts", tests: "every use is on record" },
  },
  {
    name: "ciphertext opens in the place of another instrument",
    file: "src/platform/vault/vault.ts",
    edits: [
      [
        "boundTo({ merchantId, instrumentId, field }: SecretPlace, keyId: string): string {",
        'boundTo({ merchantId, field }: SecretPlace, keyId: string): string {\n  const instrumentId = "any";',
      ],
    ],
    check: { file: "src/platform/vault/vault.test.ts", tests: "ciphertexts of two instruments are swapped" },
  },
  {
    name: "the log has the number of every card",
    file: "src/features/checkout/call-acquirer.ts",
    edits: [
      [
        "  const call = isVerification(attempt) ?",
        '  ctx.log.info({ subjectId: attempt.id }, "card " + called.card.number);\n  const call = isVerification(attempt) ?',
      ],
    ],
    check: { file: "tests/spec/checkout/card-secrecy.test.ts", tests: "neither is in any" },
  },
  {
    name: "secrets are compared in a time that depends on them",
    file: "src/platform/crypto/secrets.ts",
    edits: [["timingSafeEqual(one, other)", "Buffer.from(one).equals(other)"]],
    check: { file: "tools/tidy.test.ts", tests: "secrets of callers are compared" },
  },
  {
    name: "a name with one public address is called, whatever its others are",
    file: "src/platform/egress/guarded-lookup.ts",
    edits: [["!addresses.every((", "!addresses.some(("]],
    check: { file: "src/platform/egress/guarded-lookup.test.ts", tests: "is not called" },
  },
  {
    name: "nodes that start at once migrate at once",
    file: "src/platform/db/migrate.ts",
    edits: [["if (rows[0]?.isTaken === true) return;", "if (rows[0] !== undefined) return;"]],
    check: { file: "tests/faults/start.test.ts", tests: "five concurrent starts" },
  },
  {
    name: "a page of a list begins with the last row of the page before",
    file: "src/platform/db/list-rows.ts",
    edits: [
      ["where merchant_id = $1 and id < $2 and id >= $3", "where merchant_id = $1 and id <= $2 and id >= $3"],
    ],
    check: { file: "tests/spec/transactions/lists.test.ts", tests: "pages contain every transaction once" },
  },
  {
    name: "a form of another site acts for a signed-in user",
    file: "src/dashboard/shell/same-origin.ts",
    edits: [["!own || !isSameOrigin(request, ownUrl)", "!isSameOrigin(request, ownUrl)"]],
    check: { file: "tests/spec/dashboard/sign-in.test.ts", tests: "the page's token" },
  },
  {
    name: "a formula in an exported cell reaches the spreadsheet",
    file: "src/platform/http/csv.ts",
    edits: [["/^[=+\\-@]/", "/^[=+\\-]/"]],
    check: { file: "src/platform/http/csv.test.ts", tests: "could be a formula" },
  },
  {
    name: "a URL that cannot be decoded is answered with 500",
    file: "src/platform/http/error-answer.ts",
    edits: [['  FST_ERR_BAD_URL: { code: "request_http_malformed" },\n', ""]],
    check: { file: "tests/spec/http/paths.test.ts", tests: "invalid percent encoding is refused" },
  },
  {
    name: "endpoints that fail share the window of those that respond",
    file: "src/features/deliveries/sending/subscription-queue.ts",
    edits: [
      [
        'endpoint?.isSuspect === true ? "slow" : "quick"',
        'endpoint?.isSuspect === undefined ? "slow" : "quick"',
      ],
    ],
    check: {
      file: "src/features/deliveries/sending/lanes.test.ts",
      tests: "an endpoint that failed counts in the slow window",
    },
  },
];
