import type { Mode } from "../../kernel/mode.ts";
import { toIso } from "../../kernel/time.ts";
import type { Static } from "../../platform/http/schema.ts";
import { ok } from "../merchants/index.ts";
import type { Dispute } from "./dispute.ts";
import type { DisputeAnswer } from "./wire.ts";

export function presentDispute(one: Dispute, mode: Mode, baseUrl: string): Static<typeof DisputeAnswer> {
  return {
    id: one.id,
    location: baseUrl + disputePath(one.id),
    transactionId: one.transactionId,
    reference: one.reference,
    createdDateTime: toIso(one.createdAt),
    updatedDateTime: toIso(one.updatedAt),
    reason: one.reason,
    payment: { amount: one.amount, currencyCode: one.currency },
    status: one.status,
    evidenceDueDateTime: toIso(one.evidenceDueAt),
    metadata: one.metadata ?? {},
    result: ok(mode),
  };
}

export function disputePath(id: string): string {
  return `/disputes/${id}`;
}
