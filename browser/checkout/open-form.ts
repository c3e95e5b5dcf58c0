import { cardForm } from "../ui/card-form.ts";
import { type CardFormControl, enhanceCardForm, type PayerOrder } from "../ui/enhance-card-form.ts";
import { findElement } from "../ui/find-element.ts";
import type { Opening } from "./answers.ts";
import type { Checkout } from "./checkout.ts";

/** Puts a fresh form on the page. */
export function openForm(
  { page, emit }: Pick<Checkout, "page" | "emit">,
  opening: Opening,
  notice: string | undefined,
  onPay: (order: PayerOrder) => void,
): CardFormControl {
  const { amount, rates, storeCard, payerName, ...shown } = opening;
  page.formPlace.innerHTML = cardForm({
    ...shown,
    amount,
    storeCard,
    surcharging: rates !== undefined,
    ...(payerName === undefined ? {} : { name: payerName }),
    ...(notice === undefined ? {} : { notice }),
  });
  return enhanceCardForm(findElement<HTMLFormElement>(page.formPlace, "form"), {
    amount,
    rates,
    storeCard,
    onPay,
    onSurcharge: (surcharge) => {
      emit("surchargeUpdate", { result: { status: "ok" }, surcharge: surcharge.amount });
    },
  });
}
