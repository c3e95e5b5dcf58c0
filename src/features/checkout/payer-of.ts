import { defined } from "../../kernel/defined.ts";
import { type Id, parseId } from "../../kernel/ids.ts";
import type { Context } from "../../platform/context.ts";
import { findCustomer } from "../customers/index.ts";
import { newCustomerIdFor } from "../payment-instruments/index.ts";
import { findPaymentRequest, type PaymentRequest } from "../payment-requests/index.ts";
import type { Transaction } from "../transactions/index.ts";

export type KnownPayer = {
  /**
   * The customer whose stored card is charged, or for whom an approval stores one: the merchant's, or one that does not
   * exist yet. Null where no card is or will be stored.
   */
  readonly customerId: Id<"customer"> | null;
  /** The payment request's, else the customer's. */
  readonly email?: string;
};

/** What the merchant has said about the payer of an attempt. */
export async function payerOf(
  ctx: Context,
  attempt: Transaction,
  seen?: PaymentRequest,
): Promise<KnownPayer> {
  const { merchantId, customerId, storesInstrumentId, paymentRequestId } = attempt;
  const request =
    seen ?? (paymentRequestId && (await findPaymentRequest(ctx.db, merchantId, paymentRequestId)));
  const { id, email } = (request ? request.details.customerRequest : undefined) ?? {};
  const known = customerId ?? parseId("customer", id ?? "");
  const customer = email === undefined && known ? await findCustomer(ctx.db, merchantId, known) : undefined;
  const stores = storesInstrumentId === null ? null : (known ?? newCustomerIdFor(storesInstrumentId));
  return {
    customerId: customerId ?? stores,
    ...defined({ email: email ?? customer?.email ?? undefined }),
  };
}
