import type { Cents } from "./money.ts";
import { changeTime, type Instant } from "./time.ts";

/** `reversing` until the acquirer has confirmed that the money went back. */
export const LATE_APPROVAL_STATUSES = ["reversing", "reversed"] as const;
type LateApprovalStatus = (typeof LATE_APPROVAL_STATUSES)[number];

/** What the acquirer approved after the gateway had declined it. The decline stands, and the approval is reversed. */
export type LateApproval = {
  readonly amount: Cents;
  readonly approvedAt: Instant;
  readonly reversedAt?: Instant;
};

type Approvable = {
  readonly status: string;
  readonly lateApproval: LateApproval | null;
  readonly updatedAt: Instant;
};

export function lateApprovalStatus({ reversedAt }: LateApproval): LateApprovalStatus {
  return reversedAt === undefined ? "reversing" : "reversed";
}

/** The declined record with its late approval; undefined where it is not declined or has one already. */
export function approveLate<Record extends Approvable>(
  record: Record,
  amount: Cents,
  now: Instant,
): Record | undefined {
  if (record.status !== "declined" || record.lateApproval !== null) return undefined;
  const updatedAt = changeTime(now, record.updatedAt);
  return { ...record, lateApproval: { amount, approvedAt: updatedAt }, updatedAt };
}

/** The record after the acquirer confirmed the reversal; undefined where there is none under way. */
export function reverseLate<Record extends Approvable>(record: Record, now: Instant): Record | undefined {
  const { lateApproval } = record;
  if (lateApproval === null || lateApproval.reversedAt !== undefined) return undefined;
  const updatedAt = changeTime(now, record.updatedAt);
  return { ...record, lateApproval: { ...lateApproval, reversedAt: updatedAt }, updatedAt };
}

/** As the column stores it. */
export function lateApprovalValue(one: LateApproval | null): string | null {
  return one === null ? null : JSON.stringify(one);
}

export function readLateApproval(value: string | null): LateApproval | null {
  return value === null ? null : (JSON.parse(value) as LateApproval);
}
