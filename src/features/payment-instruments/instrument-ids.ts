import { type Id, parseId } from "../../kernel/ids.ts";
import { refuse } from "../../kernel/refusal.ts";
import type { PaymentInstrument } from "./payment-instrument.ts";

/** An instrument is known by its customer's id and its own. */
export type InstrumentIds = {
  readonly customerId: Id<"customer">;
  readonly id: Id<"paymentInstrument">;
};

/** The ids in a path. What can't be an id is nobody's. */
export function idsIn(params: Readonly<Record<string, string>>): InstrumentIds {
  return {
    customerId: customerIdIn(params),
    id: parseId("paymentInstrument", params["paymentInstrumentId"] ?? "") ?? refuse("resource_not_found"),
  };
}

export function customerIdIn(params: Readonly<Record<string, string>>): Id<"customer"> {
  return parseId("customer", params["customerId"] ?? "") ?? refuse("resource_not_found");
}

/** Where the vault keeps the number of an instrument. */
export function placeOf({ merchantId, id, type }: Pick<PaymentInstrument, "merchantId" | "id" | "type">) {
  const field = type === "card" ? "card_number" : "account_number";
  return { merchantId, instrumentId: id, field } as const;
}
