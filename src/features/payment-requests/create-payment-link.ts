import { defined } from "../../kernel/defined.ts";
import type { Currency } from "../../kernel/money.ts";
import { refuseAll } from "../../kernel/refusal.ts";
import { DAY, later, toIso } from "../../kernel/time.ts";
import { type Context, clockOf } from "../../platform/context.ts";
import { compileValidator, type Loose, withRules } from "../../platform/http/validate.ts";
import { initialLogo, pageUrl } from "../hosted-pages/index.ts";
import type { RequestCaller } from "../merchants/index.ts";
import { createPaymentRequest } from "./create-payment-request.ts";
import type { PaymentRequest } from "./payment-request.ts";
import { paymentRequestProblems } from "./request-rules.ts";
import { PaymentRequestBody, type PaymentRequestInput } from "./wire.ts";

export type PaymentLinkInput = {
  readonly amount: number;
  readonly currencyCode?: Currency | undefined;
  readonly description?: string | undefined;
  readonly reference?: string | undefined;
  /** How long it can be paid. */
  readonly days: number;
};

/** The longest that a payment request can be open. */
export const LINK_DAYS_AT_MOST = 90;
export const LINK_DAYS_STANDARD = 30;
/** A payer who mistypes needs no new link. */
const ATTEMPTS = 3;

const check = compileValidator(PaymentRequestBody, "body_field_unknown");

/** Creates a hosted page to be sent to a payer as a link, for merchants without a server. The API's rules hold. */
export async function createPaymentLink(
  ctx: Context,
  caller: RequestCaller,
  { days, reference, amount, currencyCode, description }: PaymentLinkInput,
): Promise<{ readonly request: PaymentRequest; readonly url: string }> {
  const { merchant } = caller;
  const now = clockOf(ctx, merchant);
  const input: PaymentRequestInput = {
    ...defined({ reference }),
    expiryDateTime: toIso(later(now, days * DAY)),
    payment: defined({ amount, currencyCode, description }),
    paymentMethods: ["card"],
    hostedPaymentPage: { logo: initialLogo(merchant.name), attempts: ATTEMPTS },
  };
  const checked = check(input);
  const loose = (checked.loose ?? {}) as Loose<PaymentRequestInput>;
  refuseAll(withRules(checked, paymentRequestProblems(loose, merchant, now, checked.sound)));
  const request = await createPaymentRequest(ctx, caller, input);
  return {
    request,
    url: pageUrl(ctx.settings.hostedUrl, { flow: request.flow, pageKey: request.pageKey ?? "" }),
  };
}
