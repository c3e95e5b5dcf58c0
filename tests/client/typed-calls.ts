/** Calls that the compiler must accept or reject, here and against the installed package. This file never runs. */
import { createTidegate, type PaymentRequest, type Transaction, type WebhookEvent } from "@tidegate/client";
import type { PayUIProcessEvent } from "@tidegate/client/payui";

const tidegate = createTidegate({ apiKey: "key" });

export async function accepted(): Promise<string> {
  const made: PaymentRequest = await tidegate.paymentRequests.create({
    payment: { amount: 3000, currencyCode: "AUD" },
    paymentMethods: ["card", "apple_pay"],
    transactionRequest: { category: { authenticationType: "3d_secure", captureType: undefined } },
  });
  const status: "created" | "completed" | "expired" | "cancelled" = made.paymentRequestStatus;
  const charged: Transaction = await tidegate.transactions.create({
    payment: { amount: 1, instrument: { customer: { id: "cus_1", paymentInstrumentId: "pi_1" } } },
  });
  const read: Transaction = await tidegate.transactions.get(charged.id);
  const { location } = await tidegate.refunds.get("rfd_1");
  const names: string[] = [read.id, location];
  for await (const { name } of tidegate.customers.listAll({ limit: 5 })) names.push(name);
  const csv: string = await tidegate.payouts.lines("po_1");
  const process = (event: PayUIProcessEvent): string => event.result.status;
  SVC.PayUI.initialise({ token: "tok_1", containerId: "checkout", version: "1.0.0" }).on("process", process);
  return status + charged.result.status + csv + names.join();
}

/** `event` decides what `payload` is. */
export function narrowed(event: WebhookEvent): string {
  switch (event.event) {
    case "payment_requests":
      return event.payload.paymentRequestStatus;
    case "transactions":
      return "transactionId" in event.payload ? event.payload.transactionId : event.payload.category.source;
    case "payment_instruments":
      return event.payload.deletedDateTime ?? event.payload.type;
    case "ping":
      return event.payload.url;
    case "customers":
      // @ts-expect-error: a customer has no amount
      return event.payload.payment.amount;
    default:
      return event.payload.id + event.reference;
  }
}

export async function refused(): Promise<void> {
  // @ts-expect-error: an amount is a number of cents
  await tidegate.paymentRequests.create({ payment: { amount: "30.00" } });
  // @ts-expect-error: no such field
  await tidegate.paymentRequests.create({ payment: { amount: 1 }, paymentMethod: ["card"] });
  // @ts-expect-error: no such payment method
  await tidegate.paymentRequests.create({ payment: { amount: 1 }, paymentMethods: ["cheque"] });
  // @ts-expect-error: no such status
  await tidegate.transactions.list({ status: "paid" });
  // @ts-expect-error: listAll manages the cursor
  tidegate.customers.listAll({ cursor: "abc" });
  // @ts-expect-error: a response is read-only
  (await tidegate.account.get()).name = "Mine";
  // @ts-expect-error: no such field in the response
  (await tidegate.tokens.create({ paymentRequestId: "pr_1" })).secret;
  // @ts-expect-error: no such checkout event
  SVC.PayUI.initialise({ token: "", containerId: "", version: "" }).on("done", () => {});
}
