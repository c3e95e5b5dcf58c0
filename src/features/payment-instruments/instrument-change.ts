import type { Mode } from "../../kernel/mode.ts";
import { toIso } from "../../kernel/time.ts";
import type { Change } from "../../platform/outbox/publish.ts";
import type { PaymentInstrument } from "./payment-instrument.ts";
import { presentInstrument } from "./present.ts";

/** The event of an instrument's latest change. A deleted instrument has its last version with `deletedDateTime`. */
export function instrumentChange(mode: Mode, one: PaymentInstrument): Change {
  const { result, ...record } = presentInstrument(one, mode);
  const end = one.deletedAt === null ? {} : { deletedDateTime: toIso(one.deletedAt) };
  return {
    merchantId: one.merchantId,
    event: "payment_instruments",
    resourceId: one.id,
    reference: one.reference,
    at: one.updatedAt,
    payload: { ...record, ...end, result },
  };
}
