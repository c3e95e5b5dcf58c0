import { SETTINGS, type Settings } from "../platform/config/settings.ts";

/**
 * The text of the first start: the key, shown only once, and a first request to paste. A key that the operator has set is
 * known to the operator, so the request names its variable.
 */
export function firstStartBanner(settings: Settings, apiKey: string): string {
  const { variable } = SETTINGS.sandboxApiKey;
  const isOwn = settings.sandboxApiKey !== undefined;
  const created = isOwn
    ? `  Created a sandbox merchant. Its API key is that of ${variable}.`
    : `  Created a sandbox merchant. Its API key is shown only once:

    ${apiKey}`;
  const header = isOwn ? `"X-Api-Key: $${variable}"` : `'X-Api-Key: ${apiKey}'`;
  return `
${created}

  Create a payment request; paste this into another terminal:

    curl ${settings.baseUrl}/paymentrequests \\
      -H ${header} \\
      -H 'Content-Type: application/json' \\
      -d '{"payment":{"amount":3000},"paymentMethods":["card"],"transactionRequest":{}}'

  Then simulate the payer, with the id from the answer:

    npx tidegate sandbox pay pr_…
`;
}

/** The first link into the dashboard. `tidegate user link` prints another. */
export function welcomeBanner(link: string): string {
  return `  The dashboard. This link creates its first operator; it works once, for 24 hours:

    ${link}
`;
}

/** The line that the gateway prints when it is ready. */
export function readyLine(settings: Settings): string {
  const places = [
    ...(settings.roles.includes("api")
      ? [
          `API ${settings.baseUrl}`,
          `dashboard ${settings.dashboardUrl}/dashboard`,
          `reference ${settings.baseUrl}/docs`,
        ]
      : []),
    ...(settings.roles.includes("checkout") ? [`hosted pages ${settings.hostedUrl}`] : []),
    ...(settings.roles.includes("worker") ? ["worker"] : []),
  ];
  return `Tidegate is ready: ${places.join(", ")}`;
}
