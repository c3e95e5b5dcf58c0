import type { PayerAddress } from "../../connectors/ports/payer.ts";
import { wrongFields } from "../../kernel/billing-address.ts";
import { defined } from "../../kernel/defined.ts";
import type { Problem } from "../../kernel/refusal.ts";
import type { PaymentRequest } from "../payment-requests/index.ts";
import type { PayInput } from "./wire.ts";

/** Whether the payer entered what the payment request asks for, and nothing else. A wallet's payer is not asked. */
export function addressProblems(
  { details }: Pick<PaymentRequest, "details">,
  { method, address }: Pick<PayInput, "method" | "address">,
): readonly Problem[] {
  const collection = method === "card" ? (details.collectAddress ?? "none") : "none";
  return wrongFields(collection, address).map((field) => ({
    code: "checkout_address_invalid",
    field: `/address/${field}`,
  }));
}

/** As the acquirer gets it. Undefined where the payer entered none. */
export function payerAddress({ address = {} }: Pick<PayInput, "address">): PayerAddress | undefined {
  const { line1, city, state, postcode, country } = address;
  const [line, ...rest] = [line1, city, state, postcode].map((part) => part?.trim() || undefined);
  const known = defined({ city: rest[0], state: rest[1], postcode: rest[2], country });
  const lines = line === undefined ? [] : [line];
  return lines.length + Object.keys(known).length === 0 ? undefined : { lines, ...known };
}
