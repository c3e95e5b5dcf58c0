import { WALLET_NAMES, type Wallet } from "../../src/kernel/wallets.ts";
import type { Quote } from "../paying/wallet-host.ts";
import { type Html, html } from "../ui/html.ts";
import { ALERT, SPINNER } from "../ui/icons.ts";
import { merchantText } from "../ui/merchant-text.ts";
import { moneyText } from "../ui/money-text.ts";
import type { SandboxCard, WalletSettings } from "./settings.ts";
import type { SheetContext } from "./sheet.ts";

/** The simulated sheet. Its first line says that it is one. */
export function sheetMarkup({ type, host, settings }: SheetContext, quote: Quote): Html {
  return dialog(
    html`<p class="sheet-badge" id="sheet-badge">Sandbox wallet</p>
<h2 class="sheet-heading" id="sheet-heading">${WALLET_NAMES[type]}</h2>
<p class="sheet-words" id="sheet-words">A simulation: no card is real and no money moves.</p>`,
    html`<fieldset class="test-cards"><legend>Pay ${merchantText(host.details.merchantName)} with a test card</legend>
${settings.sandboxCards.map((card, at) => cardRow(card, at === 0, host.cardMark(card.cardType)))}
</fieldset>
${termsOf(settings)}<div class="price" id="sheet-price" aria-live="polite">${priceOf(quote)}</div>
<p class="problem" id="sheet-problem" role="alert" hidden>${ALERT}<span>The test wallet didn't answer. Please try again.</span></p>`,
    false,
  );
}

/** What the payer agrees to beyond this payment, as Apple's sheet shows it. The server writes the lines. */
function termsOf({ text, texts }: WalletSettings): Html | false {
  const link = text("termsLink");
  return (
    link !== "" &&
    html`<p class="sheet-words">${texts("terms").map((line) => html`${merchantText(line)}<br>`)}<a class="quiet" href="${link}" target="_blank" rel="noreferrer">Manage</a></p>`
  );
}

/** Shown after a vendor's sheet if the chosen card has a surcharge. */
export function confirmMarkup(type: Wallet, quote: Quote, last4: string): Html {
  const card = last4 === "" ? "the card that you chose" : `your card ending in ${last4}`;
  return dialog(
    html`<h2 class="sheet-heading" id="sheet-heading">${WALLET_NAMES[type]}</h2>
<p class="sheet-words" id="sheet-words">A surcharge applies to ${card}. You have not been charged yet.</p>`,
    html`<div class="price">${priceOf(quote)}</div>`,
    true,
  );
}

function dialog(head: Html, body: Html, buttonFirst: boolean): Html {
  return html`<div class="sheet" role="dialog" aria-modal="true" aria-labelledby="sheet-badge sheet-heading" aria-describedby="sheet-words">
${head}
<form>
${body}
<button class="pay" type="submit"${buttonFirst && html` data-first`}><span class="pay-words">Confirm</span><span class="pay-progress">${SPINNER}One moment…</span></button>
<button class="quiet sheet-cancel" type="button" id="sheet-cancel">Cancel</button>
</form>
</div>`;
}

function cardRow({ id, last4, label }: SandboxCard, chosen: boolean, mark: string): Html {
  return html`<label class="test-card"><input type="radio" name="card" value="${id}"${chosen && html` checked data-first`}><span class="dot" aria-hidden="true"></span>${{ html: mark }}<span class="test-card-words"><span>${label}</span><span class="test-card-number">•••• ${last4}</span></span></label>`;
}

/** With surcharging the amount, surcharge and total; otherwise the total alone. */
export function priceOf({ rows, total }: Quote): Html {
  if (rows !== "") return { html: rows };
  return html`<dl><div class="price-total"><dt>Total</dt><dd>${moneyText(total)}</dd></div></dl>`;
}
