import { type Cents, CURRENCY_NUMBERS, type Currency, sum } from "../../kernel/money.ts";
import type { Fields, IsoMessage } from "./dialect.ts";
import { type PrivateData, writePrivateData } from "./private-data.ts";
import type { Iso8583Settings } from "./settings.ts";
import type { Trace } from "./trace.ts";

/** The settings that every message carries. */
export type Terminal = Pick<
  Iso8583Settings,
  "acquirerId" | "merchantId" | "terminalId" | "merchantCategoryCode" | "nameLocation"
>;

/** What a request asks of the host. */
export type RequestKind = "purchase" | "authorisation" | "verification" | "refund";

const REQUESTS: Readonly<Record<RequestKind, { readonly type: string; readonly code: string }>> = {
  purchase: { type: "0200", code: "000000" },
  authorisation: { type: "0100", code: "000000" },
  verification: { type: "0100", code: "000000" },
  refund: { type: "0200", code: "200000" },
};

/** Fields 22 and 25: how the number was entered, and under which condition. */
const ENTRY = {
  internet: { 22: "810", 25: "59" },
  mail: { 22: "100", 25: "08" },
  telephone: { 22: "100", 25: "08" },
} as const;

export type CardOnWire = {
  readonly number: string;
  readonly expiryMonth: number;
  readonly expiryYear: number;
};

export type RequestInput = {
  readonly kind: RequestKind;
  readonly amount: Cents;
  readonly surcharge: Cents;
  readonly currency: Currency;
  readonly origin: keyof typeof ENTRY;
  readonly card: CardOnWire;
  readonly privateData: PrivateData;
};

/** A request that the host authorises: 0100 or 0200. */
export function buildRequest(terminal: Terminal, trace: Trace, input: RequestInput): IsoMessage {
  const { type, code } = REQUESTS[input.kind];
  const privateData = writePrivateData(input.privateData);
  const { expiryYear, expiryMonth, number } = input.card;
  return {
    type,
    fields: {
      ...commonFields(terminal, trace),
      2: number,
      3: code,
      4: String(sum([input.amount, input.surcharge])),
      14: `${two(expiryYear % 100)}${two(expiryMonth)}`,
      18: terminal.merchantCategoryCode,
      ...ENTRY[input.origin],
      43: terminal.nameLocation,
      ...(privateData === undefined ? {} : { 48: privateData }),
      49: CURRENCY_NUMBERS[input.currency],
    },
  };
}

/** The payment that a reversal or a completion is about, as the host knows it. */
type Original = {
  readonly type: string;
  readonly code: string;
  readonly trace: Trace;
  readonly currency: Currency;
};

export type FollowUpInput = {
  readonly original: Original;
  readonly amount: Cents;
  /** Undefined when it is not kept any more. */
  readonly number: string | undefined;
  /** Field 38: the host's authorisation code of the original, where it is known. */
  readonly authorisation: string | null;
  readonly isRepeat: boolean;
};

/** A completion: the host is advised that an authorisation is captured. */
export function buildCompletion(terminal: Terminal, trace: Trace, input: FollowUpInput): IsoMessage {
  const authorisation = input.authorisation === null ? {} : { 38: input.authorisation };
  const fields = { ...followUpFields(terminal, trace, input), 3: "000000", ...authorisation };
  return { type: input.isRepeat ? "0221" : "0220", fields };
}

/** A reversal: whatever the host did with the original, it undoes. */
export function buildReversal(terminal: Terminal, trace: Trace, input: FollowUpInput): IsoMessage {
  return { type: input.isRepeat ? "0421" : "0420", fields: followUpFields(terminal, trace, input) };
}

function followUpFields(terminal: Terminal, trace: Trace, input: FollowUpInput): Fields {
  const { original } = input;
  return {
    ...commonFields(terminal, { ...trace, retrieval: original.trace.retrieval }),
    ...(input.number === undefined ? {} : { 2: input.number }),
    3: original.code,
    4: String(input.amount),
    49: CURRENCY_NUMBERS[original.currency],
    90: originalData(terminal, original),
  };
}

/** Field 90: type, trace number and transmission time of the original, its acquirer, and no forwarding institution. */
function originalData({ acquirerId }: Pick<Terminal, "acquirerId">, { type, trace }: Original): string {
  return `${type}${trace.stan}${trace.transmitted}${acquirerId.padStart(11, "0")}${"0".repeat(11)}`;
}

function commonFields(terminal: Terminal, trace: Trace): Fields {
  return {
    7: trace.transmitted,
    11: trace.stan,
    12: trace.localTime,
    13: trace.localDate,
    32: terminal.acquirerId,
    37: trace.retrieval,
    41: terminal.terminalId,
    42: terminal.merchantId,
  };
}

/** Field 70. */
export type NetworkCode = "sign-on" | "sign-off" | "echo";
export const NETWORK_CODES: Readonly<Record<NetworkCode, string>> = {
  "sign-on": "001",
  "sign-off": "002",
  echo: "301",
};

export function buildNetworkMessage(terminal: Terminal, trace: Trace, code: NetworkCode): IsoMessage {
  const { 37: _, ...fields } = commonFields(terminal, trace);
  return { type: "0800", fields: { ...fields, 70: NETWORK_CODES[code] } };
}

function two(value: number): string {
  return String(value).padStart(2, "0");
}
