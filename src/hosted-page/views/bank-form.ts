import { type Html, html } from "../../../browser/ui/html.ts";

/** Takes the payer to a bank that wants a form post. Without scripts the payer presses the button. */
export function bankForm(url: string, fields: Readonly<Record<string, string>>): Html {
  return html`<form class="card-form confirm" method="post" action="${url}">
<h1 class="confirm-heading">Confirm it's you</h1>
<p class="confirm-words">Your bank asks you to confirm this payment. You come back here afterwards.</p>
${Object.entries(fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<button class="pay" type="submit"><span class="pay-words">Continue to your bank</span></button>
</form>`;
}
