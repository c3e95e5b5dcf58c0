import type { CodeName } from "../../kernel/codes/catalogue.ts";
import type { Context } from "../../platform/context.ts";
import { isRoutable } from "../acquirer-accounts/index.ts";
import { type Merchant, takesMethod } from "../merchants/index.ts";
import type { PaymentRequest } from "../payment-requests/index.ts";

/**
 * Why no card can be charged for the request any more; undefined when one can. What the merchant could take when the
 * request was created, it may not take since: the payer then sees no form.
 */
export async function whyUncharged(
  ctx: Context,
  merchant: Merchant,
  { currency }: PaymentRequest,
): Promise<CodeName | undefined> {
  if (!takesMethod(merchant, "card")) return "checkout_cards_refused";
  return isRoutable(await ctx.acquirers.listActive(merchant), { currency })
    ? undefined
    : "checkout_acquirer_missing";
}
