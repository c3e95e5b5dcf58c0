import type { Mode } from "../../src/kernel/mode.ts";
import type { SurchargeRates } from "../../src/kernel/surcharge.ts";
import { WALLETS, type Wallet } from "../../src/kernel/wallets.ts";
import type { ResultCode } from "../protocol/client-events.ts";
import { isObject } from "../protocol/is-object.ts";
import type { StoreCard } from "../ui/consent-field.ts";
import type { SavedCard, SavedCards } from "../ui/saved-cards.ts";

/**
 * What the gateway returns when a checkout starts. It is of the same version as this script, so only what shows that another
 * server has answered is checked: without session, merchant and price there is no checkout.
 */
export type CheckoutDetails = {
  readonly session: string;
  readonly merchantName: string;
  readonly mode: Mode;
  readonly amount: number;
  readonly currencyCode: string;
  readonly description: string | undefined;
  readonly rates: SurchargeRates | undefined;
  readonly storeCard: StoreCard;
  /** The bank may ask the payer to confirm. */
  readonly threeDSecure: boolean;
  readonly payerName: string | undefined;
  /** The payment request accepts a card. */
  readonly acceptsCard: boolean;
  /** Wallets that the payment request accepts. */
  readonly requestedWallets: readonly Wallet[];
  /** Those that the account and this page allow, each with the settings that the wallets' script reads. */
  readonly wallets: readonly OfferedWallet[];
  readonly saved: SavedCards;
  /** The gateway's own markup of the address fields. */
  readonly address: { readonly html: string } | undefined;
};

export type OfferedWallet = {
  readonly type: Wallet;
  readonly settings: Readonly<Record<string, unknown>>;
};

/** A step at the bank, and what this page keeps sealed until the bank is done. */
export type BankStep = {
  readonly url: string;
  /** What is posted to the bank. */
  readonly fields: Readonly<Record<string, string>>;
  readonly sealed: string;
};

export type Attempt = {
  readonly state: "approved" | "declined" | "pending" | "method" | "challenge" | "none";
  readonly transactionId: string | undefined;
  /** False once a hosted page has nothing left to pay. */
  readonly open: boolean;
  /** Of a declined attempt in the frame: how many the payer still has. */
  readonly attemptsLeft: number;
  /** In the states `method` and `challenge`. */
  readonly bankStep: BankStep | undefined;
  readonly codes: readonly ResultCode[];
  /** Of a partial approval that the merchant accepts: what was charged instead of the total. */
  readonly charged?: number;
};

/** `expected` is the current total when the submitted one is out of date. */
export type RefusalCode = ResultCode & { readonly expected?: number };

const STATES: readonly Attempt["state"][] = [
  "approved",
  "declined",
  "pending",
  "method",
  "challenge",
  "none",
];

export function readCheckoutDetails(body: unknown): CheckoutDetails | undefined {
  if (!isObject(body) || !isObject(body["payment"])) return undefined;
  const { session, merchantName, mode, payment, surcharging, storeCard, prefill } = body;
  const { amount, currencyCode, description } = payment;
  if (typeof session !== "string" || typeof merchantName !== "string") return undefined;
  if (typeof amount !== "number" || typeof currencyCode !== "string") return undefined;
  const payerName = isObject(prefill) ? prefill["name"] : undefined;
  return {
    session,
    merchantName,
    mode: mode as CheckoutDetails["mode"],
    amount,
    currencyCode,
    description: description as string | undefined,
    rates: isObject(surcharging) ? (surcharging["rates"] as SurchargeRates) : undefined,
    storeCard: storeCard as StoreCard,
    threeDSecure: body["threeDSecure"] === true,
    payerName: payerName as string | undefined,
    ...readMethods(body["paymentMethods"]),
    wallets: readWallets(body["wallets"]),
    saved: {
      cards: (body["savedCards"] ?? []) as readonly SavedCard[],
      allowRemoval: body["allowRemoval"] === true,
    },
    address: body["address"] as CheckoutDetails["address"],
  };
}

function readMethods(methods: unknown): Pick<CheckoutDetails, "acceptsCard" | "requestedWallets"> {
  const requested: readonly unknown[] = Array.isArray(methods) ? methods : ["card"];
  return {
    acceptsCard: requested.includes("card"),
    requestedWallets: WALLETS.filter((type) => requested.includes(type)),
  };
}

function readWallets(wallets: unknown): readonly OfferedWallet[] {
  const offered = (wallets ?? []) as readonly OfferedWallet["settings"][];
  return offered.map((settings) => ({ type: settings["type"] as Wallet, settings }));
}

export function readAttempt(body: unknown): Attempt | undefined {
  if (!isObject(body)) return undefined;
  const { transactionId, open, attemptsLeft, result } = body;
  const state = STATES.find((known) => known === body["state"]);
  if (state === undefined) return undefined;
  const isAtBank = state === "method" || state === "challenge";
  const bankStep = isAtBank ? readBankStep(body[state]) : undefined;
  if (isAtBank && bankStep === undefined) return undefined;
  return {
    state,
    transactionId: transactionId as string | undefined,
    open: open !== false,
    attemptsLeft: typeof attemptsLeft === "number" ? attemptsLeft : 0,
    bankStep,
    codes: readCodes(result),
    ...(typeof body["charged"] === "number" ? { charged: body["charged"] } : {}),
  };
}

/** The session's attempt. The one that was declined before is not this one: until a new one is on record, there is none. */
export function readOutcome(body: unknown, previous: string | undefined): Attempt | undefined {
  const attempt = readAttempt(body);
  const isPrevious = previous !== undefined && attempt?.transactionId === previous;
  return attempt !== undefined && isPrevious ? { ...attempt, state: "none" } : attempt;
}

/** A bank's page has TLS; the sandbox bank's is on our own origin. Any other URL is not followed. */
function readBankStep(step: unknown): BankStep | undefined {
  if (!isObject(step)) return undefined;
  const { url, sealed, fields } = step;
  if (typeof url !== "string" || typeof sealed !== "string" || !/^(\/[^/\\]|https:\/\/)/.test(url)) {
    return undefined;
  }
  return { url, sealed, fields: (fields ?? {}) as BankStep["fields"] };
}

export function readCodes(result: unknown): readonly RefusalCode[] {
  const codes = isObject(result) ? result["codes"] : undefined;
  return Array.isArray(codes)
    ? codes.filter(isCode).map((code) => ({ message: "", detail: "", ...code }))
    : [];
}

function isCode(code: unknown): code is Pick<ResultCode, "id"> & Partial<RefusalCode> {
  return isObject(code) && typeof code["id"] === "string";
}
