import { declineWords } from "../../browser/ui/decline-words.ts";
import type { StatusPanel } from "../../browser/ui/status-panel.ts";
import type { PageView } from "../features/checkout/index.ts";
import { fill } from "../kernel/languages/speech.ts";
import { addressesOf } from "./page-address.ts";
import type { PayersView } from "./payers-view.ts";
import { presentReceipt } from "./present-receipt.ts";
import type { HostedPageModel } from "./views/page.ts";
import { hostedPanel, type PanelParts, type WayBack } from "./views/panels.ts";

/** The parts of the page that depend on the payment's status. */
export type Shown = Pick<HostedPageModel, "state" | "content"> & Partial<HostedPageModel>;

/** The view of each status in which the payer can't pay, with the possible next steps. */
export const STATUS_VIEWS: Readonly<
  Record<Exclude<PageView["standing"], "open">, (view: PayersView) => Shown>
> = {
  approved: (view) => {
    const { words, money } = view.speech;
    const { cardSavedNow, released, thankYou } = view.language.page;
    const wayBack = wayBackOf(view);
    if (savesCard(view)) {
      const saved: StatusPanel = { picture: "good", heading: words.cardSaved, words: [cardSavedNow] };
      return panel(view, "approved", saved, { wayBack });
    }
    if (isReleased(view)) {
      const status: StatusPanel = { picture: "careful", heading: words.cancelled, words: [released] };
      return panel(view, "cancelled", status, { wayBack });
    }
    const receipt = presentReceipt(view);
    const amount = money(receipt.charged);
    const paid: StatusPanel = { picture: "good", heading: words.approved, amount, words: [thankYou] };
    return panel(view, "approved", paid, { receipt, wayBack });
  },
  declined: (view) => {
    const { words } = view.speech;
    const { reason, advice } = declineWords(words, declineCodesOf(view));
    const merchant = nameOf(view);
    const saves = savesCard(view);
    return panel(
      view,
      "declined",
      {
        picture: "bad",
        heading: saves ? words.cardNotSaved : words.declined,
        words: [
          fill(words.declinedBecause, { reason }),
          advice,
          fill(saves ? words.saveAnew : words.payAnew, { merchant }),
        ],
      },
      { wayBack: wayBackOf(view) },
    );
  },
  closed: (view) => {
    const { mayClose, nothingLeft } = view.language.page;
    const status: StatusPanel = { picture: "waiting", heading: mayClose, words: [nothingLeft] };
    return { ...panel(view, "closed", status), order: undefined };
  },
  expired: (view) => {
    const words = [view.language.page.expiredHelp];
    const status: StatusPanel = { picture: "careful", heading: view.speech.words.expired, words };
    return panel(view, "expired", status, { wayBack: wayBackOf(view) });
  },
  cancelled: (view) => {
    const { cancelled, cancelledHelp } = view.speech.words;
    const status: StatusPanel = { picture: "careful", heading: cancelled, words: [cancelledHelp] };
    return panel(view, "cancelled", status, { wayBack: wayBackOf(view) });
  },
  confirming: (view) => {
    const refreshAt = pageAddresses(view).after;
    return {
      ...panel(view, "pending", confirmingPanel(view), { refreshAt }),
      opening: view.opening,
      refreshAt,
    };
  },
  challenged: (view) => {
    const { bankIsAsking, bankIsAskingHelp } = view.language.page;
    const status: StatusPanel = { picture: "waiting", heading: bankIsAsking, words: [bankIsAskingHelp] };
    return {
      ...panel(view, "pending", status, { button: cancelButton(view) }),
      opening: view.opening,
      refreshAt: pageAddresses(view).after,
    };
  },
};

/** The payer is back from the bank, which has not reported the result of the challenge yet. */
export function returned(view: PayersView): Shown {
  return panel(view, "pending", confirmingPanel(view), { button: cancelButton(view) });
}

function confirmingPanel({ speech, language }: PayersView): StatusPanel {
  const words = [language.page.confirmingHelp];
  return { picture: "waiting", heading: speech.words.confirming, words, busy: true };
}

function cancelButton(view: PayersView): NonNullable<PanelParts["button"]> {
  const hidden = { attempt: String(view.failedAttempts) };
  return { action: pageAddresses(view).abandon, label: view.language.page.cancelThisPayment, hidden };
}

function panel(
  view: PayersView,
  state: Shown["state"],
  status: StatusPanel,
  parts: PanelParts = {},
): Pick<Shown, "state" | "title" | "content"> {
  return { state, title: status.heading, content: hostedPanel(view, status, parts) };
}

function wayBackOf(view: PageView): WayBack | undefined {
  const url = view.request.details.hostedPage?.redirectUrl;
  return url === undefined ? undefined : { url, merchantName: nameOf(view) };
}

/** Why the last attempt failed. */
export function declineCodesOf({ attempt }: PageView): readonly { readonly message: string }[] {
  return attempt?.code == null ? [] : [{ message: attempt.code }];
}

/** A verification: the card is saved without a charge. */
export function savesCard({ request }: PageView): boolean {
  return request.amount === 0;
}

/** The authorisation ended without a capture. */
export function isReleased({ attempt }: PageView): boolean {
  return attempt?.captureStatus === "voided" || attempt?.captureStatus === "expired";
}

export function nameOf({ request, merchant }: PageView): string {
  return request.details.hostedPage?.merchantName ?? merchant.name;
}

export function pageAddresses({ request, failedAttempts }: PageView) {
  return addressesOf(request.pageKey ?? "", failedAttempts);
}
