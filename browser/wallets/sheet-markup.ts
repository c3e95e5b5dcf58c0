import type { WalletWords } from "../../src/kernel/languages/catalogue.ts";
import { fill, type Speech } from "../../src/kernel/languages/speech.ts";
import { WALLET_NAMES } from "../../src/kernel/wallets.ts";
import type { Quote } from "../paying/wallet-host.ts";
import { type Html, html, phrase } from "../ui/html.ts";
import { ALERT, SPINNER } from "../ui/icons.ts";
import { merchantText } from "../ui/merchant-text.ts";
import type { SandboxCard, WalletSettings } from "./settings.ts";
import type { SheetContext } from "./sheet.ts";

/** The simulated sheet. Its first line says that it is one. */
export function sheetMarkup({ words, type, host, settings }: SheetContext, quote: Quote): Html {
  const merchant = merchantText(host.details.merchantName);
  return dialog(
    words,
    html`<p class="sheet-badge" id="sheet-badge">${words.sandboxWallet}</p>
<h2 class="sheet-heading" id="sheet-heading">${WALLET_NAMES[type]}</h2>
<p class="sheet-words" id="sheet-words">${words.simulation}</p>`,
    html`<fieldset class="test-cards"><legend>${phrase(words.payWithTestCard, { merchant })}</legend>
${settings.sandboxCards.map((card, at) => cardRow(card, at === 0, host.cardMark(card.cardType)))}
</fieldset>
${termsOf(words, settings)}<div class="price" id="sheet-price" aria-live="polite">${priceOf(host.speech, quote)}</div>
<p class="problem" id="sheet-problem" role="alert" hidden>${ALERT}<span>${words.sandboxSilent}</span></p>`,
    false,
  );
}

/** What the payer agrees to beyond this payment, as Apple's sheet shows it. The server writes the lines. */
function termsOf({ manage }: WalletWords, { text, texts }: WalletSettings): Html | false {
  const link = text("termsLink");
  return (
    link !== "" &&
    html`<p class="sheet-words">${texts("terms").map((line) => html`${merchantText(line)}<br>`)}<a class="quiet" href="${link}" target="_blank" rel="noreferrer">${manage}</a></p>`
  );
}

/** Shown after a vendor's sheet if the chosen card has a surcharge. */
export function confirmMarkup({ words, type, host }: SheetContext, quote: Quote, last4: string): Html {
  return dialog(
    words,
    html`<h2 class="sheet-heading" id="sheet-heading">${WALLET_NAMES[type]}</h2>
<p class="sheet-words" id="sheet-words">${last4 === "" ? words.surchargeOnChosen : fill(words.surchargeOnCard, { last4 })}</p>`,
    html`<div class="price">${priceOf(host.speech, quote)}</div>`,
    true,
  );
}

function dialog(words: WalletWords, head: Html, body: Html, buttonFirst: boolean): Html {
  return html`<div class="sheet" role="dialog" aria-modal="true" aria-labelledby="sheet-badge sheet-heading" aria-describedby="sheet-words">
${head}
<form>
${body}
<button class="pay" type="submit"${buttonFirst && html` data-first`}><span class="pay-words">${words.confirm}</span><span class="pay-progress">${SPINNER}${words.oneMoment}</span></button>
<button class="quiet sheet-cancel" type="button" id="sheet-cancel">${words.cancel}</button>
</form>
</div>`;
}

function cardRow({ id, last4, label }: SandboxCard, chosen: boolean, mark: string): Html {
  return html`<label class="test-card"><input type="radio" name="card" value="${id}"${chosen && html` checked data-first`}><span class="dot" aria-hidden="true"></span>${{ html: mark }}<span class="test-card-words"><span>${label}</span><span class="test-card-number">•••• ${last4}</span></span></label>`;
}

/** With surcharging the amount, surcharge and total; otherwise the total alone. */
export function priceOf({ words, money }: Speech, { rows, total }: Quote): Html {
  if (rows !== "") return { html: rows };
  return html`<dl><div class="price-total"><dt>${words.total}</dt><dd>${money(total)}</dd></div></dl>`;
}
