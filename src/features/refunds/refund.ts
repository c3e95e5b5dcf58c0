import type { OutcomeName } from "../../kernel/codes/outcomes.ts";
import type { Id } from "../../kernel/ids.ts";
import type { LateApproval } from "../../kernel/late-approval.ts";
import type { Lifecycle } from "../../kernel/lifecycle.ts";
import type { Metadata } from "../../kernel/metadata.ts";
import type { Cents, Currency } from "../../kernel/money.ts";
import type { Instant } from "../../kernel/time.ts";

export const REFUND_STATUSES = ["pending", "approved", "declined"] as const;
export type RefundStatus = (typeof REFUND_STATUSES)[number];

/** Specification section 3, "Refund". */
export const lifecycle: Lifecycle<RefundStatus, "approve" | "decline"> = {
  pending: { approve: "approved", decline: "declined" },
  approved: {},
  declined: {},
};

export type Refund = {
  readonly id: Id<"refund">;
  readonly merchantId: Id<"merchant">;
  readonly transactionId: Id<"transaction">;
  readonly reference: string;
  readonly metadata: Metadata | null;
  readonly amount: Cents;
  readonly currency: Currency;
  readonly status: RefundStatus;
  readonly code: OutcomeName | null;
  /** Only of a declined refund. */
  readonly lateApproval: LateApproval | null;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
};
