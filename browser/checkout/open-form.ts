import type { Speech } from "../../src/kernel/languages/speech.ts";
import type { Page } from "../paying/page.ts";
import type { CheckoutDetails } from "../paying/read-responses.ts";
import type { EventName, EventPayload } from "../protocol/client-events.ts";
import type { PayFormControl } from "../ui/control-form.ts";
import { enhancePayForm, type PayFormOptions } from "../ui/enhance-pay-form.ts";
import { getElement } from "../ui/get-element.ts";
import { payForm } from "../ui/pay-form.ts";

export type Emit = (name: EventName, payload: EventPayload) => void;

type FormHandlers = Pick<PayFormOptions, "onPay" | "onRemove"> & {
  readonly emitSurcharge: (surcharge: number) => void;
};

export function openForm(
  page: Page,
  speech: Speech,
  details: CheckoutDetails,
  { emitSurcharge, ...on }: FormHandlers,
): PayFormControl {
  const { amount, description, rates, storeCard, payerName, acceptsCard, wallets, ...shown } = details;
  page.formPlace.innerHTML = payForm({
    ...shown,
    speech,
    card: acceptsCard,
    wallets: wallets.map(({ type }) => type),
    amount,
    storeCard,
    surcharging: rates !== undefined,
    ...(description === undefined ? {} : { description }),
    ...(payerName === undefined ? {} : { name: payerName }),
  });
  return enhancePayForm(getElement<HTMLFormElement>(page.formPlace, "form"), {
    speech,
    amount,
    rates,
    storeCard,
    savedCards: details.saved.cards,
    announce: page.announce,
    ...on,
    onSurcharge: emitSurcharge,
  });
}
