import { dataUri, smallPng } from "../../support/sample-logos.ts";

/** A body of `POST /paymentrequests`, valid or not. */
// biome-ignore lint/suspicious/noExplicitAny: tests send bodies of any shape.
export type Body = any;

export const LOGO = dataUri("image/png", smallPng);

/** The required fields of each flow. */
export const CHECKOUT: Body = {
  payment: { amount: 3000 },
  paymentMethods: ["card"],
  transactionRequest: {},
};

export const HOSTED: Body = { payment: { amount: 3000 }, hostedPaymentPage: { logo: LOGO } };

let payIds = 0;

/** A PayID value that no other request of this process uses. */
export function freshPayId(): string {
  payIds += 1;
  return `invoice-${payIds}`;
}

export function payIdRequest(value: unknown = freshPayId()): Body {
  return { payment: { amount: 3000, instrument: { payId: { type: "single", value } } } };
}

export const AGREEMENT: Body = {
  description: "Gym, monthly",
  managementURL: "https://gym.example/agreement",
};

export const WALLET: Body = { ...CHECKOUT, paymentMethods: ["apple_pay"], agreementDetails: AGREEMENT };

/** A hosted page request with these line items and adjustments. */
export function hostedWith(amount: unknown, lineItems?: unknown, adjustments?: unknown): Body {
  const parts = { ...(lineItems === undefined ? {} : { lineItems }) };
  return {
    payment: { amount },
    hostedPaymentPage: { logo: LOGO, ...parts, ...(adjustments === undefined ? {} : { adjustments }) },
  };
}

/** A copy of the body with the value at a JSON pointer set; missing objects on the way are created. */
export function withValue(body: Body, pointer: string, value: unknown): Body {
  const [, name = "", ...rest] = pointer.split("/");
  const copy = Array.isArray(body) ? [...body] : { ...body };
  copy[name] = rest.length === 0 ? value : withValue(copy[name] ?? {}, `/${rest.join("/")}`, value);
  return copy;
}

/** A copy of the body without the value at a JSON pointer; a list becomes shorter. */
export function withoutValue(body: Body, pointer: string): Body {
  const [, name = "", ...rest] = pointer.split("/");
  if (rest.length > 0) return withValue(body, `/${name}`, withoutValue(body[name], `/${rest.join("/")}`));
  if (Array.isArray(body)) return body.filter((_, index) => String(index) !== name);
  const { [name]: _, ...others } = body;
  return others;
}

/** The JSON pointer of every value in a body, its own included. */
export function placesIn(value: unknown, place = ""): readonly string[] {
  if (typeof value !== "object" || value === null) return [place];
  return [place, ...Object.entries(value).flatMap(([name, inner]) => placesIn(inner, `${place}/${name}`))];
}
