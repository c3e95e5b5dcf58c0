import { MedusaError } from "@medusajs/framework/utils";
import type { Currency } from "./money.ts";

/**
 * What Medusa stores with a payment session, then with its payment. The storefront reads it, so it holds nothing secret:
 * the token pays this one request, for its payer.
 */
export type SessionData = {
  readonly session_id: string;
  readonly payment_request_id: string;
  /** Cents, without a surcharge. */
  readonly amount: number;
  readonly currency_code: Currency;
  /** The origin that serves the checkout's script. */
  readonly hosted_url: string;
  /** For `SVC.PayUI.initialise` or `@tidegate/react`; null on a hosted page and once paid. */
  readonly token: string | null;
  readonly token_expires_at: string | null;
  /** Where to send the payer; null with the embedded checkout. */
  readonly payment_page_url: string | null;
  /** Null until the payment is approved. */
  readonly transaction_id: string | null;
  readonly card: { readonly brand: string; readonly last4: string } | null;
};

/**
 * Reads the data of a session that this provider made. A storefront can add fields of its own to a session when it creates
 * one, and this provider's fields win over them; so `transaction_id` is never read before the payment is approved.
 */
export function sessionDataOf(data: Readonly<Record<string, unknown>> | undefined): SessionData {
  const { payment_request_id: id, session_id: session } = data ?? {};
  if (typeof id !== "string" || typeof session !== "string") {
    throw new MedusaError(
      MedusaError.Types.INVALID_DATA,
      "This payment session was not made by Tidegate: its data has no payment_request_id.",
    );
  }
  return data as SessionData;
}
