import { createHmac } from "node:crypto";
import { approve, decline } from "../../kernel/codes/outcomes.ts";
import { isObject, jsonIn } from "../../kernel/json.ts";
import { cents } from "../../kernel/money.ts";
import { sameBytes } from "../../platform/crypto/secrets.ts";
import type { FinalAnswer, Notification, NotifiedAnswer, NotifiedFact } from "../ports/card-acquirer.ts";
import { disputeOf, type NotifiedItem } from "./dispute-notification.ts";
import { declined, factsOf } from "./payment-answer.ts";
import { codeOf, type JsonObject, objectOf, textOf } from "./read-json.ts";
import { readRefusal } from "./refusals.ts";
import type { AdyenSettings } from "./settings.ts";

/** Adyen sends a notification again and again until it is answered with this text. */
const REPLY = "[accepted]";

/** Adyen puts one item into a notification, or a few. */
const MOST_ITEMS = 100;

/** Reads a standard webhook. Nothing of it is believed unless every item is signed for this account. */
export function readNotification(
  { webhookHmacKey, merchantAccount }: Pick<AdyenSettings, "webhookHmacKey" | "merchantAccount">,
  body: string,
): Notification {
  const wrapped = itemsIn(body);
  if (wrapped === undefined) return refused("the body is not a standard webhook");
  const facts: NotifiedFact[] = [];
  for (const raw of wrapped) {
    if (!isSigned(raw, webhookHmacKey)) return refused("the signature of an item is wrong or missing");
    if (textOf(raw, "merchantAccountCode") !== merchantAccount)
      return refused("an item belongs to another merchant account");
    const item = readItem(raw);
    const fact = item && factOf(item);
    if (fact !== undefined) facts.push(fact);
  }
  return { kind: "verified", facts, reply: REPLY };
}

function refused(reason: string): Notification {
  return { kind: "refused", reason };
}

function itemsIn(text: string): readonly JsonObject[] | undefined {
  const body = jsonIn(text);
  const items = isObject(body) ? body["notificationItems"] : undefined;
  if (!Array.isArray(items) || items.length === 0 || items.length > MOST_ITEMS) return undefined;
  const unwrapped = items.map((item: unknown) => isObject(item) && item["NotificationRequestItem"]);
  return unwrapped.every(isObject) ? unwrapped : undefined;
}

/** Adyen signs these values in this order, an absent one as an empty text. Nothing else of an item is signed. */
function signedText(item: JsonObject): string {
  const amount = objectOf(item, "amount");
  const values = [
    item["pspReference"],
    item["originalReference"],
    item["merchantAccountCode"],
    item["merchantReference"],
    amount["value"],
    amount["currency"],
    item["eventCode"],
    item["success"],
  ];
  return values.map(plainText).join(":");
}

function plainText(value: unknown): string {
  if (typeof value === "string") return value;
  return typeof value === "number" || typeof value === "boolean" ? String(value) : "";
}

function isSigned(item: JsonObject, key: Uint8Array): boolean {
  const signature = textOf(objectOf(item, "additionalData"), "hmacSignature") ?? "";
  const right = createHmac("sha256", key).update(signedText(item)).digest();
  return sameBytes(Buffer.from(signature, "base64"), right);
}

function readItem(raw: JsonObject): NotifiedItem | undefined {
  const [eventCode, pspReference, merchantReference] = [
    textOf(raw, "eventCode"),
    textOf(raw, "pspReference"),
    textOf(raw, "merchantReference"),
  ];
  if (eventCode === undefined || pspReference === undefined || merchantReference === undefined)
    return undefined;
  return {
    eventCode,
    isSuccess: String(raw["success"]) === "true",
    pspReference,
    originalReference: textOf(raw, "originalReference") ?? "",
    merchantReference,
    amount: Number(objectOf(raw, "amount")["value"]),
    currency: textOf(objectOf(raw, "amount"), "currency") ?? "",
    reason: textOf(raw, "reason"),
    data: objectOf(raw, "additionalData"),
  };
}

type Event = (item: NotifiedItem) => Pick<NotifiedAnswer, "about" | "answer">;

/** The events that say something about one of our references. Every other one is acknowledged and changes nothing. */
const EVENTS: Readonly<Record<string, Event>> = {
  AUTHORISATION: (item) => ({ about: "authorisation", answer: authorisationAnswer(item) }),
  CAPTURE: (item) => ({ about: "capture", answer: plainAnswer(item.isSuccess) }),
  // The scheme took an accepted capture or refund back. `success` says that the event is real.
  CAPTURE_FAILED: () => ({ about: "capture", answer: plainAnswer(false) }),
  REFUND: (item) => ({ about: "refund", answer: plainAnswer(item.isSuccess) }),
  REFUND_FAILED: () => ({ about: "refund", answer: plainAnswer(false) }),
  CANCELLATION: (item) => ({ about: "void", answer: plainAnswer(item.isSuccess) }),
  TECHNICAL_CANCEL: (item) => ({ about: "reversal", answer: technicalCancelAnswer(item) }),
  CANCEL_OR_REFUND: (item) => ({ about: "reversal", answer: reversalAnswer(item) }),
};

function factOf(item: NotifiedItem): NotifiedFact | undefined {
  const event = Object.hasOwn(EVENTS, item.eventCode) ? EVENTS[item.eventCode] : undefined;
  if (event === undefined) return disputeOf(item);
  return { ...event(item), reference: item.merchantReference };
}

function plainAnswer(isSuccess: boolean): FinalAnswer {
  return isSuccess ? approve("approved") : decline("invalid_transaction");
}

/** Adyen's notification of the approval itself may come after this one. */
function reversalAnswer({
  isSuccess,
  originalReference,
}: Pick<NotifiedItem, "isSuccess" | "originalReference">): FinalAnswer {
  const answer = plainAnswer(isSuccess);
  return isSuccess && originalReference !== ""
    ? { ...answer, facts: { reversedReference: originalReference } }
    : answer;
}

/**
 * A technical cancel that found no payment under the reference fails as well: nothing is held, which is what was to be
 * reached. One that found a payment, and could not cancel it, names it: the next reversal can then use Adyen's reference,
 * which also returns what was captured already.
 */
function technicalCancelAnswer({ isSuccess, originalReference }: NotifiedItem): FinalAnswer {
  if (isSuccess || originalReference === "") return reversalAnswer({ isSuccess: true, originalReference });
  return { ...decline("invalid_transaction"), facts: { acquirerReference: originalReference } };
}

function authorisationAnswer({ isSuccess, pspReference, amount, reason, data }: NotifiedItem): FinalAnswer {
  const own = { acquirerReference: pspReference };
  if (!isSuccess) {
    const words = { code: codeOf(data, "refusalReasonCode"), reason };
    const { code, advice, raw } = readRefusal({
      ...words,
      merchantAdvice: textOf(data, "merchantAdviceCode"),
    });
    return declined(decline(code), { facts: factsOf(data, { ...own, responseCode: raw ?? reason }), advice });
  }
  const facts = factsOf(data, { ...own, responseCode: "Authorised" });
  const part = Number(textOf(data, "authorisedAmountValue"));
  return Number.isSafeInteger(part) && part > 0 && part < amount
    ? { ...approve("approved_for_partial_amount"), approvedAmount: cents(part), facts }
    : { ...approve("approved"), facts };
}
