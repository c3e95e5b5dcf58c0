import type { Id } from "../../kernel/ids.ts";
import type { PaymentInstrument } from "./payment-instrument.ts";

/** A path names an instrument by its customer's id and its own. */
export type InstrumentIds = {
  readonly customerId: Id<"customer">;
  readonly paymentInstrumentId: Id<"paymentInstrument">;
};

/** Where the vault stores the number of an instrument. */
export function placeOf({ merchantId, id, type }: Pick<PaymentInstrument, "merchantId" | "id" | "type">) {
  const field = type === "card" ? "card_number" : "account_number";
  return { merchantId, instrumentId: id, field } as const;
}
