import fc from "fast-check";
import { dataUri, smallPng, svg } from "../../support/sample-logos.ts";
import { type Body, LOGO, placesIn, withoutValue, withValue } from "./sample-requests.ts";
import { GOOD_LOGOS, NOW, validRequest, withMatchingAmount } from "./valid-requests.ts";

const at = (ms: number) => new Date(NOW + ms).toISOString();
const words = (text: string) => text.split(" ");
const both = (unit: string, max: number) => [unit.repeat(max), unit.repeat(max + 1)];

const BAD_LOGOS = [
  dataUri("image/webp", smallPng),
  dataUri("image/gif", smallPng),
  dataUri("image/svg+xml", svg("<script/>")),
  dataUri("image/png", Buffer.alloc(11_000)),
];
const URLS = [
  ...words(
    "https://shop.example/ http://shop.example/ HTTP://shop.example/@ https://shop.example?x //a https://",
  ),
  ...words(
    "myapp://paid blob:https://shop.example/1 https://u:p@shop.example/ https://@shop.example https:///shop.example javascript:alert(1) ftp://a.b/",
  ),
  ...[
    "https://shop.example/a b",
    "data:text/html,x",
    "https://shop.example/\u0000",
    "https://a.example\\@b",
    "",
  ],
  ...both("x", 2027).map((path) => `https://shop.example/${path}`),
];
const AMOUNTS = [0, 1, -1, 1.5, 99_999_999_999, 100_000_000_000, -99_999_999_999, "1", null, 3000];
const BROKEN = [
  "",
  "a\u0000b",
  "a\nb",
  "\u0085",
  "\ud800",
  "\udc00x",
  "\u202e",
  " \u3000",
  "\u00a0x",
  null,
  5,
];
const texts = (max: number) => [...both("x", max), ...both("🌊", max), ...BROKEN];
const DAYS = words("2026-02-08 2026-02-09 2026-02-10 2026-02-11 2026-02-30 2027-02-29 2028-02-29 today");

/** Values at both sides of the limits, by field name. */
const NEAR: Readonly<Record<string, readonly unknown[]>> = {
  redirectUrl: URLS,
  cancelUrl: URLS,
  image: URLS,
  managementURL: URLS,
  amount: AMOUNTS,
  reference: texts(64),
  externalReference: texts(64),
  description: [...texts(255), ...texts(140)],
  name: texts(100),
  title: [...texts(50), ...texts(30)],
  modifier: texts(50),
  merchantName: texts(140),
  billingAgreement: texts(140),
  startDate: DAYS,
  endDate: DAYS,
  expiryDateTime: [
    ...[59_999, 60_000, 90 * 86_400_000, 90 * 86_400_000 + 1, 0, 3_600_000].map(at),
    ...words(
      "2026-02-10T12:02+11:00 2026-02-11T00:00:00 2026-02-11T24:00:00Z 2026-02-11T00:00:00.123456789Z",
    ),
  ],
  quantity: [0, 0.0004, 0.00049999, 0.0005, 1.0005, 1e-7, -1, 1e11, 99_999_999_999, 5e-324, 1.5],
  order: [-2, -1, 0, 1, 2, 3, 1.5, 2_147_483_647, 2_147_483_648, null],
  attempts: [0, 1, 3, 4, 1.5, "1"],
  frequencyCount: [0, 1, 1.5, -1, 1_000_000, 1_000_001],
  adjustmentType: ["Other", "oTHER", "Gift", "", "tax ", "TAX", "ſhipping", null],
  currencyCode: ["AUD", "NZD", "USD", "aud", "", null],
  resultPage: ["show", "none", "redirect", "redirect", "Redirect", ""],
  logo: [...GOOD_LOGOS, ...BAD_LOGOS, "", null],
  paymentMethods: [["card"], ["google_pay"], ["card", "card"], [], ["cash"], ["apple_pay", "card"]],
  email: [
    ...["a@shop.example", "a@shop", "a..b@shop.example", "a@-x.example", ""],
    ...both("x", 64).map((local) => `${local}@shop.example`),
  ],
  value: ["a", "A", "a b", ...both("x", 64), "", "a@b", "._-"],
  type: ["single", "Single", ""],
  frequency: words("single recurring daily monthly annual weekly"),
  captureType: ["auto", "manual", "Auto"],
  authenticationType: ["3d_secure", "3ds", ""],
  partialApproval: ["decline", "accept", "Accept", ""],
  paymentInstrument: ["create", "Create", "none", ""],
  id: ["cus_1", ""],
  transactionRequest: [{}, { category: {} }, { category: { authenticationType: "3d_secure" } }, null],
  category: [{}, { frequency: "recurring" }, null],
  customerRequest: [{}, { name: "Ana" }, { id: "cus_1", name: "Ana" }, []],
  agreementDetails: [{ description: "d", managementURL: "https://shop.example/" }, {}, null],
  hostedPaymentPage: [{ logo: LOGO }, { logo: LOGO, resultPage: "redirect" }, {}],
  instrument: [{ payId: { type: "single", value: "mutated" } }, {}, null],
  lineItems: [[], [{ title: "t", amount: 3000 }], ...[50, 51, 51, 51].map((count) => items(count)), null],
  adjustments: [[], ...[10, 11, 11].map((count) => fees(count)), null],
};

/** Values that may appear anywhere. */
const ANY: readonly unknown[] = [
  ...[
    null,
    true,
    false,
    0,
    1,
    -1,
    1.5,
    1e300,
    "",
    "x",
    "card",
    "create",
    "\ud800",
    [],
    {},
    [null],
    [{}],
    ["card"],
  ],
  ...Object.values(NEAR).flatMap((near) => near.slice(0, 2)),
];

/** The optional fields of each object, by its name. */
const CHILDREN: Readonly<Record<string, readonly string[]>> = {
  "": words(
    "reference externalReference expiryDateTime paymentMethods transactionRequest customerRequest agreementDetails" +
      " hostedPaymentPage",
  ),
  payment: words("currencyCode description instrument"),
  transactionRequest: words("category attempts"),
  category: words("frequency captureType authenticationType partialApproval"),
  customerRequest: words("paymentInstrument name email id"),
  agreementDetails: words("frequency frequencyCount startDate endDate amount billingAgreement"),
  hostedPaymentPage: words("merchantName resultPage redirectUrl cancelUrl lineItems adjustments attempts"),
  lineItems: words("image quantity modifier"),
  adjustments: words("order"),
};
const UNKNOWN_FIELDS = words("extra url email result constructor __proto order amount logo");

function items(count: number): readonly object[] {
  return Array.from({ length: count }, () => ({ title: "t", amount: 60 }));
}
function fees(count: number): readonly object[] {
  return Array.from({ length: count }, () => ({ title: "t", amount: 0, adjustmentType: "Tax" }));
}

type Mutation = {
  readonly how: "set" | "drop" | "add" | "unknown";
  readonly near: boolean;
  readonly value: unknown;
  readonly picks: readonly [number, number, number];
};

const mutation: fc.Arbitrary<Mutation> = fc.record({
  how: fc.constantFrom("set", "set", "set", "set", "set", "drop", "add", "add", "unknown"),
  near: fc.constantFrom(true, true, true, true, false),
  value: fc.constantFrom(...ANY),
  picks: fc.tuple(fc.nat(), fc.nat(), fc.nat()),
});

const nameOf = (place: string) => place.slice(place.lastIndexOf("/") + 1);
const parentOf = (place: string) => place.slice(0, place.lastIndexOf("/"));
/** List items have the list's name. */
const kindOf = (place: string) => (/^\d+$/.test(nameOf(place)) ? nameOf(parentOf(place)) : nameOf(place));
const pickFrom = <Value>(values: readonly Value[], pick: number) => values[pick % Math.max(1, values.length)];

/** A place in the body: every name is equally likely, however many line items there are. */
function placeOf(places: readonly string[], [name, one]: Mutation["picks"]): string | undefined {
  const chosen = pickFrom([...new Set(places.map(nameOf))], name);
  return pickFrom(
    places.filter((place) => nameOf(place) === chosen),
    one,
  );
}

function valueFor(name: string, { near, value, picks }: Mutation): unknown {
  const own = near && Object.hasOwn(NEAR, name) ? NEAR[name] : undefined;
  return own === undefined ? value : pickFrom(own, picks[2]);
}

function mutate(body: Body, change: Mutation): Body {
  const { how, picks } = change;
  const places = placesIn(body).filter((place) => place !== "");
  const place = placeOf(places, picks);
  if (place === undefined) return body;
  if (how === "set") return withValue(body, place, valueFor(nameOf(place), change));
  if (how === "drop") return withoutValue(body, place);
  const objects = ["", ...places].filter((one) => Object.hasOwn(CHILDREN, kindOf(one)) && !isList(body, one));
  const parent = pickFrom(objects, picks[0]) ?? "";
  const name =
    pickFrom(how === "add" ? (CHILDREN[kindOf(parent)] ?? UNKNOWN_FIELDS) : UNKNOWN_FIELDS, picks[1]) ??
    "extra";
  return withValue(body, `${parent}/${name}`, valueFor(name, change));
}

function isList(body: Body, place: string): boolean {
  return Array.isArray(place.split("/").reduce((value, name) => (name === "" ? value : value?.[name]), body));
}

/**
 * A valid request with usually one mutation, sometimes more or none; a mutated request may still be valid. Half of
 * the time the amount follows the mutation, so that the total is not the only problem.
 */
export const randomRequest: fc.Arbitrary<Body> = fc
  .tuple(
    validRequest,
    fc.tuple(mutation, mutation, mutation),
    fc.constantFrom(0, 1, 1, 1, 1, 1, 2, 3),
    fc.boolean(),
  )
  .map(([body, mutations, count, settled]) => {
    const result = mutations.slice(0, count).reduce(mutate, body);
    return settled ? withMatchingAmount(result) : result;
  });
