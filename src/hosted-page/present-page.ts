import { CARDS_REFUSED, finalPanel } from "../../browser/paying/final-panels.ts";
import { noWalletPanel } from "../../browser/paying/no-wallet-panel.ts";
import { type CheckoutDetails, readCheckoutDetails } from "../../browser/paying/read-responses.ts";
import { retryWords } from "../../browser/ui/decline-words.ts";
import { type Html, html } from "../../browser/ui/html.ts";
import { type PayFormModel, payForm } from "../../browser/ui/pay-form.ts";
import { REMOVAL_FORM } from "../../browser/ui/saved-cards.ts";
import { walletNames } from "../../browser/ui/wallet-names.ts";
import { defined } from "../kernel/defined.ts";
import { fill } from "../kernel/languages/speech.ts";
import { addressBlock } from "../platform/cards/address-block.ts";
import type { Entries } from "./entries.ts";
import type { PayersView } from "./payers-view.ts";
import { presentOrder } from "./present-order.ts";
import {
  declineCodesOf,
  nameOf,
  pageAddresses,
  type Shown,
  STATUS_VIEWS,
  savesCard,
} from "./present-status.ts";
import type { HostedPageModel } from "./views/page.ts";
import { hostedPanel } from "./views/panels.ts";

/** What the payer had entered, and the messages of a submitted form that was not accepted. */
export type FormError = Entries & Pick<PayFormModel, "problems" | "notice">;

/** The page in its current state: a form if it can be paid, otherwise the payment's status. */
export function presentPage(view: PayersView, error: FormError = {}): HostedPageModel {
  return modelOf(view, view.standing === "open" ? shownOpen(view, error) : STATUS_VIEWS[view.standing](view));
}

/** A request can't be paid after its merchant lost cards or acquirer, and one for wallets only after it lost the wallets. */
function shownOpen(view: PayersView, error: FormError): Shown {
  const { speech } = view;
  if (!view.isChargeable) {
    const { state, panel } = finalPanel(speech.words, CARDS_REFUSED);
    return { state, content: hostedPanel(view, panel, { refreshAt: pageAddresses(view).page }) };
  }
  const opening = openingOf(view);
  if (opening.acceptsCard || opening.wallets.length > 0) return shownForm(view, error);
  return { state: "error", content: hostedPanel(view, noWalletPanel(speech.words, opening), {}) };
}

/** A page of this payment with the given content. */
export function modelOf(view: PayersView, shown: Shown): HostedPageModel {
  return {
    language: view.language,
    speech: view.speech,
    mode: view.merchant.mode,
    merchantName: nameOf(view),
    savesCard: savesCard(view),
    logo: pageAddresses(view).logo,
    order: presentOrder(view),
    cancelUrl: view.request.details.hostedPage?.cancelUrl,
    opensApp: opensApp(view),
    hasForm: false,
    opening: undefined,
    ...shown,
  };
}

/** Whether an approved payment leads to an app, which no page can be replaced by. */
function opensApp({ request }: PayersView): boolean {
  const { resultPage, redirectUrl = "" } = request.details.hostedPage ?? {};
  return resultPage === "redirect" && !/^https?:/i.test(redirectUrl);
}

export function openingOf(view: PayersView): CheckoutDetails {
  const opening = readCheckoutDetails(view.opening);
  if (opening === undefined) throw new Error("a hosted page without an opening");
  return opening;
}

function shownForm(view: PayersView, error: FormError): Shown {
  // The order beside the form has the description.
  const {
    amount,
    description: _,
    rates,
    storeCard,
    payerName,
    acceptsCard,
    wallets,
    saved,
    address: _none,
    ...shown
  } = openingOf(view);
  const declined = view.failedAttempts > 0;
  const { problems, expiry, consent, name = payerName } = error;
  const notice = error.notice ?? (declined ? retryText(view) : undefined);
  const offered = wallets.map(({ type }) => type);
  const { speech, language } = view;
  const form = payForm({
    ...shown,
    speech,
    card: acceptsCard,
    wallets: offered,
    amount,
    storeCard,
    saved: { ...saved, ...defined({ chosen: error.chosen }) },
    surcharging: rates !== undefined,
    post: {
      action: pageAddresses(view).page,
      hidden: { attempt: String(view.failedAttempts) },
      needsScript: fill(language.page.walletsNeedScript, { wallets: walletNames(speech.words, offered) }),
    },
    ...defined({ problems, name, expiry, consent, notice, address: addressOf(view, error) }),
  });
  return {
    state: declined ? "declined" : "ready",
    // Screen readers read the title first.
    ...defined({ title: error.notice ?? (declined ? speech.words.declined : undefined) }),
    content: html`${{ html: form }}${saved.allowRemoval && removalForm(pageAddresses(view).remove)}`,
    hasForm: true,
    opening: view.opening,
    wallets: offered,
  };
}

/** The address fields, where the payment asks for them. */
function addressOf({ language, request, merchant }: PayersView, { address, problems = {} }: FormError) {
  return addressBlock({
    language,
    collection: request.details.collectAddress ?? "none",
    country: merchant.country,
    wrong: Object.keys(problems),
    ...defined({ typed: address }),
  });
}

/** The buttons beside saved cards belong to it. */
function removalForm(action: string): Html {
  return html`<form id="${REMOVAL_FORM}" method="post" action="${action}"></form>`;
}

/** Why the payment failed, and how many attempts remain. */
function retryText(view: PayersView): string {
  const left = (view.request.details.hostedPage?.attempts ?? 1) - view.failedAttempts;
  return retryWords(view.speech.words, declineCodesOf(view), left);
}
