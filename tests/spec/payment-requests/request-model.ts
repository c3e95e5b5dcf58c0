import type { Body } from "./sample-requests.ts";

/**
 * Sections 2.1, 2.4, 2.5, 2.6, 2.8 and 8 of the specification and section 3 of the contract once more, by hand. Nothing
 * here is imported from the code: the two were written apart, and a test holds them against each other.
 */
export type Verdict = "accepted" | "invalid" | "forbidden";

export type ModelMerchant = {
  readonly mode: "sandbox" | "live";
  readonly capabilities: Readonly<Record<string, boolean>>;
  /** `yyyy-MM-dd` in the merchant's zone. */
  readonly today: string;
  /** Milliseconds since 1970. */
  readonly now: number;
};

/** Logos that are fine; every other text is none. */
export type ModelLogos = ReadonlySet<unknown>;

type Check = (value: unknown) => boolean;
type Shape = Readonly<Record<string, { readonly required?: true; readonly check: Check }>>;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Only known fields, each right by itself, and none missing. */
function fits(value: unknown, shape: Shape): boolean {
  if (!isObject(value)) return false;
  const known = Object.keys(value).every((name) => Object.hasOwn(shape, name));
  const sound = Object.entries(shape).every(([name, { required, check }]) =>
    Object.hasOwn(value, name) ? check(value[name]) : required !== true,
  );
  return known && sound;
}

/** Characters are code points; control characters and halves of surrogate pairs are none. */
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

const text =
  (min: number, max: number): Check =>
  (value) => {
    const count = typeof value === "string" ? characters(value) : undefined;
    return count !== undefined && count >= min && count <= max;
  };
const whole =
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

const isMail: Check = (value) => {
  if (typeof value !== "string" || value.length > 254) return false;
  const atom = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+";
  const label = "[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?";
  const whole = new RegExp(`^(?=[^@]{1,64}@)${atom}(?:\\.${atom})*@${label}(?:\\.${label})+$`);
  return whole.test(value);
};

const isDay: Check = (value) => {
  if (typeof value !== "string" || !/^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(value)) return false;
  const day = new Date(`${value}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(value) && value >= "0001";
};

/** Milliseconds, or NaN for what is no time with its zone. */
function timeOf(value: unknown): number {
  const form =
    /^([0-9-]{10})T([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9](\.[0-9]{1,9})?)?(Z|[+-][0-9]{2}:[0-9]{2})$/;
  if (typeof value !== "string" || !form.test(value) || !isDay(value.slice(0, 10))) return Number.NaN;
  return Math.floor(Date.parse(value.replace(/(\.[0-9]{3})[0-9]+/, "$1")));
}

/** Thousandths, half up, by the digits that were written. */
function thousandths(quantity: number): bigint {
  const [digits = "", exponent = "0"] = quantity.toExponential().split("e");
  const [whole = "", fraction = ""] = digits.split(".");
  const shift = Number(exponent) - fraction.length + 4;
  const scaled = BigInt(whole + fraction);
  // Ten-thousandths, cut; the digit that is cut off decides.
  const fine = shift >= 0 ? scaled * 10n ** BigInt(shift) : scaled / 10n ** BigInt(-shift);
  return (fine + 5n) / 10n;
}

const MOST = 99_999_999_999;

const ITEM: Shape = {
  title: { required: true, check: text(1, 50) },
  image: { check: isWebAddress },
  amount: { required: true, check: whole(0, MOST) },
  quantity: {
    check: (value) => typeof value === "number" && value > 0 && value <= MOST && thousandths(value) > 0n,
  },
  modifier: { check: text(1, 50) },
};

const ADJUSTMENT: Shape = {
  title: { required: true, check: text(1, 30) },
  amount: { required: true, check: whole(-MOST, MOST) },
  adjustmentType: {
    required: true,
    check: (value) =>
      typeof value === "string" && ["other", "discount", "shipping", "tax"].includes(value.toLowerCase()),
  },
  order: { check: whole(-2_147_483_647, 2_147_483_647) },
};

const CATEGORY: Shape = {
  frequency: { check: among("single", "recurring") },
  captureType: { check: among("auto", "manual") },
  authenticationType: { check: among("3d_secure") },
};

const CUSTOMER: Shape = {
  paymentInstrument: { check: among("create") },
  name: { check: text(1, 100) },
  email: { check: isMail },
  // There are no customers in this test, so no id is known.
  id: { check: () => false },
};

const PAYID: Shape = {
  type: { required: true, check: among("single") },
  value: { required: true, check: (value) => typeof value === "string" && /^[a-z0-9._-]{1,64}$/.test(value) },
};

function agreement(merchant: ModelMerchant): Shape {
  const manage: Check = (value) =>
    isWebAddress(value) && (merchant.mode === "sandbox" || /^https/i.test(String(value)));
  return {
    frequency: { check: among("daily", "monthly", "annual") },
    frequencyCount: { check: whole(1, 1_000_000) },
    description: { required: true, check: text(1, 140) },
    startDate: { check: isDay },
    endDate: { check: isDay },
    amount: { check: whole(0, MOST) },
    managementURL: { required: true, check: manage },
    billingAgreement: { check: text(1, 140) },
  };
}

function page(logos: ModelLogos): Shape {
  return {
    merchantName: { check: text(1, 140) },
    logo: { required: true, check: (value) => logos.has(value) },
    resultPage: { check: among("show", "redirect", "none") },
    redirectUrl: { check: isWebAddress },
    lineItems: { check: listOf(0, 50, (item) => fits(item, ITEM)) },
    adjustments: { check: listOf(0, 10, (adjustment) => fits(adjustment, ADJUSTMENT)) },
    attempts: { check: whole(1, 3) },
  };
}

function shapeOf(merchant: ModelMerchant, logos: ModelLogos): Shape {
  const unique = (value: unknown) => new Set(value as unknown[]).size === (value as unknown[]).length;
  const method = among("card", "apple_pay", "google_pay");
  const payment: Shape = {
    amount: { required: true, check: whole(1, MOST) },
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
      check: (value) => fits(value, { category: { check: (category) => fits(category, CATEGORY) } }),
    },
    customerRequest: { check: (value) => fits(value, CUSTOMER) },
    agreementDetails: { check: (value) => fits(value, agreement(merchant)) },
    hostedPaymentPage: { check: (value) => fits(value, page(logos)) },
  };
}

/** What line items and adjustments add up to, in cents: each line half up, then all of them. */
export function modelTotal(hosted: Body): bigint {
  const lines = (hosted.lineItems ?? []).map(
    (item: Body) => (BigInt(item.amount) * thousandths(item.quantity ?? 1) * 2n + 1000n) / 2000n,
  );
  const more = (hosted.adjustments ?? []).map((adjustment: Body) => BigInt(adjustment.amount));
  return [...lines, ...more].reduce((sum: bigint, one: bigint) => sum + one, 0n);
}

function pageHolds(hosted: Body, amount: number): boolean {
  if (hosted.resultPage === "redirect" && hosted.redirectUrl === undefined) return false;
  if (hosted.lineItems === undefined) return hosted.adjustments === undefined;
  const orders = (hosted.adjustments ?? []).map((adjustment: Body) => adjustment.order);
  const ordered = orders.filter((order: unknown) => order !== undefined);
  if (ordered.length > 0 && ordered.length !== orders.length) return false;
  return new Set(ordered).size === ordered.length && modelTotal(hosted) === BigInt(amount);
}

/** What the specification says to a body of `POST /paymentrequests`. */
export function judge(body: Body, merchant: ModelMerchant, logos: ModelLogos): Verdict {
  if (!fits(body, shapeOf(merchant, logos))) return "invalid";
  const methods: readonly string[] = body.paymentMethods ?? ["card"];
  const { agreementDetails: agreed, hostedPaymentPage: hosted, transactionRequest: transaction } = body;
  const payId = body.payment.instrument !== undefined;
  if (payId) {
    const refused = ["paymentMethods", "hostedPaymentPage", "customerRequest", "transactionRequest"];
    if (refused.some((name) => body[name] !== undefined) || agreed !== undefined) return "invalid";
    // Nobody brings PayID payments to live merchants yet.
    return merchant.capabilities["payId"] && merchant.mode === "sandbox" ? "accepted" : "forbidden";
  }
  if (hosted === undefined && (body.paymentMethods === undefined || transaction === undefined))
    return "invalid";
  if (hosted !== undefined && !pageHolds(hosted, body.payment.amount)) return "invalid";
  if (agreed !== undefined && !methods.includes("apple_pay")) return "invalid";
  if (agreed?.endDate !== undefined && agreed.endDate < (agreed.startDate ?? merchant.today))
    return "invalid";
  const needed = { card: "cardNotPresent", apple_pay: "applePay", google_pay: "googlePay" };
  const secure = transaction?.category?.authenticationType === "3d_secure" ? ["threeDSecure"] : [];
  const asked = [...methods.map((method) => needed[method as "card"]), ...secure];
  return asked.every((name) => merchant.capabilities[name]) ? "accepted" : "forbidden";
}
