import type { PayIdWords } from "../../src/kernel/languages/catalogue.ts";
import { fill } from "../../src/kernel/languages/speech.ts";
import { type Html, html, phrase } from "./html.ts";
import { ALERT, PADLOCK } from "./icons.ts";
import { merchantText } from "./merchant-text.ts";
import type { PageState } from "./page-state.ts";
import type { StatusPanel } from "./status-panel.ts";

/** What the panel shows. Amounts and dates are texts in the payer's language. */
export type PayIdDetails = {
  readonly session: string;
  readonly merchantName: string;
  readonly mode: string;
  readonly description?: string;
  readonly payId: string;
  readonly amount: string;
  readonly plainAmount: string;
  readonly currencyCode: string;
  readonly payBy: string;
  readonly qr: { readonly size: number; readonly path: string };
} & PayIdState;

export type PayIdState = {
  readonly state: "waiting" | "received" | "expired" | "cancelled";
  readonly secondsLeft: number;
  /** The payer's last transfer, which was sent back. */
  readonly returned?: string;
};

/** How to pay, while the transfer has not arrived. Works as it stands: scripts add copying, the countdown and the live state. */
export function payIdPanel(words: PayIdWords, details: PayIdDetails, refresh?: string): Html {
  const { merchantName, description, payId, amount, plainAmount, currencyCode, qr } = details;
  const [name, domain] = payId.split("@");
  return html`<div class="payid">
<h1 id="heading" tabindex="-1">${phrase(words.payByPayId, { merchant: merchantText(merchantName) })}</h1>
${description !== undefined && description !== "" && html`<p class="payid-for">${merchantText(description)}</p>`}
<p class="payid-words">${words.how}</p>
<dl class="payid-facts">
${fact("PayID", html`<bdi class="payid-value" dir="ltr" data-copied="${payId}">${name}<wbr>@${domain}</bdi>`, copyButton(words, words.copyPayId))}
${fact(words.amount, html`<span class="payid-value payid-amount" data-copied="${plainAmount}">${amount} <small>${currencyCode}</small></span>`, copyButton(words, words.copyAmount))}
</dl>
${returnedNotice(words, details)}
<div class="payid-state">
<p class="payid-waiting"><span class="progress" aria-hidden="true"><span></span></span><strong>${words.waiting}</strong></p>
<p class="payid-words" id="payid-help" role="status">${words.waitingHelp}</p>
<button class="quiet" type="button" id="payid-again" hidden>${words.checkAgain}</button>
<p class="payid-words">${fill(words.payBy, { date: details.payBy })}<span class="payid-left" id="payid-left" hidden>${words.timeLeft} <b role="timer"></b></span></p>
</div>
${refresh !== undefined && html`<noscript><p class="ways"><a class="quiet quiet-link" href="${refresh}">${words.checkAgain}</a></p></noscript>`}
<details class="payid-phone"><summary>${words.onPhone}</summary>
<p class="payid-words">${words.scan}</p>
<svg class="payid-qr" viewBox="0 0 ${qr.size} ${qr.size}" role="img" aria-label="${words.qrCode}"><path d="${qr.path}" shape-rendering="crispEdges"/></svg>
</details>
<p class="footer"><span class="secured">${PADLOCK}${words.secured}</span>${details.mode === "sandbox" && html`<span class="sandbox">${words.sandbox}</span>`}</p>
</div>`;
}

/** The region is never hidden, so that screen readers announce what a script shows in it. */
function returnedNotice(words: PayIdWords, details: PayIdDetails): Html {
  const { returned } = details;
  return html`<div role="status"><p class="notice payid-returned"${returned === undefined && html` hidden`}>${ALERT}<span>${returnedWords(words, details)}</span></p></div>`;
}

export function returnedWords(words: PayIdWords, { returned, amount }: PayIdDetails): string {
  return returned === undefined ? "" : fill(words.returned, { amount: returned, total: amount });
}

function fact(label: string, value: Html, button: Html): Html {
  return html`<div><dt>${label}</dt><dd>${value}${button}</dd></div>`;
}

function copyButton({ copy }: PayIdWords, name: string): Html {
  return html`<button class="payid-copy" type="button" aria-label="${name}" hidden>${copy}</button>`;
}

/** How it ended. */
export function payIdEnd(
  words: PayIdWords,
  { state, merchantName: merchant, amount }: PayIdDetails,
): { readonly state: PageState; readonly panel: StatusPanel } {
  if (state === "received") {
    const thanks = fill(words.receivedBy, { merchant });
    return {
      state: "approved",
      panel: { picture: "good", heading: words.received, amount, words: [thanks] },
    };
  }
  const [ended, heading, help] =
    state === "expired"
      ? (["expired", words.expired, words.expiredHelp] as const)
      : (["cancelled", words.cancelled, words.cancelledHelp] as const);
  return { state: ended, panel: { picture: "careful", heading, words: [help] } };
}
