import type { Problem } from "../../kernel/refusal.ts";
import type { Capability, Merchant } from "../merchants/index.ts";
import type { PaymentMethod, PaymentRequest } from "./payment-request.ts";

const NEEDED: Readonly<Record<PaymentMethod, Capability>> = {
  card: "cardNotPresent",
  apple_pay: "applePay",
  google_pay: "googlePay",
};

/** What the request asks of the merchant account that the account does not have. */
export function capabilityProblems(request: PaymentRequest, { capabilities }: Merchant): readonly Problem[] {
  const methods = (request.details.paymentMethods ?? []).flatMap((method, index): Problem[] =>
    capabilities[NEEDED[method]] ? [] : [{ code: "V11180", field: `/paymentMethods/${index}` }],
  );
  const secure = request.details.category?.authenticationType === "3d_secure" && !capabilities.threeDSecure;
  return [
    ...methods,
    ...(secure
      ? [{ code: "V11181", field: "/transactionRequest/category/authenticationType" } as const]
      : []),
    ...(request.flow === "payid" && !capabilities.payId
      ? [{ code: "V11182", field: "/payment/instrument/payId" } as const]
      : []),
  ];
}
