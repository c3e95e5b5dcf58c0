import { randomBytes } from "node:crypto";

export type Json = Readonly<Record<string, unknown>>;

export type FakeAnswer = {
  readonly status: number;
  readonly body: Json;
  readonly headers?: Readonly<Record<string, string>>;
};

/** Amounts, without surcharge, that choose an outcome. Every other one is authorised. */
export const FAKE_AMOUNTS = {
  approved: 3000,
  advisedAgainst: 14_403,
  partial: { amount: 14_410, approved: 7_205 },
  authenticationRequired: 14_438,
  insufficientFunds: 14_451,
  unlistedRefusal: 14_494,
  cancelled: 14_495,
  redirect: 14_496,
  pending: 14_497,
  received: 14_498,
  error: 14_499,
} as const;

const REDIRECT = {
  type: "redirect",
  url: "https://bank.example/",
  method: "GET",
  paymentMethodType: "scheme",
};

/** What the payment of such an amount is answered with, beside its references. */
export const FAKE_RESULTS: Readonly<Record<number, Json>> = {
  [FAKE_AMOUNTS.advisedAgainst]: {
    ...refused("2", "Refused"),
    additionalData: { merchantAdviceCode: "03: Do not try again" },
  },
  [FAKE_AMOUNTS.authenticationRequired]: refused("38", "Authentication required"),
  [FAKE_AMOUNTS.insufficientFunds]: refused("12", "Not enough balance"),
  [FAKE_AMOUNTS.unlistedRefusal]: refused("999", "A reason of next year"),
  [FAKE_AMOUNTS.cancelled]: { resultCode: "Cancelled" },
  [FAKE_AMOUNTS.redirect]: { resultCode: "RedirectShopper", action: REDIRECT },
  [FAKE_AMOUNTS.pending]: { resultCode: "Pending" },
  [FAKE_AMOUNTS.received]: { resultCode: "Received" },
  [FAKE_AMOUNTS.error]: { resultCode: "Error", refusalReason: "Acquirer Error", refusalReasonCode: "4" },
};

function refused(code: string, reason: string): Json {
  return { resultCode: "Refused", refusalReason: reason, refusalReasonCode: code };
}

export function rejected(status: number, errorCode: string, message: string): FakeAnswer {
  const errorType = status === 422 ? "validation" : "security";
  return { status, body: { status, errorCode, message, errorType, pspReference: newPsp() } };
}

/** A call with the same key is still being processed. */
export function inProgress(): FakeAnswer {
  const answer = rejected(422, "704", "request already processed or in progress");
  return { ...answer, headers: { "transient-error": "true" } };
}

export function newPsp(): string {
  return randomBytes(8).toString("hex").toUpperCase();
}
