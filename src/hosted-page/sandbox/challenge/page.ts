import { html } from "../../../../browser/ui/html.ts";

/** A page of the sandbox bank: clearly a simulation. All values are our own or escaped. */
type BankPage = { readonly state: "processing" | "challenge" | "closed"; readonly body: string };

type PageScript = { readonly path: string; readonly integrity: string };

export function bankPage(
  { state, body }: BankPage,
  stylesheet: string,
  script: PageScript | undefined,
): string {
  const load =
    script === undefined
      ? ""
      : `<script src="${script.path}" integrity="${script.integrity}" defer></script>`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Sandbox bank</title>
<link rel="stylesheet" href="${stylesheet}">
${load}</head>
<body>
<main data-state="${state}">
<p class="ribbon">Sandbox: no real bank, no real money</p>
<h1>Sandbox bank</h1>
${body}
</main>
</body>
</html>
`;
}

export function challengeBody(amountText: string): string {
  return `<p>A payment of <strong>${amountText}</strong> needs your approval.</p>
<form method="post">
<button name="answer" value="approve" class="approve">Approve</button>
<button name="answer" value="fail">Fail</button>
</form>`;
}

type Return = {
  /** Our path that receives the message. */
  readonly action: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly seconds: number;
};

/** Takes the payer's frame back to the gateway by a form post, as banks do. The button is for when the script fails. */
export function returnBody({ action, fields, seconds }: Return): string {
  return html`<p role="status">Thank you. You are being taken back to the payment.</p>
<form method="post" action="${action}" data-seconds="${String(seconds)}">
${Object.entries(fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<button>Continue</button>
</form>`.html;
}
