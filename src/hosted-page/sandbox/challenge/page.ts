/** A page of the sandbox bank: clearly a simulation, usable without JavaScript. All values are our own or escaped. */
export type BankPage = { readonly state: "challenge" | "closed"; readonly body: string };

export function bankPage({ state, body }: BankPage, stylesheet: string, script: string | undefined): string {
  const load = script === undefined ? "" : `<script src="${script}" defer></script>`;
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

export const DONE_BODY = `<p role="status">Thank you. You are being taken back to the payment.</p>`;
