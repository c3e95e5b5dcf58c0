import { defined } from "../../kernel/defined.ts";
import { type Instant, instant } from "../../kernel/time.ts";
import type { NotifiedDispute } from "../ports/card-acquirer.ts";
import { type JsonObject, textOf } from "./read-json.ts";

/**
 * Adyen's events about disputes. A reversed chargeback is not won yet: the bank may charge it back again for weeks, and
 * Adyen sends another event when it no longer can.
 */
const STEPS: Readonly<Record<string, NotifiedDispute["step"]>> = {
  REQUEST_FOR_INFORMATION: "information_requested",
  NOTIFICATION_OF_CHARGEBACK: "opened",
  CHARGEBACK: "opened",
  INFORMATION_SUPPLIED: "defended",
  CHARGEBACK_REVERSED: "defended",
  PREARBITRATION_OPEN: "defended",
  SCHEME_ARBITRATION: "defended",
  ISSUER_RESPONSE_TIMEFRAME_EXPIRED: "won",
  PREARBITRATION_ISSUER_WITHDRAWN: "won",
  PREARBITRATION_WON: "won",
  SCHEME_ARBITRATION_WON: "won",
  DISPUTE_DEFENSE_PERIOD_ENDED: "lost",
  SECOND_CHARGEBACK: "lost",
  PREARBITRATION_LOST: "lost",
  SCHEME_ARBITRATION_LOST: "lost",
};

/** One event of a notification, about a payment or a dispute of it. */
export type NotifiedItem = {
  readonly eventCode: string;
  readonly isSuccess: boolean;
  /** Of the dispute, in all events about it, if the event also names the payment's. */
  readonly pspReference: string;
  /** Of an operation: Adyen's reference of the payment. */
  readonly originalReference: string;
  readonly merchantReference: string;
  readonly amount: number;
  readonly currency: string;
  readonly reason: string | undefined;
  readonly data: JsonObject;
};

/** The signed event code alone decides; reason and deadline are not signed, and move no money. */
export function disputeOf({ eventCode, isSuccess, ...item }: NotifiedItem): NotifiedDispute | undefined {
  const step = Object.hasOwn(STEPS, eventCode) ? STEPS[eventCode] : undefined;
  if (step === undefined || !isSuccess) return undefined;
  const { merchantReference: reference, amount, currency, data } = item;
  const reason = plain(item.reason) || plain(textOf(data, "chargebackReasonCode")) || "unknown";
  const respondBy = momentOf(textOf(data, "defensePeriodEndsAt"));
  const caseReference =
    item.originalReference === "" ? undefined : item.pspReference.slice(0, LONGEST_REFERENCE);
  const about = "dispute" as const;
  return defined({ about, reference, caseReference, step, amount, currency, reason, respondBy });
}

const LONGEST_REASON = 100;
const LONGEST_REFERENCE = 100;

function plain(text = ""): string {
  return text
    .replaceAll(/\p{Cc}+/gu, " ")
    .trim()
    .slice(0, LONGEST_REASON);
}

function momentOf(text = ""): Instant | undefined {
  const moment = Date.parse(text);
  return Number.isNaN(moment) ? undefined : instant(moment);
}
