import { type Html, html } from "../../../browser/ui/html.ts";
import type { PayersView } from "../payers-view.ts";

/** Takes the payer to a bank that wants a form post. Without scripts the payer presses the button. */
export function bankForm(
  { speech: { words }, language: { page } }: PayersView,
  url: string,
  fields: Readonly<Record<string, string>>,
): Html {
  return html`<form class="card-form confirm" method="post" action="${url}">
<h1 class="confirm-heading">${words.confirmYou}</h1>
<p class="confirm-words">${page.bankAsksAndReturns}</p>
${Object.entries(fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<button class="pay" type="submit"><span class="pay-words">${page.continueToBank}</span></button>
</form>`;
}
