import type { Settings } from "../platform/config/settings.ts";

/** The text of the first start: the key, shown only once, and a first request to paste. */
export function firstStartBanner(settings: Settings, apiKey: string): string {
  return `
  Created a sandbox merchant. Its API key is shown only once:

    ${apiKey}

  Create a payment request; paste this into another terminal:

    curl ${settings.baseUrl}/paymentrequests \\
      -H 'X-Api-Key: ${apiKey}' \\
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
