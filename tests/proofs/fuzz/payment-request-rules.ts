import type { Body } from "./fuzz-request.ts";
import { between, breaksIf, type Judged, type Rules, type Verdict } from "./verdict.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** Rules between the fields of a payment request and its hosted page, and with the clock. */
export const PAYMENT_REQUEST_RULES: Rules = {
  payment_request_amount_invalid: ({ body }) =>
    breaksIf(
      body["payment"].amount === 0 &&
        (body["payment"].instrument !== undefined ||
          body["customerRequest"]?.paymentInstrument !== "create" ||
          !methodsOf(body).includes("card")),
    ),
  payment_request_currency_code_invalid: ({ body: { payment } }) =>
    breaksIf(payment.instrument !== undefined && (payment.currencyCode ?? "AUD") !== "AUD"),
  payment_request_expiry_date_time_invalid: ({ body, moments: { earliest, latest } }) => {
    if (body["expiryDateTime"] === undefined) return "keeps";
    const expiry = Date.parse(body["expiryDateTime"]);
    if (Number.isNaN(expiry)) return "open";
    return between(
      expiry < earliest + MINUTE || expiry > latest + 90 * DAY,
      expiry < latest + MINUTE || expiry > earliest + 90 * DAY,
    );
  },
  payment_request_customer_id_invalid: ({ body, facts }) => {
    const id = body["customerRequest"]?.id;
    return breaksIf(id !== undefined && !facts.isKnown(id));
  },
  payment_request_customer_name_invalid: besideId("name"),
  payment_request_customer_email_invalid: besideId("email"),
  payment_request_customer_allow_removal_invalid: ({ body: { customerRequest } }) =>
    breaksIf(customerRequest?.allowRemoval !== undefined && customerRequest.id === undefined),
  payment_request_agreement_details_invalid: ({ body }) =>
    breaksIf(body["agreementDetails"] !== undefined && !(body["paymentMethods"] ?? []).includes("apple_pay")),
  payment_request_agreement_end_date_invalid: ({ body: { agreementDetails }, moments }) => {
    const { startDate, endDate } = agreementDetails ?? {};
    if (endDate === undefined) return "keeps";
    if (startDate !== undefined) return breaksIf(endDate < startDate);
    // Today, in the merchant's own zone.
    return between(endDate < dayOf(moments.earliest - DAY), endDate < dayOf(moments.latest + DAY));
  },
  payment_request_collect_address_invalid: ({ body }) =>
    breaksIf(
      (body["transactionRequest"]?.collectAddress ?? "none") !== "none" && !methodsOf(body).includes("card"),
    ),
  hosted_payment_page_logo_invalid: ofPage(({ logo }) =>
    breaksIf(!/^data:image\/(?:png|svg\+xml|webp);base64,/.test(logo)),
  ),
  hosted_payment_page_redirect_url_invalid: ofPage(({ resultPage, redirectUrl }) =>
    breaksIf(resultPage === "redirect" && redirectUrl === undefined),
  ),
  hosted_payment_page_line_items_invalid: ofPage(({ adjustments = [], lineItems = [] }) =>
    breaksIf(adjustments.length > 0 && lineItems.length === 0),
  ),
  hosted_payment_page_adjustment_order_invalid: ofPage(({ adjustments = [] }) => {
    const orders = adjustments.map((one: Body) => one["order"]).filter((one: unknown) => one !== undefined);
    return breaksIf(
      orders.length > 0 && (orders.length < adjustments.length || new Set(orders).size < orders.length),
    );
  }),
  hosted_payment_page_line_item_quantity_invalid: ofPage(({ lineItems = [] }) =>
    breaksIf(
      lineItems.some(({ amount, quantity = 1 }: Body) => {
        const exact = thousandths(quantity);
        return exact === 0n || halfUp(BigInt(amount) * exact) > 99_999_999_999n;
      }),
    ),
  ),
  hosted_payment_page_totals_mismatch: ofPage(({ lineItems = [], adjustments = [] }, { body }) => {
    if (lineItems.length === 0) return "keeps";
    const adjusted: bigint = adjustments.reduce((sum: bigint, one: Body) => sum + BigInt(one["amount"]), 0n);
    const lines: bigint[] = lineItems.map(
      ({ amount, quantity = 1 }: Body) => BigInt(amount) * thousandths(quantity),
    );
    const roundedLines = adjusted + lines.reduce((sum, line) => sum + halfUp(line), 0n);
    const roundedSum = adjusted + halfUp(lines.reduce((sum, line) => sum + line, 0n));
    return breaksIf(![roundedLines, roundedSum].includes(BigInt(body["payment"].amount)));
  }),
  hosted_payment_page_theme_variable_invalid: ofPage(({ theme }) => {
    const verdicts = Object.entries(theme?.variables ?? {}).map(([name, value]) =>
      styleVerdict(name, value as string),
    );
    return between(verdicts.includes("breaks"), verdicts.includes("open"));
  }),
  hosted_payment_page_theme_font_invalid: ofPage(({ theme }) =>
    breaksIf(theme?.font !== undefined && theme.variables?.fontFamily !== undefined),
  ),
};

function methodsOf(body: Body): readonly string[] {
  return body["paymentMethods"] ?? ["card"];
}

function besideId(name: string): (judged: Judged) => Verdict {
  return ({ body: { customerRequest } }) =>
    breaksIf(customerRequest?.id !== undefined && customerRequest[name] !== undefined);
}

function ofPage(judge: (page: Body, judged: Judged) => Verdict): (judged: Judged) => Verdict {
  return (judged) => {
    const page = judged.body["hostedPaymentPage"];
    return page === undefined ? "keeps" : judge(page, judged);
  };
}

/** CSS has more notations than a model should know: some values are plainly fine, some signs never are. */
function styleVerdict(name: string, value: string): Verdict {
  if (/[;{}<>\\@:]|url|^$/i.test(value)) return "breaks";
  const isFont = name === "fontFamily";
  const isFine = isFont
    ? /^(?:[A-Za-z]+(?:, )?)+$/.test(value)
    : /^(?:#[0-9a-f]{6}|teal|rgb\(1 2 3\)|0|\d{1,2}px|[\d.]+em)$/.test(value);
  return isFine ? "keeps" : "open";
}

/** Half up to three decimals, of the number as it is written. */
function thousandths(quantity: number): bigint {
  const [whole = "0", decimals = ""] = plainNumber(quantity).split(".");
  const tenThousandths = BigInt(whole + decimals.slice(0, 4).padEnd(4, "0"));
  return (tenThousandths + 5n) / 10n;
}

function plainNumber(value: number): string {
  const text = String(value);
  return text.includes("e") ? value.toFixed(20) : text;
}

function halfUp(thousandthsOfACent: bigint): bigint {
  return (thousandthsOfACent + 500n) / 1_000n;
}

function dayOf(moment: number): string {
  return new Date(moment).toISOString().slice(0, 10);
}
