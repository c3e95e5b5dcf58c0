import type { Mode } from "../../../src/kernel/mode.ts";
import type { Body } from "./sample-requests.ts";

/**
 * An independent model of sections 2.1, 2.4, 2.5, 2.6, 2.8 and 8 of the specification and section 3 of the
 * contract. It imports nothing from the code, so that a test can compare the two.
 */
export type Verdict = "accepted" | "invalid" | "forbidden";

export type ModelMerchant = {
  readonly mode: Mode;
  readonly capabilities: Readonly<Record<string, boolean>>;
  /** `yyyy-MM-dd` in the merchant's time zone. */
  readonly today: string;
  /** Milliseconds since 1970. */
  readonly now: number;
};

/** The valid logos; any other text is invalid. */
export type ModelLogos = ReadonlySet<unknown>;

type Check = (value: unknown) => boolean;
type Shape = Readonly<Record<string, { readonly required?: true; readonly check: Check }>>;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Only known fields, each valid, and none missing. */
function fits(value: unknown, shape: Shape): boolean {
  if (!isObject(value)) return false;
  const known = Object.keys(value).every((name) => Object.hasOwn(shape, name));
  const valid = Object.entries(shape).every(([name, { required, check }]) =>
    Object.hasOwn(value, name) ? check(value[name]) : required !== true,
  );
  return known && valid;
}

/** Counts code points; undefined for a text with control characters or lone surrogates. */
function characters(text: string): number | undefined {
  let count = 0;
  for (const character of text) {
    const point = character.codePointAt(0) ?? 0;
    const control = point < 0x20 || (point >= 0x7f && point < 0xa0);
    if (control || (point >= 0xd800 && point <= 0xdfff)) return undefined;
    count += 1;
  }
  return count;
}

/** A text that may not be empty shows something. */
const text =
  (min: number, max: number): Check =>
  (value) => {
    const count = typeof value === "string" ? characters(value) : undefined;
    const isBlank = /^[\p{White_Space}\p{Default_Ignorable_Code_Point}]*$/u.test(String(value));
    return count !== undefined && count <= max && (min === 0 || !isBlank);
  };
const integer =
  (min: number, max: number): Check =>
  (value) =>
    typeof value === "number" && Number.isInteger(value) && value >= min && value <= max;
const among =
  (...values: readonly unknown[]): Check =>
  (value) =>
    values.includes(value);
const listOf =
  (min: number, max: number, check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.length >= min && value.length <= max && value.every(check);

const isWebAddress: Check = (value) => {
  if (typeof value !== "string" || characters(value) === undefined || value.length > 2048) return false;
  if (!/^https?:\/\/[^/?#]/i.test(value) || /[\s\\]/.test(value)) return false;
  const [authority = ""] = value.slice(value.indexOf("//") + 2).split(/[/?#]/);
  return !authority.includes("@") && URL.canParse(value);
};

const NO_APPS =
  "about blob data file filesystem ftp http https intent javascript mailto sms tel vbscript view-source ws".split(
    " ",
  );

/** A web address, or an app's. */
const isReturnAddress: Check = (value) => {
  if (isWebAddress(value)) return true;
  if (typeof value !== "string" || characters(value) === undefined || value.length > 2048) return false;
  const [scheme = "", rest = ""] = value.split(/:\/\/(.*)/s);
  const known = NO_APPS.includes(scheme.toLowerCase());
  return (
    /^[a-z][a-z0-9+.-]*$/i.test(scheme) &&
    !known &&
    value.includes("://") &&
    !/[\s\\]/.test(rest) &&
    URL.canParse(value)
  );
};

const isMail: Check = (value) => {
  if (typeof value !== "string" || value.length > 254) return false;
  const atom = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+";
  const label = "[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?";
  const address = new RegExp(`^(?=[^@]{1,64}@)${atom}(?:\\.${atom})*@${label}(?:\\.${label})+$`);
  return address.test(value);
};

const isDay: Check = (value) => {
  if (typeof value !== "string" || !/^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(value)) return false;
  const day = new Date(`${value}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(value) && value >= "0001";
};

/** Milliseconds, or NaN for a text that is not a time with a zone. */
function timeOf(value: unknown): number {
  const form =
    /^([0-9-]{10})T([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9](\.[0-9]{1,9})?)?(Z|[+-][0-9]{2}:[0-9]{2})$/;
  if (typeof value !== "string" || !form.test(value) || !isDay(value.slice(0, 10))) return Number.NaN;
  return Math.floor(Date.parse(value.replace(/(\.[0-9]{3})[0-9]+/, "$1")));
}

/** Thousandths, rounded half up from the decimal digits. */
function thousandths(quantity: number): bigint {
  const [digits = "", exponent = "0"] = quantity.toExponential().split("e");
  const [units = "", fraction = ""] = digits.split(".");
  const shift = Number(exponent) - fraction.length + 4;
  const scaled = BigInt(units + fraction);
  // Truncated to ten-thousandths; the last digit decides the rounding.
  const fine = shift >= 0 ? scaled * 10n ** BigInt(shift) : scaled / 10n ** BigInt(-shift);
  return (fine + 5n) / 10n;
}

const MAX_AMOUNT = 99_999_999_999;

const ITEM: Shape = {
  title: { required: true, check: text(1, 50) },
  image: { check: isWebAddress },
  amount: { required: true, check: integer(0, MAX_AMOUNT) },
  quantity: {
    check: (value) =>
      typeof value === "number" && value > 0 && value <= MAX_AMOUNT && thousandths(value) > 0n,
  },
  modifier: { check: text(1, 50) },
};

const ADJUSTMENT: Shape = {
  title: { required: true, check: text(1, 30) },
  amount: { required: true, check: integer(-MAX_AMOUNT, MAX_AMOUNT) },
  adjustmentType: {
    required: true,
    check: (value) =>
      typeof value === "string" && ["other", "discount", "shipping", "tax"].includes(value.toLowerCase()),
  },
  order: { check: integer(-2_147_483_647, 2_147_483_647) },
};

const CATEGORY: Shape = {
  frequency: { check: among("single", "recurring") },
  captureType: { check: among("auto", "manual") },
  authenticationType: { check: among("3d_secure") },
  partialApproval: { check: among("decline", "accept") },
};

const CUSTOMER: Shape = {
  paymentInstrument: { check: among("create") },
  name: { check: text(1, 100) },
  email: { check: isMail },
  // This test creates no customers, so no id is known.
  id: { check: () => false },
};

const PAYID: Shape = {
  type: { required: true, check: among("single") },
  value: {
    required: true,
    check: (value) => typeof value === "string" && /^[a-z0-9._-]{1,64}$/i.test(value),
  },
};

function agreement(merchant: ModelMerchant): Shape {
  const manage: Check = (value) =>
    isWebAddress(value) && (merchant.mode === "sandbox" || /^https/i.test(String(value)));
  return {
    frequency: { check: among("daily", "monthly", "annual") },
    frequencyCount: { check: integer(1, 1_000_000) },
    description: { required: true, check: text(1, 140) },
    startDate: { check: isDay },
    endDate: { check: isDay },
    amount: { check: integer(0, MAX_AMOUNT) },
    managementURL: { required: true, check: manage },
    billingAgreement: { check: text(1, 140) },
  };
}

function page(merchant: ModelMerchant, logos: ModelLogos): Shape {
  const back: Check = (value) =>
    isReturnAddress(value) && (merchant.mode === "sandbox" || !/^http:/i.test(String(value)));
  return {
    merchantName: { check: text(1, 140) },
    logo: { required: true, check: (value) => logos.has(value) },
    resultPage: { check: among("show", "redirect", "none") },
    redirectUrl: { check: back },
    cancelUrl: { check: back },
    lineItems: { check: listOf(0, 50, (item) => fits(item, ITEM)) },
    adjustments: { check: listOf(0, 10, (adjustment) => fits(adjustment, ADJUSTMENT)) },
    attempts: { check: integer(1, 3) },
  };
}

function shapeOf(merchant: ModelMerchant, logos: ModelLogos): Shape {
  const unique = (value: unknown) => new Set(value as unknown[]).size === (value as unknown[]).length;
  const method = among("card", "apple_pay", "google_pay");
  const payment: Shape = {
    amount: { required: true, check: integer(1, MAX_AMOUNT) },
    currencyCode: { check: among("AUD", "NZD") },
    description: { check: text(0, 255) },
    instrument: {
      check: (value) => fits(value, { payId: { required: true, check: (one) => fits(one, PAYID) } }),
    },
  };
  const inTime = (time: number) => time >= merchant.now + 60_000 && time <= merchant.now + 90 * 86_400_000;
  return {
    reference: { check: text(1, 64) },
    externalReference: { check: text(1, 64) },
    expiryDateTime: { check: (value) => inTime(timeOf(value)) },
    payment: { required: true, check: (value) => fits(value, payment) },
    paymentMethods: { check: (value) => listOf(1, 3, method)(value) && unique(value) },
    transactionRequest: {
      check: (value) =>
        fits(value, {
          category: { check: (category) => fits(category, CATEGORY) },
          attempts: { check: integer(1, 3) },
        }),
    },
    customerRequest: { check: (value) => fits(value, CUSTOMER) },
    agreementDetails: { check: (value) => fits(value, agreement(merchant)) },
    hostedPaymentPage: { check: (value) => fits(value, page(merchant, logos)) },
  };
}

const added = (all: readonly bigint[]): bigint => all.reduce((sum, one) => sum + one, 0n);
const halfUp = (exact: bigint): bigint => (exact * 2n + 1000n) / 2000n;

/** The sums of line items and adjustments in cents: each line rounded half up, then added; or added, then rounded. */
export function modelTotals(hosted: Body): readonly [bigint, bigint] {
  const lines: bigint[] = (hosted.lineItems ?? []).map(
    (item: Body) => BigInt(item.amount) * thousandths(item.quantity ?? 1),
  );
  const more = added((hosted.adjustments ?? []).map((adjustment: Body) => BigInt(adjustment.amount)));
  return [added(lines.map(halfUp)) + more, halfUp(added(lines)) + more];
}

function pageHolds(hosted: Body, amount: number): boolean {
  if (hosted.resultPage === "redirect" && hosted.redirectUrl === undefined) return false;
  if ((hosted.lineItems ?? []).length === 0) return (hosted.adjustments ?? []).length === 0;
  const isLarge = (item: Body) => halfUp(BigInt(item.amount) * thousandths(item.quantity ?? 1)) > MAX_AMOUNT;
  if (hosted.lineItems.some(isLarge)) return false;
  const orders = (hosted.adjustments ?? []).map((adjustment: Body) => adjustment.order);
  const ordered = orders.filter((order: unknown) => order !== undefined);
  if (ordered.length > 0 && ordered.length !== orders.length) return false;
  return new Set(ordered).size === ordered.length && modelTotals(hosted).includes(BigInt(amount));
}

/** The specification's verdict on a body of `POST /paymentrequests`. */
export function judge(body: Body, merchant: ModelMerchant, logos: ModelLogos): Verdict {
  if (!fits(body, shapeOf(merchant, logos))) return "invalid";
  const methods: readonly string[] = body.paymentMethods ?? ["card"];
  const { agreementDetails: agreed, hostedPaymentPage: hosted, transactionRequest: transaction } = body;
  const payId = body.payment.instrument !== undefined;
  if (payId) {
    const refused = ["paymentMethods", "hostedPaymentPage", "customerRequest", "transactionRequest"];
    if (refused.some((name) => body[name] !== undefined) || agreed !== undefined) return "invalid";
    if ((body.payment.currencyCode ?? "AUD") !== "AUD") return "invalid";
    // There is no PayID connector for live merchants yet.
    return merchant.capabilities["payId"] && merchant.mode === "sandbox" ? "accepted" : "forbidden";
  }
  if (hosted === undefined && (body.paymentMethods === undefined || transaction === undefined))
    return "invalid";
  if (hosted !== undefined && transaction?.attempts !== undefined) return "invalid";
  if (hosted !== undefined && !pageHolds(hosted, body.payment.amount)) return "invalid";
  if (agreed !== undefined && !methods.includes("apple_pay")) return "invalid";
  if (agreed?.endDate !== undefined && agreed.endDate < (agreed.startDate ?? merchant.today))
    return "invalid";
  const needed = {
    card: ["cardNotPresent"],
    apple_pay: ["cardNotPresent", "applePay"],
    google_pay: ["cardNotPresent", "googlePay"],
  };
  const secure = transaction?.category?.authenticationType === "3d_secure" ? ["threeDSecure"] : [];
  const requested = [...methods.flatMap((method) => needed[method as "card"]), ...secure];
  return requested.every((name) => merchant.capabilities[name]) ? "accepted" : "forbidden";
}
