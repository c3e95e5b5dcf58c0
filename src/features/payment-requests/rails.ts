import type { Connectors, Served } from "../../connectors/ports/connectors.ts";
import type { CodeName } from "../../kernel/codes/catalogue.ts";
import type { Currency } from "../../kernel/money.ts";
import { RAILS, RAILS_WITH_PAGE, type Rail } from "../../kernel/source.ts";
import type { Settings } from "../../platform/config/settings.ts";
import type { Static } from "../../platform/http/schema.ts";
import { pageUrl, payIdToken } from "../hosted-pages/index.ts";
import { payIdEmail } from "./payid.ts";
import type { Flow, PaymentRequest } from "./payment-request.ts";
import type { PaymentRequestAnswer, PaymentRequestInput } from "./wire.ts";

type Instrument = NonNullable<PaymentRequestInput["payment"]["instrument"]>;

/** How payment requests use a rail. */
type RailRules = {
  /** The part of `payment.instrument` that chooses the rail. */
  readonly instrument: keyof Instrument;
  /** The only one. */
  readonly currency: Currency;
  readonly isServed: (connectors: Connectors, merchant: Served) => boolean;
  readonly refusals: {
    readonly capabilityMissing: CodeName;
    readonly railMissing: CodeName;
    /** Of the parts that belong to cards and wallets. */
    readonly combination: CodeName;
  };
  /** `payment.instrument` of the answer. */
  readonly present: (
    request: PaymentRequest,
    settings: Settings,
  ) => Static<typeof PaymentRequestAnswer>["payment"]["instrument"];
};

export const RAIL_RULES: Readonly<Record<Rail, RailRules>> = {
  payid: {
    instrument: "payId",
    // PayIDs are Australian, whatever the country of the merchant.
    currency: "AUD",
    isServed: (connectors, merchant) => connectors.findPayIdRail(merchant) !== undefined,
    refusals: {
      capabilityMissing: "payment_request_payid_capability_missing",
      railMissing: "payment_request_payid_rail_missing",
      combination: "payment_request_payid_combination_refused",
    },
    present: presentPayId,
  },
};

/** The rail that an input's `payment.instrument` chooses. */
export function railOf(instrument: { readonly [Part in keyof Instrument]?: unknown } | undefined) {
  return RAILS.find((rail) => instrument?.[RAIL_RULES[rail].instrument] !== undefined);
}

export function flowOf(input: PaymentRequestInput): Flow {
  const standard = input.hostedPaymentPage === undefined ? "checkout" : "hosted_page";
  return railOf(input.payment.instrument) ?? standard;
}

/** Whether the payer gets a page of the gateway. */
export function hasPage(flow: Flow): boolean {
  return flow === "hosted_page" || RAILS_WITH_PAGE.some((rail) => rail === flow);
}

/** Where an input chooses the rail. */
export function fieldOf(rail: Rail): string {
  return `/payment/instrument/${RAIL_RULES[rail].instrument}`;
}

/** Requests from before migration 76 have no page. */
function presentPayId(
  { flow, pageKey, payIdValue }: PaymentRequest,
  { payIdDomain, hostedUrl }: Settings,
): ReturnType<RailRules["present"]> {
  if (payIdValue === null) return undefined;
  return {
    payId: {
      type: "single",
      email: payIdEmail(payIdValue, payIdDomain),
      ...(pageKey !== null && { url: pageUrl(hostedUrl, { flow, pageKey }), token: payIdToken(pageKey) }),
    },
  };
}
