import { createHmac } from "node:crypto";
import { newPsp } from "./fake-adyen-answers.ts";

/** One item of a notification. What is left out is as Adyen would send it for a success. */
export type FakeItem = {
  readonly eventCode: string;
  readonly reference: string;
  readonly isSuccess?: boolean;
  readonly psp?: string;
  readonly original?: string;
  readonly amount?: number;
  readonly reason?: string;
  readonly additionalData?: Readonly<Record<string, string>>;
  readonly merchantAccount?: string;
};

/** A standard webhook with one item, signed as Adyen documents it. */
export function signedNotification(
  item: FakeItem,
  account: { readonly merchantAccount: string; readonly webhookHmacKey: string },
): string {
  const pspReference = item.psp ?? newPsp();
  const merchantAccountCode = item.merchantAccount ?? account.merchantAccount;
  const success = String(item.isSuccess ?? true);
  const { reference: merchantReference, eventCode, original = "", amount = 0 } = item;
  const text = [
    pspReference,
    original,
    merchantAccountCode,
    merchantReference,
    amount,
    "AUD",
    eventCode,
    success,
  ].join(":");
  const key = Buffer.from(account.webhookHmacKey, "hex");
  const hmacSignature = createHmac("sha256", key).update(text).digest("base64");
  const request = {
    pspReference,
    ...(original === "" ? {} : { originalReference: original }),
    merchantAccountCode,
    merchantReference,
    amount: { value: amount, currency: "AUD" },
    eventCode,
    success,
    eventDate: "2026-11-16T01:00:00+01:00",
    paymentMethod: "visa",
    reason: item.reason ?? "",
    additionalData: { ...item.additionalData, hmacSignature },
  };
  return JSON.stringify({ live: "false", notificationItems: [{ NotificationRequestItem: request }] });
}
