import assert from "node:assert/strict";
import { type Answer, TEST_KEY, type TestGateway } from "./gateway.ts";

/** A merchant, and the gateway that it uses. */
export type Shop = { readonly baseUrl: string; readonly hostedUrl: string; readonly key: string };

export function shopOf(gateway: Pick<TestGateway, "baseUrl" | "hostedUrl">, key = TEST_KEY): Shop {
  return { baseUrl: gateway.baseUrl, hostedUrl: gateway.hostedUrl, key };
}

/** A valid card that expires in three years. */
export const CARD = {
  number: "4111111111111111",
  expiryMonth: 12,
  expiryYear: new Date().getUTCFullYear() + 3,
  securityCode: "123",
} as const;

export const MERCHANT_PAGE = "https://shop.example";

/** Overrides of the default payment request. */
export type RequestOverrides = {
  readonly amount?: number;
  readonly description?: string;
  readonly reference?: string;
  readonly currencyCode?: "AUD" | "NZD";
  readonly expiryDateTime?: string;
  readonly category?: Readonly<Record<string, string>>;
  readonly attempts?: number;
  readonly collectAddress?: string;
  readonly customerRequest?: object;
  readonly agreementDetails?: object;
  readonly paymentMethods?: readonly string[];
  readonly metadata?: Readonly<Record<string, string>>;
  readonly locale?: string;
};

/** Calls the merchant's API as its server would. */
export async function callApi(
  { baseUrl, key, headers }: Shop & { readonly headers?: SentHeaders },
  method: "GET" | "POST" | "PUT" | "DELETE",
  path: string,
  body?: unknown,
): Promise<Answer> {
  return send(baseUrl + path, { method, body, headers: { "x-api-key": key, ...headers } });
}

/** Calls the hosted origin as the checkout's frame would. */
export async function callFrame(
  shop: Pick<Shop, "hostedUrl">,
  path: string,
  body: unknown,
  session?: string,
): Promise<Answer> {
  const headers: SentHeaders = session === undefined ? {} : { "x-checkout-session": session };
  return send(shop.hostedUrl + path, { method: "POST", body, headers });
}

type SentHeaders = Readonly<Record<string, string>>;

async function send(
  url: string,
  {
    method,
    body,
    headers,
  }: { readonly method: string; readonly body: unknown; readonly headers: SentHeaders },
): Promise<Answer> {
  const form = body instanceof URLSearchParams;
  const response = await fetch(url.replace(/^http:\/\/localhost/, "http://127.0.0.1"), {
    method,
    headers: {
      ...headers,
      ...(body === undefined || form ? {} : { "content-type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: form ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  const json = response.headers.get("content-type")?.startsWith("application/json") === true;
  return { status: response.status, headers: response.headers, body: json ? JSON.parse(text) : text };
}

/** Asserts status 200 and returns the body. */
// biome-ignore lint/suspicious/noExplicitAny: tests read answers of every shape.
export function ok(answer: Answer): any {
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body;
}

/** Codes and fields of a refusal, one string each: `V10090 /card/number`. */
export function problemsOf(answer: Answer): readonly string[] {
  const codes: { id: string; field?: string }[] = answer.body.result.codes ?? [];
  return codes.map(({ id, field }) => (field === undefined ? id : `${id} ${field}`)).sort();
}

export async function createRequest(shop: Shop, overrides: RequestOverrides = {}) {
  const {
    amount = 3000,
    description,
    currencyCode,
    category,
    attempts,
    collectAddress,
    paymentMethods = ["card"],
    ...rest
  } = overrides;
  const made = await callApi(shop, "POST", "/paymentrequests", {
    ...rest,
    payment: { amount, ...(description && { description }), ...(currencyCode && { currencyCode }) },
    paymentMethods,
    transactionRequest: {
      ...(category && { category }),
      ...(attempts && { attempts }),
      ...(collectAddress && { collectAddress }),
    },
  });
  return ok(made);
}

export async function createToken(shop: Shop, paymentRequestId: string): Promise<string> {
  return ok(await callApi(shop, "POST", "/tokens", { scope: "payui", paymentRequestId })).token;
}

export async function initialise(
  shop: Shop,
  token: string,
  parentOrigin: string = MERCHANT_PAGE,
): Promise<Answer> {
  return callFrame(shop, "/checkout/initialise", { token, parentOrigin, version: "1.0.0" });
}

/** Overrides of the card, the total and the consent that the payer submits. */
export type PayOverrides = {
  readonly card?: Readonly<Record<string, unknown>>;
  readonly total?: unknown;
  readonly consent?: unknown;
  /** What the frame's script collected; left out, as if it were not running. */
  readonly browser?: unknown;
  /** The language of the frame. */
  readonly language?: string;
  /** The declined attempt that the frame has shown. */
  readonly previousTransactionId?: string;
  readonly address?: Readonly<Record<string, unknown>>;
};

/** A payer's open checkout frame. */
export type Frame = FrameFacts & {
  readonly pay: (overrides?: PayOverrides) => Promise<Answer>;
  readonly continue: (sealed: string, after?: object) => Promise<Answer>;
  readonly outcome: () => Promise<Answer>;
  readonly abandon: () => Promise<Answer>;
  /** The same frame, with its calls sent to another node. */
  readonly at: (other: Shop) => Frame;
  /** The frame with another session of its token. */
  readonly with: (session: string) => Frame;
};

type FrameFacts = {
  readonly shop: Shop;
  readonly requestId: string;
  readonly token: string;
  readonly session: string;
  /** The answer to `initialise`. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers of every shape.
  readonly shown: any;
};

function frameOf(facts: FrameFacts): Frame {
  const { shop, session, shown } = facts;
  return {
    ...facts,
    pay: ({ card, total = shown.payment.amount, consent = false, ...rest } = {}) => {
      const body = { method: "card", card: { ...CARD, ...card }, total, consent, ...rest };
      return callFrame(shop, "/checkout/pay", body, session);
    },
    continue: (sealed, after) => callFrame(shop, "/checkout/continue", { sealed, ...after }, session),
    outcome: () => callFrame(shop, "/checkout/outcome", {}, session),
    abandon: () => callFrame(shop, "/checkout/abandon", { session }),
    at: (other) => frameOf({ ...facts, shop: other }),
    with: (another) => frameOf({ ...facts, session: another }),
  };
}

/** Opens a frame on an existing request, with a new token. */
export async function openFrameOn(
  shop: Shop,
  requestId: string,
  parentOrigin: string = MERCHANT_PAGE,
): Promise<Frame> {
  const token = await createToken(shop, requestId);
  const shown = ok(await initialise(shop, token, parentOrigin));
  return frameOf({ shop, requestId, token, session: shown.session, shown });
}

/** Creates a request and opens a frame on it. */
export async function openFrame(shop: Shop, overrides: RequestOverrides = {}): Promise<Frame> {
  return openFrameOn(shop, (await createRequest(shop, overrides)).id);
}

/** Presses a button on the sandbox bank's page. */
export async function answerChallenge(shop: Shop, url: string, answer: "approve" | "fail"): Promise<Answer> {
  return postForm(shop, url, { answer });
}

/** Posts a form to the hosted origin, as a browser does for the bank. */
export async function postForm(
  shop: Shop,
  path: string,
  fields: Readonly<Record<string, string>>,
): Promise<Answer> {
  return send(shop.hostedUrl + path, { method: "POST", body: new URLSearchParams(fields), headers: {} });
}

/** Makes one payment, from the request to the answer. */
export async function payOnce(shop: Shop, overrides: RequestOverrides = {}, pay: PayOverrides = {}) {
  const frame = await openFrame(shop, overrides);
  const paid = ok(await frame.pay(pay));
  return { frame, requestId: frame.requestId, transactionId: paid.transactionId as string, paid };
}

export async function getTransaction(shop: Shop, id: string) {
  return ok(await callApi(shop, "GET", `/transactions/${id}`));
}

export async function getRequest(shop: Shop, id: string) {
  return ok(await callApi(shop, "GET", `/paymentrequests/${id}`));
}

/** Every event of a resource, oldest first. */
export async function eventsOf(shop: Shop, resourceId: string) {
  const { events } = ok(await callApi(shop, "GET", `/events?resourceid=${resourceId}&limit=100`));
  return events.reverse();
}

/** Moves the shop's sandbox clock ahead. */
export async function advanceClock(shop: Shop, seconds: number): Promise<void> {
  ok(await callApi(shop, "POST", "/sandbox/clock/advance", { seconds }));
}

const ZONES = { AU: "Australia/Sydney", NZ: "Pacific/Auckland" } as const;

/**
 * Late in the day of the merchant's zone, advances its clock to the next morning: the payout that the gateway makes at
 * midnight then falls into no test. Returns the shop.
 */
export async function startDay(shop: Shop, country: keyof typeof ZONES = "AU"): Promise<Shop> {
  const format = { timeZone: ZONES[country], hour: "numeric", hourCycle: "h23" } as const;
  const hour = Number(new Intl.DateTimeFormat("en-AU", format).format());
  if (hour >= 18) await advanceClock(shop, (25 - hour) * 60 * 60);
  return shop;
}
