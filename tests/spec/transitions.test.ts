import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { lifecycle as accountLifecycle } from "../../src/features/acquirer-accounts/acquirer-account.ts";
import { lifecycle as deliveryLifecycle } from "../../src/features/deliveries/delivery.ts";
import { batchLifecycle } from "../../src/features/direct-debits/direct-debit.ts";
import { lifecycle as disputeLifecycle } from "../../src/features/disputes/dispute.ts";
import { lifecycle as incomingTransferLifecycle } from "../../src/features/incoming-transfers/incoming-transfer.ts";
import { lifecycle as paymentRequestLifecycle } from "../../src/features/payment-requests/payment-request.ts";
import { buildLifecycle } from "../../src/features/payouts/payout.ts";
import { lifecycle as refundLifecycle } from "../../src/features/refunds/refund.ts";
import { lifecycle as tokenLifecycle } from "../../src/features/tokens/token.ts";
import { operationLifecycle } from "../../src/features/transactions/operations/operation.ts";
import {
  captureLifecycle,
  phaseLifecycle,
  lifecycle as transactionLifecycle,
} from "../../src/features/transactions/transaction.ts";
import { lifecycle as webhookLifecycle } from "../../src/features/webhooks/webhook.ts";
import type { Lifecycle } from "../../src/kernel/lifecycle.ts";
import { keyLifecycle } from "../../src/platform/idempotency/queries.ts";

type Rule = {
  readonly about: string;
  readonly table: Lifecycle<string, string>;
  /** `from + trigger = to`, each transition that there is. */
  readonly transitions: string;
};

const RULES: readonly Rule[] = [
  {
    about: "a payment request ends once, and stays ended",
    table: paymentRequestLifecycle,
    transitions: `created + approve = completed, created + exhaustAttempts = completed,
      created + expire = expired, created + cancel = cancelled`,
  },
  {
    about: "a token pays in one session at a time, and a failed attempt opens it again",
    table: tokenLifecycle,
    transitions: `created + initialise = initialised, initialised + initialise = initialised,
      initialised + process = processed, processed + reopen = initialised`,
  },
  {
    about: "a transaction is approved or declined, and only an approval can be returned",
    table: transactionLifecycle,
    transitions: "pending + approve = approved, pending + decline = declined, approved + return = declined",
  },
  {
    about: "approved money is captured, voided or expires, and that is final",
    table: captureLifecycle,
    transitions: "uncaptured + capture = captured, uncaptured + void = voided, uncaptured + expire = expired",
  },
  {
    about: "a pending transaction never goes back, and no call follows a reversal",
    table: phaseLifecycle,
    transitions: `authenticating + profile = profiling, authenticating + challenge = challenged,
      authenticating + call = calling, authenticating + settle = settled,
      profiling + challenge = challenged, profiling + call = calling, profiling + settle = settled,
      challenged + call = calling, challenged + settle = settled,
      calling + accept = waiting, calling + reverse = reversing, calling + settle = settled,
      reversing + settle = settled, waiting + reverse = reversing, waiting + settle = settled`,
  },
  {
    about: "an operation is done or refused, and that is final",
    table: operationLifecycle,
    transitions: "pending + finish = done, pending + refuse = refused",
  },
  {
    about: "a refund is approved or declined, and that is final",
    table: refundLifecycle,
    transitions: "pending + approve = approved, pending + decline = declined",
  },
  {
    about: "an acquirer account is disabled and enabled",
    table: accountLifecycle,
    transitions: "active + disable = disabled, disabled + enable = active",
  },
  {
    about: "a dispute is answered at most once, and can be decided without an answer",
    table: disputeLifecycle,
    transitions: `needs_response + sendEvidence = under_review, needs_response + defend = under_review,
      needs_response + accept = accepted, needs_response + lapse = lost,
      needs_response + win = won, needs_response + lose = lost,
      under_review + win = won, under_review + lose = lost`,
  },
  {
    about: "a subscription is disabled and enabled",
    table: webhookLifecycle,
    transitions: "active + disable = disabled, disabled + enable = active",
  },
  {
    about: "a delivery can be requested again in any state, and a late acknowledgement counts",
    table: deliveryLifecycle,
    transitions: `pending + acknowledge = delivered, pending + retry = pending, pending + giveUp = failed,
      pending + redeliver = pending, delivered + redeliver = pending,
      failed + acknowledge = delivered, failed + redeliver = pending`,
  },
  {
    about: "a batch of debits is handed over again only while the bank may not have it",
    table: batchLifecycle,
    transitions: `made + begin = submitting, made + write = written, made + drop = empty,
      submitting + begin = submitting, submitting + accept = submitted, submitting + lose = unknown,
      submitting + leaveOut = incomplete, submitting + drop = empty,
      unknown + begin = submitting, unknown + accept = submitted, incomplete + begin = submitting,
      written + write = written, written + confirm = submitted, written + drop = empty,
      submitted + forget = unknown`,
  },
  {
    about: "a transfer is accepted for good, or its return is confirmed or refused",
    table: incomingTransferLifecycle,
    transitions: "returning + confirmReturn = returned, returning + refuseReturn = return_refused",
  },
  {
    about: "a payout counts its lines, then takes them",
    table: buildLifecycle,
    transitions: "counting + take = taking",
  },
  {
    about: "a request with an idempotency key ends once",
    table: keyLifecycle,
    transitions: "processing + finish = done",
  },
];

/** `from + trigger = to` of every transition of a table. */
const transitionsOf = (table: Rule["table"]) =>
  Object.entries(table).flatMap(([from, triggers]) =>
    Object.entries(triggers).map(([trigger, to]) => `${from} + ${trigger} = ${to}`),
  );

describe("spec 3: where each trigger leads", () => {
  for (const { about, table, transitions } of RULES) {
    test(about, () => {
      const said = transitions.split(/,\s+/);
      assert.deepEqual(transitionsOf(table).toSorted(), said.toSorted());
    });
  }
});
