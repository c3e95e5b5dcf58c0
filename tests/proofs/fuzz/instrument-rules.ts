import type { Instrument } from "./facts.ts";
import type { Body } from "./fuzz-request.ts";
import { between, breaksIf, type Judged, type Rules } from "./verdict.ts";

const YEARS_AHEAD = 20;
const AUSTRALIAN_NAME = 32;
const MOST_PAIRS = 20;

/** A charge of a stored instrument: what it may ask for depends on the instrument. */
export const CHARGE_RULES: Rules = {
  charge_customer_id_invalid: (judged) => breaksIf(!judged.facts.isKnown(named(judged).id)),
  charge_payment_instrument_id_invalid: (judged) => {
    const { id, paymentInstrumentId } = named(judged);
    const instrument = judged.facts.instrumentOf(paymentInstrumentId);
    if (instrument === undefined) return breaksIf(!judged.facts.isKnown(paymentInstrumentId));
    if (judged.facts.isDeleting(paymentInstrumentId)) return "open";
    // Of an unknown customer, any instrument of the merchant's is taken for known.
    return breaksIf(instrument.customerId !== id && judged.facts.isKnown(id));
  },
  charge_cvn_invalid: (judged) =>
    ofInstrument(judged, ({ card }) => {
      const { cvn } = named(judged);
      return cvn !== undefined && (card === undefined || cvn.length !== (card.cardType === "amex" ? 4 : 3));
    }),
  charge_capture_type_invalid: (judged) =>
    ofInstrument(
      judged,
      ({ card }) => card === undefined && judged.body["category"]?.captureType === "manual",
    ),
  charge_partial_approval_invalid: (judged) =>
    ofInstrument(
      judged,
      ({ card }) => card === undefined && judged.body["category"]?.partialApproval === "accept",
    ),
  charge_currency_invalid: (judged) =>
    ofInstrument(judged, ({ bankAccount }) => {
      const { currencyCode } = judged.body["payment"];
      const own = bankAccount?.bsb === undefined ? "NZD" : "AUD";
      return bankAccount !== undefined && currencyCode !== undefined && currencyCode !== own;
    }),
};

export const INSTRUMENT_RULES = {
  create: {
    payment_instrument_account_name_invalid: ({ body: { bankAccount } }) =>
      breaksIf(bankAccount.bsb !== undefined && isLong(bankAccount.accountName)),
    payment_instrument_account_number_invalid: ({ body: { bankAccount } }) =>
      breaksIf((bankAccount.bsb === undefined) === /^\d{6,9}$/.test(bankAccount.number)),
    metadata_object_invalid: ({ body }) => breaksIf(pairsOf(body, "bank_account") > MOST_PAIRS),
    metadata_bank_name_read_only: hasBankName,
  },
  change: {
    metadata_object_invalid: ({ body, request, facts }) => {
      const instrument = facts.instrumentOf(request.params["paymentInstrumentId"] ?? "");
      return instrument === undefined
        ? between(false, pairsOf(body, "card") > MOST_PAIRS)
        : breaksIf(pairsOf(body, instrument.type) > MOST_PAIRS);
    },
    metadata_bank_name_read_only: hasBankName,
    payment_instrument_type_mismatch: ({ body, request, facts }) => {
      const instrument = facts.instrumentOf(request.params["paymentInstrumentId"] ?? "");
      if (instrument === undefined) return "open";
      return breaksIf(body[instrument.type === "card" ? "bankAccount" : "card"] !== undefined);
    },
    payment_instrument_account_name_invalid: ({ body, request, facts }) => {
      const instrument = facts.instrumentOf(request.params["paymentInstrumentId"] ?? "");
      const isWrong = isLong(body["bankAccount"]?.accountName ?? "");
      return instrument === undefined
        ? between(false, isWrong)
        : breaksIf(isWrong && instrument.bankAccount?.bsb !== undefined);
    },
    // Digits are no name, and a name holds no card number.
    card_name_invalid: ({ body }) => {
      const name = String(body["card"]?.name ?? "").normalize("NFKC");
      return between(/^\d+$/.test(name), /\d/.test(name));
    },
    card_expiry_year_invalid: (judged) => expiryVerdict(judged, "year"),
    card_expiry_month_invalid: (judged) => expiryVerdict(judged, "month"),
  },
} as const satisfies Record<string, Rules>;

/** The other half of an expiry is stored, and may be over by now. */
function expiryVerdict({ body, moments }: Judged, part: "year" | "month") {
  const { expiryMonth: month, expiryYear: year } = body["card"] ?? {};
  if (month === undefined && year === undefined) return "keeps";
  const [first, last] = [moments.earliest, moments.latest].map((at) => new Date(at).toISOString());
  const [least, most] = [Number(first?.slice(0, 4)), Number(last?.slice(0, 4)) + YEARS_AHEAD];
  if (part === "year")
    return year === undefined
      ? "open"
      : between(year < least || year > most, year < most - YEARS_AHEAD || year > least + YEARS_AHEAD);
  if (year === undefined || month === undefined) return "open";
  const written = `${year}-${String(month).padStart(2, "0")}`;
  const isOver = (now = "") => written.slice(0, 4) === now.slice(0, 4) && written < now.slice(0, 7);
  return between(isOver(first) && isOver(last), isOver(first) || isOver(last));
}

function named({ body }: Judged) {
  return body["payment"].instrument.customer as {
    readonly id: string;
    readonly paymentInstrumentId: string;
    readonly cvn?: string;
  };
}

/** The rule is only reached with an instrument that exists; what the fuzzer has not seen may exist. */
function ofInstrument(judged: Judged, isBroken: (instrument: Instrument) => boolean) {
  const instrument = judged.facts.instrumentOf(named(judged).paymentInstrumentId);
  return instrument === undefined ? "open" : breaksIf(isBroken(instrument));
}

/** A bank account's `bankName` stands beside the merchant's own pairs. */
function pairsOf(body: Body, type: string): number {
  const keys = Object.keys(body["metadata"] ?? {});
  return keys.filter((key) => type === "card" || key !== "bankName").length;
}

/** The account's number, which is stored, says which name is right. */
function hasBankName({ body }: Judged) {
  return between(false, body["metadata"]?.bankName !== undefined);
}

/** Counted as people do: a sign outside the basic plane is one. */
function isLong(name: string): boolean {
  return Array.from(name).length > AUSTRALIAN_NAME;
}
