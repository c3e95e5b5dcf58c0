import { CARD_NUMBER, cardNumberText } from "../load/number.ts";
import { BENCH_KEY, type BenchGateway } from "../stage/gateway.ts";

/** The request body of the payer's frame. */
export const PAY_BODY = JSON.stringify({
  method: "card",
  card: {
    number: CARD_NUMBER,
    expiryMonth: 12,
    expiryYear: new Date().getUTCFullYear() + 3,
    securityCode: "123",
    name: "Alex Example",
  },
  total: 3000,
  consent: false,
});

/** The same with one card. */
export const PAY_WITH_ONE_CARD = PAY_BODY.replace(CARD_NUMBER, cardNumberText(0));

/** Ids of two requests that were created and initialised through the gateway's API; the first one was paid as well. */
export type Sample = { readonly paidId: string; readonly openId: string };

export async function makeSample(gateway: BenchGateway): Promise<Sample> {
  const paid = await initialised(gateway);
  const { state } = await post(gateway.hostedPort, "/checkout/pay", PAY_WITH_ONE_CARD, {
    "X-Checkout-Session": paid.session,
  });
  if (state !== "approved") throw new Error(`the first payment is ${state}`);
  const open = await initialised(gateway);
  return { paidId: paid.id, openId: open.id };
}

async function initialised({ port, hostedPort }: BenchGateway): Promise<{ id: string; session: string }> {
  const merchant = { "X-Api-Key": BENCH_KEY };
  const request = {
    reference: "order-1001",
    payment: { amount: 3000, currencyCode: "AUD", description: "Two tickets" },
    paymentMethods: ["card"],
    transactionRequest: {},
  };
  const { id = "" } = await post(port, "/paymentrequests", JSON.stringify(request), merchant);
  const tokenRequest = { scope: "payui", paymentRequestId: id };
  const { token } = await post(port, "/tokens", JSON.stringify(tokenRequest), merchant);
  const opening = { token, parentOrigin: "https://shop.example", version: "1.0.0" };
  const { session = "" } = await post(hostedPort, "/checkout/initialise", JSON.stringify(opening), {});
  return { id, session };
}

async function post(
  port: number,
  path: string,
  body: string,
  headers: Readonly<Record<string, string>>,
): Promise<Readonly<Record<string, string>>> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: "POST",
    headers: { ...headers, "Content-Type": "application/json" },
    body,
  });
  if (response.status !== 200) throw new Error(`${path} was answered with ${response.status}`);
  return (await response.json()) as Record<string, string>;
}
