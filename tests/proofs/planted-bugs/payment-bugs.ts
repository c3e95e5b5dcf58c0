import type { PlantedBug } from "./planted-bug.ts";

export const PAYMENT_BUGS: readonly PlantedBug[] = [
  {
    name: "the row of a transaction is read without its lock",
    file: "src/features/transactions/queries.ts",
    edits: [
      [
        "from transactions where merchant_id = $1 and id = $2 for update",
        "from transactions where merchant_id = $1 and id = $2",
      ],
    ],
    check: { file: "tests/spec/transactions/refunds.test.ts", tests: "twenty concurrent refunds" },
  },
  {
    name: "a refund is published after its commit",
    file: "src/features/refunds/request-refund.ts",
    edits: [
      ["    await publishRefund(tx, caller.mode, pending, ctx.settings);\n", ""],
      [
        '  if (caller.mode === "live") ctx.wakeJobs();',
        '  await publishRefund(ctx.db, caller.mode, requested, ctx.settings);\n  if (caller.mode === "live") ctx.wakeJobs();',
      ],
    ],
    check: { file: "tests/spec/webhooks/same-transaction.test.ts", tests: "the event of a refund" },
  },
  {
    name: "a released authorisation can be captured",
    file: "src/features/transactions/operations/run-operation.ts",
    edits: [
      ['  if (!isOpenAuthorisation(transaction)) refuse("transaction_capture_state_conflict");\n', ""],
      ["  isOpenAuthorisation,\n", ""],
    ],
    check: {
      file: "tests/spec/transactions/captures.test.ts",
      tests: "cancelled authorisation is voided once",
    },
  },
  {
    name: "a capture may exceed the authorised amount by a cent",
    file: "src/features/transactions/operations/request-operation.ts",
    edits: [["amount > most)", "amount > most + 1)"]],
    check: { file: "tests/spec/transactions/captures.test.ts", tests: "at most the authorised total" },
  },
  {
    name: "a refund is compared with what was captured, not with what is left of it",
    file: "src/features/transactions/transaction-rules.ts",
    edits: [["amount > refundable(transaction)", "amount > transaction.captured"]],
    check: { file: "tests/spec/transactions/refunds.test.ts", tests: "partial refunds add up" },
  },
  {
    name: "the reversal of an attempt that the acquirer had not seen is not repeated",
    file: "src/features/checkout/recover-attempt.ts",
    edits: [["      await reverseAgainLater(ctx, tx, reversing);\n", ""]],
    check: {
      file: "tests/spec/checkout/slow-acquirer.test.ts",
      tests: "an approval whose answer is lost is reversed",
    },
  },
  {
    name: "an unknown outcome counts as a decline",
    file: "src/features/checkout/call-acquirer.ts",
    edits: [
      [
        'if (answer.kind === "unknown") {\n      await recoverSoon(ctx, ctx.db, attempt);\n      ctx.metrics.unknown({ mode: merchant.mode, source: attempt.source });\n      return attempt;',
        'if (answer.kind === "unknown") {\n      return finishAttempt(ctx, merchant, attempt, { answer: decline("downstream_error"), recovering: false });',
      ],
    ],
    check: { file: "tests/faults/pay-failures.test.ts", tests: "breaks after the acquirer approved" },
  },
  {
    name: "a payment whose outcome is unknown goes to a second acquirer",
    file: "src/features/checkout/call-acquirer.ts",
    edits: [
      [
        'if (answer.kind === "unknown") {\n      await recoverSoon(ctx, ctx.db, attempt);\n      ctx.metrics.unknown({ mode: merchant.mode, source: attempt.source });\n      return attempt;\n    }\n',
        "",
      ],
      [
        'if (answer.kind !== "not_received") {',
        'if (answer.kind === "approved" || answer.kind === "declined") {',
      ],
    ],
    check: { file: "tests/spec/acquirers/accounts.test.ts", tests: "an unknown outcome is never sent" },
  },
  {
    name: "the acquirer is not asked for the surcharge",
    file: "src/features/checkout/call-acquirer.ts",
    edits: [["surcharge: attempt.surcharge,", "surcharge: 0 as typeof attempt.surcharge,"]],
    check: { file: "tests/spec/checkout/price.test.ts", tests: "the acquirer authorises the total" },
  },
  {
    name: "a surcharge is rounded down",
    file: "src/kernel/surcharge.ts",
    edits: [["(rest * parts + PARTS / 2) / PARTS", "(rest * parts) / PARTS"]],
    check: { file: "src/kernel/surcharge.test.ts", tests: "." },
  },
  {
    name: "a one-time token pays again if the browser repeats the payment",
    file: "src/features/checkout/check-attempt.ts",
    edits: [[" && transactionId === (previousTransactionId ?? null);", ";"]],
    check: { file: "tests/spec/checkout/several-attempts.test.ts", tests: "repeats on its own" },
  },
  {
    name: "a wallet's token pays twice",
    file: "src/features/checkout/begin-attempt.ts",
    edits: [["      if (payers.use !== undefined) await insertTokenUse(tx, transaction, payers.use);\n", ""]],
    check: { file: "tests/spec/wallets/refusals.test.ts", tests: "used for another request of the merchant" },
  },
  {
    name: "an open frame pays an overdue request until the worker expires it",
    file: "src/features/checkout/check-attempt.ts",
    edits: [
      ["attemptsLeft(request) < 1 || isOverdue(request, now)", "attemptsLeft(request) < 1"],
      ["token !== undefined && token.expiresAt <= now", "token === null"],
    ],
    check: { file: "tests/spec/checkout/sessions.test.ts", tests: "an open frame pays no overdue request" },
  },
  {
    name: "a request expires under a payment that is in progress",
    file: "src/features/payment-requests/expire-payment-request.ts",
    edits: [
      [
        "    if (await findPendingOf(tx, merchant.id, id)) return later(ctx.now(), expiryPause(request, now));\n",
        "",
      ],
    ],
    check: { file: "tests/faults/pay-races.test.ts", tests: "starts before the expiry finishes" },
  },
  {
    name: "a declined payment stores its card",
    file: "src/features/checkout/finish-attempt.ts",
    edits: [
      [
        '  if (transaction.status === "declined") {\n    await eraseNumber(ctx, tx, transaction);\n    return transaction;\n  }\n',
        "",
      ],
    ],
    check: { file: "tests/spec/checkout/tokenising.test.ts", tests: "a decline, a failed and an abandoned" },
  },
  {
    name: "a PayID of another merchant can be paid in the sandbox",
    file: "src/features/incoming-transfers/simulate-transfer.ts",
    edits: [["if (holder?.merchant.id !== caller.merchantId) refuse", "if (holder === undefined) refuse"]],
    check: { file: "tests/spec/payid/sandbox.test.ts", tests: "another merchant's PayID, an unknown one" },
  },
  {
    name: "a line that was paid out is paid out again",
    file: "src/features/payouts/queries.ts",
    edits: [
      ["and l.currency = $2 and l.payout_id is null and l.at < $3", "and l.currency = $2 and l.at < $3"],
    ],
    check: {
      file: "tests/spec/payouts/payouts.test.ts",
      tests: "contains payments less refunds|carried forward",
    },
  },
  {
    name: "a request killed after its commit leaves the key of a direct debit processing",
    file: "src/features/charges/charge-instrument.ts",
    edits: [
      ["      await finishKeysOf(tx, merchant.id, id);", '      await finishKeysOf(tx, merchant.id, "");'],
    ],
    check: { file: "tests/faults/idempotency-kills.test.ts", tests: "done. for a direct debit" },
  },
];
