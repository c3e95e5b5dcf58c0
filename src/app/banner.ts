import type { Settings } from "../platform/config/settings.ts";

/** How a command is called: in a checkout by npm; from the package, which holds no TypeScript, by its own name. */
const COMMAND = import.meta.filename.endsWith(".ts") ? "npm run --silent tidegate --" : "npx tidegate";

/** What the first start shows on the terminal: the key, this once, and a first request to paste. */
export function firstStartBanner(settings: Settings, apiKey: string): string {
  return `
  A sandbox merchant was made. Its API key is shown this once:

    ${apiKey}

  Ask to be paid; paste this into another terminal:

    curl ${settings.baseUrl}/paymentrequests \\
      -H 'X-Api-Key: ${apiKey}' \\
      -H 'Content-Type: application/json' \\
      -d '{"payment":{"amount":3000},"paymentMethods":["card"],"transactionRequest":{}}'

  Then play the payer, with the id that this answers:

    ${COMMAND} sandbox pay pr_…
`;
}

/** The way into the dashboard, this once. `tidegate user link` prints another. */
export function welcomeBanner(link: string): string {
  return `  The dashboard. This link makes its first operator; it works once, for 24 hours:

    ${link}
`;
}

/** The one line that says that the gateway is ready. */
export function readyLine(settings: Settings): string {
  const places = [
    ...(settings.roles.includes("api")
      ? [
          `API ${settings.baseUrl}`,
          `dashboard ${settings.baseUrl}/dashboard`,
          `reference ${settings.baseUrl}/docs`,
        ]
      : []),
    ...(settings.roles.includes("checkout") ? [`hosted pages ${settings.hostedUrl}`] : []),
    ...(settings.roles.includes("worker") ? ["worker"] : []),
  ];
  return `Tidegate is ready: ${places.join(", ")}`;
}
