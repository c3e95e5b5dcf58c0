/** A member's type, or the texts that it may be. `?` marks one that may be absent. */
type Shape = { readonly [name: string]: Rule };
type Rule = string | RegExp | readonly string[] | Shape | { readonly optional: Rule };

const optional = (rule: Rule) => ({ optional: rule });

const AMOUNT: Shape = { value: "integer", currency: ["AUD", "NZD"] };
const STATUS = ["Y", "A", "N", "U"];

const PAYMENT_METHOD: Shape = {
  type: ["scheme", "networkToken"],
  number: /^\d{12,19}$/,
  expiryMonth: /^(?:0[1-9]|1[0-2])$/,
  expiryYear: /^20\d\d$/,
  cvc: optional(/^\d{3,4}$/),
  holderName: optional("text"),
};

const BILLING_ADDRESS: Shape = {
  houseNumberOrName: "text",
  street: "text",
  city: "text",
  stateOrProvince: optional("text"),
  postalCode: /^.{1,10}$/,
  country: /^[A-Z]{2}$/,
};

const OPERATION: Shape = { merchantAccount: "text", reference: "text" };

/** The requests of our connector, written by hand: a check that needs no file of Adyen's. */
const SHAPES: Readonly<Record<string, Shape>> = {
  payments: {
    merchantAccount: "text",
    returnUrl: /^https?:\/\//,
    reference: /^.{1,80}$/,
    merchantOrderReference: optional("text"),
    amount: AMOUNT,
    surcharge: optional({ value: "integer" }),
    paymentMethod: PAYMENT_METHOD,
    mpiData: optional({
      authenticationResponse: optional(STATUS),
      directoryResponse: [...STATUS, "R"],
      eci: optional(/^\d{1,2}$/),
      cavv: optional("text"),
      dsTransID: optional("text"),
      threeDSVersion: optional("text"),
      tokenAuthenticationVerificationValue: optional("text"),
    }),
    shopperInteraction: ["Ecommerce", "ContAuth", "Moto"],
    shopperReference: optional(/^cus_[0-9a-z]{29}$/),
    recurringProcessingModel: optional(["CardOnFile", "Subscription", "UnscheduledCardOnFile"]),
    authenticationData: optional({ attemptAuthentication: ["never"] }),
    captureDelayHours: optional("integer"),
    shopperIP: optional("text"),
    shopperEmail: optional("text"),
    billingAddress: optional(BILLING_ADDRESS),
    additionalData: optional({ manualCapture: optional(["true"]), networkTxReference: optional("text") }),
  },
  captures: { ...OPERATION, amount: AMOUNT },
  refunds: { ...OPERATION, amount: AMOUNT },
  cancels: { ...OPERATION, paymentReference: optional("text") },
  reversals: OPERATION,
  details: { details: { threeDSResult: "text" } },
  paymentMethods: { merchantAccount: "text", allowedPaymentMethods: "array" },
};

/** `POST /payments` that authenticates and takes nothing. */
const AUTHENTICATION: Shape = {
  merchantAccount: "text",
  returnUrl: /^https?:\/\//,
  origin: /^https?:\/\/[^/]+$/,
  channel: ["Web"],
  reference: /^.{1,76}-3ds$/,
  amount: AMOUNT,
  paymentMethod: PAYMENT_METHOD,
  shopperInteraction: ["Ecommerce"],
  shopperIP: "text",
  shopperEmail: optional("text"),
  billingAddress: optional(BILLING_ADDRESS),
  browserInfo: {
    acceptHeader: "text",
    userAgent: "text",
    language: "text",
    javaScriptEnabled: "boolean",
    javaEnabled: "boolean",
    colorDepth: "integer",
    screenWidth: "integer",
    screenHeight: "integer",
    timeZoneOffset: "integer",
  },
  authenticationData: {
    authenticationOnly: "boolean",
    attemptAuthentication: ["always"],
    threeDSRequestData: { nativeThreeDS: ["preferred"], challengeWindowSize: ["03", "05"] },
  },
  threeDS2RequestData: { notificationURL: /^https?:\/\// },
};

export function isAuthentication(body: unknown): boolean {
  return JSON.stringify(body).includes('"authenticationOnly":true');
}

export function shapeProblems(path: string, body: unknown): readonly string[] {
  const shape = isAuthentication(body) ? AUTHENTICATION : SHAPES[path.split("/").at(-1) ?? ""];
  return shape === undefined ? [`${path} is not called by the connector`] : problemsOf(body, shape, "");
}

function problemsOf(value: unknown, rule: Rule, place: string): readonly string[] {
  if (typeof rule === "string") return isOfType(value, rule) ? [] : [`${place} is no ${rule}`];
  if (rule instanceof RegExp)
    return typeof value === "string" && rule.test(value) ? [] : [`${place} does not match ${rule}`];
  if (Array.isArray(rule)) return rule.includes(value) ? [] : [`${place} is none of ${rule.join(", ")}`];
  if ("optional" in rule) return value === undefined ? [] : problemsOf(value, rule["optional"], place);
  if (typeof value !== "object" || value === null) return [`${place} is no object`];
  const shape = rule as Shape;
  const given = value as Readonly<Record<string, unknown>>;
  const unknown = Object.keys(given).filter((name) => !Object.hasOwn(shape, name));
  return [
    ...unknown.map((name) => `${place}/${name} is unknown`),
    ...Object.entries(shape).flatMap(([name, member]) => problemsOf(given[name], member, `${place}/${name}`)),
  ];
}

function isOfType(value: unknown, type: string): boolean {
  if (type === "boolean") return typeof value === "boolean";
  if (type === "array") return Array.isArray(value) && value.length > 0;
  return type === "integer" ? Number.isSafeInteger(value) : typeof value === "string" && value !== "";
}
