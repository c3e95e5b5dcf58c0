import { presentCode } from "../../kernel/codes/present-code.ts";
import { defined } from "../../kernel/defined.ts";
import type { Catalogue } from "../../kernel/languages/catalogue.ts";
import { momentText, payIdWords, spoken } from "../../kernel/languages/languages.ts";
import { speechIn } from "../../kernel/languages/speech.ts";
import type { Settings } from "../../platform/config/settings.ts";
import { qrPicture } from "../../platform/images/qr.ts";
import { pageUrl, payIdToken } from "../hosted-pages/index.ts";
import { payIdEmail } from "../payment-requests/index.ts";
import type { PayIdView } from "./view-payid.ts";

/** The texts for the panel's script. */
export function languageFacts(language: Catalogue): object {
  return { tag: language.tag, direction: language.direction, words: payIdWords(language) };
}

/** The data of the panel: only what the payer may see. Amounts and dates are written as the payer's language does. */
export function presentPayId(view: PayIdView, language: Catalogue, settings: Settings): object {
  const { request, merchant, pageKey } = view;
  return {
    session: payIdToken(pageKey),
    merchantName: merchant.name,
    mode: merchant.mode,
    ...defined({ description: request.details.description }),
    payId: payIdEmail(request.payIdValue ?? "", settings.payIdDomain),
    amount: moneyIn(language, view)(request.amount),
    /** As a bank's app takes it. */
    plainAmount: (request.amount / 100).toFixed(2),
    currencyCode: request.currency,
    payBy: momentText(language, view.merchant.country, view.request.expiresAt),
    qr: qrPicture(pageUrl(settings.hostedUrl, { flow: request.flow, pageKey })),
    ...presentPayIdState(view, language, settings),
  };
}

export function presentPayIdState(view: PayIdView, language: Catalogue, { baseUrl }: Settings): object {
  const { state, secondsLeft, request } = view;
  const returned = state === "waiting" ? lastReturn(view) : undefined;
  const hasEnded = state === "expired" || state === "cancelled";
  return {
    state,
    secondsLeft,
    ...defined({
      returned: returned && moneyIn(language, view)(returned.amount),
      transactionId: request.approvedTransactionId ?? undefined,
      codes: hasEnded ? [presentCode("payment_request_state_conflict", baseUrl)] : undefined,
    }),
  };
}

/** The payer's last transfer, which had another amount. */
function lastReturn({ request }: PayIdView) {
  return request.payIdReturns.findLast(({ reason }) => reason === "short" || reason === "over");
}

function moneyIn(language: Catalogue, { request }: PayIdView): (cents: number) => string {
  return speechIn(spoken(language), request.currency).money;
}
