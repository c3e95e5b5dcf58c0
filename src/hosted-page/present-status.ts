import { type DeclineWords, declineWords } from "../../browser/ui/decline-words.ts";
import { moneyText } from "../../browser/ui/money-text.ts";
import type { StatusPanel } from "../../browser/ui/status-panel.ts";
import type { PageView } from "../features/checkout/index.ts";
import { addressesOf } from "./page-address.ts";
import { presentReceipt } from "./present-receipt.ts";
import type { HostedPageModel } from "./views/page.ts";
import { hostedPanel, type PanelParts, type WayBack } from "./views/panels.ts";

/** The parts of the page that depend on the payment's status. */
export type Shown = Pick<HostedPageModel, "state" | "content"> & Partial<HostedPageModel>;

const CARD_SAVED: StatusPanel = {
  picture: "good",
  heading: "Card saved",
  words: ["Your card has been saved. You have not been charged."],
};

/** The view of each status in which the payer can't pay, with the possible next steps. */
export const STATUS_VIEWS: Readonly<
  Record<Exclude<PageView["standing"], "open">, (view: PageView) => Shown>
> = {
  approved: (view) => {
    if (savesCard(view)) return panel("approved", CARD_SAVED, { wayBack: wayBackOf(view) });
    const receipt = presentReceipt(view);
    return panel(
      "approved",
      {
        picture: "good",
        heading: "Payment approved",
        amount: moneyText(receipt.charged),
        words: ["Thank you. Your payment has been made."],
      },
      { receipt, wayBack: wayBackOf(view) },
    );
  },
  declined: (view) => {
    const { reason, advice } = declineTextOf(view);
    return panel(
      "declined",
      {
        picture: "bad",
        heading: savesCard(view) ? "Card not saved" : "Payment declined",
        words: [
          `${reason} You have not been charged.`,
          advice,
          savesCard(view)
            ? `To try again, start again with ${nameOf(view)}.`
            : `To try again, start a new payment with ${nameOf(view)}.`,
        ],
      },
      { wayBack: wayBackOf(view) },
    );
  },
  closed: () => ({
    ...panel("closed", {
      picture: "waiting",
      heading: "You may close this page",
      words: ["There is nothing left to do here."],
    }),
    order: undefined,
  }),
  expired: (view) =>
    panel(
      "expired",
      {
        picture: "careful",
        heading: "This payment has expired",
        words: [
          "It can't be paid any more, and you have not been charged. Please go back to the merchant and start again.",
        ],
      },
      { wayBack: wayBackOf(view) },
    ),
  cancelled: (view) =>
    panel(
      "cancelled",
      {
        picture: "careful",
        heading: "This payment was cancelled",
        words: ["You have not been charged. Please contact the merchant if you didn't expect this."],
      },
      { wayBack: wayBackOf(view) },
    ),
  confirming: (view) => ({
    ...panel(
      "pending",
      {
        picture: "waiting",
        heading: "We're confirming your payment",
        words: [
          "This can take a minute. Please don't pay again: this page shows the outcome as soon as it is known.",
        ],
        busy: true,
      },
      { refreshAt: pageAddresses(view).after },
    ),
    opening: view.opening,
    refreshAt: pageAddresses(view).after,
  }),
  challenged: (view) => {
    const { abandon, after } = pageAddresses(view);
    const button = {
      action: abandon,
      label: "Cancel this payment",
      hidden: { attempt: String(view.failedAttempts) },
    };
    return {
      ...panel(
        "pending",
        {
          picture: "waiting",
          heading: "Your bank is asking you to confirm",
          words: [
            "Finish the payment in the window where your bank asks. If you closed that window, cancel here and try again.",
          ],
        },
        { button },
      ),
      opening: view.opening,
      refreshAt: after,
    };
  },
};

function panel(
  state: Shown["state"],
  status: StatusPanel,
  parts: PanelParts = {},
): Pick<Shown, "state" | "content"> {
  return { state, content: hostedPanel(status, parts) };
}

function wayBackOf(view: PageView): WayBack | undefined {
  const url = view.request.details.hostedPage?.redirectUrl;
  return url === undefined ? undefined : { url, merchantName: nameOf(view) };
}

/** Why the last attempt failed, for the payer. */
export function declineTextOf({ attempt }: PageView): DeclineWords {
  return declineWords(attempt?.code == null ? [] : [{ message: attempt.code }]);
}

/** A verification: the card is saved without a charge. */
export function savesCard({ request }: PageView): boolean {
  return request.amount === 0;
}

export function nameOf({ request, merchant }: PageView): string {
  return request.details.hostedPage?.merchantName ?? merchant.name;
}

export function pageAddresses({ request, failedAttempts }: PageView) {
  return addressesOf(request.pageKey ?? "", failedAttempts);
}
