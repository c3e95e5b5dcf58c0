import type { Problem } from "../../kernel/refusal.ts";
import { isRail, SOURCE_CAPABILITIES } from "../../kernel/source.ts";
import { type Merchant, takesMethod } from "../merchants/index.ts";
import type { PaymentRequest } from "./payment-request.ts";
import { fieldOf, RAIL_RULES } from "./rails.ts";

/** Capabilities that the request needs and the merchant does not have. */
export function capabilityProblems(request: PaymentRequest, merchant: Merchant): readonly Problem[] {
  const { capabilities } = merchant;
  const { flow } = request;
  const methods = (request.details.paymentMethods ?? []).flatMap((method, index): Problem[] =>
    takesMethod(merchant, method)
      ? []
      : [{ code: "payment_request_payment_methods_capability_missing", field: `/paymentMethods/${index}` }],
  );
  const secure = request.details.category?.authenticationType === "3d_secure" && !capabilities.threeDSecure;
  return [
    ...methods,
    ...(secure
      ? [
          {
            code: "payment_request_three_d_secure_capability_missing",
            field: "/transactionRequest/category/authenticationType",
          } as const,
        ]
      : []),
    ...(isRail(flow) && !capabilities[SOURCE_CAPABILITIES[flow]]
      ? [{ code: RAIL_RULES[flow].refusals.capabilityMissing, field: fieldOf(flow) }]
      : []),
  ];
}
