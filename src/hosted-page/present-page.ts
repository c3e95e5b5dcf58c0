import { noWalletPanel } from "../../browser/paying/no-wallet-panel.ts";
import { type CheckoutDetails, readCheckoutDetails } from "../../browser/paying/read-responses.ts";
import { type PayFormModel, payForm } from "../../browser/ui/pay-form.ts";
import type { PageView } from "../features/checkout/index.ts";
import { presentOrder } from "./present-order.ts";
import { declineWordsOf, nameOf, pageAddresses, SHOWN_STANDING, type Shown } from "./present-standing.ts";
import type { HostedPageModel } from "./views/page.ts";
import { hostedPanel } from "./views/panels.ts";

/** What a form says that was sent and not accepted. */
export type FormError = Pick<PayFormModel, "problems" | "notice" | "name">;

/** The page as it stands: a form where it can be paid, and otherwise the truth. */
export function presentPage(view: PageView, trouble: FormError = {}): HostedPageModel {
  return modelOf(
    view,
    view.standing === "open" ? shownOpen(view, trouble) : SHOWN_STANDING[view.standing](view),
  );
}

/** A request for wallets alone, whose account has lost them since, has nothing to pay with. */
function shownOpen(view: PageView, trouble: FormError): Shown {
  const opening = openingOf(view);
  if (opening.acceptsCard || opening.wallets.length > 0) return shownForm(view, trouble);
  return { state: "error", content: hostedPanel(noWalletPanel(opening), {}) };
}

/** A page of this payment with a content of its own. */
export function modelOf(view: PageView, shown: Shown): HostedPageModel {
  return {
    mode: view.merchant.mode,
    merchantName: nameOf(view),
    logo: pageAddresses(view).logo,
    order: presentOrder(view.request),
    hasForm: false,
    opening: undefined,
    ...shown,
  };
}

export function openingOf(view: PageView): CheckoutDetails {
  const opening = readCheckoutDetails(view.opening);
  if (opening === undefined) throw new Error("a hosted page without an opening");
  return opening;
}

function shownForm(view: PageView, trouble: FormError): Shown {
  const { amount, rates, storeCard, payerName, acceptsCard, wallets, ...shown } = openingOf(view);
  const declined = view.failedAttempts > 0;
  const name = trouble.name ?? payerName;
  const notice = trouble.notice ?? (declined ? retryWords(view) : undefined);
  const form = payForm({
    ...shown,
    card: acceptsCard,
    wallets: wallets.map(({ type }) => type),
    amount,
    storeCard,
    surcharging: rates !== undefined,
    post: {
      action: pageAddresses(view).page,
      hidden: { attempt: String(view.failedAttempts) },
    },
    ...(trouble.problems === undefined ? {} : { problems: trouble.problems }),
    ...(name === undefined ? {} : { name }),
    ...(notice === undefined ? {} : { notice }),
  });
  return {
    state: declined ? "declined" : "ready",
    content: { html: form },
    hasForm: true,
    opening: view.opening,
    wallets: wallets.map(({ type }) => type),
  };
}

/** Why it failed, and how often it can still be tried. */
function retryWords(view: PageView): string {
  const { reason, advice } = declineWordsOf(view);
  const left = (view.request.details.hostedPage?.attempts ?? 1) - view.failedAttempts;
  return `${reason} You have not been charged. ${advice} You can try ${left === 1 ? "once more" : `${left} more times`}.`;
}
