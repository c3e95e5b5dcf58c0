import { TidegateError } from "@tidegate/client";
import { type Method, type Order, standingOf } from "../orders/order.ts";
import type { Shop } from "../shop.ts";
import { leaveOpenPayment } from "./leave-payment.ts";
import { payByDebit } from "./pay-by-debit.ts";
import { payByPayId } from "./pay-by-payid.ts";
import { payEmbedded } from "./pay-embedded.ts";
import { payHosted } from "./pay-hosted.ts";
import { paySavedCard } from "./pay-saved-card.ts";
import { saveCard } from "./save-card.ts";

/** Messages by form field. */
export type FieldProblems = Readonly<Record<string, string>>;
export type Started = { readonly goTo: string } | { readonly problems: FieldProblems };

/**
 * Starts the payment of an order with the payer's chosen method. `order` is as it was when the form arrived, so that two
 * submissions of one form make the same idempotency key.
 */
export async function startPayment(
  shop: Shop,
  order: Order,
  method: Method,
  form: URLSearchParams,
): Promise<Started> {
  const page = `/orders/${order.id}`;
  if (!["unpaid", "open", "declined"].includes(standingOf(order))) return { goTo: page };
  if (!(await leaveOpenPayment(shop, order))) return { goTo: page };
  const payer = { name: form.get("name") ?? "", email: form.get("email") ?? "" };
  const { card } = shop.orders.payer(order.payer);
  try {
    switch (method) {
      case "card":
        return { goTo: await payEmbedded(shop, order, card && { id: card.customerId }) };
      case "save":
        return { goTo: await payEmbedded(shop, order, { paymentInstrument: "create", ...payer }) };
      case "verify":
        return { goTo: await saveCard(shop, order) };
      case "hosted":
        return { goTo: await payHosted(shop, order) };
      case "payid":
        return { goTo: await payByPayId(shop, order) };
      case "saved":
        return { goTo: card === undefined ? "/account" : await paySavedCard(shop, order, card) };
      case "debit": {
        const field = (name: string) => form.get(name) ?? "";
        const account = { accountName: field("accountName"), bsb: field("bsb"), number: field("number") };
        return { goTo: await payByDebit(shop, order, payer, account) };
      }
    }
  } catch (error) {
    // Problems that the payer can fix are shown at their fields. Anything else is a bug of the shop.
    const problems = error instanceof TidegateError && error.status === 400 ? problemsOf(error) : {};
    if (Object.keys(problems).length === 0) throw error;
    return { problems };
  }
}

const MESSAGES: Readonly<Record<string, string>> = {
  name: "Enter your name.",
  email: "Enter an e-mail address, such as ann@example.com.",
  accountName: "Enter the name as your bank has it, at most 32 characters.",
  bsb: "Enter the 6 digits of the BSB.",
  number: "Enter the account number: 6 to 9 digits.",
};

/** The gateway names each place as a JSON pointer; its last part is the form's field. */
function problemsOf({ codes }: TidegateError): FieldProblems {
  const fields = codes.map(({ field }) => field?.split("/").at(-1) ?? "");
  return Object.fromEntries(
    fields.flatMap((name) => (MESSAGES[name] === undefined ? [] : [[name, MESSAGES[name]]])),
  );
}
