import { cents, MAX_TOTAL_CENTS } from "../../kernel/money.ts";
import { instant } from "../../kernel/time.ts";
import { encodeMessage } from "./codec.ts";
import { type Dialect, type IsoMessage, MessageError } from "./dialect.ts";
import { type DialectOrProblems, openDialect } from "./dialect-file.ts";
import {
  buildCompletion,
  buildNetworkMessage,
  buildRequest,
  buildReversal,
  type Terminal,
} from "./messages.ts";
import type { Iso8583Settings } from "./settings.ts";
import { traceOf } from "./trace.ts";

/** The dialect of an account, if every message of the account can be written in it. */
export async function openAccountDialect(settings: Iso8583Settings): Promise<DialectOrProblems> {
  const opened = await openDialect(settings.dialect);
  if ("problems" in opened) return opened;
  const problems = samplesOf(settings).flatMap((message) => misfits(opened.dialect, message));
  if (problems.length === 0) return opened;
  return { problems: [...new Set(problems)].map((problem) => `dialect ${settings.dialect}: ${problem}`) };
}

/** Why fields of a message can't be written. */
function misfits(dialect: Dialect, { type, fields }: IsoMessage): readonly string[] {
  return Object.entries(fields).flatMap(([field, value]) => {
    try {
      encodeMessage(dialect, { type, fields: { [field]: value } });
      return [];
    } catch (error) {
      if (error instanceof MessageError) return [error.message];
      throw error;
    }
  });
}

/** 20 bytes in base64, and a UUID. */
const LONGEST_CAVV = "A".repeat(28);
const LONGEST_ID = "A".repeat(36);

/** One message of each kind, with values as long as they get. */
function samplesOf(terminal: Terminal): readonly IsoMessage[] {
  const trace = traceOf(1, instant(0), "Australia/Sydney");
  const number = "6212345678901234564";
  const amount = cents(MAX_TOTAL_CENTS);
  const currency = "AUD";
  const request = buildRequest(terminal, trace, {
    kind: "purchase",
    amount,
    surcharge: cents(0),
    currency,
    origin: "internet",
    card: { number, expiryMonth: 12, expiryYear: 2030 },
    privateData: { CV: "1234", EC: "05", CA: LONGEST_CAVV, DS: LONGEST_ID, NT: LONGEST_ID, SC: "C" },
  });
  const original = { type: request.type, code: "000000", trace, currency } as const;
  const followUp = { original, amount, number, authorisation: "000000", isRepeat: false };
  return [
    request,
    buildCompletion(terminal, trace, followUp),
    buildReversal(terminal, trace, followUp),
    buildNetworkMessage(terminal, trace, "echo"),
  ];
}
