import type { Id } from "../../kernel/ids.ts";
import { type Lifecycle, nextState } from "../../kernel/lifecycle.ts";
import type { Metadata } from "../../kernel/metadata.ts";
import type { Cents, Currency } from "../../kernel/money.ts";
import { refuse } from "../../kernel/refusal.ts";
import { changeTime, DAY, type Instant } from "../../kernel/time.ts";

export const DISPUTE_STATUSES = ["needs_response", "under_review", "won", "lost", "accepted"] as const;
export type DisputeStatus = (typeof DISPUTE_STATUSES)[number];

type Trigger = "sendEvidence" | "accept" | "lapse" | "defend" | "win" | "lose";

/** Contract section 5, "Disputes". `defend`: the evidence was sent at the acquirer. An acquirer may decide without any. */
export const lifecycle: Lifecycle<DisputeStatus, Trigger> = {
  needs_response: {
    sendEvidence: "under_review",
    defend: "under_review",
    accept: "accepted",
    lapse: "lost",
    win: "won",
    lose: "lost",
  },
  under_review: { win: "won", lose: "lost" },
  won: {},
  lost: {},
  accepted: {},
};

/** A payer's bank took a payment back. Its money is held until the dispute is won. */
export type Dispute = {
  readonly id: Id<"dispute">;
  readonly merchantId: Id<"merchant">;
  readonly transactionId: Id<"transaction">;
  /** The acquirer's id of the case. Null: it has none, or has not been named yet. */
  readonly caseReference: string | null;
  /** The transaction's. */
  readonly reference: string;
  readonly reason: string;
  /** The transaction's. */
  readonly metadata: Metadata | null;
  readonly amount: Cents;
  readonly currency: Currency;
  readonly status: DisputeStatus;
  /** Null also where the evidence was sent at the acquirer. */
  readonly evidence: string | null;
  readonly evidenceAt: Instant | null;
  readonly evidenceDueAt: Instant;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
};

/** How long a merchant has to respond. */
export const RESPONSE_TIME = 14 * DAY;

/** Whether the merchant can still send evidence or accept. */
export function needsResponse({ status, evidenceDueAt }: Dispute, now: Instant): boolean {
  return status === "needs_response" && now < evidenceDueAt;
}

/** The dispute with the merchant's response. Refuses one that comes too late, or a second one. */
export function respond(dispute: Dispute, trigger: "sendEvidence" | "accept", now: Instant): Dispute {
  const changed = needsResponse(dispute, now) ? change(dispute, trigger, now) : undefined;
  return changed ?? refuse("dispute_state_conflict");
}

/** The dispute after the trigger; undefined when its state does not allow it. */
export function change(dispute: Dispute, trigger: Trigger, now: Instant): Dispute | undefined {
  const status = nextState(lifecycle, dispute.status, trigger);
  return status && { ...dispute, status, updatedAt: changeTime(now, dispute.updatedAt) };
}
