import { dataUri, smallPng } from "../../support/sample-logos.ts";
import type { Facts } from "./facts.ts";
import type { Body } from "./fuzz-request.ts";
import { pickRecent, type Random } from "./generate.ts";

type Fit = (body: Body, random: Random, facts: Facts) => void;

const LOGO = dataUri("image/png", smallPng);
const THEME: Readonly<Record<string, readonly string[]>> = {
  fontFamily: ["Georgia, serif", "system-ui"],
  fontSizeBase: ["16px", "1em"],
  borderRadius: ["4px", "0"],
  spacingUnit: ["8px", "0.5em"],
};
const COLOURS = ["#0b5f7c", "teal", "rgb(1 2 3)"];

/** Where a schema can't say which values go together, or exist: most generated bodies get some that do. */
const FITS: Readonly<Record<string, Fit>> = {
  createPaymentRequest: (body, random, facts) => {
    const { customerRequest, hostedPaymentPage: page, payment } = body;
    if (customerRequest?.id !== undefined) {
      customerRequest.id = anyOf(facts.ids.get("customerId"), random, customerRequest.id);
      if (random.chance(0.7)) for (const name of ["name", "email"]) delete customerRequest[name];
    } else if (random.chance(0.7)) delete customerRequest?.allowRemoval;
    if (random.chance(0.6)) delete body["agreementDetails"];
    if (page === undefined) return;
    page.logo = LOGO;
    for (const name of Object.keys(page.theme?.variables ?? {}))
      if (random.chance(0.8)) page.theme.variables[name] = random.pick(THEME[name] ?? COLOURS);
    if (random.chance(0.7)) delete page.theme?.variables?.fontFamily;
    if (random.chance(0.7))
      for (const [at, one] of (page.adjustments ?? []).entries()) if (at > 0) delete one.order;
    const items = page.lineItems ?? [];
    if (items.length === 0) {
      delete page.adjustments;
      return;
    }
    for (const item of items) item.quantity = random.pick([1, 2, 0.5]);
    for (const item of items) item.amount = random.pick([100, 250, 11_000]);
    const sum = items.reduce((all: number, { amount, quantity }: Body) => all + amount * quantity, 0);
    if (payment !== undefined) payment.amount = sum;
    if (random.chance(0.7)) delete page.adjustments;
  },
  createTransaction: (body, random, facts) => {
    const customer = body["payment"]?.instrument?.customer;
    const pairs = facts.pairs.get("paymentInstrumentId");
    if (customer === undefined || pairs === undefined) return;
    const { customerId, paymentInstrumentId } = pickRecent(pairs, random);
    Object.assign(customer, { id: customerId, paymentInstrumentId });
    if (random.chance(0.5)) delete customer.cvn;
    if (random.chance(0.3)) body["category"] = { captureType: "manual" };
  },
  advanceSandboxClock: (body, random) => {
    if (body["seconds"] > LONG_AHEAD && random.chance(0.99)) body["seconds"] = random.below(LONG_AHEAD) + 1;
  },
  changeAccount: (body, random) => {
    // Without them, nothing is charged.
    const { capabilities } = body;
    for (const name of Object.keys(capabilities ?? {})) if (random.chance(0.8)) capabilities[name] = true;
  },
  captureTransaction: (body, random) => {
    if (random.chance(0.5)) delete body["payment"];
  },
  createWebhook: callHere,
  changeWebhook: callHere,
  createToken: (body, random, facts) => {
    body["paymentRequestId"] = anyOf(facts.ids.get("paymentRequestId"), random, body["paymentRequestId"]);
  },
  payPayIdInSandbox: (body, random, facts) => {
    // The clock moves on, and earlier ones have expired.
    body["payId"] = anyOf(facts.payIds.slice(-10), random, body["payId"]);
  },
};

/** The others also get bodies whose values don't fit. */
export const ALWAYS_FITTED: ReadonlySet<string> = new Set([
  "advanceSandboxClock",
  "createWebhook",
  "changeWebhook",
]);

/** The description's example names a host, which the gateway would look up and call. */
function callHere(body: Body): void {
  if (String(body["url"]).includes("shop.example")) body["url"] = "https://127.0.0.1/a";
}

/** A year ahead is valid and would soon end every card, so it is rare. */
const LONG_AHEAD = 20_000;

/** The body with values that fit together and exist. */
export function fitted(operationId: string, made: unknown, random: Random, facts: Facts): unknown {
  const change = FITS[operationId];
  if (change === undefined || typeof made !== "object" || made === null) return made;
  const body = structuredClone(made) as Body;
  change(body, random, facts);
  return body;
}

function anyOf(known: readonly string[] | undefined, random: Random, otherwise: unknown): unknown {
  return known === undefined || known.length === 0 ? otherwise : pickRecent(known, random);
}
