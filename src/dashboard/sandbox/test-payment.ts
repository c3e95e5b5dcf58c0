import type { RequestCaller } from "../../features/merchants/index.ts";
import { createPaymentRequest, type PaymentRequest } from "../../features/payment-requests/index.ts";
import { payInSandbox } from "../../features/sandbox/index.ts";
import type { Context } from "../../platform/context.ts";
import type { Scenario } from "./scenarios.ts";

/** Our mark, for hosted pages of test payments. */
const LOGO = `data:image/svg+xml;base64,${btoa(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" width="96" height="96" fill="none" stroke="#0b5f7c" stroke-width="2.2" stroke-linecap="round"><path d="M4 4v11M12 4v11M20 4v11"/><path d="M2 19c2.5-2 4.2-2 6.7 0s4.2 2 6.6 0 4.2-2 6.7 0"/></svg>',
)}`;

const CARD = { number: "4111111111111111", expiryMonth: 12, securityCode: "123" };

export type TestPayment = {
  readonly scenario: Scenario;
  /** The user pays on the hosted page, or the sandbox pays at once. */
  readonly by: "hand" | "sandbox";
  readonly capture: "auto" | "manual";
  /** Of the test card. */
  readonly expiryYear: number;
};

/** Creates the payment request of a scenario and, unless the user pays by hand, simulates its payer. */
export async function makeTestPayment(
  ctx: Context,
  caller: RequestCaller,
  { scenario, by, capture, expiryYear }: TestPayment,
): Promise<PaymentRequest> {
  const { amount, kind, name } = scenario;
  const description = `Test payment: ${name}`;
  if (kind === "payid") {
    // The form's name is unique.
    const value = `test-${(caller.idempotencyKey ?? crypto.randomUUID()).slice(-12)}`;
    return createPaymentRequest(ctx, caller, {
      payment: { amount, description, instrument: { payId: { type: "single", value } } },
    });
  }
  const request = await createPaymentRequest(ctx, caller, {
    payment: { amount, description },
    paymentMethods: ["card"],
    transactionRequest: {
      category: {
        captureType: capture,
        ...(kind === "3d_secure" ? { authenticationType: "3d_secure" as const } : {}),
      },
    },
    ...(by === "hand" ? { hostedPaymentPage: { logo: LOGO, attempts: 2 } } : {}),
  });
  if (by === "hand") return request;
  // The request has used the idempotency key; the payment is part of the same form.
  const payer = { card: { ...CARD, expiryYear }, challenge: "approve" } as const;
  return (await payInSandbox(ctx, { ...caller, idempotencyKey: undefined }, request.id, payer)).request;
}
