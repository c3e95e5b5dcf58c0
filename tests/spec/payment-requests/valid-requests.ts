import fc from "fast-check";
import { dataUri, svg, webps } from "../../support/sample-logos.ts";
import { modelTotals } from "./request-model.ts";
import { type Body, LOGO, withValue } from "./sample-requests.ts";

export const GOOD_LOGOS = [LOGO, dataUri("image/webp", webps.lossy), dataUri("image/svg+xml", svg("<g/>"))];

const some = <Value>(...values: readonly Value[]) => fc.constantFrom(...values);
/** Optional fields are sometimes left out. */
const parts = (all: Record<string, fc.Arbitrary<unknown>>, needed: string[] = []): fc.Arbitrary<Body> =>
  fc.record(all, { requiredKeys: needed });

const words = (max: number) =>
  some("x", "Ana", "é".repeat(max), "🌊".repeat(max), "x".repeat(max), "a b", "<b>", " x ");
const urls = some(
  ...["https://shop.example/", "http://shop.example/a?b#c", "HTTPS://SHOP.EXAMPLE", "https://[::1]:8443/x"],
);
const amounts = fc.oneof(fc.integer({ min: 1, max: 20_000 }), some(1, 99_999_999_999));
const days = some("2026-02-09", "2026-02-10", "2026-02-11", "2028-02-29");

const lineItem = parts(
  {
    title: words(50),
    image: urls,
    amount: fc.oneof(fc.integer({ min: 0, max: 5_000 }), some(0, 1, 333)),
    quantity: fc.oneof(
      some(1, 2, 0.5, 1.5, 0.001, 0.0005, 1.0005, 2.0025, 0.333, 1e-3, 1000),
      fc.double({ min: 0.001, max: 50, noNaN: true }),
    ),
    modifier: words(50),
  },
  ["title", "amount"],
);

const adjustment = parts(
  {
    title: words(30),
    amount: fc.integer({ min: -300, max: 300 }),
    adjustmentType: some("Other", "discount", "SHIPPING", "tAx", "Tax"),
  },
  ["title", "amount", "adjustmentType"],
);

/** Adjustments that all have an order or all have none. */
const adjustments = fc
  .tuple(fc.array(adjustment, { maxLength: 10 }), fc.boolean(), fc.integer({ min: -5, max: 5 }))
  .map(([list, ordered, first]) =>
    ordered ? list.map((one, index) => ({ ...one, order: first + index })) : list,
  );

const category = parts({
  frequency: some("single", "recurring"),
  captureType: some("auto", "manual"),
  authenticationType: some("3d_secure"),
  partialApproval: some("decline", "accept"),
});

const customer = parts({
  paymentInstrument: some("create"),
  name: words(100),
  email: some("a@shop.example", "a.b+c@mail.shop.example"),
});

const agreement = parts(
  {
    frequency: some("daily", "monthly", "annual"),
    frequencyCount: some(1, 12, 1_000_000),
    description: words(140),
    startDate: some("2026-02-01", "2026-02-09"),
    endDate: days,
    amount: some(0, 1, 99_999_999_999),
    managementURL: urls,
    billingAgreement: words(140),
  },
  ["description", "managementURL"],
);

const payment = parts(
  {
    amount: amounts,
    currencyCode: some("AUD", "NZD"),
    description: some("", "Two tickets", "🌊".repeat(255)),
  },
  ["amount"],
);

const methods = fc.shuffledSubarray(["card", "apple_pay", "google_pay"], { minLength: 1 });

/** The test's fixed time; mutations cover both sides of both limits. */
export const NOW = Date.parse("2026-02-10T01:00:00.000Z");
const at = (ms: number) => new Date(NOW + ms).toISOString();
const general = {
  reference: words(64),
  externalReference: words(64),
  expiryDateTime: some(at(60_000), at(86_400_000)),
};

const checkout = parts(
  {
    ...general,
    payment,
    paymentMethods: methods,
    transactionRequest: parts({ category, attempts: some(1, 2, 3) }),
    customerRequest: customer,
  },
  ["payment", "paymentMethods", "transactionRequest"],
);

const wallet = fc
  .tuple(checkout, agreement)
  .map(([body, agreementDetails]) => ({ ...body, paymentMethods: ["card", "apple_pay"], agreementDetails }));

const hosted = fc
  .tuple(
    parts(
      {
        ...general,
        payment,
        paymentMethods: methods,
        transactionRequest: parts({ category }),
        customerRequest: customer,
        hostedPaymentPage: parts(
          {
            merchantName: words(140),
            logo: some(...GOOD_LOGOS),
            resultPage: some("show", "none"),
            redirectUrl: urls,
            cancelUrl: some("https://shop.example/", "myapp://cart"),
            lineItems: fc.array(lineItem, { minLength: 1, maxLength: 50, size: "small" }),
            attempts: some(1, 2, 3),
          },
          ["logo"],
        ),
      },
      ["payment", "hostedPaymentPage"],
    ),
    adjustments,
    fc.boolean(),
  )
  .map(([body, list, adjusted]): Body => {
    const page = body.hostedPaymentPage;
    const full = page.lineItems !== undefined && adjusted ? { ...page, adjustments: list } : page;
    return { ...body, hostedPaymentPage: full };
  })
  .map(withMatchingAmount);

/** Sets the amount to the sum of the parts, where that sum is a valid amount. */
export function withMatchingAmount(body: Body): Body {
  const page = body.hostedPaymentPage;
  const parts = [page?.lineItems, page?.adjustments ?? []].flat();
  const computable =
    Array.isArray(page?.lineItems) &&
    parts.every(
      (part) =>
        Number.isInteger(part?.amount) && Number.isFinite(part.quantity ?? 1) && (part.quantity ?? 1) >= 0,
    );
  const [total] = computable ? modelTotals(page) : [0n];
  return total >= 1n && total <= 99_999_999_999n ? withValue(body, "/payment/amount", Number(total)) : body;
}

const payId = fc
  .tuple(parts({ ...general, payment }, ["payment"]), fc.stringMatching(/^[A-Za-z0-9._-]{1,64}$/))
  .map(([body, value]): Body => withValue(body, "/payment/instrument", { payId: { type: "single", value } }))
  .map((body: Body) =>
    body.payment.currencyCode === undefined ? body : withValue(body, "/payment/currencyCode", "AUD"),
  );

/** A valid request of any flow with any of its optional fields. */
export const validRequest: fc.Arbitrary<Body> = fc.oneof(checkout, wallet, hosted, payId);
