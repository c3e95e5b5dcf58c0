import type { Opening } from "../paying/answers.ts";
import type { Page } from "../paying/page.ts";
import type { EventName, EventPayload } from "../protocol/client-events.ts";
import { cardForm } from "../ui/card-form.ts";
import { type CardFormControl, enhanceCardForm, type PayerOrder } from "../ui/enhance-card-form.ts";
import { findElement } from "../ui/find-element.ts";

export type Emit = (name: EventName, payload: EventPayload) => void;

/** Puts the form on the page. */
export function openForm(
  page: Page,
  opening: Opening,
  emit: Emit,
  onPay: (order: PayerOrder) => void,
): CardFormControl {
  const { amount, rates, storeCard, payerName, ...shown } = opening;
  page.formPlace.innerHTML = cardForm({
    ...shown,
    amount,
    storeCard,
    surcharging: rates !== undefined,
    ...(payerName === undefined ? {} : { name: payerName }),
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
