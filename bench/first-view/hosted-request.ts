import { LOGO } from "../../tests/support/hosted-page.ts";

/** Creates a hosted request with three items; returns the page's URL. */
export async function createHostedPage(apiPort: number, key: string): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${apiPort}/paymentrequests`, {
    method: "POST",
    headers: { "X-Api-Key": key, "Content-Type": "application/json" },
    body: JSON.stringify({
      payment: { amount: 3000, description: "Order 1042" },
      hostedPaymentPage: {
        logo: LOGO,
        lineItems: ["Beans", "Blend", "Filters"].map((title) => ({ title, amount: 1000 })),
      },
    }),
  });
  const { hostedPaymentPage } = (await response.json()) as { hostedPaymentPage: { url: string } };
  return hostedPaymentPage.url;
}
