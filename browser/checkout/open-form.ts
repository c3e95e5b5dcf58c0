import type { Page } from "../paying/page.ts";
import type { Opening } from "../paying/read-responses.ts";
import type { EventName, EventPayload } from "../protocol/client-events.ts";
import type { PayFormControl } from "../ui/control-form.ts";
import { type CardOrder, enhancePayForm } from "../ui/enhance-pay-form.ts";
import { findElement } from "../ui/find-element.ts";
import { payForm } from "../ui/pay-form.ts";

export type Emit = (name: EventName, payload: EventPayload) => void;

/** Puts the form on the page. */
export function openForm(
  page: Page,
  opening: Opening,
  emitSurcharge: (surcharge: number) => void,
  onPay: (order: CardOrder) => void,
): PayFormControl {
  const { amount, rates, storeCard, payerName, takesCard, wallets, ...shown } = opening;
  page.formPlace.innerHTML = payForm({
    ...shown,
    card: takesCard,
    wallets: wallets.map(({ type }) => type),
    amount,
    storeCard,
    surcharging: rates !== undefined,
    ...(payerName === undefined ? {} : { name: payerName }),
  });
  return enhancePayForm(findElement<HTMLFormElement>(page.formPlace, "form"), {
    amount,
    rates,
    storeCard,
    onPay,
    onSurcharge: ({ amount: surcharge }) => emitSurcharge(surcharge),
  });
}
